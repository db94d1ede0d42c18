// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/profiles.h"

#include "analyzer/causes/point_sources.h"
#include "analyzer/matching/teams.h"

namespace holos::analyzer::causes {

namespace {

std::size_t endOf(const replay::ProfileSlices& profile, std::uint32_t slice) {
    return slice + 1 < profile.begins.size() ? profile.begins[slice + 1] : profile.entries.size();
}

}  // namespace

std::vector<Profiles::Correction> Profiles::corrections(const replay::ReplayedTrace& trace, Rules rules) {
    std::vector<Correction> all(trace.locations.size());
    matching::visitForkedStays(trace, [&](const matching::ForkedStay& forked) {
        const Ticks fork = std::max<Ticks>(0, forked.stay.enter - forked.fork.fork);
        const Ticks join = forked.fork.joined ? std::max<Ticks>(0, forked.fork.join - forked.stay.leave) : 0;
        Correction& local = all[forked.location.index()];
        local.shifts.push_back({forked.stay.slice, forked.stay.node, fork});
        local.shifts.push_back({forked.stay.leaveSlice, forked.stay.node, join});
        if (forked.isMaster()) {
            local.shifts.push_back({forked.stay.slice - 1, forked.fork.parent, -fork});
            local.shifts.push_back({forked.stay.leaveSlice, forked.fork.parent, -join});
        } else if (rules.asScalasca) {
            local.dropped.push_back(forked.stay.slice - 1);
        }
    });
    if (rules.asScalasca)
        for (const trace::Process& process : trace.definitions.processes)
            for (std::size_t i = 1; i < process.threads.size(); ++i)
                if (const auto slices = trace[process.threads[i]].profile.size(); slices != 0)
                    all[process.threads[i].index()].dropped.push_back(static_cast<std::uint32_t>(slices - 1));
    return all;
}

void Profiles::shift(replay::ProfileSlices& profile, const Shift& shift) {
    if (shift.slice >= profile.size()) return;
    for (std::size_t i = profile.begins[shift.slice]; i < endOf(profile, shift.slice); ++i)
        if (profile.entries[i].node == shift.node) {
            profile.entries[i].ticks += shift.ticks;
            return;
        }
}

Profiles::Profiles(replay::ReplayedTrace& trace, const collate::MergedTree& merged, workers::Workers& workers,
                   Rules rules, Memory memory)
    : paths_(merged.tree.size()) {
    slices_.reserve(trace.locations.size());
    while (slices_.size() < trace.locations.size()) slices_.emplace_back(memory);
    const std::vector<Correction> corrected = corrections(trace, rules);
    workers.forEach(slices_.size(), [&](std::size_t location) {
        replay::ProfileSlices profile = std::move(trace.locations[location].profile);
        const replay::LocalTree& tree = trace.locations[location].tree;
        for (const Shift& change : corrected[location].shifts) shift(profile, change);
        std::vector<char> isDropped(profile.size(), 0);
        for (const std::uint32_t slice : corrected[location].dropped)
            if (slice < isDropped.size()) isDropped[slice] = 1;
        Slices& result = slices_[location];
        result.entries.reserve(profile.entries.size());
        for (std::uint32_t slice = 0; slice < profile.size(); ++slice) {
            result.begins.push_back(result.entries.size());
            for (std::size_t i = profile.begins[slice]; i < endOf(profile, slice); ++i) {
                const replay::ProfileEntry& entry = profile.entries[i];
                if (entry.ticks == 0 || isDropped[slice] != 0 || entry.node == replay::kOutside ||
                    tree[entry.node].adopted)
                    continue;
                const std::uint32_t path = pathOf(merged, static_cast<std::uint32_t>(location), entry.node);
                if (path != kNone) result.entries.push_back({path, entry.ticks});
            }
        }
    });
}

std::span<const PathTicks> Profiles::between(std::uint32_t location, std::uint32_t first,
                                             std::uint32_t last) const {
    const Slices& slices = slices_[location];
    const auto position = [&](std::uint32_t slice) {
        return slice < slices.begins.size() ? slices.begins[slice] : slices.entries.size();
    };
    if (first >= last) return {};
    return {slices.entries.data() + position(first), slices.entries.data() + position(last)};
}

}  // namespace holos::analyzer::causes
