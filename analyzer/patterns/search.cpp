// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/patterns/search.h"

#include <utility>

#include "analyzer/patterns/list.h"
#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

namespace {

using trace::LocationId;

/// The steps that patterns take part in, one after the other.
void runSteps(const matching::MatchedTrace& run, workers::Workers& workers, AllFindings& found) {
    workers.forEach(found.size(), [&](std::size_t i) {
        if (!found.has(i)) return;
        for (const Pattern* pattern : allPatterns())
            if (pattern->inLocation != nullptr) pattern->inLocation(run, LocationId(i), found.own(i));
    });
    for (const Pattern* pattern : allPatterns())
        if (pattern->inTrace != nullptr) pattern->inTrace(run, found);
    findUnexplained(run, workers, found);
    findShortagesAtBarriers(run.trace, workers, found);
    findShortagesInCalls(run.trace, workers, found);
    workers.forEach(found.size(), [&](std::size_t i) {
        if (!found.has(i)) return;
        LocationFindings& local = found.own(i);
        for (const Dependency& wait : local.waits.dependencies)
            if (wait.metric != nullptr) local.severities.add(*wait.metric, wait.waiter.node, wait.booked);
        for (const Pattern* pattern : allPatterns())
            if (pattern->book != nullptr) pattern->book(run, LocationId(i), local.waits, local.severities);
    });
}

}  // namespace

Findings findWaits(const matching::MatchedTrace& run, matching::CollectiveOperations operations,
                   workers::Workers& workers, Memory memory) {
    const std::size_t locations = run.trace.locations.size();
    AllFindings found(locations, memory);
    for (std::size_t i = 0; i < locations; ++i)
        if (run.trace.locations.has(i)) found.put(i, LocationFindings(run.trace.locations[i], memory));
    findCollectiveWaits(run.trace, std::exchange(operations, {}), workers, found);
    findOmpBarrierWaits(run.trace, workers, memory, found);
    findLockWaits(run.trace, workers, found);
    runSteps(run, workers, found);
    Findings findings{Waits(locations, memory), Severities(locations)};
    for (std::size_t i = 0; i < locations; ++i) {
        if (!found.has(i)) continue;
        LocationFindings local = found.take(i);
        findings.waits.put(i, std::move(local.waits));
        findings.severities.put(i, std::move(local.severities));
    }
    return findings;
}

}  // namespace holos::analyzer::patterns
