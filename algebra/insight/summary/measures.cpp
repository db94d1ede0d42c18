// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/measures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include "algebra/model/experiment.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_run.h"

namespace holos::algebra {

namespace {

/// Adds what is a number.
void addTo(std::vector<double>& sum, const std::vector<double>& values) {
    for (std::size_t i = 0; i < sum.size(); ++i)
        if (std::isfinite(values[i])) sum[i] += values[i];
}

}  // namespace

Measures::Measures(const Experiment& experiment)
    : experiment_(experiment), processes_(countedProcesses(experiment)) {
    for (const MetricId id : experiment.metrics.ids()) names_.emplace(experiment.metrics[id].uniqueName, id);
    for (const CountedProcess& process : processes_)
        threads_.insert(threads_.end(), process.threads.begin(), process.threads.end());
    const auto hasAny = [&](const MetricNames& names) {
        return std::ranges::any_of(names, [&](const char* name) { return find(name).has_value(); });
    };
    const bool hasWaits =
        std::ranges::any_of(waitRules(), [&](const WaitRule& rule) { return hasAny(rule.waits); });
    const bool mayWait =
        attribute(experiment.attributes, kProfileAttribute) || hasAny(whereOthersAreWaitedFor());
    knowsWaits_ = hasWaits || !mayWait;
    knowsThreads_ = threads_.size() <= processes_.size() || hasAny(whereThreadsMeet());
    knowsAll_ =
        knowsWaits_ && knowsThreads_ && hasAny({"comp"}) && hasAny({"imbalance"}) && hasAny({"overhead"});
    if (threads_.size() != experiment.system.locations.size()) counted_ = threads_;
    const std::vector<double> times = perLocation({"time"});
    for (const LocationId thread : threads_) {
        time_ += times[thread.index()];
        wall_ = std::max(wall_, times[thread.index()]);
    }
    // Heuristics that book idle threads may book more than that.
    if (const auto run = secondsOfRun(experiment)) wall_ = *run;
}

std::size_t Measures::mostThreads() const {
    std::size_t most = 1;
    for (const CountedProcess& process : processes_) most = std::max(most, process.threads.size());
    return most;
}

std::optional<MetricId> Measures::find(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<MetricId> Measures::largest(const MetricNames& names) const {
    std::optional<MetricId> largest;
    double most = 0;
    for (const char* name : names) {
        const double value = total(name);
        if (const auto metric = find(name); metric && (!largest || value > most)) {
            largest = metric;
            most = value;
        }
    }
    return largest;
}

double Measures::total(const MetricNames& names) const {
    double sum = 0;
    for (const char* name : names)
        if (const auto metric = find(name)) {
            const double value = aggregate(experiment_, {*metric}, kAll, counted_);
            if (std::isfinite(value)) sum += value;
        }
    return sum;
}

std::vector<double> Measures::perPath(const MetricNames& names) const {
    std::vector<double> sum(experiment_.callTree.size(), 0.0);
    for (const char* name : names)
        if (const auto metric = find(name))
            addTo(sum, perCallPath(experiment_, {*metric}, Extent::Exclusive, counted_));
    return sum;
}

std::vector<double> Measures::perLocation(const MetricNames& names, std::optional<CallPathId> path) const {
    std::vector<double> sum(experiment_.system.locations.size(), 0.0);
    for (const char* name : names)
        if (const auto metric = find(name))
            addTo(sum, algebra::perLocation(experiment_, {*metric},
                                            path ? ChosenPaths{{*path, Extent::Inclusive}} : kAll));
    return sum;
}

std::vector<double> withoutYields(const Measures& measures, const MetricNames& metrics,
                                  std::optional<CallPathId> path) {
    std::vector<double> times = measures.perLocation(metrics, path);
    const bool haveYields = std::ranges::any_of(
        metrics, [](const std::string_view name) { return name == "time" || name == "system_waiting"; });
    if (!haveYields) return times;
    const Experiment& experiment = measures.experiment();
    for (const CallPathId inner : experiment.callTree.ids()) {
        if (!isYield(experiment.regionOf(inner).name)) continue;
        if (path && !experiment.callTree.isWithin(inner, *path)) continue;
        const std::vector<double> yields = measures.perLocation({"system_waiting"}, inner);
        std::ranges::transform(times, yields, times.begin(), std::minus());
    }
    return times;
}

std::vector<double> without(std::vector<double> values, const std::vector<double>& less) {
    std::ranges::transform(values, less, values.begin(),
                           [](double one, double other) { return std::max(0.0, one - other); });
    return values;
}

std::vector<double> inclusiveOf(const CallTree& tree, std::vector<double> exclusive) {
    for (std::size_t at = tree.size(); at-- > 0;)  // children before their parents
        if (const auto parent = tree.parent(CallPathId(at))) exclusive[parent->index()] += exclusive[at];
    return exclusive;
}

std::vector<Place> placesOf(const CallTree& tree, const std::vector<double>& exclusive, double least) {
    const std::vector<double> inclusive = inclusiveOf(tree, exclusive);
    std::vector<Place> places;
    for (const CallPathId path : tree.ids()) {
        double rest = inclusive[path.index()];
        for (const CallPathId child : tree.children(path))
            if (inclusive[child.index()] >= least) rest -= inclusive[child.index()];
        if (rest >= least && rest > 0) places.push_back({path, rest});
    }
    std::ranges::stable_sort(places, std::ranges::greater(), &Place::value);
    return places;
}

}  // namespace holos::algebra
