// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/points.h"

#include <algorithm>
#include <utility>

#include "analyzer/causes/point_sources.h"

namespace holos::analyzer::causes {

namespace {

/// A point in the list as it was collected.
struct Place {
    std::uint64_t event;
    std::uint32_t position;
};

/// By event. Lists are collected one after the other, and nearly all are in order: few merges join them.
std::vector<Place> inOrder(const Records<Point>& points) {
    std::vector<Place> places;
    places.reserve(points.size());
    std::vector<std::size_t> edges{0};  // of the parts that are in order
    for (const Point& point : points) {
        if (!places.empty() && point.event < places.back().event) edges.push_back(places.size());
        places.push_back({point.event, static_cast<std::uint32_t>(places.size())});
    }
    edges.push_back(places.size());
    const auto at = [&](std::size_t edge) {
        return places.begin() + static_cast<std::ptrdiff_t>(edges[std::min(edge, edges.size() - 1)]);
    };
    const auto isBefore = [](const Place& a, const Place& b) { return a.event < b.event; };
    for (std::size_t step = 1; step + 1 < edges.size(); step *= 2)
        for (std::size_t part = 0; part + step + 1 < edges.size(); part += 2 * step)
            std::inplace_merge(at(part), at(part + step), at(part + 2 * step), isBefore);
    return places;
}

/// By event. Points are large: there is no room for them twice.
void bringIntoOrder(Records<Point>& points) {
    std::vector<Place> order = inOrder(points);
    for (std::uint32_t first = 0; first < order.size(); ++first) {
        if (order[first].position == first) continue;
        const Point moved = points[first];
        std::uint32_t at = first;
        for (; order[at].position != first; at = std::exchange(order[at].position, at))
            points[at] = points[order[at].position];
        points[at] = moved;
        order[at].position = at;
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

/// Frees the records of messages, locks, one-sided communication and dependencies: points have what causes
/// need of them.
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
