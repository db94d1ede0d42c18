// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/reading_times.h"

#include <algorithm>
#include <map>

namespace holos::analyzer::replay {

std::vector<ClassTime> classTimes(const ByLocation<LocationCalls>& locations) {
    std::vector<ClassTime> times;
    for (const LocationCalls& location : locations)
        for (const Growths& growths : location.counters.growths)
            for (const Ticks end : growths.ends) times.push_back({growths.metricClass, end});
    return times;
}

ReadingTimes::ReadingTimes(const trace::Definitions& definitions, const std::vector<ClassTime>& times) {
    using Classes = std::vector<std::size_t>;
    std::vector<Classes> classesOf(definitions.locations.size());
    for (std::size_t i = 0; i < definitions.metricClasses.size(); ++i)
        for (const trace::LocationId location : definitions.metricClasses[i].readFor)
            classesOf[location.index()].push_back(i);
    std::map<Classes, std::uint32_t> numbers;
    std::vector<std::vector<std::uint32_t>> listsOf(definitions.metricClasses.size());  // by class
    for (const Classes& classes : classesOf) {
        const auto [entry, isNew] = numbers.try_emplace(classes, static_cast<std::uint32_t>(numbers.size()));
        listOf_.push_back(entry->second);
        if (!isNew) continue;
        for (const std::size_t metricClass : classes) listsOf[metricClass].push_back(entry->second);
    }
    lists_.resize(numbers.size());
    for (const ClassTime& read : times)
        for (const std::uint32_t list : listsOf[read.metricClass.index()]) lists_[list].push_back(read.time);
    for (std::vector<Ticks>& list : lists_) {
        std::ranges::sort(list);
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
}

std::span<const Ticks> ReadingTimes::of(trace::LocationId location) const {
    if (listOf_.empty()) return {};
    return lists_[listOf_[location.index()]];
}

}  // namespace holos::analyzer::replay
