// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/result_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "algebra/insight/summary/rules.h"
#include "algebra/insight/summary/words.h"
#include "algebra/model/experiment.h"
#include "algebra/model/experiment_facts.h"
#include "algebra/model/queries.h"
#include "algebra/model/structure.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/history/recorded_run.h"

namespace holos::algebra {
namespace {

/// Laws of the results of a run that hold of an experiment, too, by how it came about: sums keep what is said
/// of sums, differences keep equations, and of a part of a call tree causes may be elsewhere.
struct KeptLaws {
    bool signs = true;    ///< no time is negative
    bool parts = true;    ///< parts are no more than their whole
    bool balance = true;  ///< what is above an average is as much as what is below it, in each call path
    bool causes = true;   ///< nobody is blamed for more waiting than there is
    bool lengths = true;  ///< nothing takes longer than the run

    friend bool operator==(const KeptLaws&, const KeptLaws&) = default;
};

struct Operation {
    std::string_view name;
    KeptLaws keeps;
};

constexpr KeptLaws kAllLaws{};
constexpr KeptLaws kNoLaws{
    .signs = false, .parts = false, .balance = false, .causes = false, .lengths = false};
constexpr KeptLaws kOfSums{.lengths = false};

/// What is not named here keeps none.
constexpr auto kOperations = std::to_array<Operation>({
    {"analyze", kAllLaws},
    {"predict", kAllLaws},
    {"convert", kAllLaws},
    {"derive", kAllLaws},
    {"remap", kAllLaws},
    {"mean", kOfSums},
    {"sum", kOfSums},
    {"collapse", kOfSums},
    {"flatten", {.balance = false, .lengths = false}},  // tasks that were apart are among the others
    // Each metric is of the runs that measured it: two of them may be of different runs.
    {"merge", {.parts = false, .causes = false, .lengths = false}},
    {"scale", kNoLaws},  // by any factor, and some of the metrics only
    {"cut", {.balance = false, .causes = false, .lengths = false}},
    {"min", {.parts = false, .balance = false, .causes = false, .lengths = false}},
    {"max", {.parts = false, .balance = false, .causes = false, .lengths = false}},
    {"diff", {.signs = false, .parts = false, .causes = false, .lengths = false}},
});

KeptLaws both(const KeptLaws& one, const KeptLaws& other) {
    return {.signs = one.signs && other.signs,
            .parts = one.parts && other.parts,
            .balance = one.balance && other.balance,
            .causes = one.causes && other.causes,
            .lengths = one.lengths && other.lengths};
}

KeptLaws keptBy(const Provenance& made) {
    const auto* const operation = std::ranges::find(kOperations, made.operation, &Operation::name);
    KeptLaws kept = operation != kOperations.end() ? operation->keeps : kNoLaws;
    for (const Provenance::Input& input : made.inputs)
        for (const Provenance& origin : input.origin) kept = both(kept, keptBy(origin));
    return kept;
}

/// By the experiment's provenance; all of what no operator made. Pure; thread safety: safe.
KeptLaws keptLaws(const Experiment& experiment) {
    const auto made = provenanceOf(experiment);
    return made ? keptBy(*made) : kAllLaws;
}

/// Of the larger one: times are sums of many doubles.
constexpr double kRounding = 1e-6;
/// Seconds: a tick of any clock, many times.
constexpr double kLeast = 1e-6;

/// Below these roots there is time, of threads and of the run, which contains what is below it.
constexpr std::string_view kWholes[] = {"time", "imbalance", "critical_path"};
/// Below these, times are made by adding up.
constexpr std::string_view kSums[] = {"delay",
                                      "performance_impact",
                                      "waitstates_propagating_vs_terminal",
                                      "waitstates_direct_vs_indirect",
                                      "lock_waitstates_propagating_vs_terminal",
                                      "lock_waitstates_direct_vs_indirect"};

bool isMore(double one, double other) {
    return one > other + kRounding * std::max(std::abs(one), std::abs(other)) + kLeast;
}

/// What one pass over the values of a metric tells.
struct Sums {
    double all = 0;
    double least = 0;  ///< the least of all values
    std::vector<double> byLocation;
};

class Laws {
  public:
    explicit Laws(const Experiment& experiment)
        : experiment_(experiment), kept_(keptLaws(experiment)), ofTasks_(pathsOfTasks(experiment)) {}

    std::vector<BrokenResultLaw> run(LawsTested tested) {
        if (kept_ ==
            KeptLaws{.signs = false, .parts = false, .balance = false, .causes = false, .lengths = false})
            return {};
        sums_.resize(experiment_.metrics.size());
        for (const MetricId root : experiment_.metrics.roots()) {
            const bool isWhole = std::ranges::count(kWholes, of(root).uniqueName) > 0;
            const bool isSum = std::ranges::count(kSums, of(root).uniqueName) > 0;
            if (isWhole && kept_.parts) checkParts(root);
            if ((isWhole || isSum) && kept_.signs && tested == LawsTested::All) checkSigns(root);
        }
        if (kept_.balance) checkBalance();
        if (kept_.causes)
            for (const WaitRule& rule : waitRules()) checkBlame(rule);
        if (kept_.lengths) {
            checkCriticalPath();
            checkLengths();
        }
        return std::move(broken_);
    }

  private:
    const Metric& of(MetricId metric) const { return experiment_.metrics[metric]; }
    std::string textOf(MetricId metric) const { return fmt::format("\"{}\"", of(metric).displayName); }
    std::string textOf(LocationId location) const {
        const Location& one = experiment_.system.locations[location.index()];
        return fmt::format("{} of {}", one.name, experiment_.system.processes[one.process.index()].name);
    }

    bool isTime(MetricId metric) const {
        const Metric& one = of(metric);
        return one.hasValues() && !one.isVoid && one.unit == "sec" && one.origin != Origin::Ratio &&
               one.valueType != ValueType::Compound && missingValue(one.valueType) == 0.0;
    }
    std::optional<MetricId> timeOf(const std::string& name) const {
        const auto metric = experiment_.findMetric(name);
        return metric && isTime(*metric) ? metric : std::nullopt;
    }

    const Sums& sumsOf(MetricId metric) {
        std::optional<Sums>& known = sums_[metric.index()];
        if (known) return *known;
        known.emplace();
        known->byLocation.resize(experiment_.system.locations.size());
        forEachRow(metric, [&](CallPathId path, std::span<const double> row) {
            for (std::size_t at = 0; at < row.size(); ++at) {
                known->byLocation[at] += row[at];
                if (!isOfTasks(path)) known->least = std::min(known->least, row[at]);
            }
        });
        for (const double value : known->byLocation) known->all += value;
        return *known;
    }

    template <class Action>
    void forEachRow(MetricId metric, Action action) const {
        if (!experiment_.severities.has(metric)) return;
        const RowsPtr rows = experiment_.severities.rows(metric);
        std::vector<double> room(rows->locations());
        for (std::size_t path = 0; path < rows->callPaths(); ++path)
            if (rows->hasRow(CallPathId(path))) action(CallPathId(path), rows->row(CallPathId(path), room));
    }

    /// Sums are negative only where something is of which they are made.
    void checkSigns(MetricId metric) {
        const auto& parts = experiment_.metrics.children(metric);
        if (parts.empty() && isTime(metric) && isMore(0, sumsOf(metric).least))
            broken(fmt::format("{} is negative somewhere: {}", textOf(metric),
                               secondsText(sumsOf(metric).least)),
                   {of(metric).uniqueName});
        for (const MetricId part : parts) checkSigns(part);
    }

    void checkParts(MetricId whole) {
        if (!isTime(whole)) return;
        std::vector<double> sum(experiment_.system.locations.size());
        std::vector<std::string> names{of(whole).uniqueName};
        for (const MetricId part : experiment_.metrics.children(whole)) {
            if (!isTime(part)) continue;
            names.push_back(of(part).uniqueName);
            for (std::size_t at = 0; at < sum.size(); ++at) sum[at] += sumsOf(part).byLocation[at];
        }
        if (names.size() == 1) return;
        const std::vector<double>& all = sumsOf(whole).byLocation;
        for (std::size_t at = 0; at < sum.size(); ++at)
            if (isMore(sum[at], all[at]))
                return broken(fmt::format("the parts of {} are {} in {}, but it is only {}", textOf(whole),
                                          secondsText(sum[at]), textOf(LocationId(at)), secondsText(all[at])),
                              std::move(names));
    }

    bool isOfTasks(CallPathId path) const { return ofTasks_[path.index()] != 0; }

    void checkBalance() {
        const auto above = timeOf("imbalance_above"), below = timeOf("imbalance_below");
        if (!above || !below) return;
        std::vector<double> more(experiment_.callTree.size()), less(more.size());
        const auto add = [&](MetricId metric, std::vector<double>& sums) {
            forEachRow(metric, [&](CallPathId path, std::span<const double> row) {
                for (const double value : row) sums[path.index()] += value;
            });
        };
        add(*above, more);
        add(*below, less);
        for (std::size_t at = 0; at < more.size(); ++at)
            if (!isOfTasks(CallPathId(at)) && (isMore(more[at], less[at]) || isMore(less[at], more[at])))
                return broken(fmt::format("computation above the average is {} in {}, but below it {}",
                                          secondsText(more[at]), pathText(experiment_, CallPathId(at)),
                                          secondsText(less[at])),
                              {"imbalance", "imbalance_above", "imbalance_below"});
    }

    bool hasTasks() const {
        return std::ranges::any_of(experiment_.callTree.ids(), [&](CallPathId path) {
            return experiment_.regionOf(path).role == "task" || isOfTasks(path);
        });
    }

    /// Nothing where the experiment has none of them.
    std::optional<double> total(const MetricNames& names) {
        std::optional<double> sum;
        for (const char* name : names)
            if (const auto metric = timeOf(name)) sum = sum.value_or(0) + sumsOf(*metric).all;
        return sum;
    }

    void checkBlame(const WaitRule& rule) {
        const auto delays = total(rule.delays), waits = total(rule.waits);
        if (!delays || !waits || !isMore(*delays, *waits)) return;
        std::vector<std::string> names(rule.delays.begin(), rule.delays.end());
        broken(fmt::format("delays explain {} of waiting {}, but there is only {}", secondsText(*delays),
                           rule.name, secondsText(*waits)),
               std::move(names));
    }

    void checkCriticalPath() {
        const auto run = secondsOfRun(experiment_);
        const auto path = timeOf("critical_path");
        if (!run || !path || !isMore(sumsOf(*path).all, *run)) return;
        broken(fmt::format("the critical path takes {}, but the run only {}", secondsText(sumsOf(*path).all),
                           secondsText(*run)),
               {"critical_path", "critical_path_imbalance", "performance_impact"});
    }

    /// What tasks take is there twice: where they run, and where they were created. Threads that are idle may
    /// be elsewhere meanwhile.
    void checkLengths() {
        const auto run = secondsOfRun(experiment_);
        const auto time = timeOf("time"), idle = timeOf("omp_idle_threads");
        if (!run || !time || hasTasks() || (idle && sumsOf(*idle).all > 0)) return;
        const double length = *run;
        const std::vector<double>& taken = sumsOf(*time).byLocation;
        for (std::size_t at = 0; at < taken.size(); ++at)
            if (isMore(taken[at], length))
                return broken(
                    fmt::format("{} has times of {}, but the run takes only {}", textOf(LocationId(at)),
                                secondsText(taken[at]), secondsText(length)),
                    {});
    }

    void broken(std::string text, std::vector<std::string> metrics) {
        broken_.push_back({std::move(text), std::move(metrics)});
    }

    const Experiment& experiment_;
    const KeptLaws kept_;
    const std::vector<char> ofTasks_;        ///< by call path
    std::vector<std::optional<Sums>> sums_;  ///< by metric
    std::vector<BrokenResultLaw> broken_;
};

}  // namespace

std::vector<BrokenResultLaw> brokenResultLaws(const Experiment& experiment, LawsTested tested) {
    return Laws(experiment).run(tested);
}

}  // namespace holos::algebra
