// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/matching/matches.h"

namespace holos::analyzer {

/// All that has to be said of a trace: its definitions, then location by location what replay and matching
/// found, then `others`, which are of the trace as a whole. What the analysis leaves out it leaves out
/// everywhere: that is said once.
std::vector<Diagnosis> gatherDiagnoses(const replay::ReplayedCalls& calls, const matching::Matches& matches,
                                       const std::vector<Diagnosis>& others);

}  // namespace holos::analyzer
