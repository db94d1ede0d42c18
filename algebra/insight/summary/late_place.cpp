// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/late_place.h"

#include <algorithm>
#include <functional>

#include "algebra/insight/summary/rules.h"

namespace holos::algebra {

LatePlace::LatePlace(const Measures& measures, const Delays& delays, const Place& place,
                     std::span<const Place> all)
    : measures_(measures), delays_(delays), place_(place), all_(all) {}

std::vector<CallPathId> LatePlace::paths() const {
    std::vector<CallPathId> paths;
    for (const CallPathId outer : withoutNested()) {
        const std::vector<CallPathId> more = tree().subtree(outer);
        paths.insert(paths.end(), more.begin(), more.end());
    }
    return paths;
}

/// The call paths of the place that none of the others calls.
std::vector<CallPathId> LatePlace::withoutNested() const {
    std::vector<CallPathId> all{place_.path};
    all.insert(all.end(), place_.also.begin(), place_.also.end());
    std::vector<CallPathId> outer;
    for (const CallPathId path : all)
        if (std::ranges::none_of(
                all, [&](CallPathId other) { return other != path && tree().isWithin(path, other); }))
            outer.push_back(path);
    return outer;
}

double LatePlace::sumOf(const std::vector<double>& values) const {
    double sum = 0;
    for (const CallPathId path : paths()) sum += values[path.index()];
    return sum;
}

std::vector<double> LatePlace::times(const MetricNames& metrics, std::optional<CallPathId> path) const {
    if (!path || *path != place_.path || place_.also.empty()) return withoutYields(measures_, metrics, path);
    std::vector<double> sum(measures_.experiment().system.locations.size(), 0.0);
    for (const CallPathId outer : withoutNested()) {
        const std::vector<double> times = withoutYields(measures_, metrics, outer);
        std::ranges::transform(sum, times, sum.begin(), std::plus());
    }
    return sum;
}

std::vector<double> LatePlace::blamed(std::size_t rule, const MetricNames& delays,
                                      const std::vector<CallPathId>& paths) const {
    const Experiment& experiment = measures_.experiment();
    const std::vector<double> all = measures_.perPath(waitRules()[rule].delays);
    std::vector<double> values(experiment.system.locations.size(), 0.0);
    for (const CallPathId path : paths) {
        const double here = delays_.byRule[rule][path.index()];
        if (!(here > 0) || !(all[path.index()] > 0)) continue;
        for (const char* name : delays) {
            const auto metric = measures_.find(name);
            if (!metric) continue;
            const std::vector<double> own =
                perLocation(experiment, {*metric}, {CallPathChoice{path, Extent::Exclusive}});
            for (std::size_t at = 0; at < own.size(); ++at) values[at] += own[at] * here / all[path.index()];
        }
    }
    return values;
}

bool LatePlace::isOfAnother(CallPathId path) const {
    return std::ranges::any_of(all_, [&](const Place& other) {
        return !isPartOfThis(other) && tree().isWithin(other.path, place_.path) &&
               tree().isWithin(path, other.path);
    });
}

std::vector<double> LatePlace::toldElsewhere(const MetricNames& metrics, CallPathId outer) const {
    std::vector<double> told(measures_.experiment().system.locations.size(), 0.0);
    for (const Place& other : all_) {
        if (isPartOfThis(other) || !isOutermostWithin(other, outer)) continue;
        const std::vector<double> there = withoutYields(measures_, metrics, other.path);
        std::ranges::transform(told, there, told.begin(), std::plus());
    }
    return told;
}

bool LatePlace::isOfAnyThread() const {
    const auto isChosen = [&](CallPathId inner) {
        for (std::optional<CallPathId> path = inner; path; path = tree().parent(*path)) {
            const Region& region = measures_.experiment().regionOf(*path);
            if (region.paradigm != "openmp") continue;
            if (region.role == "task" || region.role == "single" || region.role == "sections") return true;
            if (region.role == "parallel") return false;
        }
        return false;
    };
    double chosen = 0, all = 0;
    for (const CallPathId path : paths())
        for (const std::vector<double>& values : delays_.byRule) {
            all += values[path.index()];
            if (isChosen(path)) chosen += values[path.index()];
        }
    return chosen > kMainPart * all;
}

bool LatePlace::isPartOfThis(const Place& other) const {
    return other.path == place_.path || std::ranges::count(place_.also, other.path) > 0;
}

/// Not within another place there, whose values include what it calls.
bool LatePlace::isOutermostWithin(const Place& place, CallPathId outer) const {
    const auto isBelow = [&](CallPathId path, CallPathId above) {
        return path != above && tree().isWithin(path, above);
    };
    return isBelow(place.path, outer) && std::ranges::none_of(all_, [&](const Place& other) {
               return !isPartOfThis(other) && isBelow(place.path, other.path) && isBelow(other.path, outer);
           });
}

}  // namespace holos::algebra
