// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/points.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "analyzer/causes/point_sources.h"

namespace holos::analyzer::causes {

namespace {

/// By event. Points are large: there is no room for them twice.
void bringIntoOrder(Records<Point>& points) {
    std::vector<std::uint32_t> order(points.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return points[a].event < points[b].event; });
    for (std::uint32_t first = 0; first < order.size(); ++first) {
        const Point moved = points[first];
        std::uint32_t at = first;
        for (; order[at] != first; at = std::exchange(order[at], at)) points[at] = points[order[at]];
        points[at] = moved;
        order[at] = at;
    }
}

/// Puts points of teams between the others, and takes their records out of the trace.
void addTeams(replay::ReplayedTrace& trace, const MeetingPoints& meetings, workers::Workers& workers,
              Memory memory, Points& points) {
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        const auto location = static_cast<std::uint32_t>(i);
        const std::size_t ofTeams = meetings.ofTeams(location);
        if (ofTeams == 0) return;
        PointListBuilder list(std::move(points.byLocation[i]), ofTeams, memory);
        meetings.visitTeams(location,
                            [&](const Point& ofTeam, std::uint32_t team) { list.append(ofTeam, team); });
        points.byLocation[i] = list.take();
        trace.locations[i].threads.barriers = PackedRecords<replay::BarrierRecord>(memory);
    });
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        for (Point& point : points.byLocation[i].others())
            if (point.partner.location != kNone)
                point.partner.index =
                    points.byLocation[point.partner.location].positionOfOther(point.partner.index);
    });
}

/// And locks.
void forgetMessages(replay::ReplayedTrace& trace, Memory memory) {
    for (replay::LocationTrace& location : trace.locations) {
        location.messages = replay::MessageRecords(memory);
        location.rma = Records<replay::RmaRecord>(memory);
        location.rmaWaits = Records<replay::RmaWait>(memory);
        location.threads.locks = Records<replay::LockRecord>(memory);
        location.threads.lockWaits = Records<replay::LockWait>(memory);
    }
}

}  // namespace

Points findPoints(replay::ReplayedTrace& trace, matching::ForkedStays stays, const paths::MergedTree& merged,
                  workers::Workers& workers, Rules rules, Memory memory) {
    const MessagePoints messages(trace, merged, rules);
    const DependencyPoints dependencies(trace, merged, rules);
    const CreationPoints creations(trace, merged, rules);
    MeetingPoints meetings(trace, std::move(stays), merged, rules);
    Points points(trace.locations.size(), memory);
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        const auto location = static_cast<std::uint32_t>(i);
        Records<Point> others(memory);
        messages.collect(location, others);
        dependencies.collect(location, others);
        creations.collect(location, others);
        meetings.collect(location, others);
        bringIntoOrder(others);
        points.byLocation[i] = PointListBuilder(std::move(others), 0, memory).take();
    });
    workers.forEach(trace.locations.size(),
                    [&](std::size_t i) { messages.connect(static_cast<std::uint32_t>(i), points); });
    dependencies.connect(points);
    creations.connect(points);
    meetings.findCommunicators(points);
    forgetMessages(trace, memory);
    addTeams(trace, meetings, workers, memory, points);
    meetings.gather(points);
    return points;
}

}  // namespace holos::analyzer::causes
