// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/profiles.h"

#include <algorithm>

#include "analyzer/causes/point_sources.h"
#include "analyzer/matching/teams.h"

namespace holos::analyzer::causes {

namespace {

/// Time that moves to or from a call path.
struct Shift {
    std::uint32_t slice;
    replay::NodeId node;
    Ticks ticks;
};

/// What changes in one location's slices.
struct Correction {
    Records<Shift> shifts{heap()};
    Records<std::uint32_t> dropped{heap()};  ///< slices

    void shift(std::uint32_t slice, replay::NodeId node, Ticks ticks) {
        if (ticks != 0) shifts.push_back({slice, node, ticks});
    }
    void bringIntoOrder() {
        std::sort(shifts.begin(), shifts.end(),
                  [](const Shift& a, const Shift& b) { return a.slice < b.slice; });
        std::sort(dropped.begin(), dropped.end());
    }
};

/// Fork and join count for the parallel region, as in the metrics.
Correction correctionOf(trace::LocationId location, const matching::ForkedStays& stays, Rules rules) {
    Correction result;
    stays.visit(location, [&](const matching::ForkedStay& forked) {
        const Ticks fork = std::max<Ticks>(0, forked.stay.enter - forked.fork.fork);
        const Ticks join =
            forked.fork.isJoined() ? std::max<Ticks>(0, forked.fork.join - forked.stay.leave) : 0;
        result.shift(forked.stay.slice, forked.stay.node, fork);
        result.shift(forked.stay.leaveSlice, forked.stay.node, join);
        if (forked.isMaster()) {
            result.shift(forked.stay.slice - 1, forked.fork.parent, -fork);
            result.shift(forked.stay.leaveSlice, forked.fork.parent, -join);
        } else if (rules.asScalasca) {
            result.dropped.push_back(forked.stay.slice - 1);
        }
    });
    return result;
}

/// Scalasca does not count what workers do after their last team.
void dropEnds(const replay::ReplayedTrace& trace, trace::LocationId location, Correction& correction) {
    const auto& threads = trace.definitions[trace.definitions[location].process].threads;
    const std::uint32_t slices = trace[location].profile.size();
    if (threads.front() != location && slices != 0) correction.dropped.push_back(slices - 1);
}

void apply(const Shift& shift, std::vector<PathTicks>& slice) {
    const auto entry = std::find_if(slice.begin(), slice.end(), [&](const PathTicks& candidate) {
        return candidate.path == shift.node.index();
    });
    if (entry != slice.end()) entry->ticks += shift.ticks;
}

/// One location's slices by call path instead of by node, with what has to be changed in them.
PackedSlices corrected(const PackedSlices& profile, const Correction& correction,
                       const replay::LocalTree& tree, const collate::MergedTree& merged,
                       std::uint32_t location, Memory memory) {
    PackedSlices result(memory);
    std::vector<PathTicks> slice;
    auto shift = correction.shifts.begin();
    for (std::uint32_t number = 0; number < profile.size(); ++number) {
        slice.clear();
        profile.visit(number, number + 1, [&](std::uint32_t node, Ticks ticks) {
            slice.push_back({node, ticks});
        });
        for (; shift != correction.shifts.end() && shift->slice == number; ++shift) apply(*shift, slice);
        if (std::binary_search(correction.dropped.begin(), correction.dropped.end(), number)) slice.clear();
        for (PathTicks& entry : slice) {
            const replay::NodeId node(entry.path);
            const bool isOwn = node != replay::kOutside && !tree[node].adopted;
            entry.path = isOwn ? pathOf(merged, location, node) : kNone;
        }
        std::erase_if(slice, [](const PathTicks& entry) { return entry.ticks == 0 || entry.path == kNone; });
        result.append(slice);
    }
    return result;
}

}  // namespace

Profiles::Profiles(replay::ReplayedTrace& trace, const collate::MergedTree& merged, workers::Workers& workers,
                   Rules rules, Memory memory)
    : paths_(merged.tree.size()) {
    slices_.reserve(trace.locations.size());
    while (slices_.size() < trace.locations.size()) slices_.emplace_back(memory);
    const matching::ForkedStays stays(trace);
    workers.forEach(slices_.size(), [&](std::size_t i) {
        const trace::LocationId location(i);
        Correction correction = correctionOf(location, stays, rules);
        if (rules.asScalasca) dropEnds(trace, location, correction);
        correction.bringIntoOrder();
        const PackedSlices profile = std::move(trace[location].profile);
        slices_[i] = corrected(profile, correction, trace[location].tree, merged,
                               static_cast<std::uint32_t>(i), memory);
    });
    for (const trace::Process& process : trace.definitions.processes)
        if (process.threads.size() == 1)
            trace[process.threads.front()].threads = replay::ThreadRecords(memory);
}

}  // namespace holos::analyzer::causes
