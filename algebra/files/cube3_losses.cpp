// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "algebra/files/cube3.h"
#include "algebra/files/cube3_parts.h"
#include "algebra/files/value_types.h"
#include "algebra/model/queries.h"

namespace holos::algebra {
namespace {

bool fits(const Experiment& experiment, MetricId id) {
    const Metric& metric = experiment.metrics[id];
    if (metric.ghost || metric.valueType == ValueType::Compound || missingValue(metric.valueType) != 0.0 ||
        metric.storage == Storage::PostDerived)
        return false;
    return metric.hasValues() || !whyNotEvaluated(experiment, id);
}

void addTo(std::string& list, const std::string& name) {
    list += (list.empty() ? "" : ", ") + name;
}

template <class Items, class Condition>
void noteIfAny(std::vector<std::string>& notes, const Items& items, Condition condition, const char* note) {
    if (std::ranges::any_of(items, condition)) notes.emplace_back(note);
}

bool isPlainTree(const SystemTree& system) {
    return std::ranges::all_of(system.processes,
                               [&](const Process& process) { return system.nodes.depth(process.node) == 1; });
}

}  // namespace

std::vector<bool> metricsForCube3(const Experiment& experiment) {
    std::vector<bool> found;
    for (const MetricId id : experiment.metrics.ids()) found.push_back(fits(experiment, id));
    return found;
}

std::vector<std::string> lossesInCube3(const Experiment& experiment) {
    std::vector<std::string> notes;
    std::string leftOut;
    std::string evaluated;
    const auto kept = metricsForCube3(experiment);
    for (const MetricId id : experiment.metrics.ids()) {
        if (!kept[id.index()]) addTo(leftOut, experiment.metrics[id].uniqueName);
        if (kept[id.index()] && !experiment.metrics[id].hasValues())
            addTo(evaluated, experiment.metrics[id].uniqueName);
    }
    if (!leftOut.empty()) notes.push_back("metrics left out: " + leftOut);
    if (!evaluated.empty()) notes.push_back("expressions replaced by their values: " + evaluated);
    std::string files;
    for (const auto& [name, content] : experiment.files) addTo(files, name);
    if (!files.empty()) notes.push_back("additional files left out: " + files);
    noteIfAny(
        notes, experiment.callTree.ids(),
        [&](CallPathId id) {
            return !experiment.callTree[id].numericParameters.empty() ||
                   !experiment.callTree[id].stringParameters.empty();
        },
        "parameters of call paths left out");
    noteIfAny(
        notes, experiment.regions,
        [](const Region& region) {
            return !(region.paradigm.empty() || region.paradigm == "unknown") ||
                   !(region.role.empty() || region.role == "unknown");
        },
        "paradigms and roles of regions left out");
    noteIfAny(
        notes, experiment.system.locations,
        [](const Location& location) { return location.type != Location::Type::Thread; },
        "locations of other kinds written as threads");
    if (!isPlainTree(experiment.system)) notes.emplace_back("system tree written as machines and nodes");
    return notes;
}

}  // namespace holos::algebra
