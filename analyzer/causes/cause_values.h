// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analyzer/causes/point_list.h"
#include "analyzer/causes/points.h"
#include "analyzer/replay/packed_slices.h"

namespace holos::analyzer::causes {

/// A part of a location's time in one call path.
struct PathFraction {
    std::uint32_t path = 0;
    double ticks = 0;
};

/// Sums by call path, of which most are zero: in runs of many locations each is in few of the call paths.
/// What is added to a call path is added up in its order. Quickest for ascending call paths.
class SparseSum {
  public:
    void add(std::uint32_t path, double ticks);
    /// Sorts in what was added out of order.
    void settle();
    /// By ascending call path, when it is settled.
    std::span<const PathFraction> entries() const { return entries_; }

  private:
    /// The settled entry of a call path, if there is one.
    PathFraction* find(std::uint32_t path);

    std::vector<PathFraction> entries_;
    std::size_t settled_ = 0;  ///< by ascending call path; what follows is to be added to them, in its order
    std::size_t next_ = 0;     ///< behind the entry that was added to last
};

/// What the analysis of causes measures, per call path and location. Costs come first, by kind of waiting.
enum class Cause : std::uint8_t {
    ShortTermCosts = 0,
    LongTermCosts = kWaitKinds,
    PropagatingLateSender = 2 * kWaitKinds,
    PropagatingLateReceiver,
    IndirectLateSender,
    IndirectLateReceiver,
    PropagatingOneSided,
    TerminalOneSided,
    IndirectOneSided,
    DirectOneSided,
    PropagatingLock,
    TerminalLock,
    IndirectLock,
    DirectLock,
    CriticalPath,
    ActivityImpact,
    ImbalanceImpact,
    InterPartitionImbalance,
    NonCriticalActivities,
    Count
};
/// Short-term and long-term delay costs of one kind.
inline Cause shortTerm(Kind kind) {
    return static_cast<Cause>(kind);
}
inline Cause longTerm(Kind kind) {
    return static_cast<Cause>(kWaitKinds + static_cast<std::size_t>(kind));
}

/// Of one location: ticks by call path. They are fractions, because costs are shared.
/// Thread safety: one thread for each location.
class LocationCauses {
  public:
    void add(Cause cause, std::uint32_t path, double ticks) {
        if (ticks == 0 || path == kNone) return;
        std::uint8_t& position = positions_[static_cast<std::size_t>(cause)];
        if (position == 0) {
            sums_.emplace_back();
            position = static_cast<std::uint8_t>(sums_.size());
        }
        sums_[position - 1].add(path, ticks);
    }
    /// Adds all of the times, multiplied by `scale`.
    void addAll(Cause cause, std::span<const replay::PathTicks> times, double scale) {
        for (const replay::PathTicks& time : times)
            add(cause, time.path, scale * static_cast<double>(time.ticks));
    }
    /// Call after the last `add`, before what follows.
    void settle() {
        for (SparseSum& sum : sums_) sum.settle();
    }
    /// The values that are not zero, by ascending call path.
    std::span<const PathFraction> values(Cause cause) const {
        const std::uint8_t position = positions_[static_cast<std::size_t>(cause)];
        return position == 0 ? std::span<const PathFraction>() : sums_[position - 1].entries();
    }

  private:
    std::array<std::uint8_t, static_cast<std::size_t>(Cause::Count)> positions_{};  ///< in `sums_`, from 1 on
    std::vector<SparseSum> sums_;
};

/// A part of the critical path: from `begin` to `end` it is at one location, and goes on at another one.
struct PathPart {
    std::uint32_t location = kNone;
    std::uint32_t next = kNone;  ///< the location at which it goes on; `kNone` at the end of the run
    Ticks begin = 0;
    Ticks end = 0;
};

/// The critical path in time, from the end of the run to its start. Parts overlap where several threads are
/// equally late.
using PathCourse = std::vector<PathPart>;

/// Is told what a location costs others, in time: from `begin` to `end` it did what they had to wait for,
/// `cost` ticks of all of them together. Several locations tell at the same time, each by one thread.
using TellDelay = std::function<void(std::uint32_t location, Kind kind, Ticks begin, Ticks end, double cost)>;

/// Causes in time.
struct CauseCourse {
    PathCourse path;
    TellDelay tellDelay;  ///< given by whoever wants to know
};

}  // namespace holos::analyzer::causes
