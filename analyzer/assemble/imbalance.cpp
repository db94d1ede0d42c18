// SPDX-License-Identifier: BSD-3-Clause
//
// Computational imbalance: by what a location computes more or less than the average in a call path.
//
//   location 0  ████████│above│        average of those compared
//   location 1  ████│below                  │
//   location 2  (not visited: bypass; where only one location comes, the others are singularity)
//
// Within parallel regions all threads are compared. Outside, processes are: by their first threads, or by
// those threads that come to the call path, where others do. What threads do there that are of no team is
// nobody else's work, so that only those are compared that do it.
//
#include "analyzer/assemble/imbalance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "algebra/model/experiment_facts.h"
#include "analyzer/assemble/table_parts.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::assemble {

namespace {

using algebra::CallPathId;

constexpr ImbalanceMetric kDescribed[] = {
    {.uniqueName = "imbalance",
     .displayName = "Computational imbalance",
     .description = "How far the locations' computation is from their average: overload and underload.",
     .picture = &patterns::kImbalance},
    {.parent = "imbalance",
     .uniqueName = "imbalance_above",
     .displayName = "Overload",
     .description = "Computation of a location beyond the average.",
     .picture = &patterns::kImbalance},
    {"imbalance_above", "imbalance_above_single", "Single participant",
     "Overload of a location that is the only one in its call path."},
    {.parent = "imbalance",
     .uniqueName = "imbalance_below",
     .displayName = "Underload",
     .description = "What a location computes less than the average.",
     .picture = &patterns::kImbalance},
    {"imbalance_below", "imbalance_below_bypass", "Non-participation",
     "Underload of locations that never execute a call path that others execute."},
    {"imbalance_below_bypass", "imbalance_below_singularity", "Singularity",
     "Underload of locations that never execute a call path that only one location executes."}};
enum Measure { kImbalance, kAbove, kSingle, kBelow, kBypass, kSingularity, kMetrics };

/// Compares the locations, call path by call path. Safe from several threads.
class Imbalance {
  public:
    Imbalance(const algebra::Experiment& experiment, const paths::MergedTree& merged)
        : computation_(experiment.severities.rows(*experiment.findMetric("comp"))->table()),
          visits_(experiment.severities.rows(*experiment.findMetric("visits"))->table()),
          isParallel_(merged.tree.size(), 0),
          masterOf_(experiment.system.locations.size()),
          isOfTeam_(experiment.system.locations.size(), 0),
          isOfTasks_(algebra::pathsOfTasks(experiment)) {
        const auto& system = experiment.system;
        std::vector<std::optional<algebra::LocationId>> masterOf(system.processes.size());
        const std::vector<char> isKnown = knownLocations(experiment, merged);
        for (std::size_t i = 0; i < system.locations.size(); ++i) {
            const algebra::Location& location = system.locations[i];
            if (location.type != algebra::Location::Type::Thread || isKnown[i] == 0) continue;
            threads_.emplace_back(i);
            auto& master = masterOf[location.process.index()];
            if (!master) master = algebra::LocationId(i);
            masterOf_[i] = *master;
        }
        for (const CallPathId path : merged.tree.ids()) {
            const auto parent = merged.tree.parent(path);
            const bool begins =
                merged.classes[merged.tree[path].region.index()].special == trace::Special::Parallel;
            isParallel_[path.index()] = begins || (parent && isParallel_[parent->index()] != 0) ? 1 : 0;
        }
        findTeams();
    }

    std::size_t callPaths() const { return isParallel_.size(); }
    std::size_t locations() const { return masterOf_.size(); }

    /// What is known of a call path before its values are made.
    struct Facts {
        double average = 0;
        std::uint32_t visitors = 0;
        std::uint8_t metrics = 0;  ///< a bit for each that is not zero
    };
    /// Calls `use` for each value that is not zero: with metric, location and value.
    template <typename Use>
    Facts survey(CallPathId path, const Use& use) const {
        Facts facts;
        const std::span<const double> computation = computation_->row(path);
        if (computation.empty()) return facts;
        const Compared compared = comparedAt(path);
        if (compared.locations.empty()) return facts;
        double sum = 0;
        for (const algebra::LocationId thread : threads_) sum += computation[thread.index()];
        facts.average = sum / static_cast<double>(compared.locations.size());
        facts.visitors = static_cast<std::uint32_t>(std::ranges::count(compared.visited, 1));
        unsigned metrics = 0;
        visitValues(compared, computation, facts,
                    [&](Measure metric, algebra::LocationId location, double value) {
                        if (value == 0) return;
                        metrics |= 1U << metric;
                        use(metric, location, value);
                    });
        facts.metrics = static_cast<std::uint8_t>(metrics);
        return facts;
    }

    /// The values of one metric in a call path; `values` are zero before.
    void fill(CallPathId path, Measure metric, const Facts& facts, std::span<double> values) const {
        visitValues(comparedAt(path), computation_->row(path), facts,
                    [&](Measure of, algebra::LocationId location, double value) {
                        if (of == metric) values[location.index()] = value;
                    });
    }

  private:
    /// Locations of which it is known what they did until their end. How much others computed, such as those
    /// of a process that was killed, nobody knows.
    static std::vector<char> knownLocations(const algebra::Experiment& experiment,
                                            const paths::MergedTree& merged) {
        constexpr double kNegligible = 0.01;
        std::vector<char> isKnown(experiment.system.locations.size(), 1);
        const auto unknown = experiment.findMetric("no_more_events");
        if (!unknown) return isKnown;
        const auto sumOf = [&](algebra::MetricId metric) {
            const auto table = experiment.severities.rows(metric)->table();
            std::vector<double> sum(isKnown.size(), 0);
            for (const CallPathId path : merged.tree.ids()) {
                const std::span<const double> row = table->row(path);
                for (std::size_t i = 0; i < row.size(); ++i) sum[i] += row[i];
            }
            return sum;
        };
        const std::vector<double> missing = sumOf(*unknown), known = sumOf(*experiment.findMetric("time"));
        for (std::size_t i = 0; i < isKnown.size(); ++i)
            if (missing[i] > kNegligible * (missing[i] + known[i])) isKnown[i] = 0;
        return isKnown;
    }

    struct Compared {
        std::vector<algebra::LocationId> locations;
        std::vector<char>
            visited;  ///< by location; of a team, outside of its regions: that of its first thread
    };
    Compared comparedAt(CallPathId path) const {
        Compared compared{{}, std::vector<char>(locations(), 0)};
        const std::span<const double> visits = visits_->row(path);
        const std::span<const double> computation = computation_->row(path);
        const auto has = [](std::span<const double> row, algebra::LocationId thread) {
            return !row.empty() && row[thread.index()] > 0;
        };
        const bool isParallel = isParallel_[path.index()] != 0;
        std::vector<char> comes(locations(), 0);  // by the first thread of the process: one of its threads
        for (const algebra::LocationId thread : threads_) {
            // Whoever computes there came, also where that was before the recorded part.
            const bool computes = has(computation, thread);
            if (!computes && !has(visits, thread)) continue;
            const algebra::LocationId master = masterOf_[thread.index()];
            const bool isItself =
                isParallel || isOfTeam_[thread.index()] == 0 || (computes && isOfTasks_[path.index()] == 0);
            compared.visited[(isItself ? thread : master).index()] = 1;
            comes[master.index()] = 1;
        }
        for (const algebra::LocationId thread : threads_) {
            const bool standsForProcess = masterOf_[thread.index()] == thread && comes[thread.index()] == 0;
            if (isParallel || standsForProcess || compared.visited[thread.index()] != 0)
                compared.locations.push_back(thread);
        }
        return compared;
    }
    /// Calls `use` for all values that may not be zero, location after location.
    template <typename Use>
    static void visitValues(const Compared& compared, std::span<const double> computation, const Facts& facts,
                            const Use& use) {
        const auto count = static_cast<double>(compared.locations.size());
        const bool isAlone = facts.visitors == 1 && compared.locations.size() > 1;
        for (const algebra::LocationId location : compared.locations) {
            const double excess = computation[location.index()] - facts.average;
            use(kImbalance, location, std::abs(excess));
            use(excess > 0 ? kAbove : kBelow, location, std::abs(excess));
            const bool comes = compared.visited[location.index()] != 0;
            // Of tasks, a thread beside the one that stands for the process may have the rest.
            if (comes && isAlone && excess > 0)
                use(kSingle, location, std::min(excess, facts.average * (count - 1)));
            if (!comes) use(kBypass, location, facts.average);
            if (!comes && isAlone) use(kSingularity, location, facts.average);
        }
    }
    /// Threads that are in parallel regions at some time.
    void findTeams() {
        for (std::size_t path = 0; path < isParallel_.size(); ++path) {
            if (isParallel_[path] == 0) continue;
            const std::span<const double> visits = visits_->row(CallPathId(path));
            for (std::size_t i = 0; i < visits.size(); ++i)
                if (visits[i] > 0) isOfTeam_[i] = 1;
        }
    }

    std::shared_ptr<const algebra::SeverityTable> computation_;
    std::shared_ptr<const algebra::SeverityTable> visits_;
    std::vector<char> isParallel_;  ///< by call path
    std::vector<algebra::LocationId> threads_;
    std::vector<algebra::LocationId> masterOf_;  ///< by location
    std::vector<char> isOfTeam_;                 ///< by location
    /// By call path: of tasks of which it is not known who made them. Who runs them, runs them for all.
    std::vector<char> isOfTasks_;
};

using Facts = std::vector<Imbalance::Facts>;  ///< by call path

/// Of all call paths, and what the values of each metric add up to.
class Survey {
  public:
    Survey(const Imbalance& imbalance, workers::Workers& workers)
        : imbalance_(imbalance), facts_(imbalance.callPaths()) {
        for (algebra::RowSums& sums : sums_)
            sums = {std::vector<double>(imbalance.callPaths()), std::vector<double>(imbalance.locations()),
                    std::vector<double>(imbalance.callPaths())};
        const std::size_t step = pathsPerRange(imbalance.locations());
        const std::size_t ranges = (facts_.size() + step - 1) / step;
        for (std::size_t first = 0; first < ranges; first += kTogether) {
            const std::size_t count = std::min(kTogether, ranges - first);
            std::vector<ByMetric> found(count);
            workers.forEach(count, [&](std::size_t i) {
                const std::size_t begin = (first + i) * step;
                found[i] = survey(begin, std::min(facts_.size(), begin + step));
            });
            for (const ByMetric& more : found) add(more);
        }
    }

    Facts takeFacts() { return std::move(facts_); }
    algebra::RowSums take(Measure metric) { return std::move(sums_[metric]); }

  private:
    /// Sums of locations; empty where all is zero.
    using ByMetric = std::array<std::vector<double>, kMetrics>;

    /// Ranges of call paths whose sums are in memory at a time: enough for the workers of one machine.
    static constexpr std::size_t kTogether = 16;

    ByMetric survey(std::size_t begin, std::size_t end) {
        ByMetric found;
        for (std::size_t path = begin; path < end; ++path) {
            std::array<double, kMetrics> sums{}, leasts{};
            facts_[path] = imbalance_.survey(CallPathId(path),
                                             [&](Measure metric, algebra::LocationId location, double value) {
                                                 if (found[metric].empty())
                                                     found[metric].resize(imbalance_.locations());
                                                 found[metric][location.index()] += value;
                                                 sums[metric] += value;
                                                 leasts[metric] = std::min(leasts[metric], value);
                                             });
            for (std::size_t metric = 0; metric < kMetrics; ++metric) {
                sums_[metric].paths[path] = sums[metric];
                sums_[metric].leasts[path] = leasts[metric];
            }
        }
        return found;
    }

    /// In the order of the ranges: what is found does not depend on how many workers there are.
    void add(const ByMetric& more) {
        for (std::size_t metric = 0; metric < kMetrics; ++metric)
            for (std::size_t i = 0; i < more[metric].size(); ++i)
                sums_[metric].locations[i] += more[metric][i];
    }

    const Imbalance& imbalance_;
    Facts facts_;
    std::array<algebra::RowSums, kMetrics> sums_;
};

/// One metric, compared again for each row that is asked for: tables of all six would be much of the
/// experiment.
class ImbalanceRows final : public algebra::Rows {
  public:
    ImbalanceRows(std::shared_ptr<const Imbalance> imbalance, std::shared_ptr<const Facts> facts,
                  Measure metric)
        : Rows(imbalance->callPaths(), imbalance->locations(), 0.0),
          imbalance_(std::move(imbalance)),
          facts_(std::move(facts)),
          metric_(metric) {}

    bool hasRow(CallPathId path) const override {
        return ((*facts_)[path.index()].metrics >> metric_ & 1U) != 0;
    }
    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        const std::span<double> values = scratch.first(locations());
        std::ranges::fill(values, 0.0);
        imbalance_->fill(path, metric_, (*facts_)[path.index()], values);
        return values;
    }

  private:
    std::shared_ptr<const Imbalance> imbalance_;
    std::shared_ptr<const Facts> facts_;
    Measure metric_;
};

}  // namespace

void addImbalance(algebra::Experiment& experiment, const Present& present, const paths::MergedTree& merged,
                  workers::Workers& workers, algebra::WantedSums* sums) {
    const auto imbalance = std::make_shared<const Imbalance>(experiment, merged);
    Survey survey(*imbalance, workers);
    const auto facts = std::make_shared<const Facts>(survey.takeFacts());
    for (std::size_t i = 0; i < kMetrics; ++i) {
        const auto measure = static_cast<Measure>(i);
        const algebra::MetricId metric = *addMetric(experiment, present, kDescribed[i]);
        const auto rows = std::make_shared<const ImbalanceRows>(imbalance, facts, measure);
        experiment.severities.setRows(metric, [rows] { return rows; });
        if (sums == nullptr) continue;
        sums->resize(experiment.metrics.size());
        (*sums)[metric.index()] = survey.take(measure);
    }
}

std::span<const ImbalanceMetric> imbalanceMetrics() {
    return kDescribed;
}

}  // namespace holos::analyzer::assemble
