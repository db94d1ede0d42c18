// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/scaling/growing_paths.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace holos::algebra::scaling {

namespace {

/// `value(run)` of all runs, group by group.
template <class Value>
std::vector<Measurement> measurementsOf(const Study& study, Value value) {
    std::vector<Measurement> measurements;
    for (const Group& group : study.groups()) {
        Measurement measurement{group.at, {}};
        for (const std::size_t run : group.runs) measurement.values.push_back(value(run));
        measurements.push_back(std::move(measurement));
    }
    return measurements;
}

bool isMeasuredSomewhere(const std::vector<Measurement>& measurements) {
    return std::ranges::any_of(measurements, [](const Measurement& each) {
        return std::ranges::any_of(each.values,
                                   [](double value) { return value != 0 && std::isfinite(value); });
    });
}

bool isMeasuredEverywhere(const std::vector<Measurement>& measurements) {
    return std::ranges::all_of(measurements, [](const Measurement& each) {
        return std::ranges::all_of(each.values, [](double value) { return std::isfinite(value); });
    });
}

Growing growing(const std::string& metric, std::optional<CallPathId> path,
                const std::vector<Measurement>& measurements, const Point& at) {
    Growing result{metric, path, {}, findModel(measurements), {}, 1};
    for (const Measurement& each : measurements)
        result.measured.push_back(std::accumulate(each.values.begin(), each.values.end(), 0.0) /
                                  static_cast<double>(each.values.size()));
    result.predicted = result.model.at(at);
    return result;
}

/// Ratios do not add up.
bool isRatio(const Study& study, const std::string& metric) {
    for (std::size_t run = 0; run < study.runs().size(); ++run) {
        const Experiment& experiment = study.experiment(run);
        if (const auto found = experiment.findMetric(metric))
            return experiment.metrics[*found].origin == Origin::Ratio;
    }
    return false;
}

std::vector<std::vector<double>> valuesByRun(const Study& study, const std::string& metric) {
    std::vector<std::vector<double>> values;
    for (std::size_t run = 0; run < study.runs().size(); ++run) {
        values.push_back(study.perThreadAndPath(run, metric));
        if (values.back().empty())
            throw Error(study.runs()[run].name + ": the experiment has no metric \"" + metric + '"');
    }
    return values;
}

}  // namespace

std::vector<Growing> growingPaths(const Study& study, const std::string& metric, const Point& at) {
    const std::vector<std::vector<double>> values = valuesByRun(study, metric);
    std::vector<Growing> all;
    for (const CallPathId path : study.program().callTree.ids()) {
        const auto measurements =
            measurementsOf(study, [&](std::size_t run) { return values[run][path.index()]; });
        if (isMeasuredSomewhere(measurements) && isMeasuredEverywhere(measurements))
            all.push_back(growing(metric, path, measurements, at));
    }
    std::ranges::stable_sort(
        all, [](const Growing& a, const Growing& b) { return a.predicted.value > b.predicted.value; });
    double sum = 0;
    for (const Growing& each : all) sum += std::max(each.predicted.value, 0.0);
    for (Growing& each : all) each.share = sum > 0 ? std::max(each.predicted.value, 0.0) / sum : 0;
    return all;
}

std::vector<Growing> growingSubtrees(const Study& study, const std::string& metric, const Point& at) {
    if (isRatio(study, metric)) return {};
    const std::vector<std::vector<double>> own = valuesByRun(study, metric);
    std::vector<std::vector<double>> all = own;
    const CallTree& tree = study.program().callTree;
    for (std::vector<double>& values : all)
        for (std::size_t path = tree.size(); path-- > 0;)  // callees stand behind their callers
            if (const auto caller = tree.parent(CallPathId(path))) values[caller->index()] += values[path];
    std::vector<Growing> subtrees;
    for (const CallPathId path : tree.ids()) {
        const auto itself = measurementsOf(study, [&](std::size_t run) { return own[run][path.index()]; });
        const auto measurements =
            measurementsOf(study, [&](std::size_t run) { return all[run][path.index()]; });
        if (!isMeasuredSomewhere(itself) && isMeasuredSomewhere(measurements) &&
            isMeasuredEverywhere(measurements))
            subtrees.push_back(growing(metric, path, measurements, at));
    }
    return subtrees;
}

std::vector<Growing> growingMetrics(const Study& study, const std::vector<std::string>& metrics,
                                    const Point& at) {
    std::vector<Growing> all;
    for (const std::string& metric : metrics) {
        const auto measurements =
            measurementsOf(study, [&](std::size_t run) { return study.perThread(run, metric); });
        if (isMeasuredSomewhere(measurements) && isMeasuredEverywhere(measurements))
            all.push_back(growing(metric, std::nullopt, measurements, at));
    }
    return all;
}

}  // namespace holos::algebra::scaling
