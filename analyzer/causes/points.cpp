// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/points.h"

#include <algorithm>
#include <utility>

#include "analyzer/causes/point_sources.h"

namespace holos::analyzer::causes {

namespace {

bool isEarlier(const Point& a, const Point& b) {
    return a.event < b.event;
}

/// Those from `second` on nearly always are in order.
void bringIntoOrder(Records<Point>& points, std::ptrdiff_t second) {
    const auto middle = points.begin() + second;
    std::stable_sort(points.begin(), middle, isEarlier);
    if (!std::is_sorted(middle, points.end(), isEarlier)) std::stable_sort(middle, points.end(), isEarlier);
    std::inplace_merge(points.begin(), middle, points.end(), isEarlier);
}

/// All points of a location, of which the `others` are not of teams and in their order.
PointList inOrder(Records<Point> others, const MeetingPoints& meetings, std::uint32_t location,
                  Memory memory) {
    PointListBuilder list(std::move(others), meetings.ofTeams(location), memory);
    meetings.visitTeams(location,
                        [&](const Point& ofTeam, std::uint32_t team) { list.append(ofTeam, team); });
    return list.take();
}

}  // namespace

Points findPoints(replay::ReplayedTrace& trace, matching::ForkedStays stays,
                  const collate::MergedTree& merged, workers::Workers& workers, Rules rules, Memory memory) {
    const MessagePoints messages(trace, merged, rules);
    const DependencyPoints dependencies(trace, merged, rules);
    MeetingPoints meetings(trace, std::move(stays), merged, rules);
    Points points(trace.locations.size(), memory);
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        const auto location = static_cast<std::uint32_t>(i);
        Records<Point> others(memory);
        messages.collect(location, others);
        dependencies.collect(location, others);
        const auto ofTwo = static_cast<std::ptrdiff_t>(others.size());
        meetings.collect(location, others);
        bringIntoOrder(others, ofTwo);
        points.byLocation[i] = inOrder(std::move(others), meetings, location, memory);
        trace.locations[i].threads.barriers = PackedRecords<replay::BarrierRecord>(memory);
    });
    workers.forEach(trace.locations.size(),
                    [&](std::size_t i) { messages.connect(static_cast<std::uint32_t>(i), points); });
    dependencies.connect(points);
    meetings.gather(points);
    return points;
}

}  // namespace holos::analyzer::causes
