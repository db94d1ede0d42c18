// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/result_laws.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

#include "algebra/files/cubex.h"
#include "algebra/files/experiment_file.h"
#include "algebra/insight/summary/rules.h"
#include "algebra/insight/summary/words.h"
#include "algebra/model/experiment.h"
#include "algebra/model/experiment_facts.h"
#include "algebra/model/queries.h"
#include "algebra/model/row_sums.h"
#include "algebra/model/structure.h"
#include "algebra/operators/history/metric_names.h"
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
    bool tasks = true;    ///< call paths of tasks stand apart from those of what created them

    friend bool operator==(const KeptLaws&, const KeptLaws&) = default;
};

struct Operation {
    std::string_view name;
    KeptLaws keeps;
};

constexpr KeptLaws kAllLaws{};
constexpr KeptLaws kNoLaws{
    .signs = false, .parts = false, .balance = false, .causes = false, .lengths = false, .tasks = false};
constexpr KeptLaws kOfSums{.lengths = false};

/// What is not named here keeps none.
constexpr auto kOperations = std::to_array<Operation>({
    {"analyze", kAllLaws},
    {"record", kAllLaws},
    {"predict", kAllLaws},
    {"convert", kAllLaws},
    {"derive", kAllLaws},
    {"remap", kAllLaws},
    {"mean", kOfSums},
    {"sum", kOfSums},
    {"collapse", kOfSums},
    {"flatten", {.balance = false, .lengths = false, .tasks = false}},
    // Each metric is of the runs that measured it: two of them may be of different runs.
    {"merge", {.parts = false, .causes = false, .lengths = false}},
    {"scale", kNoLaws},  // by any factor, and some of the metrics only
    {"cut", {.balance = false, .causes = false, .lengths = false, .tasks = false}},
    {"min", {.parts = false, .balance = false, .causes = false, .lengths = false}},
    {"max", {.parts = false, .balance = false, .causes = false, .lengths = false}},
    {"diff", {.signs = false, .parts = false, .causes = false, .lengths = false}},
});

KeptLaws both(const KeptLaws& one, const KeptLaws& other) {
    return {.signs = one.signs && other.signs,
            .parts = one.parts && other.parts,
            .balance = one.balance && other.balance,
            .causes = one.causes && other.causes,
            .lengths = one.lengths && other.lengths,
            .tasks = one.tasks && other.tasks};
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
    if (one <= other) return false;  // nearly always
    return one > other + kRounding * std::max(std::abs(one), std::abs(other)) + kLeast;
}

class Laws {
  public:
    Laws(const Experiment& experiment, WantedSums known)
        : experiment_(experiment),
          kept_(keptLaws(experiment)),
          ofTasks_(pathsOfTasks(experiment)),
          hasTasks_(std::ranges::count(ofTasks_, 0) < std::ssize(ofTasks_) ||
                    (!kept_.tasks && std::ranges::any_of(experiment.regions,
                                                         [](const Region& region) {
                                                             return region.role == "task" ||
                                                                    region.name == "TASKS";
                                                         }))),
          known_(std::move(known)),
          totals_(experiment.metrics.size()) {
        known_.resize(experiment_.metrics.size());
    }

    std::vector<BrokenResultLaw> run() {
        if (kept_ == kNoLaws) return {};
        if (kept_.balance) checkBalance();
        for (const MetricId root : experiment_.metrics.roots()) {
            const bool isWhole = std::ranges::count(kWholes, of(root).uniqueName) > 0;
            const bool isSum = std::ranges::count(kSums, of(root).uniqueName) > 0;
            const Tested tested{.parts = isWhole && kept_.parts,
                                .signs = (isWhole || isSum) && kept_.signs && (kept_.tasks || !hasTasks_)};
            checkMetrics(root, 0, tested);
            std::ranges::move(negative_, std::back_inserter(broken_));
            negative_.clear();
        }
        if (kept_.causes) {
            for (const WaitRule& rule : waitRules()) checkBlame(rule);
            checkBlame(idleThreads());
        }
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

    /// Memory that the sums of many metrics have in turn.
    struct Room {
        RowSums sums;
        std::shared_ptr<const RowSums> stored;
    };

    /// What a metric adds up to. It is in `room`, unless it was known.
    const RowSums& sumsOf(MetricId metric, Room& room) {
        const RowSums& sums = asStored(metric, room);
        totals_[metric.index()] = isZero(sums) ? 0.0 : totalOf(sums);
        return sums;
    }

    const RowSums& asStored(MetricId metric, Room& room) {
        std::optional<RowSums>& known = known_[metric.index()];
        if (!known) {
            const RowsPtr rows = experiment_.severities.rows(metric);
            room.stored = rows->storedSums();
            if (room.stored != nullptr && hasAll(*room.stored)) {
                if (zeros_ == nullptr && hasOnlyZeros(*room.stored)) zeros_ = room.stored;
                return *room.stored;
            }
            if (room.stored && !room.stored->leasts.empty())
                room.sums = *room.stored;
            else
                sumUp(*rows, room.sums);
        }
        RowSums& sums = known ? *known : room.sums;
        sums.paths.resize(experiment_.callTree.size());
        sums.leasts.resize(experiment_.callTree.size());
        sums.locations.resize(experiment_.system.locations.size());
        return sums;
    }

    bool hasAll(const RowSums& sums) const {
        return sums.paths.size() == experiment_.callTree.size() && sums.leasts.size() == sums.paths.size() &&
               sums.locations.size() == experiment_.system.locations.size();
    }

    static bool hasOnlyZeros(const RowSums& sums) {
        const auto are = [](const std::vector<double>& numbers) {
            return std::ranges::all_of(numbers, [](double number) { return number == 0; });
        };
        return are(sums.locations) && are(sums.paths) && are(sums.leasts);
    }
    /// Of what most metrics of a small run share. Others may be zero, too.
    bool isZero(const RowSums& sums) const { return &sums == zeros_.get(); }

    /// Of whatever is shorter: there are experiments of very many locations, and of very many call paths.
    static double totalOf(const RowSums& sums) {
        const std::vector<double>& all =
            sums.paths.size() < sums.locations.size() ? sums.paths : sums.locations;
        return std::accumulate(all.begin(), all.end(), 0.0);
    }

    double totalOf(MetricId metric) {
        if (!totals_[metric.index()]) sumsOf(metric, others_);
        return *totals_[metric.index()];
    }

    /// Laws of a metric and of those below it.
    struct Tested {
        bool parts;
        bool signs;
    };

    /// Tests a metric and those below it, which come first, so that only one metric of each level has to be
    /// at hand, and the sum of its parts. Returns what the metric adds up to where it may be a part of
    /// another.
    const RowSums* checkMetrics(MetricId metric, std::size_t depth, Tested tested) {
        if (!tested.parts && !tested.signs) return nullptr;
        if (levels_.size() == depth) levels_.emplace_back();
        Level& level = levels_[depth];  // stays where it is
        tested.parts = tested.parts && isTime(metric);
        const auto& below = experiment_.metrics.children(metric);
        const std::size_t place = broken_.size();
        std::vector<MetricId> parts;
        bool areZero = true;
        for (const MetricId each : below) {
            const RowSums* const sums = checkMetrics(each, depth + 1, tested);
            if (!tested.parts || sums == nullptr) continue;
            if (parts.empty()) setZero(level.parts);
            parts.push_back(each);
            if (isZero(*sums)) continue;
            areZero = false;
            addTo(level.parts, *sums);
        }
        const bool isSigned = tested.signs && below.empty() && isTime(metric);
        if (!tested.parts && !isSigned) return nullptr;
        const RowSums& sums = sumsOf(metric, level.own);
        if (isSigned) checkSign(metric, sums);
        if (depth == 0 && of(metric).uniqueName == "time") time_ = sums.locations;
        if (!tested.parts) return nullptr;
        if (areZero && isZero(sums)) return &sums;
        if (of(metric).uniqueName == "mpi_point2point" && hasNeighbours())
            checkMessages(metric, sums, parts, level.parts, place);
        else if (!parts.empty())
            checkParts({metric}, sums, parts, level.parts, placesOf(metric, depth == 0), place);
        return &sums;
    }

    /// Sums are negative only where something is of which they are made.
    void checkSign(MetricId metric, const RowSums& sums) {
        if (isZero(sums)) return;
        const double least = leastOf(sums.leasts);
        if (!isMore(0, least)) return;
        negative_.push_back({fmt::format("{} is negative somewhere: {}", textOf(metric), secondsText(least)),
                             {of(metric).uniqueName}});
    }

    double leastOf(const std::vector<double>& leasts) const {
        const bool isAnyNegative =
            std::ranges::find_if(leasts, [](double least) { return least < 0; }) != leasts.end();
        double least = 0;
        if (!isAnyNegative) return least;
        for (std::size_t path = 0; path < leasts.size(); ++path)
            if (!isOfTasks(CallPathId(path))) least = std::min(least, leasts[path]);
        return least;
    }

    /// Where parts of a metric are no more than it.
    struct Places {
        bool locations = true;
        bool paths = true;
    };

    /// Messages in wrong order are booked where the first of them was waited for, as Scalasca does it.
    Places placesOf(MetricId whole, bool isRoot) const {
        return {.locations = isRoot || !hasTasks_,
                .paths = (!hasTasks_ || kept_.tasks) && of(whole).uniqueName != "mpi_latesender_wo"};
    }

    std::vector<MetricId> partsOf(MetricId whole) const {
        std::vector<MetricId> parts;
        std::ranges::copy_if(experiment_.metrics.children(whole), std::back_inserter(parts),
                             [&](MetricId part) { return isTime(part); });
        return parts;
    }

    bool hasNeighbours() const {
        constexpr std::string_view kNeighbours = "eighbor_";
        return std::ranges::any_of(experiment_.regions, [&](const Region& region) {
            return region.name.find(kNeighbours) != std::string::npos;
        });
    }

    /// Waiting for messages is also in operations of neighbours, which are collective: both together are no
    /// more than both.
    void checkMessages(MetricId messages, RowSums sums, std::vector<MetricId> parts, RowSums ofParts,
                       std::size_t place) {
        const auto collective = timeOf("mpi_collective");
        if (!collective) return;
        addTo(sums, sumsOf(*collective, others_));
        for (const MetricId part : partsOf(*collective)) {
            if (parts.empty()) setZero(ofParts);
            parts.push_back(part);
            addTo(ofParts, sumsOf(part, others_));
        }
        if (!parts.empty())
            checkParts({messages, *collective}, sums, parts, ofParts, placesOf(messages, false), place);
    }

    /// `place`: of what is broken, in front of what is broken below.
    void checkParts(const std::vector<MetricId>& wholes, const RowSums& ofWholes,
                    const std::vector<MetricId>& parts, const RowSums& ofParts, Places places,
                    std::size_t place) {
        const auto excess = excessOver(ofWholes, ofParts, places);
        if (!excess) return;
        std::vector<std::string> texts, names;
        for (const MetricId whole : wholes) texts.push_back(textOf(whole));
        for (const MetricId whole : wholes) names.push_back(of(whole).uniqueName);
        for (const MetricId part : parts) names.push_back(of(part).uniqueName);
        broken_.insert(broken_.begin() + static_cast<std::ptrdiff_t>(place),
                       {fmt::format("the parts of {} are {} in {}, but {} only {}", fmt::join(texts, " and "),
                                    secondsText(excess->part), excess->place,
                                    wholes.size() == 1 ? "it is" : "these are", secondsText(excess->whole)),
                        std::move(names), excess->seconds});
    }

    struct Excess {
        double part;
        double whole;
        std::string place;
        double seconds;  ///< in all locations, or in all call paths
    };

    void setZero(RowSums& sum) const {
        sum.paths.assign(experiment_.callTree.size(), 0.0);
        sum.locations.assign(experiment_.system.locations.size(), 0.0);
    }

    static void addTo(RowSums& sum, const RowSums& more) {
        for (std::size_t at = 0; at < sum.locations.size(); ++at) sum.locations[at] += more.locations[at];
        for (std::size_t at = 0; at < sum.paths.size(); ++at) sum.paths[at] += more.paths[at];
    }

    /// The first location or call path in which there is more of a part than of the whole. Time of tasks that
    /// have call paths of their own is there twice, now as a part and now as the whole.
    std::optional<Excess> excessOver(const RowSums& whole, const RowSums& part, Places places) const {
        const auto all = [](const std::vector<double>& parts, const std::vector<double>& wholes) {
            double sum = 0;
            for (std::size_t at = 0; at < parts.size(); ++at) sum += std::max(0.0, parts[at] - wholes[at]);
            return sum;
        };
        for (std::size_t at = 0; at < part.locations.size() && places.locations; ++at)
            if (isMore(part.locations[at], whole.locations[at]))
                return Excess{part.locations[at], whole.locations[at], textOf(LocationId(at)),
                              all(part.locations, whole.locations)};
        for (std::size_t at = 0; at < part.paths.size() && places.paths; ++at)
            if (!isOfTasks(CallPathId(at)) && isMore(part.paths[at], whole.paths[at]))
                return Excess{part.paths[at], whole.paths[at], pathText(experiment_, CallPathId(at)),
                              all(part.paths, whole.paths)};
        return std::nullopt;
    }

    bool isOfTasks(CallPathId path) const { return ofTasks_[path.index()] != 0; }

    void checkBalance() {
        const auto above = timeOf("imbalance_above"), below = timeOf("imbalance_below");
        if (!above || !below) return;
        Room room;
        const std::vector<double>&more = sumsOf(*above, others_).paths, &less = sumsOf(*below, room).paths;
        for (std::size_t at = 0; at < more.size(); ++at)
            if (!isOfTasks(CallPathId(at)) && (isMore(more[at], less[at]) || isMore(less[at], more[at])))
                return broken(fmt::format("computation above the average is {} in {}, but below it {}",
                                          secondsText(more[at]), pathText(experiment_, CallPathId(at)),
                                          secondsText(less[at])),
                              {"imbalance", "imbalance_above", "imbalance_below"});
    }

    /// Nothing where the experiment has none of them.
    std::optional<double> total(const MetricNames& names) {
        std::optional<double> sum;
        for (const char* name : names)
            if (const auto metric = timeOf(name)) sum = sum.value_or(0) + totalOf(*metric);
        return sum;
    }

    void checkBlame(const WaitRule& rule) {
        const auto delays = total(rule.delays), waits = total(rule.waits);
        if (!delays || !waits || !isMore(*delays, *waits + total(rule.apart).value_or(0))) return;
        std::vector<std::string> names(rule.delays.begin(), rule.delays.end());
        broken(fmt::format("delays explain {} of waiting {}, but there is only {}", secondsText(*delays),
                           rule.name, secondsText(*waits)),
               std::move(names));
    }

    void checkCriticalPath() {
        const auto run = secondsOfRun(experiment_);
        const auto path = timeOf("critical_path");
        if (!run || !path || !isMore(totalOf(*path), *run)) return;
        broken(fmt::format("the critical path takes {}, but the run only {}", secondsText(totalOf(*path)),
                           secondsText(*run)),
               {"critical_path", "critical_path_imbalance", "performance_impact"});
    }

    /// What tasks take is there twice: where they run, and where they were created. Threads that are idle may
    /// be elsewhere meanwhile.
    void checkLengths() {
        const auto run = secondsOfRun(experiment_);
        const auto time = timeOf("time"), idle = timeOf("omp_idle_threads");
        const bool areSums = attribute(experiment_.attributes, kCollapsedAttribute).has_value();
        if (!run || !time || hasTasks_ || areSums) return;
        const double length = *run;
        std::vector<double> taken = time_.empty() ? sumsOf(*time, others_).locations : time_;
        if (idle && totalOf(*idle) > 0)
            std::ranges::transform(taken, sumsOf(*idle, others_).locations, taken.begin(), std::minus());
        for (std::size_t at = 0; at < taken.size(); ++at)
            if (isMore(taken[at], length))
                return broken(
                    fmt::format("{} has times of {}, but the run takes only {}", textOf(LocationId(at)),
                                secondsText(taken[at]), secondsText(length)),
                    {});
    }

    void broken(std::string text, std::vector<std::string> metrics,
                double seconds = std::numeric_limits<double>::infinity()) {
        broken_.push_back({std::move(text), std::move(metrics), seconds});
    }

    const Experiment& experiment_;
    const KeptLaws kept_;
    const std::vector<char> ofTasks_;            ///< by call path
    const bool hasTasks_;                        ///< whose call paths are there twice, or may be
    WantedSums known_;                           ///< by metric
    std::vector<std::optional<double>> totals_;  ///< by metric, of those that were added up
    std::vector<double> time_;                   ///< by location, once it was added up
    struct Level {
        Room own;       ///< of a metric
        RowSums parts;  ///< of those of which it consists
    };
    std::deque<Level> levels_;              ///< by depth of the metric: room that is used again
    Room others_;                           ///< for what is asked for beside them
    std::shared_ptr<const RowSums> zeros_;  ///< of metrics without values, once one was seen
    std::vector<BrokenResultLaw> broken_;
    std::vector<BrokenResultLaw> negative_;  ///< of one root
};

}  // namespace

WantedSums sumsForLaws(const Experiment& experiment) {
    WantedSums wanted(experiment.metrics.size());
    if (keptLaws(experiment) == kNoLaws) return wanted;
    for (const MetricId metric : experiment.metrics.ids()) {
        const Metric& one = experiment.metrics[metric];
        if (one.unit == "sec" && one.origin != Origin::Ratio) wanted[metric.index()].emplace();
    }
    return wanted;
}

std::vector<BrokenResultLaw> brokenResultLaws(const Experiment& experiment, WantedSums known) {
    return Laws(experiment, std::move(known)).run();
}

std::vector<BrokenResultLaw> writeAndTest(const Experiment& experiment, const std::filesystem::path& file,
                                          Links links) {
    if (formatFor(file) != FileFormat::Cubex) {
        writeExperiment(experiment, file, links);
        return brokenResultLaws(experiment);
    }
    WantedSums sums = sumsForLaws(experiment);
    writeCubex(experiment, file, links, &sums);
    return brokenResultLaws(experiment, std::move(sums));
}

std::string contradictionText(const BrokenResultLaw& law) {
    return "results contradict each other: " + law.text + ", so the summary does not tell it";
}

}  // namespace holos::algebra
