// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holos::algebra::cubepl {

/// Which flavour of a metric a reference asks for, along the call tree.
enum class Flavour : std::uint8_t { AsContext, Inclusive, Exclusive };

/// `metric::NAME(…)`, `metric::context::NAME(…)` or `metric::fixed::NAME(…)`.
struct Reference {
    std::string name;
    Flavour flavour = Flavour::AsContext;
    bool fixed = false;  ///< the value of the whole experiment
    friend bool operator==(const Reference&, const Reference&) = default;
};

enum class Op : std::uint8_t {
    Number,    ///< number
    Text,      ///< text
    Operand,   ///< value of references[index]
    Variable,  ///< text is the name; operand 0, if any, the index
    Negate,
    Magnitude,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Function,  ///< index is a position in kFunctions; its arguments are the operands
    Equal,
    Unequal,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    SameText,
    And,
    Or,
    Not,
    SizeOf,
    Defined,  ///< text is the variable's name
    // Statements
    Block,   ///< operands in order
    Assign,  ///< text = operand 0; text[operand 1] = operand 0
    If,      ///< condition, block, condition, block, …, and a last block for `else`
    While,   ///< condition, block
    Share,   ///< `global(text)`: the variable is common to all metrics
    Return,  ///< operand 0
};

struct Node {
    Op op = Op::Number;
    double number = 0.0;
    std::uint32_t index = 0;
    std::string text = {};
    std::vector<std::uint32_t> operands = {};  ///< positions in Program::nodes
};

/// A parsed program. Nodes refer to earlier nodes only; the last one is the root.
struct Program {
    std::vector<Node> nodes;
    std::vector<Reference> references;  ///< each once
    bool usesVariables = false;
};

struct Function {
    std::string_view name;
    double (*one)(double);          ///< null for functions of two arguments
    double (*two)(double, double);  ///< null for functions of one argument
};

/// The position of a function in the table; nothing when CubePL has none of this name (or none that can be
/// evaluated again with the same result, such as `random`).
std::optional<std::uint32_t> findFunction(std::string_view name);
const Function& function(std::uint32_t index);

/// Throws `holos::Error` with the column for what is not CubePL or not supported.
Program parse(std::string_view text);

}  // namespace holos::algebra::cubepl
