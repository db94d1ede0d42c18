// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "analyzer/causes/point_sources.h"

namespace holos::analyzer::causes {

namespace {

using replay::Call;
using replay::Collective;
using replay::CollectiveRecord;

/// Prefix reductions have no costs, as in Scalasca.
bool isDependency(const CollectiveRecord& record) {
    return record.wait > 0 && record.waitsFor != nullptr && !record.synchronizes &&
           record.operation != Collective::Scan && record.operation != Collective::Exscan;
}

/// The point at an event that is as it should be. There is one.
template <class IsIt>
PointRef find(const Points& points, std::uint32_t location, std::uint64_t event, IsIt&& isIt) {
    const auto& list = points.byLocation[location];
    auto at = std::lower_bound(list.begin(), list.end(), event,
                               [](const Point& point, std::uint64_t e) { return point.event < e; });
    while (!isIt(*at)) ++at;
    return {location, static_cast<std::uint32_t>(at - list.begin())};
}

}  // namespace

DependencyPoints::DependencyPoints(const replay::ReplayedTrace& trace, const collate::MergedTree& merged)
    : trace_(trace), merged_(merged), waits_(trace.locations.size()), causes_(trace.locations.size()) {
    for (std::size_t i = 0; i < trace.locations.size(); ++i)
        for (const CollectiveRecord& record : trace.locations[i].messages.collectives) {
            if (!isDependency(record)) continue;
            waits_[i].push_back(&record);
            causes_[record.waitsFor->location].push_back(&record);
        }
}

void DependencyPoints::collect(std::uint32_t location, Records<Point>& points) const {
    for (const CollectiveRecord* record : waits_[location]) {
        Point wait = point(*record, record->call, record->event, record->waitsFor->location);
        wait.kind = kindOf(record->operation);
        wait.wait = record->wait;
        wait.completion = std::max<Ticks>(0, wait.total - record->wait);
        points.push_back(wait);
    }
    for (const CollectiveRecord* record : causes_[location]) {
        const CollectiveRecord& cause = *record->waitsFor;
        Point causer = point(cause, cause.beginCall, cause.beginEvent, record->location);
        const Ticks waiterLeaves = trace_.locations[record->location].messages.calls[record->call].leave;
        const Ticks left = trace_.locations[location].messages.calls[cause.beginCall].leave;
        causer.completion = std::max<Ticks>(0, left - waiterLeaves);
        points.push_back(causer);
    }
}

Point DependencyPoints::point(const CollectiveRecord& record, std::uint32_t call, std::uint64_t event,
                              std::uint32_t other) const {
    const Call& around = trace_.locations[record.location].messages.calls[call];
    Point point;
    point.event = event;
    point.total = around.leave - around.enter;
    point.slice = around.slice;
    point.path = pathOf(merged_, record.location, around.node);
    point.process = static_cast<std::uint32_t>(trace_.definitions.locations[other].process.index());
    return point;
}

void DependencyPoints::connect(Points& points) const {
    for (std::uint32_t location = 0; location < waits_.size(); ++location) {
        const auto process = trace_.definitions.locations[location].process.index();
        for (const CollectiveRecord* record : waits_[location]) {
            const PointRef wait = find(points, location, record->event, [&](const Point& point) {
                return point.kind == kindOf(record->operation);
            });
            const CollectiveRecord& cause = *record->waitsFor;
            const PointRef causer = find(points, cause.location, cause.beginEvent, [&](const Point& point) {
                return point.kind == Kind::Peer && point.process == process &&
                       point.partner.location == kNone;
            });
            points[wait].partner = causer;
            points[causer].partner = wait;
        }
    }
}

}  // namespace holos::analyzer::causes
