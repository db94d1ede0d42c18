// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/points.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "analyzer/causes/point_sources.h"

namespace holos::analyzer::causes {

namespace {

/// Where a point stands, and when it is.
struct Place {
    std::uint64_t event;
    std::size_t position;

    bool operator<(const Place& other) const {
        return event != other.event ? event < other.event : position < other.position;
    }
};

/// Moves each point to its place, one round of places after the other. `places[i]` is where the point stands
/// that belongs to position i.
void moveToPlaces(Records<Point>& points, std::vector<Place>& places) {
    for (std::size_t first = 0; first < places.size(); ++first) {
        if (places[first].position == first) continue;
        const Point moved = points[first];
        std::size_t to = first;
        while (places[to].position != first) {
            const std::size_t from = std::exchange(places[to].position, to);
            points[to] = points[from];
            to = from;
        }
        points[to] = moved;
        places[to].position = to;
    }
}

/// By event; those of one event stay in their order. Points are large, so that their places are sorted.
void bringIntoOrder(Records<Point>& points) {
    std::vector<Place> places;
    places.reserve(points.size());
    for (const Point& point : points) places.push_back({point.event, places.size()});
    if (std::is_sorted(places.begin(), places.end())) return;
    std::sort(places.begin(), places.end());
    moveToPlaces(points, places);
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
        meetings.collect(location, others);
        bringIntoOrder(others);
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
