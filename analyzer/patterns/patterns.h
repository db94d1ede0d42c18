// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/matching/collectives.h"
#include "analyzer/matching/teams.h"
#include "analyzer/patterns/measured.h"
#include "analyzer/replay/replayed_trace.h"

/// The patterns. Each is a pure function of matched records; its file says what it finds, with a picture.
/// Notation: E, L enter and leave of a call; B, X begin and end of a collective operation on one rank.
namespace holos::analyzer::patterns {

// --- point to point: of one location, after matching --------------------------------------------------
/// Late Sender and its wrong-order parts. Marks the calls that wait, which `lateReceiver` asks for.
void lateSender(replay::ReplayedTrace& trace, trace::LocationId location, LocalSeverities& severities);
/// After `lateSender` of the same location.
void lateReceiver(replay::ReplayedTrace& trace, trace::LocationId location, LocalSeverities& severities);
void countMessages(const replay::ReplayedTrace& trace, trace::LocationId location,
                   LocalSeverities& severities);

// --- collective operations: set `wait` and `completion` of all records of an instance ------------------
void collectiveWaits(matching::CollectiveInstance instance);
void barrierWaits(matching::CollectiveInstance instance);
void nToNWaits(matching::CollectiveInstance instance);
void lateBroadcast(matching::CollectiveInstance instance);
void earlyReduce(matching::CollectiveInstance instance);
void earlyScan(matching::CollectiveInstance instance);
/// The metric of the waits of an operation; `Count` where it has none.
Measured waitMetricOf(replay::Collective operation);
/// Alltoallv and its like, as far as the byte counts prove who had to wait. Within one group, the receivers
/// are the senders.
void exchangeWaits(matching::CollectiveInstance receivers, matching::CollectiveInstance senders);
/// An operation between two groups: ranks wait for those of the other group.
void intercommunicatorWaits(matching::CollectiveInstance first, matching::CollectiveInstance second);
/// Of the nonblocking operations that one call completes, at most one counts; after the patterns of messages.
void settleNonblocking(replay::LocationTrace& location);
/// Books what was found, and counts operations and bytes, of one location. After `settleNonblocking`.
void bookCollectives(const replay::LocationTrace& location, LocalSeverities& severities);

// --- one-sided communication ------------------------------------------------------------------------------
/// Operations that create, free or fence a window: as `collectiveWaits`.
void windowWaits(matching::CollectiveInstance instance);
/// After `collectiveWaits`.
void earlyFences(const replay::ReplayedTrace& trace, std::vector<LocalSeverities>& severities);
/// These two fill `rmaWaits` of all locations.
void activeTargetWaits(replay::ReplayedTrace& trace, std::vector<LocalSeverities>& severities);
void passiveTargetWaits(replay::ReplayedTrace& trace);
/// The metric of such a wait.
Measured metricOf(const replay::RmaWait& wait);
/// Books them, and counts bytes, of one location.
void bookAccesses(const replay::LocationTrace& location, LocalSeverities& severities);

// --- files ------------------------------------------------------------------------------------------------
/// Operations of all who have a file open: as `collectiveWaits`.
void fileWaits(matching::CollectiveInstance instance);
void countFileBytes(const replay::ReplayedTrace& trace, trace::LocationId location,
                    LocalSeverities& severities);

// --- all processes together ----------------------------------------------------------------------------
void startupWaits(replay::ReplayedTrace& trace, std::vector<LocalSeverities>& severities);

// --- threads -------------------------------------------------------------------------------------------
/// Moves the time of fork and join to the parallel region (on every thread) and measures it.
void ompManagement(replay::ReplayedTrace& trace, const matching::ForkedStays& stays,
                   std::vector<LocalSeverities>& severities);
void ompBarrierWait(replay::BarrierRecord& barrier, const matching::LastArrival& last);
/// Tells their locations what acquisitions waited for.
void lockWaits(replay::ReplayedTrace& trace, matching::LockHistory history);
/// The metric of the waits for a lock in such a call; `Count` where it has none.
Measured contentionMetricOf(trace::CallKind kind);
/// The part of a wait that is that metric's.
trace::Ticks contentionOf(const replay::LockRecord& acquisition, const replay::LockWait& wait);
/// Books barriers and locks of one location.
void bookThreads(const replay::LocationTrace& location, LocalSeverities& severities);

}  // namespace holos::analyzer::patterns
