// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/limited_regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/parallel_regions.h"
#include "algebra/insight/summary/spread.h"
#include "algebra/insight/summary/words.h"
#include "base/text.h"

namespace holos::algebra {

namespace {

const char* const kIdleInRegions = "omp_limited_parallelism";

/// The innermost parallel region in which a call path is.
std::optional<CallPathId> regionAround(const Experiment& experiment, CallPathId path) {
    for (std::optional<CallPathId> at = path; at; at = experiment.callTree.parent(*at))
        if (isParallelRegion(experiment, *at)) return at;
    return std::nullopt;
}

/// Threads that are in teams within the region wait there for work while others are not done with theirs:
/// that is no lack of threads.
bool hasRegionsWithin(const Experiment& experiment, CallPathId region) {
    return std::ranges::any_of(experiment.callTree.subtree(region), [&](CallPathId path) {
        return path != region && isParallelRegion(experiment, path);
    });
}

/// Of the time of those who run the region, with what it calls: in which they had a processor.
double partWithProcessor(const Measures& measures, CallPathId region) {
    const std::vector<double> times = measures.perLocation({"time"}, region),
                              idle = measures.perLocation({kIdleInRegions}, region),
                              without = measures.perLocation(shortageTimes(), region);
    double all = 0, lacked = 0;
    for (const LocationId thread : measures.threads()) {
        all += times[thread.index()] - idle[thread.index()];
        lacked += without[thread.index()];
    }
    return all > 0 ? std::clamp(1 - lacked / all, 0.0, 1.0) : 0;
}

/// The threads that do more in the region than to be idle.
std::vector<Member> runnersOf(const Measures& measures, CallPathId region) {
    constexpr double kHardly = 0.01;
    std::vector<double> times = measures.perLocation({"time"}, region);
    const std::vector<double> idle = measures.perLocation({kIdleInRegions}, region);
    std::transform(times.begin(), times.end(), idle.begin(), times.begin(), std::minus<>());
    std::vector<Member> runners = threadMembers(measures, times);
    double most = 0;
    for (const Member& thread : runners) most = std::max(most, thread.value);
    std::erase_if(runners, [&](const Member& thread) { return thread.value <= kHardly * most; });
    std::ranges::stable_sort(runners, std::ranges::greater(), &Member::value);
    return runners;
}

Problem problemAt(const Measures& measures, const Place& place) {
    Problem problem = problemOf(measures, "serial", place.value);
    placeAt(measures, place.path, problem);
    const std::vector<Member> runners = runnersOf(measures, place.path);
    const bool areAlone = runners.size() <= measures.processes().size();
    const bool areAll = runners.size() == measures.threads().size();
    problem.what =
        areAlone ? "One thread runs a parallel region, while the others of its process are idle"
        : areAll ? "A parallel region has fewer threads than its process at times, and the others are idle"
                 : "A parallel region has fewer threads than its process, and the others are idle";
    if (!runners.empty() && !areAll)
        problem.who = fmt::format("{} of {} run it, {} longest: {}", runners.size(),
                                  counted(measures.threads().size(), "thread"), runners.front().name,
                                  secondsText(runners.front().value));
    if (runners.size() == 1)
        problem.who =
            fmt::format("{} runs it for {}", runners.front().name, secondsText(runners.front().value));
    problem.remedy =
        "see why it has no more threads: a clause `if` or `num_threads`, a limit of nested regions, or threads "
        "that OpenMP adjusts (OMP_DYNAMIC); with more, its work can be shared out";
    problem.gain = place.value / static_cast<double>(measures.threads().size());
    addEvidence(measures, {kIdleInRegions}, "time of the threads that are idle", place.path, kAll, problem);
    addEvidence(measures, {"time"}, "time in the region", place.path, kAll, problem);
    return problem;
}

}  // namespace

std::vector<double> idleInRegions(const Measures& measures) {
    return measures.perPath({kIdleInRegions});
}

std::vector<Problem> limitedRegions(const Measures& measures, double least) {
    const Experiment& experiment = measures.experiment();
    const std::vector<double> idle = idleInRegions(measures);
    std::vector<Place> places;
    for (const CallPathId path : experiment.callTree.ids()) {
        if (!(idle[path.index()] > 0)) continue;
        const auto region = regionAround(experiment, path);
        if (!region || hasRegionsWithin(experiment, *region)) continue;
        const auto known = std::ranges::find(places, *region, &Place::path);
        if (known == places.end())
            places.push_back({*region, idle[path.index()]});
        else
            known->value += idle[path.index()];
    }
    std::vector<Problem> problems;
    for (Place& place : places) {
        if (place.value < least) continue;
        place.value *= partWithProcessor(measures, place.path);
        if (place.value >= least) problems.push_back(problemAt(measures, place));
    }
    return problems;
}

}  // namespace holos::algebra
