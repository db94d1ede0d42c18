// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/points.h"

#include <algorithm>

#include "analyzer/causes/point_sources.h"

namespace holos::analyzer::causes {

Points findPoints(replay::ReplayedTrace& trace, const collate::MergedTree& merged, workers::Workers& workers,
                  Rules rules, Memory memory) {
    const MessagePoints messages(trace, merged, rules);
    const DependencyPoints dependencies(trace, merged, rules);
    const MeetingPoints meetings(trace, merged, rules);
    Points points(trace.locations.size(), memory);
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        auto& list = points.byLocation[i];
        messages.collect(static_cast<std::uint32_t>(i), list);
        dependencies.collect(static_cast<std::uint32_t>(i), list);
        meetings.collect(static_cast<std::uint32_t>(i), list);
        trace.locations[i].threads.barriers = PackedRecords<replay::BarrierRecord>(memory);
        std::stable_sort(list.begin(), list.end(),
                         [](const Point& a, const Point& b) { return a.event < b.event; });
    });
    workers.forEach(trace.locations.size(),
                    [&](std::size_t i) { messages.connect(static_cast<std::uint32_t>(i), points); });
    dependencies.connect(points);
    meetings.gather(points);
    return points;
}

}  // namespace holos::analyzer::causes
