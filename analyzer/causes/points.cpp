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

Points findPoints(replay::ReplayedTrace& trace, matching::ForkedStays stays,
                  const collate::MergedTree& merged, workers::Workers& workers, Rules rules, Memory memory) {
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
        const auto ofTwo = static_cast<std::ptrdiff_t>(others.size());
        meetings.collect(location, others);
        bringIntoOrder(others, ofTwo);
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
