// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "algebra/cubepl/syntax.h"

namespace holos::algebra::cubepl {

/// What a variable holds: a number or a text.
struct Value {
    double number = 0.0;
    std::optional<std::string> text;
};

/// Variables by name; each is an array whose element 0 is the plain variable.
struct Variables {
    std::map<std::string, std::vector<Value>> values;
    std::set<std::string> shared;  ///< declared `global`
};

/// What a program can ask about the experiment: `${cube::…}` and `${calculation::…}`.
class Facts {
  public:
    virtual ~Facts() = default;
    /// Nothing when there is no such variable or element.
    virtual std::optional<Value> find(const std::string& name, std::optional<std::size_t> index) const = 0;
};

/// What all evaluations of one query together may still spend; bounds time and memory of hostile programs.
struct Budget {
    std::size_t loops = 20'000'000;
    std::size_t elements = 10'000'000;
};

/// What one evaluation works on.
struct Inputs {
    /// By reference of the program: one value per lane, or a single one for all lanes.
    std::span<const std::vector<double>> operands;
    std::size_t lane = 0;
    const Facts* facts = nullptr;
    const Variables* given = nullptr;  ///< may be read; assignments stay within the evaluation
    Budget* budget = nullptr;          ///< not null
};

/// The value of an expression, or what the program returns (0 when it returns nothing). Division follows
/// CUBE: 0 / x is 0 even for x = 0, x / 0 is NaN. Throws `holos::Error` for a program that exceeds the
/// budget, and for one that needs what the inputs lack.
double evaluate(const Program& program, const Inputs& inputs);

/// Runs a program for what it assigns (`cubeplinit`).
Variables initialise(const Program& program, const Inputs& inputs);

}  // namespace holos::algebra::cubepl
