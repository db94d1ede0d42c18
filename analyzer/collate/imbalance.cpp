// SPDX-License-Identifier: BSD-3-Clause
//
// Computational imbalance: by what a location computes more or less than the average in a call path.
//
//   location 0  ████████│above│        average of those compared
//   location 1  ████│below                  │
//   location 2  (not visited: bypass; where only one location comes, the others are singularity)
//
#include "analyzer/collate/imbalance.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "analyzer/collate/table_parts.h"
#include "analyzer/patterns/measured.h"

namespace holos::analyzer::collate {

namespace {

using algebra::CallPathId;
using algebra::SeverityTable;

constexpr patterns::MetricText kTexts[] = {
    {"imbalance", "Computational imbalance", "sec",
     "How far the locations' computation is from their average: overload and underload."},
    {"imbalance_above", "Overload", "sec", "Computation of a location beyond the average."},
    {"imbalance_above_single", "Single participant", "sec",
     "Overload of a location that is the only one in its call path."},
    {"imbalance_below", "Underload", "sec", "What a location computes less than the average."},
    {"imbalance_below_bypass", "Non-participation", "sec",
     "Underload of locations that never come to a call path of others."},
    {"imbalance_below_singularity", "Singularity", "sec",
     "Underload of locations that never come to a call path in which there is only one other."},
};
enum Metric { kImbalance, kAbove, kSingle, kBelow, kBypass, kSingularity, kMetrics };
constexpr Metric kParents[] = {kMetrics, kImbalance, kAbove, kImbalance, kBelow, kBypass};

class Imbalance {
  public:
    Imbalance(const algebra::Experiment& experiment, const MergedTree& merged)
        : merged_(merged),
          computation_(experiment.severities.table(*experiment.findMetric("comp"))),
          visits_(experiment.severities.table(*experiment.findMetric("visits"))),
          tables_(kMetrics, experiment.newTable()),
          masterOf_(experiment.system.locations.size()) {
        const auto& system = experiment.system;
        std::vector<std::optional<algebra::LocationId>> masterOf(system.processes.size());
        for (std::size_t i = 0; i < system.locations.size(); ++i) {
            const algebra::Location& location = system.locations[i];
            if (location.type != algebra::Location::Type::Thread) continue;
            threads_.emplace_back(i);
            auto& master = masterOf[location.process.index()];
            if (!master) masters_.push_back(*(master = algebra::LocationId(i)));
            masterOf_[i] = *master;
        }
    }

    std::vector<SeverityTable> measure(workers::Workers& workers) {
        std::vector<char> isParallel(merged_.tree.size(), 0);
        for (const CallPathId path : merged_.tree.ids()) {
            const auto parent = merged_.tree.parent(path);
            const bool begins =
                merged_.classes[merged_.tree[path].region.index()].special == trace::Special::Parallel;
            isParallel[path.index()] = begins || (parent && isParallel[parent->index()] != 0) ? 1 : 0;
        }
        std::vector<SeverityTable*> tables;
        for (SeverityTable& table : tables_) tables.push_back(&table);
        editParts(tables, workers, [&](std::span<TablePart> parts, std::size_t begin, std::size_t end) {
            std::vector<char> visited(masterOf_.size());
            for (std::size_t path = begin; path < end; ++path)
                compare(CallPathId(path), isParallel[path] != 0, visited, parts);
        });
        return std::move(tables_);
    }

  private:
    /// Outside of parallel regions a master stands for its threads. `visited`: room for all locations.
    void compare(CallPathId path, bool isParallel, std::vector<char>& visited,
                 std::span<TablePart> parts) const {
        const std::vector<algebra::LocationId>& locations = isParallel ? threads_ : masters_;
        const std::span<const double> computation = computation_.row(path);
        if (locations.empty() || computation.empty()) return;
        const std::span<const double> visits = visits_.row(path);
        std::fill(visited.begin(), visited.end(), 0);
        double sum = 0;
        for (const algebra::LocationId thread : threads_) {
            sum += computation[thread.index()];
            const algebra::LocationId compared = isParallel ? thread : masterOf_[thread.index()];
            if (!visits.empty() && visits[thread.index()] > 0) visited[compared.index()] = 1;
        }
        const auto visitors = std::count(visited.begin(), visited.end(), 1);
        const auto count = static_cast<double>(locations.size());
        const double average = sum / count;
        for (const algebra::LocationId location : locations) {
            const double excess = computation[location.index()] - average;
            parts[kImbalance].add(path, location, std::abs(excess));
            parts[excess > 0 ? kAbove : kBelow].add(path, location, std::abs(excess));
            const bool isVisitor = visited[location.index()] != 0;
            if (!isVisitor) parts[kBypass].add(path, location, average);
            if (visitors == 1 && locations.size() > 1) {
                if (isVisitor)
                    parts[kSingle].add(path, location, average * (count - 1));
                else
                    parts[kSingularity].add(path, location, average);
            }
        }
    }

    const MergedTree& merged_;
    const SeverityTable& computation_;
    const SeverityTable& visits_;
    std::vector<SeverityTable> tables_;
    std::vector<algebra::LocationId> threads_;
    std::vector<algebra::LocationId> masters_;
    std::vector<algebra::LocationId> masterOf_;  ///< by location
};

}  // namespace

void addImbalance(algebra::Experiment& experiment, const MergedTree& merged, workers::Workers& workers) {
    std::vector<SeverityTable> tables = Imbalance(experiment, merged).measure(workers);
    std::vector<algebra::MetricId> ids;
    for (std::size_t i = 0; i < kMetrics; ++i) {
        algebra::Metric metric;
        metric.uniqueName = kTexts[i].uniqueName;
        metric.displayName = kTexts[i].displayName;
        metric.unit = kTexts[i].unit;
        metric.description = kTexts[i].description;
        std::optional<algebra::MetricId> parent;
        if (kParents[i] != kMetrics) parent = ids[kParents[i]];
        ids.push_back(experiment.metrics.add(std::move(metric), parent));
        experiment.severities.set(ids[i], std::move(tables[i]));
    }
}

}  // namespace holos::analyzer::collate
