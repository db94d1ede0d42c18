// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/points.h"

#include <numeric>
#include <utility>

#include "analyzer/causes/point_sources.h"

namespace holos::analyzer::causes {

namespace {

/// By event. Points are large: there is no room for them twice.
void bringIntoOrder(Records<Point>& points) {
    std::vector<std::uint32_t> order(points.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(
        order, [&](std::uint32_t a, std::uint32_t b) { return points[a].event < points[b].event; });
    for (std::uint32_t first = 0; first < order.size(); ++first) {
        const Point moved = points[first];
        std::uint32_t at = first;
        for (; order[at] != first; at = std::exchange(order[at], at)) points[at] = points[order[at]];
        points[at] = moved;
        order[at] = at;
    }
}

/// Puts points of teams between the others, and frees their records.
void addTeams(replay::ReplayedTrace& trace, patterns::Waits& waits, const MeetingPoints& meetings,
              workers::Workers& workers, Memory memory, Points& points) {
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        const auto location = static_cast<std::uint32_t>(i);
        const std::size_t ofTeams = meetings.ofTeams(location);
        if (ofTeams == 0) return;
        PointListBuilder list(std::move(points.byLocation.own(i)), ofTeams, memory);
        meetings.visitTeams(location, [&](const Point& ofTeam, std::uint32_t team, Ticks tasks) {
            list.append(ofTeam, team, tasks);
        });
        points.byLocation.own(i) = list.take();
        trace.locations.own(i).threads.barriers = PackedRecords<replay::BarrierRecord>(memory);
        waits.own(i).barriers = PackedRecords<patterns::BarrierWait>(memory);
    });
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        if (!points.byLocation.has(i)) return;
        for (Point& point : points.byLocation.own(i).others())
            if (point.partner.location != kNone)
                point.partner.index =
                    points.byLocation[point.partner.location].positionOfOther(point.partner.index);
    });
}

/// Also locks, one-sided communication and dependencies.
void forgetMessages(replay::ReplayedTrace& trace, matching::Matches& matches, patterns::Waits& waits,
                    Memory memory) {
    matches.messages = {};
    matches.collectives = {};
    trace.locations.visitOwn([&](replay::LocationTrace& location) {
        location.messages = replay::MessageRecords(memory);
        location.rma = Records<replay::RmaRecord>(memory);
        location.threads.locks = Records<replay::LockRecord>(memory);
    });
    waits.visitOwn([&](patterns::LocationWaits& location) {
        location.receives = Records<Ticks>(memory);
        location.completions = Records<Ticks>(memory);
        location.collectives = Records<patterns::CollectiveWait>(memory);
        location.dependencies = Records<patterns::Dependency>(memory);
    });
}

}  // namespace

Points findPoints(replay::ReplayedTrace& trace, matching::Matches matches, patterns::Waits waits,
                  const paths::MergedTree& merged, workers::Workers& workers, Rules rules, Memory memory) {
    const patterns::JudgedTrace run{trace, matches, waits};
    const MessagePoints messages(run, merged, rules);
    const DependencyPoints dependencies(run, merged, rules);
    const CreationPoints creations(trace, merged, rules);
    MeetingPoints meetings(run, merged, rules);
    Points points(trace.locations.size(), memory);
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        const auto location = static_cast<std::uint32_t>(i);
        Records<Point> others(memory);
        messages.collect(location, others);
        dependencies.collect(location, others);
        creations.collect(location, others);
        meetings.collect(location, others);
        if (others.empty()) return;
        bringIntoOrder(others);
        points.byLocation.own(i) = PointListBuilder(std::move(others), 0, memory).take();
    });
    workers.forEach(trace.locations.size(),
                    [&](std::size_t i) { messages.connect(static_cast<std::uint32_t>(i), points); });
    dependencies.connect(points);
    creations.connect(points);
    meetings.findCommunicators(points);
    forgetMessages(trace, matches, waits, memory);
    addTeams(trace, waits, meetings, workers, memory, points);
    matches.teams.forget();
    meetings.gather(points);
    return points;
}

}  // namespace holos::analyzer::causes
