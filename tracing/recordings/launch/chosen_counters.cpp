// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/chosen_counters.h"

#include <algorithm>

#include "base/error.h"
#include "metric-specs/library.h"
#include "tracing/counters/selection.h"

namespace holos::launch {
namespace {

/// The events of a set, each by the first of its names that can be counted here, or else by its own.
std::vector<std::string> eventsOfSet(const specs::Specification& specification, const std::string& set) {
    std::vector<std::string> events = specification.set(set).events;
    for (std::string& event : events) {
        const auto others = specification.otherNames.find(event);
        if (others == specification.otherNames.end() || counters::canCount(event)) continue;
        const auto known = std::ranges::find_if(others->second, counters::canCount);
        if (known != others->second.end()) event = *known;
    }
    return events;
}

/// Sums of a profile, and what a reading costs, are whole numbers.
void checkReal(const std::string& counter, const RecordRequest& request) {
    for (const auto& [option, isGiven] :
         {std::pair("--profile", request.profile), std::pair("--compensate", request.compensate)})
        if (isGiven)
            throw UsageError(std::string(option) + ": takes whole numbers only, and the values of " +
                             counter + " are real");
}

}  // namespace

std::vector<std::string> wantedCounters(const RecordRequest& request) {
    if (!request.set.empty()) return eventsOfSet(specs::find(request.specification), request.set);
    std::vector<std::string> names = counters::splitNames(request.counters);
    if (!request.counters.empty() && names.empty())
        throw UsageError("--counters: no name in '" + request.counters + "'");
    return names;
}

ChosenCounters chooseCounters(const RecordRequest& request) {
    ChosenCounters chosen{wantedCounters(request), {}, {}};
    if (request.multiplex && chosen.all.empty())
        throw UsageError("--multiplex: no counters are chosen; --counters or --set say which take turns");
    const counters::Selection selection(chosen.all, request.multiplex);
    selection.open();
    chosen.ofThreads = selection.namesOf(counters::Scope::Thread);
    chosen.sampled = selection.namesOf(counters::Scope::Process);
    for (const auto& name : selection.namesOf(counters::Scope::Node)) chosen.sampled.push_back(name);
    if (request.sampleInterval && chosen.sampled.empty())
        throw UsageError(
            "--counters-async: no chosen counter is of the process or the node; 'holos counters "
            "list' says which are");
    if (request.profile && !chosen.sampled.empty())
        throw UsageError("--profile: counters of a process or a node, such as " + chosen.sampled.front() +
                         ", are read by time, which only a trace keeps");
    for (const counters::Counter& counter : selection.counters())
        if (counter.values == counters::Values::Real) checkReal(counter.name, request);
    return chosen;
}

}  // namespace holos::launch
