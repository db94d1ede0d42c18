// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/causes.h"

#include <utility>

#include "analyzer/causes/costs.h"
#include "analyzer/causes/critical_path.h"
#include "analyzer/causes/delays.h"
#include "analyzer/causes/impact.h"

namespace holos::analyzer::causes {

namespace {

/// Points and blames say all of them that causes need.
void forgetThreads(replay::ReplayedTrace& trace, Memory memory) {
    for (replay::LocationTrace& location : trace.locations) location.threads = replay::ThreadRecords(memory);
}

}  // namespace

std::vector<LocationCauses> findCauses(replay::ReplayedTrace& trace, matching::ForkedStays stays,
                                       const collate::MergedTree& merged, workers::Workers& workers,
                                       Rules rules, Memory memory) {
    std::vector<LocationCauses> causes(trace.locations.size());
    Profiles profiles(trace, stays, merged, workers, rules, memory);
    Points points = findPoints(trace, std::move(stays), merged, workers, rules, memory);
    std::vector<LocationBlames> blames = findBlames(trace, points, workers, rules, memory);
    forgetThreads(trace, memory);
    measureDelays(points, profiles, blames, workers);
    bookCosts(points, blames, propagateCosts(points, blames, rules, memory), rules, workers, causes);

    std::vector<char> isThread;
    for (const trace::Location& location : trace.definitions.locations)
        isThread.push_back(location.kind == trace::Location::Kind::Thread ? 1 : 0);
    bookImpact(followCriticalPath(trace, points, profiles, workers),
               activeTimes(points, profiles.takeTimes(), workers), isThread, rules, workers, causes);
    workers.forEach(causes.size(), [&](std::size_t i) { causes[i].settle(); });
    return causes;
}

}  // namespace holos::analyzer::causes
