// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/foreign/imported_tree.h"

namespace holos::algebra {
namespace {

CallPath callOf(RegionId region) {
    CallPath call;
    call.region = region;
    return call;
}

}  // namespace

MetricId ImportedTree::metric(const std::string& name, const std::string& unit) {
    const auto [at, isNew] = metrics_.try_emplace(name);
    if (isNew) {
        Metric metric;
        metric.uniqueName = metric.displayName = name;
        metric.unit = unit;
        at->second = experiment_.metrics.add(std::move(metric));
        values_.emplace_back();
    }
    return at->second;
}

CallPathId ImportedTree::call(std::optional<CallPathId> caller, const std::string& name,
                              const std::string& module) {
    const auto [region, isNewRegion] =
        regions_.try_emplace({name, module}, RegionId(experiment_.regions.size()));
    if (isNewRegion) {
        experiment_.regions.emplace_back();
        experiment_.regions.back().name = experiment_.regions.back().mangledName = name;
        experiment_.regions.back().module = module;
        experiment_.regions.back().paradigm = "compiler";
        experiment_.regions.back().role = "function";
    }
    const auto [call, isNew] = calls_.try_emplace({caller ? caller->index() + 1 : 0, region->second.index()});
    if (isNew) call->second = experiment_.callTree.add(callOf(region->second), caller);
    return call->second;
}

SystemNodeId ImportedTree::machine() {
    if (experiment_.system.nodes.empty()) experiment_.system.nodes.add({"machine", "machine", "", {}});
    return experiment_.system.nodes.roots().front();
}

LocationId ImportedTree::thread(std::int64_t process, const std::string& processName, std::int64_t thread,
                                const std::string& name) {
    const auto [location, isNew] =
        threads_.try_emplace({process, thread}, LocationId(experiment_.system.locations.size()));
    if (isNew) {
        const auto [group, isNewProcess] =
            processes_.try_emplace(process, ProcessId(experiment_.system.processes.size()));
        if (isNewProcess)
            experiment_.system.processes.push_back(
                {processName, process, Process::Type::Process, machine(), {}});
        experiment_.system.locations.push_back({name, thread, Location::Type::Thread, group->second, {}});
    }
    return location->second;
}

void ImportedTree::add(MetricId metric, CallPathId path, LocationId location, double value) {
    values_[metric.index()][{path.index(), location.index()}] += value;
}

Experiment ImportedTree::take(const std::string& source) {
    for (const MetricId metric : experiment_.metrics.ids()) {
        SeverityTable table = experiment_.newTable();
        for (const auto& [key, value] : values_[metric.index()])
            table.add(CallPathId(key.path), LocationId(key.location), value);
        experiment_.severities.set(metric, std::move(table));
    }
    experiment_.attributes.emplace_back("Creator", source);
    Experiment made = std::move(experiment_);
    *this = ImportedTree();
    return made;
}

}  // namespace holos::algebra
