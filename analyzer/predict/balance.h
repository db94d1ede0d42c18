// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/predict/work.h"
#include "analyzer/replay/replayed_trace.h"

namespace holos::analyzer::predict {

/// What is balanced among whom.
enum class Among : std::uint8_t {
    Everybody,  ///< from one collective operation of all processes to the next; in one process as below
    Tied,       ///< from the time at which all are tied to others to the next (`Tie::Mutual`)
    Working,    ///< the same for any tie, among those who have much of it
    Teams,      ///< the threads of each team, from barrier to barrier
    Together    ///< the threads that the program starts itself, and that are there together
};

/// Adds a layer to each location's scales: who executes the chosen nodes (by location and node) has the mean
/// of all who do, in each segment of the run. Returns whether that changes anything; where no processes are
/// tied to others, it is not divided by that, and nothing is added.
bool balance(const RunGraph& graph, const replay::ReplayedTrace& trace,
             const std::vector<std::vector<bool>>& isIn, Among among, std::vector<LocationScales>& scales);

}  // namespace holos::analyzer::predict
