// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace holos::algebra::scaling {

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

    double exponent() const { return static_cast<double>(numerator) / denominator; }
    double at(double x) const;
    bool isConstant() const { return numerator == 0 && logarithms == 0; }
    /// Nearer to 0 the larger x is.
    bool vanishes() const { return numerator < 0; }
    friend bool operator==(const Growth& a, const Growth& b) {
        return a.numerator * b.denominator == b.numerator * a.denominator && a.logarithms == b.logarithms;
    }
};

/// All that are looked for, apart from the constant.
const std::vector<Growth>& allGrowths();

/// `p^(3/2) * log2(p)`; empty for the constant.
std::string textOf(const Growth& growth, const std::string& parameter);

}  // namespace holos::algebra::scaling
