// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/experiment_builder.h"

#include <algorithm>
#include <optional>

#include "algebra/model/queries.h"
#include "algebra/model/statistics.h"
#include "analyzer/assemble/catalog_values.h"
#include "analyzer/assemble/cause_metrics.h"
#include "analyzer/assemble/counter_metrics.h"
#include "analyzer/assemble/imbalance.h"
#include "analyzer/assemble/metric_catalog.h"
#include "analyzer/assemble/table_parts.h"
#include "analyzer/patterns/list.h"

namespace holos::analyzer::assemble {

namespace {

using algebra::CallPathId;
using algebra::MetricId;
using trace::LocationId;

/// In names of locations that have none in the trace.
std::string wordFor(trace::Location::Kind kind) {
    switch (kind) {
        case trace::Location::Kind::Metric:
            return "Counters ";
        case trace::Location::Kind::Accelerator:
            return "Stream ";
        default:
            return "Thread ";
    }
}

algebra::SystemTree convertSystem(const trace::Definitions& definitions) {
    algebra::SystemTree system;
    for (const trace::SystemNode& node : definitions.systemNodes) {
        std::optional<algebra::SystemNodeId> parent;
        if (node.parent) parent = algebra::SystemNodeId(node.parent->index());
        system.nodes.add({node.name, node.className, {}, {}}, parent);
    }
    if (system.nodes.empty()) system.nodes.add({"unknown machine", "machine", {}, {}});
    std::int64_t rank = 0;
    for (const trace::Process& process : definitions.processes) {
        algebra::Process converted;
        converted.name = process.name.empty() ? "Process " + std::to_string(rank) : process.name;
        converted.rank = rank++;
        if (process.accelerator) converted.type = algebra::Process::Type::Accelerator;
        converted.node = algebra::SystemNodeId(process.node ? process.node->index() : 0);
        system.processes.push_back(std::move(converted));
    }
    for (const trace::Location& location : definitions.locations) {
        algebra::Location converted;
        converted.name =
            location.name.empty() ? wordFor(location.kind) + std::to_string(location.rank) : location.name;
        converted.rank = location.rank;
        if (location.kind == trace::Location::Kind::Metric) converted.type = algebra::Location::Type::Metric;
        if (location.kind == trace::Location::Kind::Accelerator)
            converted.type = algebra::Location::Type::AcceleratorStream;
        converted.process = algebra::ProcessId(location.process.index());
        system.locations.push_back(std::move(converted));
    }
    return system;
}

/// Some recorders write counters of a node or a process into locations that they call threads, although no
/// call is ever there. Only beside threads that ran they are taken for what they are.
void findPlacesOfCounters(algebra::Experiment& experiment, const replay::ReplayedCalls& calls) {
    const auto valuesOf = [&](const char* name) {
        const auto metric = experiment.findMetric(name);
        return metric ? algebra::perLocation(experiment, {*metric})
                      : std::vector<double>(experiment.system.locations.size(), 0.0);
    };
    const std::vector<double> time = valuesOf("time"), visits = valuesOf("visits");
    auto& locations = experiment.system.locations;
    const auto ran = [&](std::size_t at) {
        return algebra::isThread(locations[at]) && (time[at] != 0 || visits[at] != 0);
    };
    for (const trace::Process& process : calls.definitions.processes) {
        const auto& all = process.threads;
        if (std::ranges::none_of(all, [&](LocationId each) { return ran(each.index()); })) continue;
        for (const LocationId each : all)
            if (!ran(each.index()) && !calls.locations[each.index()].counters.series.empty() &&
                algebra::isThread(locations[each.index()]))
                locations[each.index()].type = algebra::Location::Type::Metric;
    }
}

/// Of MPI's communicators the processes stand in the grid, of others the threads.
algebra::Topology convertGrid(const trace::Grid& grid, const trace::Definitions& definitions) {
    algebra::Topology topology{grid.name, {}, {}};
    for (const trace::Grid::Dimension& dimension : grid.dimensions)
        topology.dimensions.push_back({dimension.name, dimension.size, dimension.isPeriodic});
    for (const trace::Grid::Place& place : grid.places) {
        algebra::Topology::Coordinate coordinate;
        if (grid.paradigm == trace::Paradigm::Mpi)
            coordinate.resource = algebra::ProcessId(definitions[place.member].process.index());
        else
            coordinate.resource = algebra::LocationId(place.member.index());
        coordinate.position.assign(place.position.begin(), place.position.end());
        topology.coordinates.push_back(std::move(coordinate));
    }
    return topology;
}

algebra::CallTree convertTree(const paths::PathTree& tree, const trace::Definitions& definitions) {
    algebra::CallTree converted;
    for (const CallPathId path : tree.ids())
        converted.add(paths::callPathOf(tree[path], definitions), tree.parent(path));
    return converted;
}

/// Locations that are evaluated at a time, before their values go to the metrics' tables.
constexpr std::size_t kBatch = 256;

/// Fills the tables of all metrics: in parallel by process, and then by metric.
class CatalogTables {
  public:
    /// `ids`: of the entries, in the experiment.
    CatalogTables(const algebra::Experiment& experiment, const std::vector<MetricId>& ids,
                  const replay::ReplayedCalls& calls, const paths::MergedTree& merged,
                  const patterns::Severities& severities, const Catalog& entries, workers::Workers& workers)
        : experiment_(experiment),
          ids_(ids),
          calls_(calls),
          severities_(severities),
          entries_(entries),
          workers_(workers),
          merged_(merged),
          catalog_(merged, entries),
          values_(calls.locations.size()),
          tables_(entries.size()) {}

    /// By entry; nothing where all is zero.
    std::vector<std::optional<algebra::SeverityTable>> fill(bool withIdle) {
        std::optional<OpenMpConstructs> constructs;
        if (withIdle) constructs.emplace(merged_, calls_.definitions);
        const auto& processes = calls_.definitions.processes;
        for (std::size_t first = 0, last = 0; first < processes.size(); first = last) {
            for (std::size_t locations = 0; last < processes.size() && locations < kBatch; ++last)
                locations += processes[last].threads.size();
            workers_.forEach(last - first, [&](std::size_t i) {
                visitBaseValues(
                    calls_, merged_, severities_, processes[first + i], constructs ? &*constructs : nullptr,
                    [&](LocationId location, const BaseValues& base) {
                        values_[location.index()] =
                            catalog_.evaluate(location.index(), base, severities_[location.index()]);
                    });
            });
            workers_.forEach(entries_.size(), [&](std::size_t entry) {
                for (std::size_t i = first; i < last; ++i)
                    for (const LocationId location : processes[i].threads) take(entry, location);
            });
            for (std::size_t i = first; i < last; ++i)
                for (const LocationId location : processes[i].threads) values_[location.index()] = {};
        }
        return std::move(tables_);
    }

  private:
    void take(std::size_t entry, LocationId location) {
        const std::span<const PathValue> values = values_[location.index()].of(entry);
        if (values.empty()) return;
        auto& table = tables_[entry];
        if (!table) table.emplace(merged_.tree.size(), calls_.locations.size());
        const algebra::ValueType type = experiment_.metrics[ids_[entry]].valueType;
        for (const auto& [path, value] : values)
            table->add(CallPathId(path), algebra::LocationId(location.index()), valueOf(type, value));
    }

    double valueOf(algebra::ValueType type, std::int64_t value) const {
        if (type == algebra::ValueType::Double) return calls_.definitions.seconds(value);
        const bool isUnsigned = type == algebra::ValueType::UInt64;
        return isUnsigned ? static_cast<double>(static_cast<std::uint64_t>(value))
                          : static_cast<double>(value);
    }

    const algebra::Experiment& experiment_;
    const std::vector<MetricId>& ids_;
    const replay::ReplayedCalls& calls_;
    const patterns::Severities& severities_;
    const Catalog& entries_;
    workers::Workers& workers_;
    const paths::MergedTree& merged_;
    const CatalogValues catalog_;
    std::vector<LocationValues> values_;  ///< by location, of the batch
    std::vector<std::optional<algebra::SeverityTable>> tables_;
};

void addCatalog(algebra::Experiment& experiment, const replay::ReplayedCalls& calls,
                const paths::MergedTree& merged, const Present& present,
                const patterns::Severities& severities, workers::Workers& workers, const Catalog& catalog) {
    Catalog entries;
    std::vector<MetricId> ids;
    for (const Metric* metric : catalog) {
        const auto id = addMetric(experiment, present, *metric);
        if (!id) continue;
        entries.push_back(metric);
        ids.push_back(*id);
    }
    auto tables = CatalogTables(experiment, ids, calls, merged, severities, entries, workers)
                      .fill(patterns::countsIdleThreads(merged.classes));
    const algebra::RowSource nothing = zeros(merged.tree.size(), calls.locations.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (tables[i])
            experiment.severities.set(ids[i], std::move(*tables[i]));
        else
            experiment.severities.setRows(ids[i], nothing);
    }
}

/// Threads had no processor. No call path needs to tell it: that follows from who woke them, if they slept.
bool haveShortage(const patterns::Severities& severities) {
    const auto isOne = [](const auto& found) {
        return found.first->needs == patterns::Needs::Shortage &&
               std::ranges::any_of(found.second.byNode(), [](std::int64_t sum) { return sum != 0; });
    };
    for (std::size_t i = 0; i < severities.size(); ++i)
        if (severities.has(i) && std::ranges::any_of(severities[i].all(), isOne)) return true;
    return false;
}

}  // namespace

algebra::Experiment buildExperiment(const replay::ReplayedCalls& calls, paths::MergedTree merged,
                                    const patterns::Severities& severities,
                                    const std::vector<causes::LocationCauses>& causes,
                                    workers::Workers& workers, const Catalog& catalog,
                                    algebra::WantedSums* sums) {
    algebra::Experiment experiment;
    experiment.callTree = convertTree(merged.tree, calls.definitions);
    experiment.regions = std::move(merged.regions);
    experiment.system = convertSystem(calls.definitions);
    for (const trace::Grid& grid : calls.definitions.grids)
        experiment.topologies.push_back(convertGrid(grid, calls.definitions));
    Present present(merged.classes);
    if (haveShortage(severities)) present.add(patterns::Needs::Shortage);
    addCatalog(experiment, calls, merged, present, severities, workers, catalog);
    findPlacesOfCounters(experiment, calls);
    addImbalance(experiment, present, merged, workers, sums);
    if (!causes.empty()) addCauses(experiment, calls.definitions, present, causes, workers);
    addCounters(experiment, calls, merged, workers);
    return experiment;
}

}  // namespace holos::analyzer::assemble
