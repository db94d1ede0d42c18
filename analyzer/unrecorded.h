// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/replay/replayed_trace.h"
#include "analyzer/trace/diagnosis.h"

namespace holos::analyzer {

/// Families of MPI calls that the program made, and of whose operations the trace has not a single record:
/// TAU writes messages, but no collective operations. Their time is known; waits and bytes are not. Call it
/// before records are worked on, which are given up as soon as nothing needs them.
std::vector<Diagnosis> unrecordedOperations(const replay::ReplayedTrace& trace,
                                            const replay::ReplayedCalls& calls);

}  // namespace holos::analyzer
