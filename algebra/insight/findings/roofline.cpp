// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/findings/roofline.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "algebra/insight/findings/named_values.h"
#include "algebra/operators/history/metric_names.h"

namespace holos::algebra {
namespace {

std::size_t nodesWithProcesses(const SystemTree& system) {
    std::set<SystemNodeId> nodes;
    for (const Process& process : system.processes) nodes.insert(process.node);
    return std::max<std::size_t>(nodes.size(), 1);
}

/// The longest time that a thread spends in each call path itself.
std::vector<double> longestTimes(const Experiment& experiment, MetricId time) {
    MetricValues values(experiment, {.by = Selection::By::CallPath, .callExtent = Extent::Exclusive});
    const SeverityTable& table = values.everywhere(time);
    std::vector<double> longest(experiment.callTree.size(), 0.0);
    for (const CallPathId path : experiment.callTree.ids())
        for (const double seconds : table.row(path))
            longest[path.index()] = std::max(longest[path.index()], seconds);
    return longest;
}

std::string whyWithout(const Experiment& experiment, const NamedValues& values, const char* metric) {
    const auto found = values.find(metric);
    if (!found)
        return std::string("The roofline model needs ") + metric +
               ", which was not measured: see the specification of the platform for what can be counted.";
    if (experiment.metrics[*found].incomplete)
        return std::string("The roofline model needs all of ") + metric + ", of which a part was measured.";
    return {};
}

}  // namespace

double Roofs::at(double intensity) const {
    return std::min(*operations, intensity * *bandwidth);
}

Roofs roofsOf(const Experiment& experiment, const Roofs& given) {
    const auto peak = [&](const char* name) -> std::optional<double> {
        const std::string text = attribute(experiment.attributes, name).value_or("");
        const double value = std::strtod(text.c_str(), nullptr);
        return value > 0 && std::isfinite(value) ? std::optional(value) : std::nullopt;
    };
    return {given.operations ? given.operations : peak(kPeakOperations),
            given.bandwidth ? given.bandwidth : peak(kPeakBandwidth)};
}

std::optional<BandwidthUse> bandwidthUseOf(const Experiment& experiment) {
    const auto time = experiment.findMetric("time");
    const auto peak = roofsOf(experiment).bandwidth;
    NamedValues values(experiment);
    if (!time || !peak || !whyWithout(experiment, values, kMemoryBytesMetric).empty()) return std::nullopt;
    const double ofNodes = *peak * static_cast<double>(nodesWithProcesses(experiment.system));
    BandwidthUse use{values.perCallPath(*values.find(kMemoryBytesMetric)), longestTimes(experiment, *time)};
    for (double& each : use.possible) each *= ofNodes;
    return use;
}

Roofline rooflineOf(const Experiment& experiment) {
    Roofline roofline;
    const auto time = experiment.findMetric("time");
    NamedValues values(experiment);
    for (const char* metric : {kOperationsMetric, kMemoryBytesMetric})
        if (roofline.whyEmpty.empty()) roofline.whyEmpty = whyWithout(experiment, values, metric);
    if (roofline.whyEmpty.empty() && !time) roofline.whyEmpty = "The experiment has no times.";
    if (!roofline.whyEmpty.empty()) return roofline;

    const std::vector<double>& operations = values.perCallPath(*values.find(kOperationsMetric));
    const std::vector<double>& bytes = values.perCallPath(*values.find(kMemoryBytesMetric));
    const std::vector<double>& seconds = values.perCallPath(*time);
    const std::vector<double> longest = longestTimes(experiment, *time);
    const auto nodes = static_cast<double>(nodesWithProcesses(experiment.system));
    for (const CallPathId path : experiment.callTree.ids()) {
        const std::size_t at = path.index();
        if (!(operations[at] > 0) || !(bytes[at] > 0) || !(longest[at] > 0)) continue;
        roofline.points.push_back(
            {path, seconds[at], operations[at] / bytes[at], operations[at] / longest[at] / nodes});
        roofline.seconds += seconds[at];
    }
    if (roofline.points.empty())
        roofline.whyEmpty = "No call path has floating-point operations and traffic of memory.";
    std::ranges::stable_sort(roofline.points, std::ranges::greater(), &RooflinePoint::seconds);
    return roofline;
}

}  // namespace holos::algebra
