// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holos::algebra::cubepl {

class Budget;

/// Which flavour of a metric a reference asks for, along the call tree.
enum class Flavour : std::uint8_t { AsContext, Inclusive, Exclusive };

/// `metric::NAME(…)`, `metric::context::NAME(…)`, `metric::fixed::NAME(…)` or `metric::call::NAME(…)`.
struct Reference {
    std::string name;
    Flavour flavour = Flavour::AsContext;
    bool fixed = false;   ///< the value of the whole experiment
    bool called = false;  ///< at a call path that the program chooses
    /// Of all locations together, at the call path: `metric::fixed::NAME(MODIFIER)`.
    bool everywhere = false;
    friend bool operator==(const Reference&, const Reference&) = default;
};

/// A compiled regular expression (Perl syntax, as far as ECMAScript has it).
class Pattern {
  public:
    /// Throws `holos::Error` for what is no regular expression.
    explicit Pattern(const std::string& expression);
    /// Whether it is found anywhere in the text. Spends a step for each look at a character; throws
    /// `holos::Error` when that takes too long to say.
    bool isIn(const std::string& text, Budget& budget) const;

  private:
    struct Compiled;
    std::shared_ptr<const Compiled> compiled_;
};

/// A metric that a program defines: `cube::metric::prederived::NAME(e) <<expression>>`.
struct Definition {
    enum class Kind : std::uint8_t { PostDerived, PreDerivedInclusive, PreDerivedExclusive };
    std::string name = {};
    Kind kind = Kind::PostDerived;
    std::string expression = {};
};

enum class Op : std::uint8_t {
    Number,    ///< number
    Text,      ///< text
    Operand,   ///< value of references[index]
    Call,      ///< `metric::call`: value of references[index] at the call path that operand 0 numbers
    Variable,  ///< text is the name; operand 0, if any, the index
    Negate,
    Magnitude,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Random,     ///< between 0 and operand 0
    Argument,   ///< `arg1`, `arg2`: arguments[index]
    Lowercase,  ///< of the text of operand 0
    Uppercase,
    Environment,  ///< the variable of the environment that operand 0 names
    Property,     ///< `cube::metric::get`: of the metric named text, operand 0 says which
    Function,     ///< index is a position in kFunctions; its arguments are the operands
    Equal,
    Unequal,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    SameText,
    SimilarText,  ///< but for capital letters
    Matches,      ///< operand 0 has patterns[index] in it
    And,
    Or,
    Not,
    SizeOf,
    Defined,  ///< text is the variable's name
    // Statements
    Block,        ///< operands in order
    Assign,       ///< text = operand 0; text[operand 1] = operand 0
    If,           ///< condition, block, condition, block, …, and a last block for `else`
    While,        ///< condition, block
    Share,        ///< `global(text)`: the variable is common to all metrics
    SetProperty,  ///< `cube::metric::set`: of the metric named text, operand 0, to operand 1
    Return,       ///< operand 0
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
    std::vector<Pattern> patterns;
    std::vector<Definition> definitions;  ///< metrics that exist as soon as the program is read
    bool usesVariables = false;
    bool dependsOnLocation = false;  ///< apart from its references
};

struct Function {
    std::string_view name;
    double (*one)(double);          ///< null for functions of two arguments
    double (*two)(double, double);  ///< null for functions of one argument
};

/// The position of a function in the table; nothing when CubePL has none of this name.
std::optional<std::uint32_t> findFunction(std::string_view name);
const Function& function(std::uint32_t index);

/// Throws `holos::Error` with the column for what is not CubePL or not supported.
Program parse(std::string_view text);

}  // namespace holos::algebra::cubepl
