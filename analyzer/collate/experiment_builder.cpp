// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/collate/experiment_builder.h"

#include <map>
#include <string_view>

#include "analyzer/collate/base_values.h"
#include "analyzer/collate/cause_metrics.h"
#include "analyzer/collate/counters.h"
#include "analyzer/collate/imbalance.h"
#include "analyzer/collate/metric_catalog.h"

namespace holos::analyzer::collate {

namespace {

using algebra::CallPathId;
using algebra::MetricId;
using patterns::Measured;
using trace::TimeClass;

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
        converted.name = location.name.empty() ? "Thread " + std::to_string(location.rank) : location.name;
        converted.rank = location.rank;
        if (location.kind == trace::Location::Kind::Metric) converted.type = algebra::Location::Type::Metric;
        if (location.kind == trace::Location::Kind::Accelerator)
            converted.type = algebra::Location::Type::AcceleratorStream;
        converted.process = algebra::ProcessId(location.process.index());
        system.locations.push_back(std::move(converted));
    }
    return system;
}

struct Present {
    bool mpi = false;
    bool openMp = false;
    bool pthread = false;

    bool has(Needs needs) const {
        switch (needs) {
            case Needs::Nothing:
                return true;
            case Needs::Mpi:
                return mpi;
            case Needs::OpenMp:
                return openMp;
            case Needs::Pthread:
                return pthread;
        }
        return false;
    }
};

Present paradigmsOf(const MergedTree& merged) {
    Present present;
    for (const trace::RegionClass& regionClass : merged.classes) {
        present.mpi |= regionClass.has(TimeClass::Mpi);
        present.openMp |= regionClass.has(TimeClass::OmpRegion);
        present.pthread |= regionClass.has(TimeClass::PthreadRegion);
    }
    return present;
}

/// Evaluates the catalog for one location after the other.
class CatalogValues {
  public:
    CatalogValues(const MergedTree& merged, const BaseValues& base,
                  const std::vector<patterns::LocalSeverities>& severities,
                  const std::vector<CatalogEntry>& entries)
        : merged_(merged),
          base_(base),
          severities_(severities),
          entries_(entries),
          children_(entries.size()) {
        std::map<std::string_view, std::size_t> position;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            position[entries[i].text.uniqueName] = i;
            if (entries[i].parent != nullptr) children_[position.at(entries[i].parent)].push_back(i);
        }
    }

    /// By entry, then by call path.
    std::vector<PathValues> evaluate(std::size_t location) {
        location_ = location;
        values_.assign(entries_.size(), {});
        for (std::size_t i = entries_.size(); i-- > 0;) {  // children before parents
            entry_ = i;
            values_[i] = std::visit([this](const auto& source) { return of(source); }, entries_[i].source);
        }
        return std::move(values_);
    }

  private:
    PathValues zero() const { return PathValues(merged_.tree.size(), 0); }
    bool isOf(std::size_t path, TimeClass timeClass) const {
        return merged_.classes[merged_.tree[CallPathId(path)].region.index()].has(timeClass);
    }
    PathValues masked(const PathValues& values, TimeClass timeClass, bool wanted) const {
        PathValues result = values;
        for (std::size_t path = 0; path < result.size(); ++path)
            if (isOf(path, timeClass) != wanted) result[path] = 0;
        return result;
    }
    static void addTo(PathValues& sum, const PathValues& values, std::int64_t factor) {
        for (std::size_t path = 0; path < sum.size(); ++path)
            sum[path] = patterns::wrappingSum(sum[path], factor * values[path]);
    }

    PathValues of(FromTime) const {
        PathValues sum = base_.time[location_];
        addTo(sum, base_.idle[location_], 1);
        return sum;
    }
    PathValues of(FromExecution) const { return masked(base_.time[location_], TimeClass::Overhead, false); }
    PathValues of(FromComputation) const {
        PathValues rest = of(FromExecution{});
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const std::string_view name = entries_[i].text.uniqueName;
            if (name == "mpi" || name == "omp_time" || name == "pthread_time") addTo(rest, values_[i], -1);
        }
        return rest;
    }
    PathValues of(FromClass source) const {
        PathValues sum = masked(base_.time[location_], source.timeClass, true);
        if (source.nonblocking != Measured::Count) addTo(sum, of(FromPattern{source.nonblocking}), 1);
        return sum;
    }
    PathValues of(FromPointToPoint) const {
        PathValues rest = masked(base_.time[location_], TimeClass::MpiPointToPoint, true);
        addTo(rest, of(FromPattern{Measured::NonblockingBarrier}), -1);
        addTo(rest, of(FromPattern{Measured::NonblockingCollective}), -1);
        return rest;
    }
    PathValues of(FromVisits) const { return base_.visits[location_]; }
    PathValues of(FromVisitsOf source) const {
        return masked(base_.visits[location_], source.timeClass, true);
    }
    PathValues of(FromPattern source) const {
        return toPaths(merged_, location_, severities_[location_].values(source.measured));
    }
    PathValues of(FromIdle) const { return base_.idle[location_]; }
    PathValues of(FromLimited) const { return base_.limited[location_]; }
    PathValues of(FromChildren) const {
        PathValues sum = zero();
        for (const std::size_t child : children_[entry_]) addTo(sum, values_[child], 1);
        return sum;
    }

    const MergedTree& merged_;
    const BaseValues& base_;
    const std::vector<patterns::LocalSeverities>& severities_;
    const std::vector<CatalogEntry>& entries_;
    std::vector<std::vector<std::size_t>> children_;
    std::size_t location_ = 0;
    std::size_t entry_ = 0;
    std::vector<PathValues> values_;
};

bool isTime(const CatalogEntry& entry) {
    return std::string_view(entry.text.unit) == "sec";
}

std::vector<MetricId> addMetrics(algebra::Experiment& experiment, const std::vector<CatalogEntry>& entries) {
    std::vector<MetricId> ids;
    for (const CatalogEntry& entry : entries) {
        algebra::Metric metric;
        metric.uniqueName = entry.text.uniqueName;
        metric.displayName = entry.text.displayName;
        metric.unit = entry.text.unit;
        metric.description = entry.text.description;
        metric.valueType = isTime(entry) ? algebra::ValueType::Double : algebra::ValueType::Int64;
        std::optional<MetricId> parent;
        if (entry.parent != nullptr) parent = experiment.findMetric(entry.parent);
        ids.push_back(experiment.metrics.add(std::move(metric), parent));
    }
    return ids;
}

void addCatalog(algebra::Experiment& experiment, const replay::ReplayedTrace& trace, const MergedTree& merged,
                const std::vector<patterns::LocalSeverities>& severities) {
    const Present present = paradigmsOf(merged);
    std::vector<CatalogEntry> entries;
    for (const CatalogEntry& entry : metricCatalog())
        if (present.has(entry.needs)) entries.push_back(entry);
    const std::vector<MetricId> ids = addMetrics(experiment, entries);
    std::vector<algebra::SeverityTable> tables(entries.size(), experiment.newTable());

    const BaseValues base = baseValues(trace, merged, present.openMp && !present.pthread);
    CatalogValues catalog(merged, base, severities, entries);
    for (std::size_t location = 0; location < trace.locations.size(); ++location) {
        const std::vector<PathValues> values = catalog.evaluate(location);
        for (std::size_t i = 0; i < entries.size(); ++i)
            for (std::size_t path = 0; path < values[i].size(); ++path) {
                const std::int64_t value = values[i][path];
                tables[i].add(
                    CallPathId(path), algebra::LocationId(location),
                    isTime(entries[i]) ? trace.definitions.seconds(value) : static_cast<double>(value));
            }
    }
    for (std::size_t i = 0; i < entries.size(); ++i) experiment.severities.set(ids[i], std::move(tables[i]));
}

}  // namespace

algebra::Experiment buildExperiment(const replay::ReplayedTrace& trace, MergedTree merged,
                                    const std::vector<patterns::LocalSeverities>& severities,
                                    const std::vector<causes::LocationCauses>& causes) {
    algebra::Experiment experiment;
    experiment.callTree = merged.tree;
    experiment.regions = std::move(merged.regions);
    experiment.system = convertSystem(trace.definitions);
    addCatalog(experiment, trace, merged, severities);
    addImbalance(experiment, merged);
    if (!causes.empty()) addCauses(experiment, trace.definitions, causes);
    addCounters(experiment, trace, merged);
    return experiment;
}

}  // namespace holos::analyzer::collate
