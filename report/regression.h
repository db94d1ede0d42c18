// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::report {

/// What a condition's number is.
enum class Scale : unsigned char {
    Plain,          ///< in the metric's unit
    TimesBaseline,  ///< times the baseline's value: `1.05x`
    Percent,        ///< of the time of all threads, or of the root of a metric that is no time; of `slower`,
                    ///< of the baseline's time
};

/// `time > 1.05x`, `L1_HIT_RATE < 90`, `mpi_latesender > 3%`; and two that are no metrics: `slower > 5%`, of
/// the time that a run takes, and `waiting > 10%`, of all wait states.
struct Condition {
    std::string metric;
    bool isGreater = true;
    double limit = 0.0;
    Scale scale = Scale::Plain;
    std::string text;  ///< as it was given

    bool isSlower() const { return metric == "slower"; }
    bool isWaiting() const { return metric == "waiting"; }
    /// Says nothing without another experiment.
    bool needsBaseline() const { return isSlower() || scale == Scale::TimesBaseline; }
};

/// Nothing for a text that is no condition.
std::optional<Condition> parseCondition(const std::string& text);

struct Judged {
    std::string name;
    const algebra::Experiment& experiment;
};

struct Verdict {
    bool fails = false;
    /// What is so: both values and their quotient, or how much slower, and how sure that is.
    std::string text;
};

/// Whether the condition holds for the whole experiment. `baseline`: repeated runs, of which the mean counts;
/// none where the condition needs none. That a run is slower has to be more than repeated runs differ by.
/// Throws Error where one lacks the metric, or where a value is undefined: nothing can be said then.
Verdict judge(const Condition& condition, const std::vector<Judged>& baseline, const Judged& now);

/// A verdict on an experiment, for servers that build and test.
struct Checked {
    std::string experiment;
    std::string condition;
    Verdict verdict;
};

/// As JUnit writes it: a test case for each condition of each experiment.
std::string junitText(const std::vector<Checked>& checks);

}  // namespace holos::report
