// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::matching {

/// Joins requests that one thread of a process began with their completion by another one, so that the
/// records of either name the other's. To be done before messages and collective operations are matched.
/// Where no thread began what was completed, a diagnosis of the location says so.
void linkRequests(replay::ReplayedTrace& trace, workers::Workers& workers);

}  // namespace holos::analyzer::matching
