// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace holos::specs {

/// One step of a formula in postfix order: pushes a value, or replaces the topmost values by their result.
struct Step {
    enum class Kind : std::uint8_t { Operand, Number, Add, Subtract, Multiply, Divide, Negate };
    Kind kind = Kind::Number;
    std::uint32_t operand = 0;  ///< index into Formula::terms
    double number = 0.0;
};

/// An expression of a definition. The parser makes only well-formed ones: every step finds
/// its operands, and one value is left at the end.
struct Formula {
    std::vector<std::string> terms;  ///< every name once, in the order of first use
    std::vector<Step> steps;
};

/// `terms[0] + terms[1] + …`, for at least one term.
Formula sumOf(std::vector<std::string> terms);

/// Numerator and denominator of a formula whose outermost and only division is a quotient.
std::optional<std::pair<Formula, Formula>> splitQuotient(const Formula& formula);

/// Evaluates the formula once per element: `operands[i]` holds the values of `formula.terms[i]`, as many as
/// `result` has, or none at all when they are all zero. A quotient of something by 0 is NaN; one of nothing
/// by 0 is `nothing`, for which CUBE takes 0. Pure; thread safety: safe.
void evaluate(const Formula& formula, std::span<const std::span<const double>> operands,
              std::span<double> result, double nothing = 0.0);

/// The number with all its digits and without exponent.
std::string exactText(double number);

/// The formula as a specification spells it.
std::string formulaText(const Formula& formula);

}  // namespace holos::specs
