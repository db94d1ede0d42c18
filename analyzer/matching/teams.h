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
/// Knows who forked which team.
class ForkedStays {
  public:
    explicit ForkedStays(const replay::ReplayedTrace& trace);

    /// Calls `visit` for those of one location, in the order of time.
    template <class Visit>
    void visit(trace::LocationId location, Visit&& visit) const {
        for (const replay::ParallelRecord& stay : trace_[location].threads.parallels)
            if (const Forked forked = find(stay.team); forked.master != replay::kNone)
                visit(ForkedStay{location, stay, trace_.locations[forked.master].threads.forks[forked.fork],
                                 trace::LocationId(forked.master)});
    }

  private:
    /// Who forked, nobody when that is not known, and the position of the record of it.
    struct Forked {
        std::uint32_t master = replay::kNone;
        std::uint32_t fork = replay::kNone;
    };
    Forked find(replay::TeamKey team) const {
        const auto& instances = byTeam_[team.comm];
        return team.instance < instances.size() ? instances[team.instance] : Forked{};
    }

    const replay::ReplayedTrace& trace_;
    std::vector<std::vector<Forked>> byTeam_;  ///< then by its instance
};

/// The acquisitions and releases of one lock in the order of acquisition.
using LockHistory = std::span<replay::LockRecord* const>;
/// Calls `evaluate` for each lock of each process.
void matchLocks(replay::ReplayedTrace& trace, workers::Workers& workers,
                const std::function<void(LockHistory)>& evaluate);

}  // namespace holos::analyzer::matching
