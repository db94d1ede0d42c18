// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/matching/collectives.h"
#include "analyzer/matching/teams.h"
#include "analyzer/patterns/severities.h"
#include "analyzer/replay/replayed_trace.h"

/// What matching and other patterns ask of patterns; all else about them is in their files and in `list.h`.
/// Notation: E, L enter and leave of a call; B, X start and end of a collective operation on one rank.
namespace holos::analyzer::patterns {

/// Sets `wait` and `completion` of all records of an instance, by the pattern of its operation.
void collectiveWaits(matching::CollectiveInstance instance);
/// An operation between two groups: ranks wait for those of the other group.
void intercommunicatorWaits(matching::CollectiveInstance first, matching::CollectiveInstance second);
/// Alltoallv and its like, as far as the byte counts prove who had to wait. Within one group, the receivers
/// are the senders.
void exchangeWaits(matching::CollectiveInstance receivers, matching::CollectiveInstance senders);
/// Of all operations in which ranks need data of others.
extern const Metric kWaitNxN;

/// Sets `wait` of the barrier of a team.
void ompBarrierWait(replay::BarrierRecord& barrier, const matching::LastArrival& last);
/// Tells their locations what acquisitions waited for.
void lockWaits(replay::ReplayedTrace& trace, matching::LockHistory history);
/// Moves the time of fork and join to the parallel region (on every thread) and measures it.
void ompManagement(replay::ReplayedTrace& trace, const matching::ForkedStays& stays,
                   std::vector<LocalSeverities>& severities);

}  // namespace holos::analyzer::patterns
