// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/causes/points.h"
#include "analyzer/causes/profiles.h"

namespace holos::analyzer::causes {

/// One wait, as its causer sees it. The interval is what the causer did between the last point that it had in
/// common with the one who waits, and the point of the wait.
struct Blame {
    /// Nobody, when worker threads are idle while the master works alone. (By Scalasca's rules there are also
    /// intervals that nobody waits for.)
    PointRef waiter;
    std::uint32_t point = 0;       ///< of the causer: the end of the interval; may be the end of the trace
    std::uint32_t from = kNone;    ///< of the causer: the begin of the interval; `kNone`: the trace's begin
    std::uint32_t firstSlice = 0;  ///< of the interval
    std::uint32_t idleThreads = 0;
    Kind kind = Kind::LateSender;
    bool isForgotten = false;    ///< by Scalasca's rules: the causer's own waits cost nothing
    Ticks waiting = 0;           ///< what there is to explain
    Ticks delay = 0;             ///< what the causer took longer than the waiter, sum over call paths
    Ticks waits = 0;             ///< what the causer itself waited within the interval
    std::size_t firstDelay = 0;  ///< position in `LocationBlames::delays`; the next blame's begin ends it

    /// Of one location for another one.
    bool isOfTwo() const {
        return kind == Kind::LateSender || kind == Kind::LateReceiver || kind == Kind::RmaActive ||
               kind == Kind::RmaPassive;
    }
    Ticks explained() const { return delay + waits; }
    /// The part of delays and waits that is to blame.
    double scale() const {
        if (explained() <= 0) return 0;
        if (idleThreads != 0) return idleThreads;
        const double scale = static_cast<double>(waiting) / static_cast<double>(explained());
        return isOfTwo() && scale > 1 ? 1 : scale;
    }
};

/// Everything that others blame a location for, in the order of its points.
struct LocationBlames {
    explicit LocationBlames(Memory memory = heap()) : blames(memory), delays(memory) {}

    Records<Blame> blames;
    Records<PathTicks> delays;

    std::span<const PathTicks> delaysOf(std::size_t blame) const {
        const std::size_t last = blame + 1 < blames.size() ? blames[blame + 1].firstDelay : delays.size();
        return {delays.data() + blames[blame].firstDelay, delays.data() + last};
    }
};

/// Finds who is to blame for which wait, by location, and sets `Point::from` of all waits. Kept in `memory`.
std::vector<LocationBlames> findBlames(const replay::ReplayedTrace& trace, Points& points,
                                       workers::Workers& workers, Rules rules, Memory memory);

/// Compares causers with waiters: fills the blames' delays.
void measureDelays(const Points& points, const Profiles& profiles, std::vector<LocationBlames>& blames,
                   workers::Workers& workers);

}  // namespace holos::analyzer::causes
