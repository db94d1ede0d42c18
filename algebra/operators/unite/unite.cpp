// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/unite/unite.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/history/recorded_run.h"
#include "algebra/operators/unite/unite_parts.h"

namespace holos::algebra {
namespace {

/// `change(metric, parent)` says whether a metric takes part, and may alter it and its place.
template <class Change>
MetricView select(const Experiment& experiment, Change change) {
    MetricView view;
    // For a metric that was left out: the place of its parent, where its children go.
    std::vector<std::optional<MetricId>> place(experiment.metrics.size());
    for (const MetricId id : experiment.metrics.ids()) {
        Metric metric = experiment.metrics[id];
        const auto above = experiment.metrics.parent(id);
        std::optional<MetricId> parent = above ? place[above->index()] : std::nullopt;
        if (!change(metric, parent)) {
            place[id.index()] = parent;
            continue;
        }
        place[id.index()] = view.metrics.add(std::move(metric), parent);
        view.source.push_back(id);
    }
    return view;
}

}  // namespace

MetricView everything(const Experiment& experiment) {
    return select(experiment, [](Metric&, std::optional<MetricId>&) { return true; });
}

MetricView withoutRatios(const Experiment& experiment) {
    return select(experiment,
                  [](Metric& metric, std::optional<MetricId>&) { return metric.origin != Origin::Ratio; });
}

MetricView measurements(const Experiment& experiment) {
    return select(experiment, [](Metric& metric, std::optional<MetricId>& parent) {
        if (isDerivedBySpecification(metric)) return false;
        if (const auto event = attribute(metric.attributes, kEventAttribute)) {
            parent.reset();
            metric.displayName = *event;
            setAttribute(metric.attributes, kEventAttribute, {});
        }
        return true;
    });
}

namespace {

void uniteMirrors(std::vector<std::string>& into, const std::vector<std::string>& from) {
    std::unordered_set<std::string> known(into.begin(), into.end());
    for (const std::string& mirror : from)
        if (known.insert(mirror).second) into.push_back(mirror);
}

void uniteAttributes(Attributes& into, const Attributes& from) {
    std::unordered_set<std::string> known;
    for (const auto& [key, value] : into) known.insert(key);
    for (const auto& each : from) {
        if (each.first == kProvenanceAttribute) continue;  // of the input, not of what is made of it
        if (!known.contains(each.first)) into.push_back(each);
    }
}

/// A part of one run is no part of what is made of several: the result says which part each of them is.
void uniteParts(Attributes& into, const Inputs& inputs) {
    std::vector<std::optional<std::string>> parts;
    for (const Experiment& input : inputs) parts.push_back(partOfRun(input));
    if (std::ranges::adjacent_find(parts, std::ranges::not_equal_to()) == parts.end()) return;
    std::erase_if(
        into, [](const auto& each) { return each.first == kRangeAttribute || each.first == kPartAttribute; });
    into.emplace_back(kPartAttribute,
                      parts.size() == 2
                          ? parts.front().value_or("all") + " of the first input, " +
                                parts.back().value_or("all") + " of the second"
                          : "different parts of the " + std::to_string(parts.size()) + " inputs");
}

void uniteTopologies(std::vector<Topology>& into, const std::vector<Topology>& from, const SystemMap& map) {
    std::unordered_set<std::string> known;
    for (const Topology& topology : into) known.insert(topology.name);
    for (const Topology& topology : from) {
        if (known.contains(topology.name)) continue;
        Topology& added = into.emplace_back(topology);
        for (Topology::Coordinate& coordinate : added.coordinates) {
            if (auto* location = std::get_if<LocationId>(&coordinate.resource))
                *location = map.locations[location->index()];
            else if (auto* process = std::get_if<ProcessId>(&coordinate.resource))
                *process = map.processes[process->index()];
        }
    }
}

void uniteTitles(Experiment& into, const Experiment& from) {
    if (into.metricsTitle.empty()) into.metricsTitle = from.metricsTitle;
    if (into.callTreeTitle.empty()) into.callTreeTitle = from.callTreeTitle;
    if (into.systemTitle.empty()) into.systemTitle = from.systemTitle;
}

/// Fills in what follows from the maps, once the union is known.
void complete(InputMap& map, std::size_t callPaths) {
    map.sources.resize(callPaths);
    for (std::size_t i = 0; i < map.callPaths.size(); ++i)
        map.sources[map.callPaths[i].index()] = CallPathId(i);
    map.sameLocations = true;
    for (std::size_t i = 0; i < map.locations.size(); ++i)
        map.sameLocations = map.sameLocations && map.locations[i].index() == i;
}

UnitedSystems uniteSystemsOf(const Inputs& inputs, const Matching& matching) {
    std::vector<const SystemTree*> trees;
    for (const Experiment& input : inputs) trees.push_back(&input.system);
    return uniteSystems(trees, matching.systems);
}

}  // namespace

Union unite(const Inputs& inputs, const std::vector<MetricView>& views, const Matching& matching) {
    Union united;
    std::vector<InputMap> maps;
    UnitedSystems systems = uniteSystemsOf(inputs, matching);
    Experiment& result = united.result;
    result.system = std::move(systems.tree);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Experiment& input = inputs[i];
        const auto metrics = uniteMetrics(result.metrics, views[i].metrics);
        united.contributions.resize(result.metrics.size());
        for (std::size_t m = 0; m < metrics.size(); ++m)
            united.contributions[metrics[m].index()].push_back({i, views[i].source[m]});

        const auto regions = uniteRegions(result.regions, input.regions, matching);
        maps.push_back({uniteCallTrees(result.callTree, input.callTree, regions, matching),
                        systems.inputs[i].locations,
                        {},
                        false});
        uniteAttributes(result.attributes, input.attributes);
        uniteMirrors(result.mirrors, input.mirrors);
        uniteTopologies(result.topologies, input.topologies, systems.inputs[i]);
        uniteTitles(result, input);
        result.files.insert(input.files.begin(), input.files.end());
    }
    uniteParts(result.attributes, inputs);
    for (InputMap& map : maps) {
        complete(map, result.callTree.size());
        united.inputs.push_back(std::make_shared<const InputMap>(std::move(map)));
    }
    return united;
}

}  // namespace holos::algebra
