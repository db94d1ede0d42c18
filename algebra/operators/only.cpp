// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/only.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "algebra/model/call_names.h"
#include "algebra/model/communication.h"
#include "algebra/model/wait_files.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_run.h"
#include "algebra/operators/rows/regroup.h"
#include "base/error.h"

namespace holos::algebra {
namespace {

/// Some columns of other rows.
class RowsOfSome final : public Rows {
  public:
    RowsOfSome(RowsPtr all, std::shared_ptr<const std::vector<std::size_t>> columns)
        : Rows(all->callPaths(), columns->size(), all->missing()),
          all_(std::move(all)),
          columns_(std::move(columns)) {}

    bool hasRow(CallPathId path) const override { return all_->hasRow(path); }

    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        const auto memory = std::make_unique_for_overwrite<double[]>(all_->locations());
        const auto values = all_->row(path, {memory.get(), all_->locations()});
        const auto result = scratch.first(locations());
        for (std::size_t at = 0; at < columns_->size(); ++at) result[at] = values[(*columns_)[at]];
        return result;
    }
    bool isFar() const override { return all_->isFar(); }

  private:
    RowsPtr all_;
    std::shared_ptr<const std::vector<std::size_t>> columns_;
};

/// What of a system stays, with new numbers.
struct SmallerSystem {
    SystemTree system;
    std::vector<std::optional<ProcessId>> processes;   ///< by old one; nothing: it is gone
    std::vector<std::optional<LocationId>> locations;  ///< by old one; nothing: it is gone
    bool cutsProcesses = false;                        ///< of some processes only some locations stay
};

SmallerSystem smaller(const SystemTree& old, const std::vector<bool>& stays) {
    SmallerSystem result;
    std::vector<bool> hasLocation(old.processes.size(), false);
    std::vector<bool> lacksLocation(old.processes.size(), false);
    for (std::size_t at = 0; at < old.locations.size(); ++at)
        (stays[at] ? hasLocation : lacksLocation)[old.locations[at].process.index()] = true;
    std::vector<bool> keepsNode(old.nodes.size(), false);
    for (std::size_t at = 0; at < old.processes.size(); ++at) {
        result.cutsProcesses |= hasLocation[at] && lacksLocation[at];
        if (hasLocation[at]) keepsNode[old.processes[at].node.index()] = true;
    }
    for (std::size_t at = old.nodes.size(); at-- > 0;)
        if (const auto above = old.nodes.parent(SystemNodeId(at)); above && keepsNode[at])
            keepsNode[above->index()] = true;
    std::vector<std::optional<SystemNodeId>> nodes(old.nodes.size());
    for (const SystemNodeId id : old.nodes.ids()) {
        const auto above = old.nodes.parent(id);
        if (keepsNode[id.index()])
            nodes[id.index()] =
                result.system.nodes.add(old.nodes[id], above ? nodes[above->index()] : std::nullopt);
    }
    result.processes.resize(old.processes.size());
    for (std::size_t at = 0; at < old.processes.size(); ++at) {
        if (!hasLocation[at]) continue;
        result.processes[at] = ProcessId(result.system.processes.size());
        result.system.processes.push_back(old.processes[at]);
        result.system.processes.back().node = *nodes[old.processes[at].node.index()];
    }
    result.locations.resize(old.locations.size());
    for (std::size_t at = 0; at < old.locations.size(); ++at) {
        if (!stays[at]) continue;
        result.locations[at] = LocationId(result.system.locations.size());
        result.system.locations.push_back(old.locations[at]);
        result.system.locations.back().process = *result.processes[old.locations[at].process.index()];
    }
    return result;
}

/// Of processes that are known as a whole.
void keepCommunication(Experiment& experiment, const SmallerSystem& smaller) {
    const auto file = experiment.files.find(kCommunicationFile);
    if (file == experiment.files.end()) return;
    if (smaller.cutsProcesses) {
        experiment.files.erase(file);
        return;
    }
    std::vector<Traffic> kept;
    for (Traffic pair : communicationOf(experiment)) {
        const auto sender = smaller.processes[pair.sender.index()];
        const auto receiver = smaller.processes[pair.receiver.index()];
        if (!sender || !receiver) continue;
        pair.sender = *sender;
        pair.receiver = *receiver;
        kept.push_back(pair);
    }
    file->second = communicationText(kept);
}

void keepTopologies(std::vector<Topology>& topologies, const SmallerSystem& smaller) {
    const auto stays = [&smaller](Topology::Coordinate& place) {
        if (const auto* location = std::get_if<LocationId>(&place.resource)) {
            const auto now = smaller.locations[location->index()];
            if (now) place.resource = *now;
            return now.has_value();
        }
        const auto now = smaller.processes[std::get<ProcessId>(place.resource).index()];
        if (now) place.resource = *now;
        return now.has_value();
    };
    for (Topology& topology : topologies)
        std::erase_if(topology.coordinates, [&stays](auto& place) { return !stays(place); });
    std::erase_if(topologies, [](const Topology& topology) { return topology.coordinates.empty(); });
}

void keepLocations(Experiment& experiment, const std::vector<bool>& stays) {
    SmallerSystem smaller = algebra::smaller(experiment.system, stays);
    auto columns = std::make_shared<std::vector<std::size_t>>();
    for (std::size_t at = 0; at < stays.size(); ++at)
        if (stays[at]) columns->push_back(at);
    keepCommunication(experiment, smaller);
    keepTopologies(experiment.topologies, smaller);
    experiment.system = std::move(smaller.system);
    experiment.compoundValues.clear();
    const Severities all = std::exchange(experiment.severities, {});
    for (const MetricId id : experiment.metrics.ids())
        if (all.has(id))
            experiment.severities.setRows(id, [source = all.source(id), columns] {
                return std::make_shared<RowsOfSome>(source(), columns);
            });
}

Experiment keepCallPaths(Experiment experiment, const std::vector<bool>& counts) {
    const CallTree& tree = experiment.callTree;
    std::vector<bool> stays = counts;
    for (std::size_t at = tree.size(); at-- > 0;)
        if (const auto parent = tree.parent(CallPathId(at)); parent && stays[at])
            stays[parent->index()] = true;
    Regrouping kept = unchanged(experiment);
    kept.callTree = {};
    std::vector<std::optional<CallPathId>> places(tree.size());
    for (const CallPathId path : tree.ids()) {
        kept.callPaths[path.index()].reset();
        if (!stays[path.index()]) continue;
        const auto parent = tree.parent(path);
        places[path.index()] = kept.callTree.add(tree[path], parent ? places[parent->index()] : std::nullopt);
        if (counts[path.index()]) kept.callPaths[path.index()] = places[path.index()];
    }
    experiment.files.erase(kCommunicationFile);
    return regroup(std::move(experiment), std::move(kept));
}

/// Keeps the waiting instances of the part, a line each.
void keepInstances(Experiment& experiment, const Only& part) {
    const auto file = experiment.files.find(kInstancesFile);
    if (file == experiment.files.end()) return;
    std::set<std::string> names;
    const SystemTree& system = experiment.system;
    for (std::size_t at = 0; at < part.locations.size(); ++at)
        if (part.locations[at]) {
            const Location& location = system.locations[at];
            names.insert(system[location.process].name + " / " + location.name);
        }
    Experiment line;
    const auto stays = [&](const std::string& text) {
        line.files[kInstancesFile] = text;
        const auto instances = instancesOf(line);
        if (instances.empty()) return true;
        const auto path =
            part.callPaths.empty() ? std::nullopt : callPathNamed(experiment, instances.front().callPath);
        return (part.locations.empty() || names.contains(instances.front().location)) &&
               (part.callPaths.empty() || (path && part.callPaths[path->index()]));
    };
    std::istringstream lines(file->second);
    std::string kept;
    for (std::string text; std::getline(lines, text);)
        if (stays(text)) kept += text + '\n';
    file->second = kept;
}

void forgetWholeRun(Experiment& experiment) {
    constexpr std::array<std::string_view, 3> kKept{kSpecificationFile, kInstancesFile, kCommunicationFile};
    std::erase_if(experiment.files, [&kKept](const auto& file) {
        return file.first.starts_with("holos.") && std::ranges::find(kKept, file.first) == kKept.end();
    });
    std::erase_if(experiment.attributes, [](const auto& attribute) {
        return attribute.first == kSecondsOfRunAttribute || attribute.first == kSecondsWithOneThreadAttribute;
    });
}

bool hasNone(const std::vector<bool>& part) {
    return !part.empty() && std::ranges::find(part, true) == part.end();
}

}  // namespace

Experiment only(Experiment experiment, const Only& part) {
    if (hasNone(part.callPaths)) throw Error("no call path of the experiment is in " + part.name);
    if (hasNone(part.locations)) throw Error("no thread of the experiment is in " + part.name);
    if (part.callPaths.empty() && part.locations.empty()) return experiment;
    keepInstances(experiment, part);
    forgetWholeRun(experiment);
    if (!part.locations.empty()) keepLocations(experiment, part.locations);
    if (!part.callPaths.empty()) experiment = keepCallPaths(std::move(experiment), part.callPaths);
    experiment.attributes.emplace_back(kPartAttribute, part.name);
    return experiment;
}

}  // namespace holos::algebra
