// SPDX-License-Identifier: BSD-3-Clause
// Where it happens: call paths and wait states, aligned by name.
#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/model/call_names.h"
#include "algebra/model/compared.h"
#include "algebra/model/queries.h"
#include "analyzer/metric_guide.h"
#include "report/comparison.h"

namespace holos::report {

using namespace algebra;

namespace {

constexpr std::size_t kPlacesOfWaitState = 3;
constexpr std::size_t kMostSpreads = 12;

std::vector<double> totalsOf(const Subjects& subjects, MetricId metric) {
    std::vector<double> totals;
    for (std::size_t at = 0; at < subjects.size(); ++at) totals.push_back(subjects.total(at, metric));
    return totals;
}

/// One per thread, or where only other locations have values one for each of them.
std::vector<double> comparedValues(const Experiment& experiment, MetricId metric) {
    const std::vector<double> all = perLocation(experiment, {metric});
    const std::vector<bool> isCompared = comparedLocations(experiment.system, all);
    std::vector<double> values;
    for (std::size_t at = 0; at < all.size(); ++at)
        if (isCompared[at]) values.push_back(all[at]);
    return values;
}

/// The total time of each experiment; NaN without time.
std::vector<double> wholeTimes(const Subjects& subjects) {
    if (const auto time = subjects.find("time")) return totalsOf(subjects, *time);
    return std::vector<double>(subjects.size(), std::numeric_limits<double>::quiet_NaN());
}

Cell cellOf(double value, double whole, bool present) {
    Cell cell{value, {}, present};
    if (present && std::isfinite(value) && std::isfinite(whole) && whole != 0.0)
        cell.percent = 100.0 * value / whole;
    return cell;
}

/// The call paths with the largest values of a metric in any experiment, relative to its time. Percentages
/// are of the metric's total.
std::vector<Row> placesOf(const Subjects& subjects, MetricId metric, std::size_t top, std::size_t depth) {
    const auto wholes = wholeTimes(subjects), totals = totalsOf(subjects, metric);
    std::vector<std::vector<double>> values;
    for (std::size_t at = 0; at < subjects.size(); ++at) values.push_back(subjects.perPath(at, metric));
    std::vector<std::pair<double, CallPathId>> ranked;
    for (const CallPathId path : subjects.structure().callTree.ids()) {
        double share = 0.0;
        for (std::size_t at = 0; at < subjects.size(); ++at)
            if (const double value = values[at][path.index()]; std::isfinite(value))
                share = std::max(share, std::fabs(value) / (wholes[at] > 0.0 ? wholes[at] : 1.0));
        if (share > 0.0) ranked.emplace_back(share, path);
    }
    std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) { return a.first > b.first; });
    if (ranked.size() > top) ranked.resize(top);
    std::vector<Row> rows;
    for (const auto& [share, path] : ranked) {
        Row row{
            algebra::callPathText(subjects.structure(), path), depth, subjects.metrics()[metric].unit, {}};
        for (std::size_t at = 0; at < subjects.size(); ++at)
            row.cells.push_back(
                cellOf(values[at][path.index()], totals[at], subjects.pathOf(at, path).has_value()));
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Wait states that are not part of another one, the largest share of time first.
std::vector<MetricId> rankedWaitStates(const Subjects& subjects) {
    const auto wholes = wholeTimes(subjects);
    std::vector<std::pair<double, MetricId>> ranked;
    for (const MetricId id : analyzer::metricGuide().outermostWaitStates(subjects.structure())) {
        double share = 0.0;
        for (std::size_t at = 0; at < subjects.size(); ++at)
            if (const double value = subjects.total(at, id) / wholes[at]; std::isfinite(value))
                share = std::max(share, value);
        if (share > 0.0) ranked.emplace_back(share, id);
    }
    std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<MetricId> ids;
    for (const auto& each : ranked) ids.push_back(each.second);
    return ids;
}

}  // namespace

Section hottestPaths(const Subjects& subjects, std::size_t top) {
    Section section{
        "Hottest call paths", "Time without what is called; percentages are of the total time.", {}};
    if (const auto time = subjects.find("time")) section.rows = placesOf(subjects, *time, top, 0);
    return section;
}

Section waitStates(const Subjects& subjects, std::size_t top) {
    Section section{"Wait states",
                    "Time lost by waiting, in percent of the total time, and the call paths where most of it "
                    "was lost, in "
                    "percent of it.",
                    {}};
    const auto wholes = wholeTimes(subjects);
    for (const MetricId id : rankedWaitStates(subjects)) {
        if (section.rows.size() >= top * (kPlacesOfWaitState + 1)) break;
        const Metric& metric = subjects.metrics()[id];
        Row row{metric.displayName, 0, metric.unit, {}};
        for (std::size_t at = 0; at < subjects.size(); ++at)
            row.cells.push_back(
                cellOf(subjects.total(at, id), wholes[at], subjects.metricOf(at, id).has_value()));
        section.rows.push_back(std::move(row));
        for (Row& place : placesOf(subjects, id, kPlacesOfWaitState, 1))
            section.rows.push_back(std::move(place));
    }
    return section;
}

std::vector<Spread> spreadsOf(const Subjects& subjects) {
    bool severalThreads = false;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        severalThreads = severalThreads || numberOfThreads(subjects.experiment(at).system) > 1;
    if (!severalThreads) return {};
    std::vector<MetricId> chosen;
    const auto choose = [&](MetricId id) {
        if (chosen.size() < kMostSpreads && std::ranges::find(chosen, id) == chosen.end())
            chosen.push_back(id);
    };
    for (const char* name : {"execution", "mpi", "omp_time"})
        if (const auto id = subjects.find(name)) choose(*id);
    const auto waits = rankedWaitStates(subjects);
    std::for_each(waits.begin(),
                  waits.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(waits.size(), 3)),
                  choose);
    for (const MetricId root : subjects.metrics().roots()) {
        const Metric& metric = subjects.metrics()[root];
        if (metric.hasValues() && !metric.isVoid && !metric.ghost && metric.unit != "sec") choose(root);
    }
    std::vector<Spread> spreads;
    for (const MetricId id : chosen) {
        const Metric& metric = subjects.metrics()[id];
        Spread spread{metric.displayName, metric.unit, {}};
        bool any = false;
        for (std::size_t at = 0; at < subjects.size(); ++at) {
            const auto own = subjects.metricOf(at, id);
            spread.values.push_back(own ? comparedValues(subjects.experiment(at), *own)
                                        : std::vector<double>());
            any = any || std::ranges::any_of(spread.values.back(), [](double value) {
                      return value != 0.0 && std::isfinite(value);
                  });
        }
        if (any) spreads.push_back(std::move(spread));
    }
    return spreads;
}

}  // namespace holos::report
