// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/causes.h"

#include "analyzer/causes/costs.h"
#include "analyzer/causes/critical_path.h"
#include "analyzer/causes/impact.h"

namespace holos::analyzer::causes {

std::vector<LocationCauses> findCauses(replay::ReplayedTrace& trace, const collate::MergedTree& merged,
                                       workers::Workers& workers, Rules rules, Memory memory) {
    std::vector<LocationCauses> causes(trace.locations.size(), LocationCauses(merged.tree.size()));
    Points points = findPoints(trace, merged, workers, rules, memory);
    const Profiles profiles(trace, merged, workers, rules, memory);

    std::vector<LocationBlames> blames = findBlames(trace, points, workers, rules, memory);
    measureDelays(points, profiles, blames, workers);
    bookCosts(points, blames, propagateCosts(points, blames, rules, memory), workers, causes);

    std::vector<char> isThread;
    for (const trace::Location& location : trace.definitions.locations)
        isThread.push_back(location.kind == trace::Location::Kind::Thread ? 1 : 0);
    bookImpact(followCriticalPath(trace, points, profiles, workers), activeTimes(points, profiles, workers),
               isThread, rules, workers, causes);
    return causes;
}

}  // namespace holos::analyzer::causes
