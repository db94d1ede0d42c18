// SPDX-License-Identifier: BSD-3-Clause
#include "report/tables/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "algebra/model/statistics.h"
#include "algebra/operators/history/first_totals.h"
#include "algebra/operators/history/metric_names.h"
#include "analyzer/metric_guide.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/wrong_request.h"

namespace holos::tables {

using namespace algebra;

std::vector<SystemPart> partsOf(const SystemTree& system, Per per) {
    std::vector<SystemPart> parts;
    if (per == Per::Threads) {
        for (std::size_t at = 0; at < system.locations.size(); ++at) {
            const ProcessId process = system.locations[at].process;
            parts.push_back({system[process].node, process, LocationId(at)});
        }
        return parts;
    }
    std::vector<bool> known(system.nodes.size(), false);
    for (std::size_t at = 0; at < system.processes.size(); ++at) {
        const SystemNodeId node = system.processes[at].node;
        if (per == Per::Processes)
            parts.push_back({node, ProcessId(at), std::nullopt});
        else if (!known[node.index()])
            parts.push_back({node, std::nullopt, std::nullopt});
        known[node.index()] = true;
    }
    return parts;
}

LocationGroups groupsOf(const SystemTree& system, const std::vector<SystemPart>& parts) {
    const LocationGroups byProcess = locationsByProcess(system);
    std::map<SystemNodeId, std::vector<LocationId>> byNode;  // without nodes inside
    for (std::size_t at = 0; at < byProcess.size(); ++at) {
        auto& all = byNode[system.processes[at].node];
        all.insert(all.end(), byProcess[at].begin(), byProcess[at].end());
    }
    LocationGroups groups;
    for (const SystemPart& part : parts)
        groups.push_back(part.location  ? std::vector{*part.location}
                         : part.process ? byProcess[part.process->index()]
                                        : byNode[part.node]);
    return groups;
}

std::vector<bool> comparedParts(const SystemTree& system, Per per, const std::vector<double>& values) {
    if (per == Per::Threads) return comparedLocations(system, values);
    if (per == Per::Processes) return comparedProcesses(system, values);
    return std::vector<bool>(values.size(), true);
}

std::string locationCounts(const SystemTree& system) {
    const std::size_t all = system.locations.size(), threads = numberOfThreads(system);
    return counted(all, "location") + (threads == all ? "" : fmt::format(", {} of them threads", threads));
}

std::string partText(const Experiment& experiment, const SystemPart& part) {
    if (part.location) return locationText(experiment, *part.location);
    return part.process ? experiment.system[*part.process].name : experiment.system.nodes[part.node].name;
}

const char* nounOf(Per per, std::size_t number) {
    const bool one = number == 1;
    if (per == Per::Threads) return one ? "location" : "locations";
    if (per == Per::Processes) return one ? "process" : "processes";
    return one ? "node" : "nodes";
}

namespace {

constexpr std::size_t kNamedCandidates = 6;

MetricId rootOf(const Experiment& experiment, MetricId metric) {
    while (const auto parent = experiment.metrics.parent(metric)) metric = *parent;
    return metric;
}

double total(const Experiment& experiment, MetricId metric) {
    return aggregate(experiment, {metric, Extent::Inclusive});
}

/// `rootValue` is NaN when a share of it would mean nothing.
MetricLine lineOf(const Experiment& experiment, MetricId id, const Wholes& wholes, double rootValue) {
    const Metric& metric = experiment.metrics[id];
    MetricLine line{id, total(experiment, id), std::nullopt, std::nullopt, 0.0};
    line.whole = wholes.areOfFirst() ? wholes.of(id) : line.value;
    if (std::isnan(line.value)) line.whyNotEvaluated = whyNotEvaluated(experiment, id);
    const bool comparable =
        metric.origin != Origin::Ratio && metric.unit == experiment.metrics[rootOf(experiment, id)].unit;
    if (comparable && std::isfinite(rootValue) && std::isfinite(line.value))
        line.percent = 100.0 * line.value / rootValue;
    return line;
}

std::string withoutTilde(const std::string& name) {
    return name.starts_with('~') ? name.substr(1) : name;
}

/// Names of metrics, and of the counters that they are, without regard to letter case, to the sign of what is
/// incomplete, and to characters that unique names cannot have: a counter `task-clock` is the metric
/// `task_clock`.
std::string compared(const std::string& name) {
    return lowerCase(safeUniqueName(withoutTilde(name)));
}

template <class Line, class Key>
void sortAndCut(std::vector<Line>& lines, AtMost top, Key key) {
    std::ranges::stable_sort(lines, [&](const Line& a, const Line& b) { return key(a) > key(b); });
    lines.resize(top.of(lines.size()));
}

}  // namespace

std::optional<std::string> unrecordedText(const Experiment& experiment) {
    const auto unrecorded = experiment.findMetric("unrecorded");
    const auto recorded = experiment.findMetric("time");
    if (!unrecorded || !recorded) return std::nullopt;
    const double missing = total(experiment, *unrecorded);
    const double all = missing + total(experiment, *recorded);
    if (!(missing > 0 && missing <= all)) return std::nullopt;  // as in a difference of experiments
    return fmt::format(
        "{:.1f} % of the threads' time was not recorded ({:.3f} of {:.3f} s): all other values and shares "
        "are of the rest; --metric unrecorded shows where",
        100.0 * missing / all, missing, all);
}

std::vector<MetricLine> metricLines(const Experiment& experiment) {
    std::vector<MetricLine> lines;
    const Wholes wholes(experiment);
    for (const MetricId root : experiment.metrics.roots()) {
        const double rootValue = wholes.of(root);
        for (const MetricId id : experiment.metrics.subtree(root))
            if (!experiment.metrics[id].ghost) lines.push_back(lineOf(experiment, id, wholes, rootValue));
    }
    return lines;
}

MetricLine metricLine(const Experiment& experiment, MetricId metric) {
    const Wholes wholes(experiment);
    return lineOf(experiment, metric, wholes, wholes.of(rootOf(experiment, metric)));
}

std::vector<CallPathLine> hottestCallPaths(const Experiment& experiment, MetricId metric, AtMost top) {
    const auto exclusive = perCallPath(experiment, {metric}, Extent::Exclusive);
    const auto inclusive = perCallPath(experiment, {metric}, Extent::Inclusive);
    std::vector<CallPathLine> lines;
    for (const CallPathId path : experiment.callTree.ids())
        if (exclusive[path.index()] != 0.0 && !std::isnan(exclusive[path.index()]))
            lines.push_back({path, exclusive[path.index()], inclusive[path.index()]});
    sortAndCut(lines, top, [](const CallPathLine& line) { return std::fabs(line.exclusive); });
    return lines;
}

std::vector<double> perPart(const Experiment& experiment, MetricId metric, Per per) {
    if (per == Per::Threads) return perLocation(experiment, {metric});
    const auto groups = groupsOf(experiment.system, partsOf(experiment.system, per));
    return perGroup(experiment, {metric}, groups);
}

PartValues partValues(const Experiment& experiment, MetricId metric, Per per) {
    const auto parts = partsOf(experiment.system, per);
    const auto values = perPart(experiment, metric, per);
    const auto isCompared = comparedParts(experiment.system, per, values);
    PartValues found;
    for (std::size_t at = 0; at < parts.size(); ++at) {
        const bool hasValue = std::isfinite(values[at]) && values[at] != 0.0;
        if (isCompared[at]) found.compared.push_back(values[at]);
        if (isCompared[at] || hasValue) found.lines.push_back({parts[at], values[at]});
    }
    return found;
}

std::vector<PartLine> largestParts(const Experiment& experiment, MetricId metric, Per per) {
    std::vector<PartLine> lines = partValues(experiment, metric, per).lines;
    sortAndCut(lines, kAll,
               [](const PartLine& line) { return std::isnan(line.value) ? -1.0 : std::fabs(line.value); });
    return lines;
}

std::vector<WaitStateLine> largestWaitStates(const Experiment& experiment, AtMost top, Per per) {
    constexpr std::size_t kPlaces = 3;
    const algebra::MetricGuide& guide = analyzer::metricGuide();
    std::vector<WaitStateLine> lines;
    for (const MetricId id : guide.outermostWaitStates(experiment)) {
        const MetricLine line = metricLine(experiment, id);
        if (line.value != 0.0 && !std::isnan(line.value))
            lines.push_back({line, guide.find(experiment.metrics[id].uniqueName)->meaning, {}, {}});
    }
    sortAndCut(lines, top, [](const WaitStateLine& line) { return std::fabs(line.metric.value); });
    for (WaitStateLine& line : lines) {
        line.callPaths = hottestCallPaths(experiment, line.metric.metric, kPlaces);
        line.parts = largestParts(experiment, line.metric.metric, per);
    }
    return lines;
}

MetricId metricNamed(const Experiment& experiment, const std::string& name, const std::string& file) {
    if (const auto found = experiment.findMetric(name)) return *found;
    const std::string wanted = compared(name);
    std::vector<MetricId> same, similar;
    std::vector<std::string> known;
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        const std::array names{compared(metric.uniqueName), compared(metric.displayName),
                               compared(eventName(metric))};
        if (std::ranges::find(names, wanted) != names.end())
            same.push_back(id);
        else if (std::ranges::any_of(
                     names, [&](const std::string& each) { return each.find(wanted) != std::string::npos; }))
            similar.push_back(id);
        for (const std::string& each : {metric.uniqueName, metric.displayName, eventName(metric)})
            known.push_back(each);
    }
    if (same.size() == 1) return same.front();
    const auto& candidates = same.empty() ? similar : same;
    std::string message =
        (same.empty() ? "there is no metric \"" : "several metrics are called \"") + name + "\"";
    if (const std::string near = didYouMean(name, known); candidates.empty() && !near.empty())
        throw WrongRequest(message + near, Place{.file = file});
    message += candidates.empty() ? "; `holos info` lists them"
               : same.empty()     ? "; similar:"
                                  : "; their unique names:";
    for (std::size_t at = 0; at < std::min(candidates.size(), kNamedCandidates); ++at)
        message += ' ' + experiment.metrics[candidates[at]].uniqueName;
    throw WrongRequest(message, Place{.file = file});
}

std::string locationText(const Experiment& experiment, LocationId location) {
    const Location& it = experiment.system[location];
    return experiment.system[it.process].name + " / " + it.name;
}

std::string valueText(double value, const std::string& unit) {
    if (std::isnan(value)) return "-";
    if (unit == "sec" && std::fabs(value) < 1e9) return fmt::format("{:.6f}", value);
    if (value == std::floor(value) && std::fabs(value) < 1e15) return fmt::format("{:.0f}", value);
    return fmt::format("{:.6g}", value);
}

}  // namespace holos::tables
