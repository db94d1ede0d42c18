// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "analyzer/causes/points.h"
#include "analyzer/causes/profiles.h"
#include "analyzer/replay/packed_slices.h"

namespace holos::analyzer::causes {

/// The delays of one location's blames, by call path: those of one point in a slice, blame by blame.
/// Thread safety: safe to read.
class DelayList {
  public:
    explicit DelayList(Memory memory) : slices_(memory) {}

    /// Delays of the present blame.
    void add(std::span<const replay::PathTicks> delays) {
        for (const replay::PathTicks& delay : delays) point_.push_back({delay.path + 1, delay.ticks});
    }
    /// Between two blames of a point.
    void nextBlame() { point_.push_back({kNextBlame, 0}); }
    void endPoint() {
        slices_.append(point_);
        point_.clear();
    }

    /// How many points there are.
    std::uint32_t size() const { return slices_.size(); }

    /// Reads one point after the other.
    class Reader {
      public:
        explicit Reader(const DelayList& list, std::uint32_t first = 0) : slices_(list.slices_, first) {}

        /// Calls `visit` with which blame of the next point it is, call path and ticks, for each delay.
        template <class Visit>
        void visit(Visit&& visit) {
            std::size_t blame = 0;
            slices_.visit([&](std::uint32_t path, trace::Ticks ticks) {
                if (path == kNextBlame)
                    ++blame;
                else
                    visit(blame, path - 1, ticks);
            });
        }

        /// Passes over the next point.
        void skip() { slices_.skip(); }

      private:
        replay::PackedSlices::Reader slices_;
    };

  private:
    static constexpr std::uint32_t kNextBlame = 0;  ///< in place of a call path, which count from 1

    replay::PackedSlices slices_;
    std::vector<replay::PathTicks> point_;  ///< of the present point
};

/// One wait, as its causer sees it. The interval is what the causer did between the last point that it had in
/// common with the one who waits, and the point of the wait.
struct Blame {
    /// Nobody, when worker threads are idle while the master works alone. (By Scalasca's rules there are also
    /// intervals that nobody waits for.)
    PointRef waiter;
    std::uint32_t point = 0;        ///< of the causer: the end of the interval; may be the end of the trace
    std::uint32_t from = kNone;     ///< of the causer: the start of the interval; `kNone`: the trace's start
    std::uint32_t firstSlice = 0;   ///< of the interval
    std::uint32_t idleThreads = 0;  ///< while nobody in particular waits
    Kind kind = Kind::LateSender;
    bool isForgotten = false;  ///< by Scalasca's rules: the causer's own waits cost nothing
    bool isOfServant = false;  ///< who waits is there to wait: only what others wait for because of it costs
    Ticks waiting = 0;         ///< what there is to explain
    Ticks delay = 0;           ///< what the causer took longer than the waiter, sum over call paths
    Ticks waits = 0;           ///< what the causer itself waited within the interval

    /// Of one location for another one.
    bool isOfTwo() const {
        const Between between = traitsOf(kind).between;
        return between == Between::Processes || between == Between::Threads;
    }
    /// Of a barrier of a team or of idle threads: not kept.
    bool isOfTeam() const { return traitsOf(kind).between == Between::Team; }
    Ticks explained() const { return delay + waits; }
    /// The part of delays and waits that is to blame.
    double scale() const {
        if (explained() <= 0) return 0;
        if (idleThreads != 0) return idleThreads;
        const double scale = static_cast<double>(waiting) / static_cast<double>(explained());
        return isOfTwo() && scale > 1 ? 1 : scale;
    }
};

/// A master worked alone up to a fork, or the end.
struct SerialSection {
    std::uint32_t point = 0;  ///< of the fork; may be the end of the trace
    std::uint32_t firstSlice = 0;
};

/// What others blame a location for. Most blames are of teams; they follow from the points and are not kept:
/// `blame_reader.h` has all of them in their order.
struct LocationBlames {
    explicit LocationBlames(Memory memory) : kept(memory), serial(memory), delays(memory) {}

    Records<Blame> kept;            ///< those that are not of teams, in the order of points
    Records<SerialSection> serial;  ///< in the order of points
    std::uint32_t idleThreads = 0;  ///< in each serial section
    DelayList delays;               ///< of all points that have blames, in their order
};

/// Finds who is to blame for which wait, by location, and sets `Point::from` of all waits. Kept in `memory`.
/// `withIdle`: also for idle threads.
ByLocation<LocationBlames> findBlames(const replay::ReplayedTrace& trace, Points& points,
                                      workers::Workers& workers, Rules rules, bool withIdle, Memory memory);

}  // namespace holos::analyzer::causes
