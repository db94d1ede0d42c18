// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/matching/matches.h"
#include "analyzer/replay/replayed_trace.h"
#include "analyzer/trace/diagnosis.h"

namespace holos::analyzer {

/// All that has to be said of a trace: its definitions, then location by location what replay and matching
/// found, then `others`, which are of the trace as a whole. What the analysis leaves out it leaves out
/// everywhere: that is said once.
std::vector<Diagnosis> gatherDiagnoses(const replay::ReplayedCalls& calls, const matching::Matches& matches,
                                       const std::vector<Diagnosis>& others);

/// Families of MPI calls that the program made, and of whose operations the trace has not a single record:
/// TAU writes messages, but no collective operations. Their time is known; waits and bytes are not. Call it
/// before records are worked on, which are given up as soon as nothing needs them.
std::vector<Diagnosis> unrecordedOperations(const replay::ReplayedTrace& trace,
                                            const replay::ReplayedCalls& calls);

}  // namespace holos::analyzer
