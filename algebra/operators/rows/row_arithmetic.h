// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

/// Arithmetic on whole rows of equal length. Compiled for vector instructions.
namespace holos::algebra {

/// `into += factors × values`; no factors: 1.
void addWeighted(std::span<double> into, std::span<const double> values, std::span<const double> factors);
/// `into -= values`
void subtract(std::span<double> into, std::span<const double> values);
/// `into /= divisors`; no divisors: 1.
void divide(std::span<double> into, std::span<const double> divisors);

/// Puts back what all rows agree on: the mean of equal values is exact, whatever their sum was rounded to.
void keepEqual(std::span<double> into, std::span<const std::span<const double>> rows);

}  // namespace holos::algebra
