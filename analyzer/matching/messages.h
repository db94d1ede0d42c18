// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::matching {

/// Pairs sends and receives: the n-th send with the n-th receive that was posted, of equal communicator,
/// source, destination and tag (MPI standard, non-overtaking rule), in whatever order they are completed.
/// Fills the match fields of both records. Processes stand for their threads: where several threads
/// communicate, their events are taken by time. Returns the number of pairs; what stays alone is added to the
/// diagnoses of its location.
std::uint64_t matchMessages(replay::ReplayedTrace& trace, workers::Workers& workers);

}  // namespace holos::analyzer::matching
