// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::matching {

/// Who came last to a barrier; of several that came at the same time, the one with the lowest number.
struct LastArrival {
    trace::Ticks enter = 0;
    std::uint32_t location = replay::kNone;
    bool isAwaited = false;  ///< others came earlier
};
/// The last arrivals at all barriers. The n-th barriers of all threads in one instance of a team are one.
/// Thread safety: safe to read.
class LastArrivals {
  public:
    explicit LastArrivals(const replay::ReplayedTrace& trace);

    const LastArrival& of(const replay::BarrierRecord& record) const {
        const Team& team = teams_[record.team.comm];
        return team.last[team.first[record.team.instance] + record.sequence];
    }
    /// Null where nobody is known to have left that barrier.
    const LastArrival* at(const replay::TaskStall& stall) const;

  private:
    struct Team {
        Records<std::size_t> first{heap()};  ///< by instance: the position of its first barrier in `last`
        Records<LastArrival> last{heap()};
    };
    void count(const replay::BarrierRecord& record);
    void consider(const replay::BarrierRecord& record, std::uint32_t location);

    std::vector<Team> teams_;
};

/// What the threads of a team know of the fork and join around it. A run may have very many of them.
struct TeamFork {
    static constexpr trace::Ticks kNever = std::numeric_limits<trace::Ticks>::min();
    trace::Ticks fork = 0;
    trace::Ticks join = kNever;
    replay::NodeId parent;  ///< the call path that forked
    std::uint32_t master = replay::kNone;

    bool isJoined() const { return join != kNever; }
};
/// Times in which the recorder of a master thread wrote its buffer to disk: between the fork and the start of
/// the parallel region, and between its end and the join.
struct Flushes {
    trace::Ticks before = 0;
    trace::Ticks after = 0;
};

/// A thread's stay in a parallel region with the fork and join around it.
struct ForkedStay {
    trace::LocationId location;
    const replay::ParallelRecord& stay;
    const TeamFork& fork;
    Flushes flushes;  ///< of the location, if it is the master

    bool isMaster() const { return location.index() == fork.master; }
    /// From the fork until the thread entered the region, and from its end until the join; without the time
    /// that the recorder took, which has a call path of its own.
    trace::Ticks forkTime() const {
        return std::max<trace::Ticks>(0, stay.enter - fork.fork - flushes.before);
    }
    trace::Ticks joinTime() const {
        return fork.isJoined() ? std::max<trace::Ticks>(0, fork.join - stay.leave - flushes.after) : 0;
    }
};
/// Knows who forked which team, in memory that grows with the forks. Made once, for all who ask.
/// Thread safety: safe to read.
class ForkedStays {
  public:
    explicit ForkedStays(const replay::ReplayedTrace& trace);

    /// Calls `visit` for the stays of one location, in the order of time. `threads`: its records.
    template <class Visit>
    void visit(const replay::ThreadRecords& threads, trace::LocationId location, Visit&& visit) const {
        for (const replay::ParallelRecord& stay : threads.parallels)
            if (const TeamFork* fork = forkOf(stay.team))
                visit(ForkedStay{location, stay, *fork, flushesOf(stay.team, location, *fork)});
    }
    /// By communicator: how many instances were forked.
    std::size_t instances(std::uint32_t comm) const { return byTeam_[comm].size(); }
    /// Nothing when nobody is known to have forked the team.
    const TeamFork* forkOf(replay::TeamKey team) const {
        const auto& instances = byTeam_[team.comm];
        if (team.instance >= instances.size() || instances[team.instance].master == replay::kNone)
            return nullptr;
        return &instances[team.instance];
    }
    /// Frees the memory. Nothing may be asked afterwards.
    void forget() {
        byTeam_ = std::vector<Records<TeamFork>>();
        flushes_.clear();
    }

  private:
    void note(std::uint32_t master, const replay::Fork& fork);
    Flushes flushesOf(replay::TeamKey team, trace::LocationId location, const TeamFork& fork) const {
        if (flushes_.empty() || fork.master != location.index()) return {};
        const auto known = flushes_.find(team);
        return known == flushes_.end() ? Flushes{} : known->second;
    }

    std::vector<Records<TeamFork>> byTeam_;       ///< then by its instance
    std::map<replay::TeamKey, Flushes> flushes_;  ///< of the few masters that have any
};

/// A record of a lock, and where it stands.
struct LockRef {
    std::uint32_t location;
    std::uint32_t position;
    const replay::LockRecord* record;
};
/// The acquisitions and releases of one lock in the order of acquisition.
using LockHistory = std::span<const LockRef>;
/// Calls `visit` for each lock of each process, from several workers; for those of one process one after the
/// other, first for the signals of condition variables.
void forEachLock(const replay::ReplayedTrace& trace, workers::Workers& workers,
                 const std::function<void(LockHistory)>& visit);

/// Which signal ended which wait at a condition.
/// Thread safety: one thread at a time for the locations of one process.
class Signals {
  public:
    explicit Signals(std::size_t locations) : byLocation_(locations) {}

    static bool areIn(LockHistory history) {
        return history.front().record->kind == trace::CallKind::PthreadSignal;
    }
    void note(LockHistory signals);
    /// By the acquisition of the mutex with which the wait ends; null where no signal is known.
    const LockRef* of(const LockRef& acquired) const;

  private:
    std::vector<std::unordered_map<std::uint32_t, LockRef>> byLocation_;  ///< then by the arrival's position
};

}  // namespace holos::analyzer::matching
