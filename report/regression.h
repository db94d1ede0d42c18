// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "algebra/model/experiment.h"

namespace holos::report {

/// `time > 1.05x`, `L1_HIT_RATE < 90`.
struct Condition {
    std::string metric;
    bool isGreater = true;
    double limit = 0.0;
    bool isRelative = false;  ///< times the baseline's value
    std::string text;         ///< as it was given
};

/// Nothing for a text that is no condition.
std::optional<Condition> parseCondition(const std::string& text);

struct Judged {
    std::string name;
    const algebra::Experiment& experiment;
};

struct Verdict {
    bool fails = false;
    std::string text;  ///< both values and their quotient
};

/// Whether the condition holds for the whole experiment. Throws Error where one lacks the metric, or where a
/// value is undefined: nothing can be said then.
Verdict judge(const Condition& condition, const Judged& baseline, const Judged& now);

}  // namespace holos::report
