// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/collate/call_tree_merge.h"
#include "analyzer/patterns/measured.h"

namespace holos::analyzer::collate {

/// Whole numbers by call path.
using PathValues = std::vector<std::int64_t>;

/// What every time metric is made of, by location and then by call path, in ticks.
struct BaseValues {
    std::vector<PathValues> time;  ///< exclusive, as measured
    std::vector<PathValues> visits;
    std::vector<PathValues> idle;     ///< idle threads, limited parallelism included
    std::vector<PathValues> limited;  ///< limited parallelism
};

/// From local nodes to call paths.
PathValues toPaths(const MergedTree& merged, std::size_t location, const std::vector<std::int64_t>& byNode);

/// Time and visits of every location, and the idle-threads heuristic when `withIdle`.
BaseValues baseValues(const replay::ReplayedTrace& trace, const MergedTree& merged, bool withIdle);

}  // namespace holos::analyzer::collate
