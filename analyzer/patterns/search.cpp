// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/patterns/search.h"

#include <utility>

#include "analyzer/patterns/list.h"
#include "analyzer/patterns/patterns.h"

namespace holos::analyzer::patterns {

namespace {

using trace::LocationId;

/// The steps that patterns take part in, one after the other.
void runSteps(const matching::MatchedTrace& run, workers::Workers& workers, AllFindings& found) {
    workers.forEach(found.size(), [&](std::size_t i) {
        for (const Pattern* pattern : allPatterns())
            if (pattern->inLocation != nullptr) pattern->inLocation(run, LocationId(i), found[i]);
    });
    for (const Pattern* pattern : allPatterns())
        if (pattern->inTrace != nullptr) pattern->inTrace(run, found);
    findUnexplained(run, workers, found);
    workers.forEach(found.size(), [&](std::size_t i) {
        for (const Dependency& wait : found[i].waits.dependencies)
            if (wait.metric != nullptr) found[i].severities.add(*wait.metric, wait.waiter.node, wait.booked);
        for (const Pattern* pattern : allPatterns())
            if (pattern->book != nullptr)
                pattern->book(run, LocationId(i), found[i].waits, found[i].severities);
    });
}

}  // namespace

Findings findWaits(const matching::MatchedTrace& run, matching::CollectiveOperations operations,
                   workers::Workers& workers, Memory memory) {
    AllFindings found;
    found.reserve(run.trace.locations.size());
    for (const replay::LocationTrace& location : run.trace.locations) found.emplace_back(location, memory);
    findCollectiveWaits(run.trace, std::exchange(operations, {}), workers, found);
    findOmpBarrierWaits(run.trace, workers, memory, found);
    findLockWaits(run.trace, workers, found);
    runSteps(run, workers, found);
    Findings findings;
    for (LocationFindings& local : found) {
        findings.waits.push_back(std::move(local.waits));
        findings.severities.push_back(std::move(local.severities));
    }
    return findings;
}

}  // namespace holos::analyzer::patterns
