// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/sample_experiment.h"

#include <array>
#include <string>

namespace holos::gui::testing {

using namespace algebra;

namespace {

constexpr std::size_t kMain = 0;
constexpr std::size_t kInit = 1;
constexpr std::size_t kSolve = 2;
constexpr std::size_t kRecv = 3;

Metric metric(const std::string& uniqueName, const std::string& displayName, const std::string& unit) {
    Metric made;
    made.uniqueName = uniqueName;
    made.displayName = displayName;
    made.unit = unit;
    made.description = displayName + " of the sample";
    return made;
}

void addCallTree(Experiment& experiment) {
    for (const char* name : {"main", "init", "solve", "MPI_Recv"}) {
        Region region;
        region.name = name;
        region.module = "sample.c";
        region.beginLine = 10;
        experiment.regions.push_back(region);
    }
    const auto add = [&](std::size_t region, std::optional<CallPathId> parent) {
        CallPath path;
        path.region = RegionId(region);
        return experiment.callTree.add(path, parent);
    };
    const CallPathId main = add(kMain, std::nullopt);
    add(kInit, main);
    const CallPathId solve = add(kSolve, main);
    add(kRecv, solve);
}

void addSystem(Experiment& experiment) {
    SystemTree& system = experiment.system;
    SystemNode node;
    node.name = "machine Sample";
    node.className = "machine";
    const SystemNodeId machine = system.nodes.add(node);
    node.name = "node a";
    node.className = "node";
    const SystemNodeId inner = system.nodes.add(node, machine);
    for (std::size_t rank = 0; rank < 2; ++rank) {
        Process process;
        process.name = "MPI Rank " + std::to_string(rank);
        process.rank = static_cast<std::int64_t>(rank);
        process.node = inner;
        system.processes.push_back(process);
        for (std::size_t thread = 0; thread < 2; ++thread) {
            Location location;
            location.name = thread == 0 ? "Master thread" : "OMP thread 1";
            location.rank = static_cast<std::int64_t>(thread);
            location.process = ProcessId(rank);
            system.locations.push_back(location);
        }
    }
}

using Row = std::array<double, 4>;

void fill(SeverityTable& table, std::size_t path, const Row& values) {
    for (std::size_t at = 0; at < values.size(); ++at)
        table.add(CallPathId(path), LocationId(at), values[at]);
}

}  // namespace

Experiment sampleExperiment() {
    Experiment experiment;
    addCallTree(experiment);
    addSystem(experiment);
    MetricForest& metrics = experiment.metrics;
    const MetricId time = metrics.add(metric("time", "Time", "sec"));
    const MetricId mpi = metrics.add(metric("mpi", "MPI", "sec"), time);
    const MetricId late = metrics.add(metric("mpi_latesender", "Late Sender", "sec"), mpi);
    Metric stalls = metric("STALLS", "~stalls", "occ");
    stalls.incomplete = true;
    stalls.origin = Origin::Composed;
    stalls.valueType = ValueType::UInt64;
    const MetricId stallsId = metrics.add(stalls);
    Metric share = metric("mpi_share", "MPI share", "");
    share.origin = Origin::Ratio;
    share.storage = Storage::PostDerived;
    share.expression = "metric::mpi()/metric::time()";
    metrics.add(share);
    Metric group = metric("group", "Group", "occ");
    group.isVoid = true;
    const MetricId groupId = metrics.add(group);
    const MetricId inside = metrics.add(metric("inside", "Inside", "occ"), groupId);

    for (const MetricId id : {time, mpi, late, stallsId, inside})
        experiment.severities.set(id, experiment.newTable());
    SeverityTable& times = experiment.severities.edit(time);
    fill(times, kMain, {1, 0, 1, 0});
    fill(times, kInit, {2, 0, 2, 0});
    fill(times, kSolve, {3, 1, 4, 2});
    fill(times, kRecv, {1, 0, 3, 0});
    fill(experiment.severities.edit(mpi), kRecv, {1, 0, 3, 0});
    fill(experiment.severities.edit(late), kRecv, {0.5, 0, 2, 0});
    fill(experiment.severities.edit(stallsId), kSolve, {100, 100, 100, 100});
    fill(experiment.severities.edit(inside), kInit, {7, 0, 0, 0});
    return experiment;
}

Experiment signedExperiment() {
    Experiment experiment;
    addCallTree(experiment);
    addSystem(experiment);
    const MetricId time = experiment.metrics.add(metric("time", "Time", "sec"));
    experiment.severities.set(time, experiment.newTable());
    SeverityTable& times = experiment.severities.edit(time);
    fill(times, kMain, {1, 0, 0, 0});
    fill(times, kInit, {-4, 0, 0, 0});
    fill(times, kSolve, {0, 0, 0, 2});
    return experiment;
}

}  // namespace holos::gui::testing
