// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/profiles.h"

#include <vector>

#include "analyzer/causes/point_sources.h"

namespace holos::analyzer::causes {

namespace {

/// Time that moves to or from a call path.
struct Shift {
    std::uint32_t slice;
    replay::NodeId node;
    Ticks ticks;
};

/// By slice.
std::vector<patterns::Shortage> shortagesOf(const patterns::LocationWaits& waits) {
    std::vector<patterns::Shortage> shortages(waits.shortages.begin(), waits.shortages.end());
    std::ranges::stable_sort(shortages, {}, &patterns::Shortage::slice);
    return shortages;
}

/// Call paths by node; `kNone` for nodes of other locations, for time outside of the program, and for that of
/// which nothing is known before a process was killed: it is no cause of anything.
std::vector<std::uint32_t> pathsOf(const replay::ReplayedCalls& calls, const paths::MergedTree& merged,
                                   trace::LocationId location) {
    const replay::LocalTree& tree = calls[location].tree;
    std::vector<std::uint32_t> paths(tree.size(), kNone);
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const replay::NodeId node(i);
        if (node == replay::kOutside || tree[node].adopted) continue;
        const auto& own = calls.classes[tree[node].region.index()];
        if (!own.has(trace::TimeClass::NoMoreEvents))
            paths[i] = pathOf(merged, static_cast<std::uint32_t>(location.index()), node);
    }
    return paths;
}

/// Writes one location's slices by call path instead of by node, with what has to be changed in them. Changes
/// are told in the order of stays in parallel regions: those of nested ones lie within each other.
class Correction {
  public:
    /// `times` becomes the sum of all slices.
    Correction(const PackedSlices& profile, std::vector<std::uint32_t> paths,
               std::vector<patterns::Shortage> shortages, Memory memory, std::vector<Ticks>& times)
        : slices_(profile.size()),
          next_(profile),
          paths_(std::move(paths)),
          shortages_(std::move(shortages)),
          result_(memory),
          times_(times) {
        result_.reserveAs(profile);
    }

    /// Nothing changes any more before slice `end`.
    void writeTo(std::uint32_t end) {
        for (end = std::min(end, slices_); result_.size() < end;) write();
    }
    void shift(std::uint32_t slice, replay::NodeId node, Ticks ticks) {
        if (ticks != 0) shifts_.push_back({slice, node, ticks});
    }
    void drop(std::uint32_t slice) { dropped_ = slice; }
    PackedSlices take() {
        writeTo(slices_);
        return std::move(result_);
    }

  private:
    void write() {
        const std::uint32_t number = result_.size();
        changes_.clear();
        if (!shifts_.empty()) takeChanges(number);
        if (dropped_ != number && !hasShortage(number))
            return result_.appendRenumbered(next_, paths_, times_, changes_);
        slice_.clear();
        next_.visit([&](std::uint32_t node, Ticks ticks) { slice_.push_back({node, ticks}); });
        for (const PathTicks& change : changes_) apply(change);
        splitShortages(number);
        if (dropped_ == number) slice_.clear();
        std::size_t kept = 0;
        for (const PathTicks& entry : slice_)
            if (const std::uint32_t path = paths_[entry.path]; entry.ticks != 0 && path != kNone) {
                slice_[kept++] = {path, entry.ticks};
                times_[path] += entry.ticks;
            }
        slice_.resize(kept);
        result_.append(slice_);
    }
    /// Takes the shifts of a slice, and forgets those before it.
    void takeChanges(std::uint32_t slice) {
        auto left = shifts_.begin();
        for (const Shift& shift : shifts_) {
            if (shift.slice == slice)
                changes_.push_back({static_cast<std::uint32_t>(shift.node.index()), shift.ticks});
            if (shift.slice > slice) *left++ = shift;
        }
        shifts_.erase(left, shifts_.end());
    }
    void apply(const PathTicks& change) {
        const auto entry = std::ranges::find(slice_, change.path, &PathTicks::path);
        if (entry != slice_.end()) entry->ticks += change.ticks;
    }

    bool hasShortage(std::uint32_t slice) const {
        return nextShortage_ < shortages_.size() && shortages_[nextShortage_].slice <= slice;
    }
    void splitShortages(std::uint32_t slice) {
        for (; hasShortage(slice); ++nextShortage_)
            if (shortages_[nextShortage_].slice == slice) split(shortages_[nextShortage_]);
    }
    void split(const patterns::Shortage& shortage) {
        const auto entry = std::ranges::find(slice_, shortage.node.index(), &PathTicks::path);
        if (entry == slice_.end()) return;
        const Ticks ticks = std::clamp<Ticks>(shortage.ticks, 0, std::max<Ticks>(entry->ticks, 0));
        entry->ticks -= ticks;
        slice_.push_back({static_cast<std::uint32_t>(shortage.below.index()), ticks});
    }

    std::uint32_t slices_;
    PackedSlices::Reader next_;
    std::vector<std::uint32_t> paths_;  ///< by node
    static_assert(kNone == PackedSlices::kNoPath);
    std::vector<patterns::Shortage> shortages_;
    std::size_t nextShortage_ = 0;
    PackedSlices result_;
    std::vector<Ticks>& times_;  ///< by call path
    std::vector<Shift> shifts_;  ///< those of slices to come, of as many stays as are nested
    std::uint32_t dropped_ = kNone;
    std::vector<PathTicks> changes_;  ///< of the slice at hand
    std::vector<PathTicks> slice_;    ///< where it needs more than these
};

/// Fork and join count for the parallel region, as in the metrics.
void correctStays(const replay::ThreadRecords& threads, trace::LocationId location,
                  const matching::ForkedStays& stays, Rules rules, Correction& correction) {
    stays.visit(threads, location, [&](const matching::ForkedStay& forked) {
        const Ticks fork = forked.forkTime();
        const Ticks join = forked.joinTime();
        const std::uint32_t before = std::max<std::uint32_t>(forked.stay.slice, 1) - 1;
        correction.writeTo(before);
        correction.shift(forked.stay.slice, forked.stay.node, fork);
        correction.shift(forked.stay.leaveSlice, forked.stay.node, join);
        if (forked.isMaster()) {
            correction.shift(before, forked.fork.parent, -fork);
            correction.shift(forked.stay.leaveSlice, forked.fork.parent, -join);
        } else if (rules.asScalasca) {
            correction.drop(before);
        }
    });
}

/// Scalasca does not count what workers do after their last team. Locks and ends of threads divide it here,
/// and there they do not.
void dropEnd(const replay::ReplayedTrace& trace, trace::LocationId location, Correction& correction) {
    const auto& threads = trace.definitions[trace.definitions[location].process].threads;
    const std::uint32_t slices = trace[location].profile.size();
    if (threads.front() == location || slices == 0) return;
    std::uint32_t first = slices - 1;
    const replay::ThreadRecords& records = trace[location].threads;
    auto lock = records.locks.rbegin();
    auto end = records.ends.rbegin();
    for (;; --first) {
        while (lock != records.locks.rend() && lock->slice == 0) ++lock;  // arrivals of signals have none
        if (lock != records.locks.rend() && lock->slice == first)
            ++lock;
        else if (end != records.ends.rend() && end->slice == first)
            ++end;
        else
            break;
    }
    for (; first < slices; ++first) {
        correction.writeTo(first);
        correction.drop(first);
    }
}

}  // namespace

Profiles::Profiles(replay::ReplayedTrace& trace, const patterns::Waits& waits,
                   const replay::ReplayedCalls& calls, const matching::ForkedStays& stays,
                   const paths::MergedTree& merged, workers::Workers& workers, Rules rules, Memory memory)
    : slices_(trace.locations.size(), memory), times_(trace.locations.size()), paths_(merged.tree.size()) {
    workers.forEach(slices_.size(), [&](std::size_t i) {
        const trace::LocationId location(i);
        if (!trace.locations.has(i)) return;
        times_[i].assign(paths_, 0);
        Correction correction(trace[location].profile, pathsOf(calls, merged, location),
                              shortagesOf(waits[i]), memory, times_[i]);
        correctStays(trace[location].threads, location, stays, rules, correction);
        if (rules.asScalasca) dropEnd(trace, location, correction);
        slices_.put(i, correction.take());
        trace.locations.own(i).profile = PackedSlices(memory);
    });
    for (const trace::Process& process : trace.definitions.processes)
        if (process.threads.size() == 1 && trace.locations.has(process.threads.front().index()))
            trace.locations.own(process.threads.front().index()).threads = replay::ThreadRecords(memory);
}

}  // namespace holos::analyzer::causes
