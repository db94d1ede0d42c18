// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace holos::validation {

/// One predicted count, and what many fresh processes counted.
struct Case {
    double predicted = 0.0;
    std::size_t runs = 0;
    double mean = 0.0;
    double deviation = 0.0;  ///< standard deviation, with n - 1 in the denominator; 0 for one run

    bool operator==(const Case&) const = default;
};

Case caseOf(double predicted, const std::vector<double>& counts);

/// (reported - predicted) / predicted; infinite where nothing was predicted and something reported.
double relativeDifference(const Case& one);

/// How a count is wrong. The classes are those of Maxwell, Teller, Salayandia and Moore, *Accuracy of
/// performance monitoring hardware* (LACSI 2002), as the validity study uses them.
enum class ErrorClass : std::uint8_t {
    None,            ///< the prediction, within the accuracy and the scatter of the runs
    Bias,            ///< a constant difference, of no account in large regions
    Multiplicative,  ///< a constant factor, perhaps with a bias
    Random,          ///< differs from run to run, also in large regions
    Unknown          ///< none of these
};

struct Diagnosis {
    ErrorClass error = ErrorClass::Unknown;
    double factor = 1.0;  ///< reported = factor × predicted + bias
    double bias = 0.0;
    std::optional<double> upTo = {};  ///< reported counts that are larger follow nothing
};

/// Fits the four models reported = predicted, predicted + bias, factor × predicted, factor × predicted + bias
/// in this order, by least squares of relative residuals, and takes the first one that all cases agree with.
/// A case agrees when its mean is off by at most 3 % of the prediction (for the first model, 1 %), or by two
/// standard deviations of a run. Random: a run's standard deviation is more than 5 % of the prediction in the
/// largest case. Where all cases together follow none of these, the largest beginning of at least four cases
/// that does is taken, up to its last reported count: caches overflow. One without error is preferred if it
/// has half of the cases. Throws Error without cases.
Diagnosis diagnose(const std::vector<Case>& cases);

/// The smallest prediction from which on, through all larger ones, the mean is off and the runs deviate by at
/// most `accuracy` of it; nothing when the largest case does not.
std::optional<double> trustedFrom(const std::vector<Case>& cases, double accuracy);

/// The range of tested predictions in which the mean is off and the runs deviate by at most `accuracy`: as
/// `trustedFrom`; or else the one with most cases below, at least three. Nothing where there is none.
struct TrustedRange {
    double from = 0.0;
    std::optional<double> upTo = {};  ///< nothing: all larger ones
};
std::optional<TrustedRange> trustedRange(const std::vector<Case>& cases, double accuracy);

/// `none`, `bias +2.1`, `multiplicative × 1.057`, `none up to 3984`, …
std::string diagnosisText(const Diagnosis& diagnosis);

}  // namespace holos::validation
