// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/collate/cause_metrics.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "analyzer/collate/cause_catalog.h"

namespace holos::analyzer::collate {

namespace {

using algebra::CallPathId;
using algebra::MetricId;
using algebra::SeverityTable;

/// Adds a table to another one.
void accumulate(const SeverityTable& from, double factor, SeverityTable& to) {
    for (std::size_t path = 0; path < from.callPaths(); ++path) {
        const auto row = from.row(CallPathId(path));
        if (row.empty()) continue;
        const auto sum = to.editRow(CallPathId(path));
        for (std::size_t i = 0; i < row.size(); ++i) sum[i] += factor * row[i];
    }
}

/// Sums over the call paths below and all threads, by call path.
std::vector<double> inclusiveTotals(const algebra::Experiment& experiment, const SeverityTable& table) {
    std::vector<double> totals(experiment.callTree.size(), 0);
    for (std::size_t path = totals.size(); path-- > 0;) {
        const auto row = table.row(CallPathId(path));
        for (std::size_t i = 0; i < row.size(); ++i)
            if (experiment.system.locations[i].type == algebra::Location::Type::Thread)
                totals[path] += row[i];
        if (const auto parent = experiment.callTree.parent(CallPathId(path)))
            totals[parent->index()] += totals[path];
    }
    return totals;
}

class CauseTables {
  public:
    CauseTables(algebra::Experiment& experiment, const trace::Definitions& definitions,
                const Present& present, const std::vector<causes::LocationCauses>& causes)
        : experiment_(experiment), definitions_(definitions), present_(present), causes_(causes) {}

    void add(std::span<const CauseEntry> entries) {
        std::vector<const CauseEntry*> wanted;
        for (const CauseEntry& entry : entries)
            if (present_.has(entry.needs)) wanted.push_back(&entry);
        for (const CauseEntry* entry : wanted) describe(*entry);
        for (const CauseEntry* entry : wanted)
            std::visit([&](const auto& source) { fill(entry->text.uniqueName, source); }, entry->source);
        for (std::size_t i = wanted.size(); i-- > 0;)  // children before parents
            if (wanted[i]->parent != nullptr && isFilled(wanted[i]->text.uniqueName) &&
                sumsUp(wanted, wanted[i]->parent))
                accumulate(table(wanted[i]->text.uniqueName), 1, table(wanted[i]->parent));
    }

  private:
    static bool sumsUp(const std::vector<const CauseEntry*>& entries, std::string_view name) {
        for (const CauseEntry* entry : entries)
            if (name == entry->text.uniqueName) return std::holds_alternative<FromChildren>(entry->source);
        return false;
    }

    void describe(const CauseEntry& entry) {
        algebra::Metric metric;
        metric.uniqueName = entry.text.uniqueName;
        metric.displayName = entry.text.displayName;
        metric.unit = entry.text.unit;
        metric.description = entry.text.description;
        std::optional<MetricId> parent;
        if (entry.parent != nullptr) parent = ids_.at(entry.parent);
        const MetricId id = experiment_.metrics.add(std::move(metric), parent);
        ids_[entry.text.uniqueName] = id;
        experiment_.severities.setLoader(
            id, [paths = experiment_.callTree.size(), locations = experiment_.system.locations.size()] {
                return SeverityTable(paths, locations);
            });
    }
    /// From now on it counts as filled.
    SeverityTable& table(const char* name) {
        filled_.insert(name);
        return experiment_.severities.edit(ids_.at(name));
    }
    bool isFilled(const char* name) const { return filled_.contains(name); }
    const SeverityTable& known(const char* name) const {
        return experiment_.severities.table(*experiment_.findMetric(name));
    }

    void fill(const char* name, FromCause source) {
        const auto ticksPerSecond = static_cast<double>(definitions_.clock.ticksPerSecond);
        for (std::size_t location = 0; location < causes_.size(); ++location) {
            const auto& values = causes_[location].values(source.cause);
            if (values.empty()) continue;
            SeverityTable& filled = table(name);
            for (std::size_t path = 0; path < values.size(); ++path)
                filled.add(CallPathId(path), algebra::LocationId(location), values[path] / ticksPerSecond);
        }
    }
    void fill(const char* name, FromDifference source) {
        accumulate(known(source.whole), 1, table(name));
        accumulate(known(source.part), -1, table(name));
    }
    void fill(const char*, FromChildren) {}

    void fill(const char* name, FromPathImbalance) {
        const SeverityTable& critical = known("critical_path");
        SeverityTable active = experiment_.newTable();
        accumulate(known("time"), 1, active);
        for (const char* waiting : kWaiting)
            if (experiment_.findMetric(waiting)) accumulate(known(waiting), -1, active);
        const std::vector<double> path = inclusiveTotals(experiment_, critical);
        const std::vector<double> all = inclusiveTotals(experiment_, active);
        const auto& locations = experiment_.system.locations;
        const auto threads = static_cast<double>(
            std::count_if(locations.begin(), locations.end(), [](const algebra::Location& location) {
                return location.type == algebra::Location::Type::Thread;
            }));
        SeverityTable& imbalance = table(name);
        for (std::size_t i = 0; i < path.size(); ++i) {
            const double excess = path[i] - all[i] / threads;
            if (path[i] <= 0 || excess <= 0) continue;
            for (std::size_t location = 0; location < causes_.size(); ++location)
                imbalance.add(CallPathId(i), algebra::LocationId(location),
                              critical.at(CallPathId(i), algebra::LocationId(location)) * excess / path[i]);
        }
    }

    /// Time that does not count as activity.
    static constexpr const char* kWaiting[] = {"mpi_finalize_wait",
                                               "mpi_barrier_wait",
                                               "mpi_latesender",
                                               "mpi_latereceiver",
                                               "mpi_earlyreduce",
                                               "mpi_earlyscan",
                                               "mpi_latebroadcast",
                                               "mpi_wait_nxn",
                                               "mpi_mgmt_file_wait",
                                               "mpi_io_collective_wait",
                                               "mpi_rma_wait_at_create",
                                               "mpi_rma_wait_at_free",
                                               "mpi_rma_wait_at_fence",
                                               "mpi_rma_sync_late_post",
                                               "mpi_rma_comm_late_post",
                                               "mpi_rma_early_wait",
                                               "mpi_rma_sync_lock_competition",
                                               "mpi_rma_comm_lock_competition",
                                               "mpi_rma_sync_wait_for_progress",
                                               "mpi_rma_comm_wait_for_progress",
                                               "omp_management",
                                               "omp_ebarrier_wait",
                                               "omp_ibarrier_wait",
                                               "omp_lock_contention_critical",
                                               "omp_lock_contention_api",
                                               "omp_ordered",
                                               "omp_idle_threads"};

    algebra::Experiment& experiment_;
    const trace::Definitions& definitions_;
    const Present& present_;
    const std::vector<causes::LocationCauses>& causes_;
    std::map<std::string_view, MetricId> ids_;
    std::set<std::string_view> filled_;
};

}  // namespace

void addCauses(algebra::Experiment& experiment, const trace::Definitions& definitions, const Present& present,
               const std::vector<causes::LocationCauses>& causes) {
    CauseTables(experiment, definitions, present, causes).add(causeCatalog());
}

}  // namespace holos::analyzer::collate
