// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/memory/by_location.h"
#include "analyzer/memory/records.h"
#include "analyzer/replay/records.h"
#include "analyzer/replay/replayed_location.h"
#include "analyzer/trace/classification.h"
#include "analyzer/trace/definitions.h"

namespace holos::analyzer::replay {

/// A moment at which the counters of a class were read.
struct ClassTime {
    trace::MetricClassId metricClass;
    Ticks time;
};

/// Of counters that are read for several threads.
std::vector<ClassTime> classTimes(const ByLocation<LocationCalls>& locations);

/// When counters were read that a location has a part in. Threads for which the same counters are read share
/// a list.
/// Thread safety: safe to read.
class ReadingTimes {
  public:
    /// None.
    ReadingTimes() = default;
    ReadingTimes(const trace::Definitions& definitions, const std::vector<ClassTime>& times);

    /// In ascending order.
    std::span<const Ticks> of(trace::LocationId location) const;

  private:
    std::vector<std::uint32_t> listOf_;  ///< by location
    std::vector<std::vector<Ticks>> lists_;
};

/// Where masters announce their forks, so that workers find the call path they continue. What a location
/// finds comes from those that are in a team with it (`trace::canBeTeam`). A worker that asks too early waits
/// for its master; masters are started before their workers, so one thread alone never waits. What a worker
/// gets depends on the trace alone, not on who was faster.
/// Thread safety: safe.
class TeamBoard {
  public:
    TeamBoard(const trace::Definitions& definitions, const std::vector<trace::LocationId>& order);

    void announce(std::uint32_t comm, Origin origin, trace::Ticks forked);
    /// A fork whose master was recorded no further: which team it made, only the workers tell.
    void announceCut(Origin origin);
    /// After the last event of a location, whatever happened: nobody waits for its forks any more.
    void finish(trace::LocationId location);
    /// All forks have been announced: a location that is replayed once more announces none.
    void settle() { isSettled_ = true; }
    /// Where instance number `instance` of the team was forked, for a worker; nothing when it never was.
    std::optional<Origin> origin(std::uint32_t comm, std::uint32_t instance, trace::LocationId worker);
    /// When that was, in a trace that tells of times without a processor; after `origin` found it.
    std::optional<trace::Ticks> forkTime(std::uint32_t comm, std::uint32_t instance);

  private:
    struct Team {
        std::optional<trace::LocationId> master;  ///< the location of its rank 0
        std::mutex mutex;
        std::condition_variable changed;
        std::vector<Origin> origins;
        std::vector<trace::Ticks> forked;  ///< by origin, where that is kept
        std::optional<Origin> cut;         ///< the master's last fork, when it began no team any more
        bool finished = false;
    };
    std::vector<std::unique_ptr<Team>> teams_;  ///< by communicator
    std::vector<std::vector<Team*>> ledBy_;     ///< by location: the teams of which it is the master
    bool isSettled_ = false;
    bool keepsTimes_;
    std::vector<std::size_t> position_;  ///< of a location in the order of replay
};

/// The locations in an order in which masters come before their workers, as far as that is possible.
std::vector<trace::LocationId> replayOrder(const trace::Definitions& definitions);

/// What all replays share and only read.
struct Context {
    const trace::Definitions& definitions;
    const std::vector<trace::RegionClass>& classes;  ///< by region
    TeamBoard& board;
    bool withProfiles = false;  ///< time per call path between synchronization points is wanted
    Memory memory = heap();     ///< for records
    /// Where a location's time is cut, so that what was read for it can be shared out.
    ReadingTimes readingTimes = {};
};

}  // namespace holos::analyzer::replay
