// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/causes.h"

#include <optional>
#include <utility>

#include "analyzer/causes/costs.h"
#include "analyzer/causes/critical_path.h"
#include "analyzer/causes/delays.h"
#include "analyzer/causes/shared_paths.h"

namespace holos::analyzer::causes {

namespace {

/// Points and blames say all of them that causes need.
void forgetThreads(replay::ReplayedTrace& trace, Memory memory) {
    for (replay::LocationTrace& location : trace.locations) location.threads = replay::ThreadRecords(memory);
}

}  // namespace

std::vector<LocationCauses> findCauses(replay::ReplayedTrace trace, matching::Matches matches,
                                       patterns::Waits waits, const replay::ReplayedCalls& calls,
                                       const paths::MergedTree& merged, workers::Workers& workers,
                                       Rules rules, Memory memory, CauseCourse* course) {
    std::vector<LocationCauses> causes(trace.locations.size());
    Profiles profiles(trace, calls, matches.teams, merged, workers, rules, memory);
    Points points = findPoints(trace, std::move(matches), std::move(waits), merged, workers, rules, memory);
    std::vector<LocationBlames> blames = findBlames(trace, points, workers, rules, memory);
    forgetThreads(trace, memory);
    measureDelays(points, profiles, blames, workers);
    bookCosts(
        points, blames, propagateCosts(points, blames, rules, memory), rules, workers, causes,
        course != nullptr ? std::optional(DelayTimes{trace, profiles, course->tellDelay}) : std::nullopt);

    PathProfile times = profiles.takeTimes();
    const SharedPaths shared(calls, merged, times);
    PathProfile critical = followCriticalPath(trace, points, profiles, rules, workers,
                                              course != nullptr ? &course->path : nullptr);
    PathProfile active = activeTimes(points, std::move(times), workers);
    workers.forEach(causes.size(), [&](std::size_t i) {
        shared.share(i, causes[i]);
        shared.share(i, critical[i]);
        shared.share(i, active[i]);
    });
    std::vector<char> isThread;
    for (const trace::Location& location : trace.definitions.locations)
        isThread.push_back(location.kind == trace::Location::Kind::Thread ? 1 : 0);
    bookImpact(critical, active, isThread, rules, workers, causes);
    workers.forEach(causes.size(), [&](std::size_t i) { causes[i].settle(); });
    return causes;
}

}  // namespace holos::analyzer::causes
