// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "report/query/iterations.h"

namespace holos::gui {

/// The iteration that a time lies in.
struct FoundIteration {
    std::size_t number = 0;  ///< from 1
    double from = 0.0;
    double to = 0.0;
};
std::optional<FoundIteration> iterationAt(double time, const query::IterationTimes& iterations);

/// By how much the second run has to be looked at later, so that the iteration in which the first one is at
/// `time` begins at the same place; nothing where one of them has no such iteration.
struct AlignedIteration {
    std::size_t number = 0;  ///< from 1
    double shift = 0.0;      ///< seconds
};
std::optional<AlignedIteration> alignedAt(double time, const std::vector<double>& first,
                                          const std::vector<double>& second);

}  // namespace holos::gui
