// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/queries.h"

#include <algorithm>

#include "algebra/model/metric_values.h"
#include "algebra/model/selection.h"

namespace holos::algebra {

std::vector<double> perLocation(const Experiment& experiment, MetricChoice metric, const ChosenPaths& paths) {
    return MetricValues(experiment, {.by = Selection::By::Location, .paths = paths}).values(metric);
}

std::vector<double> perCallPath(const Experiment& experiment, MetricChoice metric, Extent callExtent,
                                const ChosenLocations& locations) {
    return MetricValues(experiment,
                        {.by = Selection::By::CallPath, .callExtent = callExtent, .locations = locations})
        .values(metric);
}

std::vector<double> perGroup(const Experiment& experiment, MetricChoice metric, const LocationGroups& groups,
                             const ChosenPaths& paths) {
    return MetricValues(experiment, {.by = Selection::By::Group, .paths = paths, .groups = groups})
        .values(metric);
}

double aggregate(const Experiment& experiment, MetricChoice metric, const ChosenPaths& paths,
                 const ChosenLocations& locations) {
    return MetricValues(experiment, {.by = Selection::By::Nothing, .paths = paths, .locations = locations})
        .values(metric)
        .front();
}

std::optional<std::string> whyNotEvaluated(const Experiment& experiment, MetricId metric) {
    MetricValues query(experiment, {.by = Selection::By::CallPath});
    query.values({metric, Extent::Inclusive});
    const auto found = query.failures().find(metric);
    return found == query.failures().end() ? std::nullopt : std::optional(found->second);
}

std::vector<LocationId> locationsOf(const SystemTree& system, SystemNodeId node) {
    std::vector<LocationId> found;
    for (std::size_t at = 0; at < system.locations.size(); ++at)
        if (system.nodes.isWithin(system[system.locations[at].process].node, node)) found.emplace_back(at);
    return found;
}

std::vector<LocationId> locationsOf(const SystemTree& system, ProcessId process) {
    std::vector<LocationId> found;
    for (std::size_t at = 0; at < system.locations.size(); ++at)
        if (system.locations[at].process == process) found.emplace_back(at);
    return found;
}

LocationGroups locationsByNode(const SystemTree& system) {
    LocationGroups found(system.nodes.size());
    for (std::size_t at = 0; at < system.locations.size(); ++at)
        for (std::optional up = system[system.locations[at].process].node; up; up = system.nodes.parent(*up))
            found[up->index()].emplace_back(at);
    return found;
}

LocationGroups locationsByProcess(const SystemTree& system) {
    LocationGroups found(system.processes.size());
    for (std::size_t at = 0; at < system.locations.size(); ++at)
        found[system.locations[at].process.index()].emplace_back(at);
    return found;
}

std::vector<std::vector<ProcessId>> processesByNode(const SystemTree& system) {
    std::vector<std::vector<ProcessId>> found(system.nodes.size());
    for (std::size_t at = 0; at < system.processes.size(); ++at)
        found[system.processes[at].node.index()].emplace_back(at);
    return found;
}

std::size_t numberOfProcesses(const SystemTree& system) {
    return static_cast<std::size_t>(
        std::ranges::count(system.processes, Process::Type::Process, &Process::type));
}

std::size_t numberOfThreads(const SystemTree& system) {
    return static_cast<std::size_t>(
        std::ranges::count(system.locations, Location::Type::Thread, &Location::type));
}

}  // namespace holos::algebra
