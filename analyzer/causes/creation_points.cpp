// SPDX-License-Identifier: BSD-3-Clause
#include <map>

#include "analyzer/causes/point_sources.h"

namespace holos::analyzer::causes {

using replay::ThreadStart;

CreationPoints::CreationPoints(const replay::ReplayedTrace& trace, const paths::MergedTree& merged,
                               Rules rules)
    : merged_(merged), ends_(trace.locations.size()) {
    if (rules.asScalasca) return;  // for which threads have nothing to do with each other
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::pair<End, End>> threads;
    for (std::uint32_t i = 0; i < trace.locations.size(); ++i)
        for (const ThreadStart& start : trace.locations[i].threads.starts) {
            auto& [creation, begin] = threads[{start.contingent, start.number}];
            (start.begins ? begin : creation) = {i, &start};
        }
    for (const auto& [number, ends] : threads) {
        const auto& [creation, begin] = ends;
        if (creation.record == nullptr || begin.record == nullptr) continue;
        creations_.push_back(ends);
        for (const End& end : {creation, begin}) ends_[end.location].push_back(end);
    }
}

void CreationPoints::collect(std::uint32_t location, Records<Point>& points) const {
    for (const End& end : ends_[location]) {
        Point point;
        point.event = end.record->event;
        point.slice = end.record->slice;
        point.path = pathOf(merged_, location, end.record->node);
        point.kind = kindOf(end);
        points.push_back(point);
    }
}

void CreationPoints::connect(Points& points) const {
    for (const auto& [creation, begin] : creations_) {
        const PointRef creates = find(creation, points);
        const PointRef begins = find(begin, points);
        points.other(creates).partner = begins;
        points.other(begins).partner = creates;
    }
}

PointRef CreationPoints::find(const End& end, const Points& points) {
    return {end.location, points.byLocation[end.location].find(end.record->event, [&](const Point& point) {
                return point.kind == kindOf(end);
            })};
}

}  // namespace holos::analyzer::causes
