// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/growth_shares.h"

namespace holos::analyzer::assemble {

using trace::LocationId;
using trace::Ticks;

GrowthShares::GrowthShares(const replay::ReplayedCalls& calls, const paths::MergedTree& merged)
    : calls_(calls), merged_(merged), cuts_(calls.definitions, replay::classTimes(calls.locations)) {
    for (std::size_t reader = 0; reader < calls.locations.size(); ++reader)
        for (const replay::Growths& growths : calls.locations[reader].counters.growths) {
            const auto& metricClass = calls.definitions.metricClasses[growths.metricClass.index()];
            std::vector<double> times(growths.ends.size());
            for (const LocationId location : metricClass.readFor)
                visitTimes(location, growths, [&](std::size_t i, std::uint32_t, Ticks ticks) {
                    times[i] += static_cast<double>(ticks);
                });
            for (std::size_t i = 0; i < metricClass.members.size(); ++i) {
                const trace::MemberId member = metricClass.members[i];
                if (calls.definitions.metricMembers[member.index()].mode != trace::MetricMode::Absolute)
                    columns_[member.index()].push_back({reads_.size(), i});
            }
            reads_.push_back({reader, growths, metricClass, std::move(times)});
        }
}

template <class Visit>
void GrowthShares::visitTimes(LocationId location, const replay::Growths& growths, Visit&& visit) const {
    const auto cuts = cuts_.of(location);
    const replay::LocationCalls& calls = calls_[location];
    if (calls.intervals.size() < cuts.size()) return;  // it was not read
    // As with time itself: between parallel regions, and in a team but not yet in its region, a worker is in
    // no call path of its own.
    const auto isOwn = [&](replay::NodeId node) {
        return merged_.pathOf[location.index()][node.index()] && node != replay::kOutside &&
               !calls.tree[node].adopted;
    };
    replay::PackedSlices::Reader slices(calls.intervals);
    std::size_t i = 0;
    for (const Ticks end : cuts) {
        while (i < growths.ends.size() && growths.ends[i] < end) ++i;
        if (i == growths.ends.size()) return;
        slices.visit([&](std::uint32_t node, Ticks ticks) {
            if (isOwn(replay::NodeId(node))) visit(i, node, ticks);
        });
    }
}

std::optional<algebra::CallPathId> GrowthShares::rootFor(const Read& read) const {
    if (const auto program = merged_.pathOf[read.reader][replay::kProgram.index()]) return program;
    for (const LocationId location : read.metricClass.readFor)
        for (std::optional<algebra::CallPathId> path : merged_.pathOf[location.index()]) {
            if (!path) continue;
            while (const auto parent = merged_.tree.parent(*path)) path = parent;
            return path;
        }
    return std::nullopt;
}

void GrowthShares::addTo(algebra::SeverityTable& table, trace::MemberId member) const {
    for (const Column& column : columns_.at(member.index()))
        addColumn(table, reads_[column.read], column.position);
}

void GrowthShares::addColumn(algebra::SeverityTable& table, const Read& read, std::size_t position) const {
    std::vector<double> perTick(read.times.size());
    double others = 0;
    for (std::size_t i = 0; i < perTick.size(); ++i) {
        const double growth = read.growths.values[i * read.metricClass.members.size() + position];
        if (read.times[i] > 0)
            perTick[i] = growth / read.times[i];
        else
            others += growth;
    }
    if (const auto root = rootFor(read); root && others != 0)
        table.add(*root, algebra::LocationId(read.reader), others);
    for (const LocationId location : read.metricClass.readFor) {
        const auto& pathOf = merged_.pathOf[location.index()];
        std::vector<double> values(pathOf.size());
        visitTimes(location, read.growths, [&](std::size_t i, std::uint32_t node, Ticks ticks) {
            values[node] += perTick[i] * static_cast<double>(ticks);
        });
        moveToSampled(location, values);
        for (std::size_t node = 0; node < values.size(); ++node)
            if (values[node] != 0 && pathOf[node])
                table.add(*pathOf[node], algebra::LocationId(location.index()), values[node]);
    }
}

/// Time that samples found in other functions than it was booked on counts there.
void GrowthShares::moveToSampled(LocationId location, std::vector<double>& values) const {
    const replay::LocationCalls& calls = calls_[location];
    std::map<std::size_t, Ticks> moved;  // by call path: how much of its time is that of others
    for (const replay::SharedTime& part : calls.shared) moved[part.from.index()] += part.ticks;
    const std::vector<double> booked = values;
    for (const replay::SharedTime& part : calls.shared) {
        const Ticks all = calls.tree[part.from].exclusive + moved[part.from.index()];
        if (all <= 0) continue;
        const double share =
            booked[part.from.index()] * static_cast<double>(part.ticks) / static_cast<double>(all);
        values[part.from.index()] -= share;
        values[part.to.index()] += share;
    }
}

}  // namespace holos::analyzer::assemble
