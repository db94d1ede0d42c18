// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "analyzer/run_records.h"
#include "report/query/table.h"

namespace holos::query {

/// The threads for which the conditions on these columns may hold.
std::vector<analyzer::trace::LocationId> locationsFor(const analyzer::trace::Definitions& definitions,
                                                      const Question& question, std::size_t locationColumn,
                                                      std::size_t processColumn, std::size_t threadColumn);

/// The table of calls: its columns, what is wanted of it, and its rows as a replay tells them.
namespace call {

namespace trace = analyzer::trace;
using trace::Ticks;

enum : std::size_t {
    kLocation,
    kProcess,
    kThread,
    kRegion,
    kPath,
    kStart,
    kEnd,
    kDuration,
    kOwn,
    kIteration,
    kCount,
    kSent,
    kReceived,
    kDepth
};

struct Row {
    trace::LocationId location;
    analyzer::replay::NodeId node;
    trace::RegionId region;
    Ticks enter = 0, leave = 0, own = 0;
    std::uint64_t count = 1;
    std::uint64_t sent = 0, received = 0;
    std::size_t depth = 0;
};

/// Which calls are wanted, in ticks.
struct Wanted {
    Ticks fromStart = std::numeric_limits<Ticks>::min();
    Ticks toStart = std::numeric_limits<Ticks>::max();
    Ticks toEnd = std::numeric_limits<Ticks>::max();
    double leastDuration = 0;   ///< seconds
    std::vector<char> regions;  ///< by region; empty: all

    bool hasRegion(trace::RegionId region) const { return regions.empty() || regions[region.index()] != 0; }
    bool begins(Ticks enter) const { return enter >= fromStart && enter <= toStart; }
    bool isNone() const;
};
/// `iterations`: of the process; null where no question is about them.
Wanted wantedBy(const trace::Definitions& definitions, const Question& question,
                const analyzer::Iterations* iterations);

/// The number of the iteration at this time; nothing where there is none.
Value iterationAt(const analyzer::Iterations* iterations, Ticks time);

/// The time of calls within each call, as they end: those that began since it began are within it.
class OwnTimes {
  public:
    Ticks ownOf(const analyzer::replay::LeftCall& call);

  private:
    static constexpr std::size_t kMost = 1U << 20U;
    struct Ended {
        Ticks begin;
        Ticks passed;
    };
    std::vector<Ended> ended_;
};

/// From the replay of one location to rows.
class CallRows : public analyzer::replay::CallListener {
  public:
    explicit CallRows(trace::LocationId location) : location_(location) {}

    void standsFor(std::uint64_t calls) final { repeated_ = calls; }
    void moved(std::uint64_t sent, std::uint64_t received) final {
        sent_ += sent;
        received_ += received;
    }
    void left(const analyzer::replay::LeftCall& one) final {
        take({location_, one.node, one.region, one.enter, one.leave, times_.ownOf(one),
              std::exchange(repeated_, 1), std::exchange(sent_, 0), std::exchange(received_, 0),
              one.around.size()},
             one);
    }

  private:
    virtual void take(const Row& row, const analyzer::replay::LeftCall& call) = 0;

    trace::LocationId location_;
    OwnTimes times_;
    std::uint64_t repeated_ = 1;
    std::uint64_t sent_ = 0, received_ = 0;
};

}  // namespace call

}  // namespace holos::query
