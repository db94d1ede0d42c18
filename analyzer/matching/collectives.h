// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>

#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::matching {

/// One operation as all ranks of its communicator saw it, by rank.
using CollectiveInstance = std::span<replay::CollectiveRecord* const>;

/// Finds the operations that belong together: the n-th that every rank of a communicator began. Calls
/// `evaluate` once for each complete one, from several workers; `evaluateInter` for those between two groups,
/// with the ranks of both. Operations that some ranks lack, or in which the ranks disagree, are not evaluated
/// and end up in the diagnoses. Returns the number of complete operations.
std::uint64_t matchCollectives(
    replay::ReplayedTrace& trace, workers::Workers& workers, std::vector<Diagnosis>& diagnoses,
    const std::function<void(CollectiveInstance)>& evaluate,
    const std::function<void(CollectiveInstance, CollectiveInstance)>& evaluateInter);

}  // namespace holos::analyzer::matching
