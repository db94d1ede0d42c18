// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "analyzer/matching/teams.h"
#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::matching {

/// Where clocks disagree: events that were recorded before ones that they follow, such as a receive before
/// its send. One diagnosis for each pair of locations and kind of event, with their number, the first of them
/// and how far they are off; after all patterns. `consequence`: what was done about it.
std::vector<Diagnosis> clockViolations(const replay::ReplayedTrace& trace, const ForkedStays& stays,
                                       workers::Workers& workers, const std::string& consequence);

}  // namespace holos::analyzer::matching
