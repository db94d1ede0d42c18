// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

namespace holos::algebra::scaling {

/// Where a value stops following a growth, or begins to.
enum class Bend {
    None,
    Step,        ///< 0 up to a place, and 1 beyond it
    After,       ///< 0 up to a place, and from there on as much as the growth adds
    Until,       ///< the growth up to a place, and what it reached there beyond it
    Saturating,  ///< x / (x + place): half of it is reached at this place
    Decaying,    ///< 1 - exp(-x / place): what is missing shrinks by a factor of e with each such step
};

/// How a value changes with a parameter x: x^(numerator/denominator) · log2(x)^logarithms. These are the
/// factors of the performance model normal form (A. Calotoiu, T. Hoefler, M. Poke, F. Wolf: Using Automated
/// Performance Modeling to Find Scalability Bugs in Complex Codes, SC13, section 3.1). x is at least 1.
struct Growth {
    int numerator = 0;
    int denominator = 1;
    int logarithms = 0;
    /// How unlikely this growth is before anything was measured: 1 for the laws of ordinary algorithms, more
    /// for unusual exponents, 0 for no growth.
    int oddness = 0;
    Bend bend = Bend::None;
    double place = 0;  ///< of the bend

    double exponent() const { return static_cast<double>(numerator) / denominator; }
    double at(double x) const;
    bool isConstant() const { return numerator == 0 && logarithms == 0 && bend == Bend::None; }
    /// Does not exceed a limit however large x is.
    bool isBounded() const {
        return isConstant() || vanishes() || bend == Bend::Step || bend == Bend::Until ||
               bend == Bend::Saturating || bend == Bend::Decaying;
    }
    /// What a bounded one comes near to.
    double limit() const;
    /// Nearer to 0 the larger x is.
    bool vanishes() const { return numerator < 0; }
    friend bool operator==(const Growth& a, const Growth& b) {
        return a.numerator * b.denominator == b.numerator * a.denominator && a.logarithms == b.logarithms &&
               a.bend == b.bend && a.place == b.place;
    }
};

/// All that are looked for, apart from the constant and those with a bend.
const std::vector<Growth>& allGrowths();

/// `p^(3/2) * log2(p)`, `(p > 20)`, `min(p, 20)`; empty for the constant.
std::string textOf(const Growth& growth, const std::string& parameter);

/// As laws are written.
std::string threeDigits(double value);

/// The terms of a law beside its constant: one with a bend, and at most one without.
using BentLaw = std::vector<Growth>;

/// Laws of one parameter that change at some size: a step, where another algorithm begins; a kink, where a
/// resource is exhausted; the end of a growth. Places are between the sizes that were measured; those of
/// saturation also around them. Pure.
std::vector<BentLaw> bentLaws(const std::set<double>& sizes);

}  // namespace holos::algebra::scaling
