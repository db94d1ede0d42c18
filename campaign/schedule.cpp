// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <set>

#include "tracing/counters/selection.h"

namespace holos::campaign {
namespace {

bool hasAll(const Measurement& counted, const Measurement& wanted) {
    return std::ranges::all_of(
        wanted, [&](const std::string& event) { return std::ranges::find(counted, event) != counted.end(); });
}

/// Numbers that no run had before.
class FreeNames {
  public:
    explicit FreeNames(const State& state) {
        for (const auto& each : state.finished) taken_.insert(each.run.name);
        for (const auto& each : state.failed) taken_.insert(each.run.name);
        for (const auto& each : state.scripted) taken_.insert(each.name);
    }
    std::string next() {
        std::string name;
        do name = fmt::format("run-{:02}", ++number_);
        while (taken_.contains(name));
        return name;
    }

  private:
    std::set<std::string> taken_;
    std::size_t number_ = 0;
};

bool isMultiplexed(const Run& run) {
    return run.isMultiplexed;
}

bool hasMultiplexed(const State& state) {
    return std::ranges::any_of(state.scripted, isMultiplexed) ||
           std::ranges::any_of(state.finished,
                               [](const FinishedRun& each) { return each.run.isMultiplexed; });
}

Measurement allEvents(const std::vector<Measurement>& measurements) {
    Measurement all;
    for (const Measurement& each : measurements)
        for (const std::string& event : each)
            if (all.size() < counters::kMostCounters && !hasAll(all, {event})) all.push_back(event);
    return all;
}

}  // namespace

std::vector<Run> remainingRuns(const std::vector<Measurement>& measurements, const State& state) {
    std::list<const Measurement*> available;
    for (const auto& each : state.finished)
        if (!each.run.isMultiplexed) available.push_back(&each.run.events);
    for (const auto& each : state.scripted)
        if (!each.isMultiplexed) available.push_back(&each.events);
    FreeNames names(state);
    std::vector<Run> remaining;
    for (std::size_t repetition = 0; repetition < state.request.repetitions; ++repetition)
        for (const Measurement& wanted : measurements) {
            const auto serving = std::ranges::find_if(
                available, [&](const Measurement* counted) { return hasAll(*counted, wanted); });
            if (serving != available.end())
                available.erase(serving);
            else
                remaining.push_back({names.next(), wanted});
        }
    if (state.request.comparesMultiplexed && measurements.size() > 1 && !hasMultiplexed(state))
        remaining.push_back({names.next(), allEvents(measurements), false, true});
    return remaining;
}

Run anotherRun(const Measurement& measurement, const State& state) {
    return {FreeNames(state).next(), measurement};
}

std::size_t runsOf(const Measurement& measurement, const State& state) {
    return static_cast<std::size_t>(std::ranges::count_if(state.finished, [&](const FinishedRun& each) {
        return !each.run.isMultiplexed && hasAll(each.run.events, measurement);
    }));
}

void chooseRecordings(std::vector<Run>& runs, const State& state,
                      const std::function<bool(const Measurement&)>& needsTrace) {
    const auto isTrace = [](const Run& run) { return !run.isProfile; };
    bool hasTrace =
        std::ranges::any_of(state.scripted, isTrace) ||
        std::ranges::any_of(state.finished, [&](const FinishedRun& each) { return isTrace(each.run); });
    for (Run& run : runs) {
        const bool isWanted = state.request.recording == Recording::Traces ||
                              (state.request.recording == Recording::OneTrace && !hasTrace);
        run.isProfile = !isWanted && !needsTrace(run.events);
        hasTrace = hasTrace || isTrace(run);
    }
}

double secondsFor(std::size_t runs, const State& state) {
    double sum = 0.0;
    std::size_t known = 0;
    for (const FinishedRun& each : state.finished)
        if (each.seconds > 0.0) {
            sum += each.seconds;
            ++known;
        }
    return known == 0 ? 0.0 : sum / static_cast<double>(known) * static_cast<double>(runs);
}

}  // namespace holos::campaign
