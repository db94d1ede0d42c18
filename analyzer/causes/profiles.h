// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "analyzer/causes/points.h"
#include "analyzer/matching/teams.h"

namespace holos::analyzer::causes {

using replay::PackedSlices;
using replay::PathTicks;

/// A sum of times by call path that forgets quickly: clearing costs nothing.
class PathSum {
  public:
    explicit PathSum(std::size_t paths) : sums_(paths) {}

    void add(std::uint32_t path, Ticks ticks) {
        if (path != kNone) touch(path) += ticks;
    }
    void set(std::uint32_t path, Ticks ticks) {
        if (path != kNone) touch(path) = ticks;
    }
    /// Takes another sum away, as far as there is anything.
    void lessen(const PathSum& other) {
        for (const std::uint32_t path : touched_)
            sums_[path].ticks = std::max<Ticks>(0, sums_[path].ticks - other[path]);
    }
    Ticks operator[](std::uint32_t path) const { return sums_[path].round == round_ ? sums_[path].ticks : 0; }
    /// In the order of first contact.
    const std::vector<std::uint32_t>& touched() const { return touched_; }
    void clear() {
        touched_.clear();
        ++round_;
    }

  private:
    struct Sum {
        Ticks ticks = 0;
        std::uint64_t round = 0;  ///< that it was last touched in
    };
    Ticks& touch(std::uint32_t path) {
        Sum& sum = sums_[path];
        if (sum.round != round_) {
            sum = {0, round_};
            touched_.push_back(path);
        }
        return sum.ticks;
    }
    std::vector<Sum> sums_;
    std::vector<std::uint32_t> touched_;
    std::uint64_t round_ = 1;
};

/// By location and call path: ticks; nothing for a location that has none.
using PathProfile = std::vector<std::vector<Ticks>>;

/// Each location's exclusive time per call path, slice by slice.
/// Thread safety: safe to read.
class Profiles {
  public:
    /// Frees the slices of the trace, and what is not needed after that: teams of a thread that is alone in
    /// its process. Fork and join count for the parallel region, as in the metrics. In calls of MPI and
    /// barriers of OpenMP, time without a processor that is beyond all waits is that of a call path of its
    /// own.
    Profiles(replay::ReplayedTrace& trace, const patterns::Waits& waits, const replay::ReplayedCalls& calls,
             const matching::ForkedStays& stays, const paths::MergedTree& merged, workers::Workers& workers,
             Rules rules, Memory memory);

    std::uint32_t slices(std::uint32_t location) const { return slices_[location].size(); }
    std::size_t paths() const { return paths_; }
    /// The sums of all slices. Call once.
    PathProfile takeTimes() { return std::move(times_); }
    /// Calls `visit` with what happened in `first` ≤ slice < `last`: call path and ticks.
    template <class Visit>
    void visit(std::uint32_t location, std::uint32_t first, std::uint32_t last, Visit&& visit) const {
        slices_[location].visit(first, last, visit);
    }
    PackedSlices::Reader from(std::uint32_t location, std::uint32_t first) const {
        return PackedSlices::Reader(slices_[location], first);
    }

  private:
    ByLocation<PackedSlices> slices_;
    PathProfile times_;
    std::size_t paths_;
};

}  // namespace holos::analyzer::causes
