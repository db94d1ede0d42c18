// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/reading_times.h"

#include <algorithm>

namespace holos::analyzer::replay {

std::vector<ClassTime> classTimes(const std::vector<LocationCalls>& locations) {
    std::vector<ClassTime> times;
    for (const LocationCalls& location : locations)
        for (const Growths& growths : location.counters.growths)
            for (const Ticks end : growths.ends) times.push_back({growths.metricClass, end});
    return times;
}

ReadingTimes readingTimes(const trace::Definitions& definitions, const std::vector<ClassTime>& times) {
    ReadingTimes byLocation(definitions.locations.size());
    for (const ClassTime& read : times)
        for (const trace::LocationId location : definitions.metricClasses[read.metricClass.index()].readFor)
            byLocation[location.index()].push_back(read.time);
    for (std::vector<Ticks>& each : byLocation) {
        std::sort(each.begin(), each.end());
        each.erase(std::unique(each.begin(), each.end()), each.end());
    }
    return byLocation;
}

}  // namespace holos::analyzer::replay
