// SPDX-License-Identifier: BSD-3-Clause
#include "tests/unit/algebra/sample_experiment.h"

namespace holos::algebra::testing {

Experiment sampleStructure() {
    Experiment experiment;
    for (const char* name : {"main", "work", "inner", "halo", "aux", "tick"}) {
        Region region;
        region.name = region.mangledName = name;
        region.module = "app.c";
        region.beginLine = 10 * static_cast<std::int64_t>(experiment.regions.size()) + 1;
        region.endLine = region.beginLine + 8;
        region.paradigm = "user";
        region.role = "function";
        experiment.regions.push_back(region);
    }
    CallTree& tree = experiment.callTree;
    const auto add = [&](std::size_t region, std::optional<CallPathId> parent) {
        CallPath path;
        path.region = RegionId(region);
        return tree.add(path, parent);
    };
    const CallPathId main = add(0, std::nullopt);
    const CallPathId work = add(1, main);
    add(2, work);
    add(3, main);
    add(5, add(4, std::nullopt));

    SystemTree& system = experiment.system;
    const SystemNodeId machine = system.nodes.add({"cluster", "machine", "", {}});
    const SystemNodeId node = system.nodes.add({"node 1", "node", "", {}}, machine);
    for (std::size_t rank = 0; rank < 2; ++rank) {
        Process process;
        process.name = "MPI Rank " + std::to_string(rank);
        process.rank = static_cast<std::int64_t>(rank);
        process.node = node;
        system.processes.push_back(process);
        for (std::int64_t thread = 0; thread < 2; ++thread) {
            Location location;
            location.name = "Thread " + std::to_string(thread);
            location.rank = thread;
            location.process = ProcessId(rank);
            system.locations.push_back(location);
        }
    }
    return experiment;
}

MetricId addSampleMetric(Experiment& experiment, const std::string& name, double factor, Storage storage,
                         ValueType type) {
    Metric metric;
    metric.uniqueName = metric.displayName = name;
    metric.unit = "sec";
    metric.storage = storage;
    metric.valueType = type;
    const MetricId id = experiment.metrics.add(metric);
    SeverityTable table = experiment.newTable();
    for (const CallPathId path : experiment.callTree.ids())
        for (std::size_t at = 0; at < experiment.system.locations.size(); ++at)
            table.add(path, LocationId(at),
                      factor * (10.0 * static_cast<double>(path.index()) + static_cast<double>(at) + 1.0));
    experiment.severities.set(id, std::move(table));
    return id;
}

MetricId addDerivedMetric(Experiment& experiment, const std::string& name, Storage storage,
                          const std::string& expression) {
    Metric metric;
    metric.uniqueName = metric.displayName = name;
    metric.storage = storage;
    metric.expression = expression;
    return experiment.metrics.add(metric);
}

}  // namespace holos::algebra::testing
