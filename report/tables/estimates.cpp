// SPDX-License-Identifier: BSD-3-Clause
#include "report/tables/estimates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "algebra/model/queries.h"

namespace holos::tables {

using namespace algebra;

namespace {

/// The quantile of Student's distribution beyond which one in 40 lies.
double studentQuantile(std::size_t degrees) {
    constexpr std::array kFew{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                              2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
    if (degrees <= kFew.size()) return kFew[degrees - 1];
    // Cornish and Fisher's expansion of the quantile of the normal distribution.
    constexpr double kNormal = 1.959964;
    const double nu = static_cast<double>(degrees);
    return kNormal + (std::pow(kNormal, 3) + kNormal) / (4 * nu) +
           (5 * std::pow(kNormal, 5) + 16 * std::pow(kNormal, 3) + 3 * kNormal) / (96 * nu * nu);
}

double sumOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

WholePhase wholePhase(const Experiment& profile, const std::string& name) {
    WholePhase phase;
    const auto time = profile.findMetric("time"), visits = profile.findMetric("visits");
    if (!time || !visits) return phase;
    const auto& times = profile.severities.table(*time);
    const auto& counts = profile.severities.table(*visits);
    const auto isPhase = [&](CallPathId path) { return profile.regionOf(path).name == name; };
    // By call path, whether it is, or lies in, an instance.
    std::vector<bool> isInside(profile.callTree.size(), false);
    double all = 0;
    std::size_t entering = 0;
    for (std::size_t i = 0; i < profile.system.locations.size(); ++i) {
        const LocationId location(i);
        double visited = 0, inside = 0, total = 0;
        for (const CallPathId path : profile.callTree.ids()) {
            const auto parent = profile.callTree.parent(path);
            const bool isWithin = parent && isInside[parent->index()];
            isInside[path.index()] = isWithin || isPhase(path);
            if (!isWithin && isPhase(path)) visited += counts.at(path, location);
            const double seconds = times.at(path, location);
            total += seconds;
            if (isInside[path.index()]) inside += seconds;
        }
        if (visited == 0) continue;
        ++entering;
        phase.instances += visited;
        phase.seconds += inside;
        all += total;
    }
    if (entering != 0) phase.instances /= static_cast<double>(entering);
    if (all > 0) phase.shareOfTime = phase.seconds / all;
    return phase;
}

WaitEstimate estimateWait(const std::string& metric, const std::vector<double>& waits,
                          const std::vector<double>& lengths, const WholePhase& whole) {
    const double traced = sumOf(waits), time = sumOf(lengths);
    const auto n = static_cast<double>(waits.size());
    WaitEstimate estimate{metric, traced, traced, {}};
    if (whole.instances <= n) {  // all of them are known
        estimate.error = 0;
        return estimate;
    }
    if (!(time > 0)) return estimate;
    const double ratio = traced / time;
    estimate.whole = ratio * whole.seconds;
    if (waits.size() < 2) return estimate;
    double squares = 0;
    for (std::size_t i = 0; i < waits.size(); ++i) {
        const double difference = waits[i] - ratio * lengths[i];
        squares += difference * difference;
    }
    const double variance = squares / (n - 1);
    const double ofMean = (whole.seconds / whole.instances) / (time / n);
    estimate.error = studentQuantile(waits.size() - 1) * whole.instances * ofMean *
                     std::sqrt((1 - n / whole.instances) / n * variance);
    return estimate;
}

WaitEstimates estimateWaits(const PeriodWaits& traced, const WholePhase& whole, const std::string& phase) {
    WaitEstimates estimates{phase, whole.instances, traced.lengths.size(), whole.shareOfTime, {}};
    if (whole.instances == 0) return estimates;
    for (const auto& [metric, waits] : traced.waits)
        estimates.waits.push_back(estimateWait(metric, waits, traced.lengths, whole));
    std::ranges::stable_sort(estimates.waits, std::ranges::greater(), &WaitEstimate::whole);
    return estimates;
}

std::string estimatesText(const Experiment& experiment, const WaitEstimates& estimates, AtMost top) {
    if (estimates.waits.empty()) return "";
    std::string text = fmt::format(
        "Waits in all {:.0f} instances of {} ({:.1f} % of the time), estimated from the {} that were "
        "traced:\n",
        estimates.instances, estimates.phase, 100 * estimates.shareOfTime, estimates.traced);
    const std::size_t shown = top.of(estimates.waits.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const WaitEstimate& wait = estimates.waits[i];
        const auto metric = experiment.findMetric(wait.metric);
        text += fmt::format("{:>14.6f} s  {:<18}  {}\n", wait.whole,
                            wait.error ? fmt::format("± {:.6f} s", *wait.error) : "error not known",
                            metric ? experiment.metrics[*metric].displayName : wait.metric);
    }
    if (shown < estimates.waits.size()) text += fmt::format("and {} more\n", estimates.waits.size() - shown);
    return text;
}

}  // namespace holos::tables
