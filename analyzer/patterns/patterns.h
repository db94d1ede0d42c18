// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/patterns/pattern.h"

/// What the search and other patterns ask of patterns; all else about them is in their files and in `list.h`.
/// Notation: E, L enter and leave of a call; B, X start and end of a collective operation on one rank.
namespace holos::analyzer::patterns {

/// Notes the waits in all collective operations, by the patterns of these.
void findCollectiveWaits(const replay::ReplayedTrace& trace, const matching::CollectiveOperations& operations,
                         workers::Workers& workers, AllFindings& found);
/// An operation between two groups: ranks wait for those of the other group.
void intercommunicatorWaits(CollectiveParts first, CollectiveParts second);
/// Alltoallv and its like, as far as the byte counts prove who had to wait. Within one group, the receivers
/// are the senders.
void exchangeWaits(CollectiveParts receivers, CollectiveParts senders);
/// Of all operations in which ranks need data of others.
extern const Metric kWaitNxN;

/// Notes the waits in barriers of teams, kept in `memory`.
void findOmpBarrierWaits(const replay::ReplayedTrace& trace, workers::Workers& workers, Memory memory,
                         AllFindings& found);
/// Books the times in barriers of teams in which threads could run and had no processor, beyond all waits,
/// which have to be known.
void findShortagesAtBarriers(const replay::ReplayedTrace& trace, workers::Workers& workers,
                             AllFindings& found);
/// How long a call of threads took that had no processor, beyond its waits: `rest` of its own time. A thread
/// that waits for others is woken at the end of that, if it sleeps.
Ticks shortageBeyond(const replay::TimeOff& off, Ticks waited, Ticks rest, Ticks longestWake);
/// `replay::kLongestWake`
Ticks longestWakeOf(const trace::Definitions& definitions);
/// That of waiting for processors in such calls, one of `trace::kWaitingClasses`.
const Metric* shortageMetricOf(trace::TimeClass within);
/// The same for calls that wait for locks, tasks and threads, and others that have no record of messages.
void findShortagesInCalls(const replay::ReplayedTrace& trace, workers::Workers& workers, AllFindings& found);
/// How long a thread waits for a signal at a condition: for all but what has a metric of its own.
extern const Metric kConditionSignalWait;
/// Books what calls of MPI take beyond all waits, which have to be known, and beyond their cost in this run.
void findUnexplained(const matching::MatchedTrace& run, workers::Workers& workers, AllFindings& found);
/// Notes what acquisitions of locks waited for.
void findLockWaits(const replay::ReplayedTrace& trace, workers::Workers& workers, AllFindings& found);

}  // namespace holos::analyzer::patterns
