// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/collapse.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_run.h"
#include "algebra/operators/rows/regroup.h"

namespace holos::algebra {
namespace {

/// A group of counters or of an accelerator's streams is no thread when it is one location, either.
Location::Type locationTypeIn(Process::Type type) {
    switch (type) {
        case Process::Type::Metrics:
            return Location::Type::Metric;
        case Process::Type::Accelerator:
            return Location::Type::AcceleratorStream;
        default:
            return Location::Type::Thread;
    }
}

LocationId addLocation(SystemTree& system, Process process, const std::string& name) {
    system.processes.push_back(std::move(process));
    Location location;
    location.name = name;
    location.type = locationTypeIn(system.processes.back().type);
    location.process = ProcessId(system.processes.size() - 1);
    system.locations.push_back(std::move(location));
    return LocationId(system.locations.size() - 1);
}

void toProcesses(const SystemTree& old, Regrouping& into) {
    std::vector<LocationId> places;
    for (const Process& process : old.processes)
        places.push_back(addLocation(into.system, process, "all threads"));
    for (std::size_t at = 0; at < old.locations.size(); ++at)
        into.locations[at] = places[old.locations[at].process.index()];
}

void toNodes(const SystemTree& old, Regrouping& into) {
    std::map<SystemNodeId, LocationId> places;
    for (std::size_t at = 0; at < old.locations.size(); ++at) {
        const SystemNodeId node = old[old.locations[at].process].node;
        const auto [place, isNew] = places.try_emplace(node);
        if (isNew) {
            Process whole;
            whole.name = old.nodes[node].name;
            whole.rank = static_cast<std::int64_t>(places.size()) - 1;
            whole.node = node;
            place->second = addLocation(into.system, std::move(whole), "all processes");
        }
        into.locations[at] = place->second;
    }
}

void toOne(const SystemTree& old, Regrouping& into) {
    Process whole;
    whole.name = "all processes";
    SystemNode machine{"Virtual machine", "machine", "", {}};
    if (old.nodes.roots().size() == 1) machine = old.nodes[old.nodes.roots().front()];
    into.system.nodes = {};
    whole.node = into.system.nodes.add(std::move(machine));
    const LocationId place = addLocation(into.system, std::move(whole), "all threads");
    std::ranges::fill(into.locations, place);
}

void keepProcessPlaces(std::vector<Topology>& topologies) {
    for (Topology& topology : topologies)
        std::erase_if(topology.coordinates, [](const Topology::Coordinate& each) {
            return std::holds_alternative<LocationId>(each.resource);
        });
    std::erase_if(topologies, [](const Topology& topology) { return topology.coordinates.empty(); });
}

using Contents = std::multiset<std::tuple<Process::Type, std::int64_t, Location::Type, std::int64_t>>;

Contents processesOf(const SystemTree& system) {
    Contents members;
    for (const Process& process : system.processes)
        members.emplace(process.type, process.rank, Location::Type::Thread, 0);
    return members;
}

Contents threadsOf(const SystemTree& system) {
    Contents members;
    for (const Location& location : system.locations)
        members.emplace(system[location.process].type, system[location.process].rank, location.type,
                        location.rank);
    return members;
}

bool agree(const std::vector<Experiment>& experiments, Contents (*membersOf)(const SystemTree&)) {
    return std::ranges::all_of(experiments, [&](const Experiment& each) {
        return membersOf(each.system) == membersOf(experiments.front().system);
    });
}

}  // namespace

std::vector<Experiment> collapseWhereDifferent(std::vector<Experiment> experiments) {
    const bool sameProcesses = agree(experiments, processesOf);
    if (sameProcesses && agree(experiments, threadsOf)) return experiments;
    for (Experiment& each : experiments)
        each = collapse(std::move(each), sameProcesses ? CollapseTo::Processes : CollapseTo::One);
    return experiments;
}

namespace {

/// Says what was added up; nothing where each location stays by itself.
void noteCollapse(Experiment& experiment, const std::vector<LocationId>& places, CollapseTo level) {
    const std::set<LocationId> different(places.begin(), places.end());
    if (different.size() < places.size())
        setAttribute(experiment.attributes, kCollapsedAttribute,
                     level == CollapseTo::Processes ? "threads" : "processes");
}

}  // namespace

Experiment collapse(Experiment experiment, CollapseTo level) {
    const SystemTree& old = experiment.system;
    Regrouping fewer = unchanged(experiment);
    fewer.system = {};
    fewer.system.nodes = old.nodes;
    switch (level) {
        case CollapseTo::Processes:
            toProcesses(old, fewer);
            keepProcessPlaces(experiment.topologies);
            break;
        case CollapseTo::Nodes:
            toNodes(old, fewer);
            experiment.topologies.clear();
            break;
        case CollapseTo::One:
            toOne(old, fewer);
            experiment.topologies.clear();
    }
    noteCollapse(experiment, fewer.locations, level);
    return regroup(std::move(experiment), std::move(fewer));
}

}  // namespace holos::algebra
