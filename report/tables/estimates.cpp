// SPDX-License-Identifier: BSD-3-Clause
#include "report/tables/estimates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "algebra/insight/scaling/noise.h"
#include "algebra/model/queries.h"

namespace holos::tables {

using namespace algebra;

namespace {

double sumOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// By call path: whether it is, or lies in, an instance of the phase.
std::vector<bool> insideOf(const Experiment& experiment, const std::string& phase) {
    std::vector<bool> isInside;
    for (const CallPathId path : experiment.callTree.ids()) {
        const auto parent = experiment.callTree.parent(path);
        isInside.push_back((parent && isInside[parent->index()]) || experiment.regionOf(path).name == phase);
    }
    return isInside;
}

/// What distinguishes regions of two experiments of a run.
using RegionKey = std::pair<std::string, std::string>;  // paradigm and name

RegionKey keyOf(const Experiment& experiment, CallPathId path) {
    const Region& region = experiment.regionOf(path);
    return {region.paradigm, region.name};
}

std::map<RegionKey, double> timesOf(const Experiment& experiment, const std::string& phase) {
    std::map<RegionKey, double> times;
    const auto time = experiment.findMetric("time");
    if (!time) return times;
    const std::vector<bool> isInside = insideOf(experiment, phase);
    const std::vector<double> own = perCallPath(experiment, {*time}, Extent::Exclusive);
    for (const CallPathId path : experiment.callTree.ids())
        if (isInside[path.index()]) times[keyOf(experiment, path)] += own[path.index()];
    return times;
}

/// How much more time of such calls is left than the instances that were traced let expect, and how much in
/// all.
struct Left {
    double all;
    double excess;
};

Left leftOf(const CallTimes& calls, double traced, double instances) {
    const double left = std::max(0.0, calls.whole - calls.traced);
    return {left, std::max(0.0, left - calls.traced / traced * (instances - traced))};
}

}  // namespace

std::map<std::string, CallTimes> callTimesOf(const Experiment& analysis, const Experiment& profile,
                                             const std::string& phase) {
    std::map<std::string, CallTimes> all;
    const auto traced = timesOf(analysis, phase), whole = timesOf(profile, phase);
    const std::vector<bool> isInside = insideOf(analysis, phase);
    for (const auto& [metric, waits] : periodWaitsOf(analysis).waits) {
        const auto found = analysis.findMetric(metric);
        if (!found) continue;
        const std::vector<double> severities = perCallPath(analysis, {*found}, Extent::Exclusive);
        std::set<RegionKey> regions;
        for (const CallPathId path : analysis.callTree.ids())
            if (isInside[path.index()] && severities[path.index()] > 0) regions.insert(keyOf(analysis, path));
        CallTimes times;
        for (const RegionKey& region : regions) {
            const auto inTrace = traced.find(region), inProfile = whole.find(region);
            if (inTrace != traced.end()) times.traced += inTrace->second;
            if (inProfile != whole.end()) times.whole += inProfile->second;
        }
        if (times.traced > 0 && times.whole > 0) all[metric] = times;
    }
    return all;
}

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
                          const std::vector<double>& lengths, const WholePhase& whole,
                          const std::optional<CallTimes>& calls) {
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
    const double waiting = calls && calls->traced > 0 ? std::min(1.0, traced / calls->traced) : 0;
    const Left left = calls ? leftOf(*calls, n, whole.instances) : Left{0, 0};
    if (calls) estimate.whole = traced + waiting * left.all;
    if (waits.size() < 2) return estimate;
    double squares = 0;
    for (std::size_t i = 0; i < waits.size(); ++i) {
        const double difference = waits[i] - ratio * lengths[i];
        squares += difference * difference;
    }
    const double variance = squares / (n - 1);
    const double ofMean = (whole.seconds / whole.instances) / (time / n);
    estimate.error = algebra::scaling::deviationsOf95Percent(waits.size() - 1) * whole.instances * ofMean *
                     std::sqrt((1 - n / whole.instances) / n * variance);
    const double unknown = std::max(waiting, 1 - waiting);
    if (calls) estimate.error = std::min(*estimate.error + unknown * left.excess, unknown * left.all);
    return estimate;
}

WaitEstimates estimateWaits(const PeriodWaits& traced, const WholePhase& whole, const std::string& phase,
                            const std::map<std::string, CallTimes>& calls) {
    WaitEstimates estimates{phase, whole.instances, traced.lengths.size(), whole.shareOfTime, {}};
    if (whole.instances == 0) return estimates;
    for (const auto& [metric, waits] : traced.waits) {
        const auto times = calls.find(metric);
        estimates.waits.push_back(
            estimateWait(metric, waits, traced.lengths, whole,
                         times != calls.end() ? std::optional(times->second) : std::nullopt));
    }
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
