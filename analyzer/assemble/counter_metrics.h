// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::assemble {

/// Adds a metric for each counter of the trace, shown under its event name; the unique name is made safe.
/// Accumulated counters add up; of samples the largest value of a call path and location is kept. What was
/// counted for a process or a node is divided among call paths (`GrowthShares`), and says so.
void addCounters(algebra::Experiment& experiment, const replay::ReplayedCalls& calls,
                 const paths::MergedTree& merged, workers::Workers& workers);

}  // namespace holos::analyzer::assemble
