// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// What an incomplete composition lacks, and how it can be had.
struct MissingTerms {
    std::vector<std::string> events;  ///< that were not measured, in the order of the formula
    /// Measurement sets of the specification that count them, as few as may be.
    std::vector<std::string> sets;
    std::vector<std::string> uncovered;  ///< events that no set counts
};

/// By the specification that the experiment carries. Nothing for metrics that are complete, or where the
/// specification does not say or has mistakes.
std::optional<MissingTerms> missingTerms(const Experiment& experiment, MetricId metric);

/// `without A and B; the measurement set MEM counts what is missing`
std::string missingTermsText(const MissingTerms& missing);

}  // namespace holos::algebra
