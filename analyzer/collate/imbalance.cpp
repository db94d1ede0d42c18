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

/// Compares the locations, call path by call path. Safe from several threads.
class Imbalance {
  public:
    Imbalance(const algebra::Experiment& experiment, const MergedTree& merged)
        : computation_(experiment.severities.rows(*experiment.findMetric("comp"))->table()),
          visits_(experiment.severities.rows(*experiment.findMetric("visits"))->table()),
          isParallel_(merged.tree.size(), 0),
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
        for (const CallPathId path : merged.tree.ids()) {
            const auto parent = merged.tree.parent(path);
            const bool begins =
                merged.classes[merged.tree[path].region.index()].special == trace::Special::Parallel;
            isParallel_[path.index()] = begins || (parent && isParallel_[parent->index()] != 0) ? 1 : 0;
        }
    }

    std::size_t callPaths() const { return isParallel_.size(); }
    std::size_t locations() const { return masterOf_.size(); }

    /// Calls `note` with the values of one call path that are not zero: metric, location and value. Outside
    /// of parallel regions a master stands for its threads.
    template <class Note>
    void compare(CallPathId path, Note&& note) const {
        const bool isParallel = isParallel_[path.index()] != 0;
        const std::vector<algebra::LocationId>& compared = isParallel ? threads_ : masters_;
        const std::span<const double> computation = computation_->row(path);
        if (compared.empty() || computation.empty()) return;
        const std::span<const double> visits = visits_->row(path);
        std::vector<char> visited(locations());
        double sum = 0;
        for (const algebra::LocationId thread : threads_) {
            sum += computation[thread.index()];
            const algebra::LocationId visitor = isParallel ? thread : masterOf_[thread.index()];
            if (!visits.empty() && visits[thread.index()] > 0) visited[visitor.index()] = 1;
        }
        const auto visitors = std::count(visited.begin(), visited.end(), 1);
        const auto count = static_cast<double>(compared.size());
        const double average = sum / count;
        const auto noteUnlessZero = [&](Metric metric, algebra::LocationId location, double value) {
            if (value != 0) note(metric, location, value);
        };
        for (const algebra::LocationId location : compared) {
            const double excess = computation[location.index()] - average;
            noteUnlessZero(kImbalance, location, std::abs(excess));
            noteUnlessZero(excess > 0 ? kAbove : kBelow, location, std::abs(excess));
            const bool isVisitor = visited[location.index()] != 0;
            if (!isVisitor) noteUnlessZero(kBypass, location, average);
            if (visitors != 1 || compared.size() == 1) continue;
            if (isVisitor)
                noteUnlessZero(kSingle, location, average * (count - 1));
            else
                noteUnlessZero(kSingularity, location, average);
        }
    }

  private:
    std::shared_ptr<const algebra::SeverityTable> computation_;
    std::shared_ptr<const algebra::SeverityTable> visits_;
    std::vector<char> isParallel_;  ///< by call path
    std::vector<algebra::LocationId> threads_;
    std::vector<algebra::LocationId> masters_;
    std::vector<algebra::LocationId> masterOf_;  ///< by location
};

/// By call path: a bit for each metric that is not zero.
std::vector<std::uint8_t> metricsByPath(const Imbalance& imbalance, workers::Workers& workers) {
    std::vector<std::uint8_t> metrics(imbalance.callPaths(), 0);
    forRanges(metrics.size(), imbalance.locations(), workers, [&](std::size_t begin, std::size_t end) {
        for (std::size_t path = begin; path < end; ++path)
            imbalance.compare(CallPathId(path), [&](Metric metric, algebra::LocationId, double) {
                metrics[path] = static_cast<std::uint8_t>(metrics[path] | 1U << metric);
            });
    });
    return metrics;
}

/// One metric, compared again for each row that is asked for: six tables would be more than half of the
/// experiment.
class ImbalanceRows final : public algebra::Rows {
  public:
    ImbalanceRows(std::shared_ptr<const Imbalance> imbalance,
                  std::shared_ptr<const std::vector<std::uint8_t>> metrics, Metric metric)
        : Rows(imbalance->callPaths(), imbalance->locations(), 0.0),
          imbalance_(std::move(imbalance)),
          metrics_(std::move(metrics)),
          metric_(metric) {}

    bool hasRow(CallPathId path) const override { return ((*metrics_)[path.index()] >> metric_ & 1U) != 0; }
    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        const std::span<double> values = scratch.first(locations());
        std::fill(values.begin(), values.end(), 0.0);
        imbalance_->compare(path, [&](Metric metric, algebra::LocationId location, double value) {
            if (metric == metric_) values[location.index()] = value;
        });
        return values;
    }

  private:
    std::shared_ptr<const Imbalance> imbalance_;
    std::shared_ptr<const std::vector<std::uint8_t>> metrics_;
    Metric metric_;
};

}  // namespace

void addImbalance(algebra::Experiment& experiment, const MergedTree& merged, workers::Workers& workers) {
    const auto imbalance = std::make_shared<const Imbalance>(experiment, merged);
    const auto metrics =
        std::make_shared<const std::vector<std::uint8_t>>(metricsByPath(*imbalance, workers));
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
        experiment.severities.setRows(
            ids[i], [rows = std::make_shared<const ImbalanceRows>(imbalance, metrics,
                                                                  static_cast<Metric>(i))] { return rows; });
    }
}

}  // namespace holos::analyzer::collate
