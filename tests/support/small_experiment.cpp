// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/small_experiment.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <stdexcept>

#include "algebra/operators/history/metric_names.h"

namespace holos::testing {

using namespace algebra;

Metric seconds(const std::string& name) {
    Metric metric;
    metric.uniqueName = metric.displayName = name;
    metric.unit = "sec";
    return metric;
}

SmallExperiment::SmallExperiment(int ranks, int threads, const std::string& node) {
    SystemTree& system = experiment_.system;
    const auto machine = system.nodes.add({"cluster", "machine", "", {}});
    const auto place = system.nodes.add({node, "node", "", {}}, machine);
    for (int rank = 0; rank < ranks; ++rank) {
        Process process;
        process.name = "MPI Rank " + std::to_string(rank);
        process.rank = rank;
        process.node = place;
        system.processes.push_back(process);
        for (int thread = 0; thread < threads; ++thread) {
            Location location;
            location.name = "Thread " + std::to_string(thread);
            location.rank = thread;
            location.process = ProcessId(static_cast<std::size_t>(rank));
            system.locations.push_back(location);
        }
    }
}

SmallExperiment& SmallExperiment::counter(const std::string& event, const Rows& rows) {
    Metric counter;
    counter.uniqueName = safeUniqueName(event);
    counter.displayName = event;
    counter.unit = "occ";
    counter.valueType = ValueType::UInt64;
    return metric(std::move(counter), "", rows);
}

SmallExperiment& SmallExperiment::metric(Metric metric, const std::string& parent, const Rows& rows) {
    const auto above = parent.empty() ? std::nullopt : std::optional(experiment_.findMetric(parent).value());
    const MetricId id = experiment_.metrics.add(std::move(metric), above);
    pending_.emplace_back(id, rows);
    for (const Row& row : rows) pathTo(row.path);
    // Tables have the size of the call tree, which may have grown.
    for (const auto& [each, values] : pending_) {
        SeverityTable table = experiment_.newTable();
        for (const Row& row : values)
            for (std::size_t i = 0; i < row.values.size(); ++i)
                table.add(pathTo(row.path), LocationId(i), row.values[i]);
        experiment_.severities.set(each, std::move(table));
    }
    return *this;
}

SmallExperiment& SmallExperiment::barriers(const BarrierRun& run) {
    Rows all = run.work;
    all.insert(all.end(), run.sleep.begin(), run.sleep.end());
    all.insert(all.end(), run.waits.begin(), run.waits.end());
    metric(seconds("time"), "", all).metric(seconds("comp"), "time", run.work);
    if (!run.sleep.empty()) metric(seconds("system_waiting"), "time", run.sleep);
    metric(seconds("mpi_barrier_wait"), "time", run.waits).metric(seconds("delay"), "", run.delays);
    return metric(seconds("delay_barrier_aggregate"), "delay", run.delays);
}

SmallExperiment& SmallExperiment::file(const std::string& name, const std::string& text) {
    experiment_.files[name] = text;
    return *this;
}

RegionId SmallExperiment::region(const std::string& name) {
    for (std::size_t i = 0; i < experiment_.regions.size(); ++i)
        if (experiment_.regions[i].name == name) return RegionId(i);
    Region region;
    region.name = region.mangledName = name;
    region.module = "app.c";
    region.paradigm = "user";
    region.role = "function";
    experiment_.regions.push_back(region);
    return RegionId(experiment_.regions.size() - 1);
}

CallPathId SmallExperiment::pathTo(const std::string& path) {
    std::optional<CallPathId> at;
    std::istringstream names(path);
    for (std::string name; std::getline(names, name, '/');) {
        const RegionId callee = region(name);
        const auto& below = at ? experiment_.callTree.children(*at) : experiment_.callTree.roots();
        const auto found = std::find_if(below.begin(), below.end(), [&](CallPathId id) {
            return experiment_.callTree[id].region == callee;
        });
        if (found != below.end()) {
            at = *found;
            continue;
        }
        CallPath added;
        added.region = callee;
        at = experiment_.callTree.add(added, at);
    }
    return at.value();
}

namespace {

std::string pathName(const Experiment& experiment, CallPathId id) {
    const auto above = experiment.callTree.parent(id);
    return (above ? pathName(experiment, *above) + '/' : std::string()) + experiment.regionOf(id).name;
}

std::string metricPath(const Experiment& experiment, MetricId id) {
    const auto above = experiment.metrics.parent(id);
    return (above ? metricPath(experiment, *above) + '/' : std::string()) +
           experiment.metrics[id].displayName;
}

std::string subtreeName(const Experiment& experiment, MetricId id) {
    std::string below;
    for (const MetricId child : experiment.metrics.children(id))
        below += (below.empty() ? "" : ",") + subtreeName(experiment, child);
    return experiment.metrics[id].displayName + (below.empty() ? "" : "(" + below + ")");
}

}  // namespace

CallPathId findPath(const Experiment& experiment, const std::string& path) {
    for (const CallPathId id : experiment.callTree.ids())
        if (pathName(experiment, id) == path) return id;
    throw std::out_of_range("no call path " + path);
}

MetricId findShown(const Experiment& experiment, const std::string& displayName) {
    std::optional<MetricId> found;
    for (const MetricId id : experiment.metrics.ids()) {
        if (experiment.metrics[id].displayName != displayName) continue;
        if (found) throw std::out_of_range("several metrics " + displayName);
        found = id;
    }
    if (!found) throw std::out_of_range("no metric " + displayName);
    return *found;
}

std::vector<double> valuesAt(const Experiment& experiment, const std::string& displayName,
                             const std::string& path) {
    const SeverityTable& table = experiment.severities.table(findShown(experiment, displayName));
    std::vector<double> values;
    for (std::size_t i = 0; i < experiment.system.locations.size(); ++i)
        values.push_back(table.callPaths() == 0 ? 0.0 : table.at(findPath(experiment, path), LocationId(i)));
    return values;
}

std::string metricTree(const Experiment& experiment) {
    std::string text;
    for (const MetricId root : experiment.metrics.roots())
        text += (text.empty() ? "" : " ") + subtreeName(experiment, root);
    return text;
}

std::vector<std::string> canonicalValues(const Experiment& experiment) {
    std::vector<std::string> lines;
    for (const MetricId metric : experiment.metrics.ids()) {
        if (experiment.metrics[metric].ghost) continue;
        const SeverityTable& table = experiment.severities.table(metric);
        for (std::size_t path = 0; path < table.callPaths(); ++path)
            for (std::size_t at = 0; at < table.locations(); ++at) {
                const double value = table.at(CallPathId(path), LocationId(at));
                if (value == 0.0) continue;
                const Location& location = experiment.system.locations[at];
                char number[32];
                std::snprintf(number, sizeof number, "%.12g", value);
                lines.push_back(metricPath(experiment, metric) + " | " +
                                pathName(experiment, CallPathId(path)) + " | " +
                                std::to_string(experiment.system[location.process].rank) + ':' +
                                std::to_string(location.rank) + " = " + number);
            }
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

}  // namespace holos::testing
