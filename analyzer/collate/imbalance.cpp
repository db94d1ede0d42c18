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
          masterOf_(experiment.system.locations.size()),
          visited_(experiment.system.locations.size(), 0) {
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

    std::vector<SeverityTable> measure() {
        std::vector<char> isParallel(merged_.tree.size(), 0);
        for (const CallPathId path : merged_.tree.ids()) {
            const auto parent = merged_.tree.parent(path);
            const bool begins =
                merged_.classes[merged_.tree[path].region.index()].special == trace::Special::Parallel;
            isParallel[path.index()] = begins || (parent && isParallel[parent->index()] != 0) ? 1 : 0;
            compare(path, isParallel[path.index()] != 0);
        }
        return std::move(tables_);
    }

  private:
    /// Outside of parallel regions a master stands for its threads.
    void compare(CallPathId path, bool isParallel) {
        const std::vector<algebra::LocationId>& locations = isParallel ? threads_ : masters_;
        const std::span<const double> computation = computation_.row(path);
        if (locations.empty() || computation.empty()) return;
        const std::span<const double> visits = visits_.row(path);
        std::fill(visited_.begin(), visited_.end(), 0);
        double sum = 0;
        for (const algebra::LocationId thread : threads_) {
            sum += computation[thread.index()];
            const algebra::LocationId compared = isParallel ? thread : masterOf_[thread.index()];
            if (!visits.empty() && visits[thread.index()] > 0) visited_[compared.index()] = 1;
        }
        const auto visitors = std::count(visited_.begin(), visited_.end(), 1);
        const auto count = static_cast<double>(locations.size());
        const double average = sum / count;
        for (const algebra::LocationId location : locations) {
            const double excess = computation[location.index()] - average;
            tables_[kImbalance].add(path, location, std::abs(excess));
            tables_[excess > 0 ? kAbove : kBelow].add(path, location, std::abs(excess));
            const bool visited = visited_[location.index()] != 0;
            if (!visited) tables_[kBypass].add(path, location, average);
            if (visitors == 1 && locations.size() > 1) {
                if (visited)
                    tables_[kSingle].add(path, location, average * (count - 1));
                else
                    tables_[kSingularity].add(path, location, average);
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
    std::vector<char> visited_;                  ///< by location, of the call path at hand
};

}  // namespace

void addImbalance(algebra::Experiment& experiment, const MergedTree& merged) {
    std::vector<SeverityTable> tables = Imbalance(experiment, merged).measure();
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
