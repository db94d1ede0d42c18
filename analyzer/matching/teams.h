// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>

#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::matching {

/// The barriers of one team that belong together, one of each thread that took part.
using BarrierInstance = std::span<replay::BarrierRecord* const>;
/// Calls `evaluate` for each of them: the n-th barrier of every thread in one instance of a team.
void matchBarriers(replay::ReplayedTrace& trace, workers::Workers& workers,
                   const std::function<void(BarrierInstance)>& evaluate);

/// A thread's stay in a parallel region with the fork and join around it.
struct ForkedStay {
    trace::LocationId location;
    const replay::ParallelRecord& stay;
    const replay::Fork& fork;
    trace::LocationId master;  ///< who forked

    bool isMaster() const { return location == master; }
};
/// Calls `visit` for each of them, one location after the other.
void visitForkedStays(const replay::ReplayedTrace& trace,
                      const std::function<void(const ForkedStay&)>& visit);

/// The acquisitions and releases of one lock in the order of acquisition.
using LockHistory = std::span<replay::LockRecord* const>;
/// Calls `evaluate` for each lock of each process.
void matchLocks(replay::ReplayedTrace& trace, workers::Workers& workers,
                const std::function<void(LockHistory)>& evaluate);

}  // namespace holos::analyzer::matching
