// SPDX-License-Identifier: BSD-3-Clause
#include "report/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "algebra/model/statistics.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/history/recorded_run.h"
#include "analyzer/metric_guide.h"
#include "base/error.h"
#include "base/suggest.h"
#include "base/wrong_request.h"
#include "metric-specs/specification.h"
#include "report/plot/roofline.h"
#include "report/query/iterations.h"

namespace holos::report {

using namespace algebra;

namespace {

/// What an experiment has of a metric of the structure; NaN where it lacks it.
using ValueOf = std::function<double(std::size_t experiment, MetricId metric)>;

bool isRatio(const Metric& metric) {
    return metric.origin == Origin::Ratio || metric.storage == Storage::PostDerived;
}

std::optional<double> percentOf(double part, double whole) {
    if (!std::isfinite(part) || !std::isfinite(whole) || whole == 0.0) return std::nullopt;
    return 100.0 * part / whole;
}

/// Metrics that most experiments have come first: what is special to a platform follows what is generic.
std::vector<MetricId> genericFirst(const Subjects& subjects, std::vector<MetricId> metrics) {
    const auto having = [&](MetricId metric) {
        std::size_t count = 0;
        for (std::size_t at = 0; at < subjects.size(); ++at) count += subjects.metricOf(at, metric) ? 1 : 0;
        return count;
    };
    std::ranges::stable_sort(metrics, [&](MetricId a, MetricId b) { return having(a) > having(b); });
    return metrics;
}

std::string shownName(const Subjects& subjects, MetricId id) {
    const Metric& metric = subjects.metrics()[id];
    return metric.displayName.empty() ? metric.uniqueName : metric.displayName;
}

Row rowOf(const Subjects& subjects, MetricId id, std::size_t depth, const ValueOf& valueOf,
          const std::vector<double>& whole) {
    const Metric& metric = subjects.metrics()[id];
    Row row{shownName(subjects, id), depth, metric.unit, {}};
    for (std::size_t at = 0; at < subjects.size(); ++at) {
        Cell cell{valueOf(at, id), {}, subjects.metricOf(at, id).has_value()};
        if (!isRatio(metric)) cell.percent = percentOf(cell.value, whole[at]);
        row.cells.push_back(cell);
    }
    return row;
}

bool saysNothing(const Row& row) {
    return std::ranges::all_of(row.cells,
                               [](const Cell& cell) { return std::isnan(cell.value) || cell.value == 0.0; });
}

/// The metric and those below it; what is zero everywhere is left out. Percentages are of what `wholeOf` has
/// of the root.
void addTree(const Subjects& subjects, MetricId root, const ValueOf& valueOf, const ValueOf& wholeOf,
             std::vector<Row>& rows) {
    struct Open {
        MetricId id;
        std::size_t depth;
    };
    std::vector<double> whole;
    for (std::size_t at = 0; at < subjects.size(); ++at) whole.push_back(wholeOf(at, root));
    std::vector<Open> open{{root, 0}};
    while (!open.empty()) {
        const auto [id, depth] = open.back();
        open.pop_back();
        const Metric& metric = subjects.metrics()[id];
        if (metric.ghost) continue;
        if (!metric.isVoid) {
            Row row = rowOf(subjects, id, depth, valueOf, whole);
            if (saysNothing(row)) continue;
            rows.push_back(std::move(row));
        }
        const auto below = genericFirst(subjects, subjects.metrics().children(id));
        for (auto child = below.rbegin(); child != below.rend(); ++child) open.push_back({*child, depth + 1});
    }
}

std::string specificationTitle(const Experiment& experiment) {
    const auto file = experiment.files.find(algebra::kSpecificationFile);
    if (file == experiment.files.end()) return {};
    try {
        return specs::parse(file->second, algebra::kSpecificationFile).title();
    } catch (const Error&) {
        return "cannot be read";
    }
}

std::string originOf(const Experiment& experiment) {
    const auto provenance = provenanceOf(experiment);
    if (!provenance) return {};
    if (provenance->inputs.size() <= 1) return provenance->operation;
    return fmt::format("{} of {} experiments", provenance->operation, provenance->inputs.size());
}

/// The attributes that say something to people, in the order of their first occurrence.
std::vector<std::string> attributeKeys(const Subjects& subjects) {
    constexpr std::size_t kLongest = 200;
    std::vector<std::string> keys;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        for (const auto& [key, value] : subjects.experiment(at).attributes)
            if (!key.starts_with("holos") && !key.starts_with("Cube") && value.size() < kLongest &&
                std::ranges::find(keys, key) == keys.end())
                keys.push_back(key);
    return keys;
}

template <class ValueOf>
void addFact(const Subjects& subjects, const std::string& name, ValueOf valueOf, std::vector<Fact>& facts) {
    Fact fact{name, {}};
    for (std::size_t at = 0; at < subjects.size(); ++at)
        fact.values.push_back(valueOf(subjects.experiment(at)));
    const bool any =
        std::ranges::any_of(fact.values, [](const std::string& value) { return !value.empty(); });
    if (any) facts.push_back(std::move(fact));
}

}  // namespace

std::vector<Fact> configurationOf(const Subjects& subjects) {
    std::vector<Fact> facts;
    for (const std::string& key : attributeKeys(subjects))
        addFact(
            subjects, key,
            [&key](const Experiment& each) { return attribute(each.attributes, key).value_or(""); }, facts);
    addFact(
        subjects, "Processor", [](const Experiment& each) { return processorOf(each).name; }, facts);
    addFact(
        subjects, "Processes",
        [](const Experiment& each) { return std::to_string(numberOfProcesses(each.system)); }, facts);
    addFact(
        subjects, "Threads",
        [](const Experiment& each) { return std::to_string(numberOfThreads(each.system)); }, facts);
    addFact(
        subjects, "Call paths", [](const Experiment& each) { return std::to_string(each.callTree.size()); },
        facts);
    addFact(subjects, "Specification", specificationTitle, facts);
    addFact(subjects, "Made by", originOf, facts);
    return facts;
}

std::vector<Section> metricSections(const Subjects& subjects) {
    Section time{"Time", "Percentages are of the total time of all locations.", {}};
    Section counters{
        "Counters and other measurements",
        "Hierarchies side by side; percentages are of the root of each hierarchy. What only some platforms "
        "have stands below what all have.",
        {}};
    Section ratios{"Ratios", "Evaluated on the sums over the whole run.", {}};
    const ValueOf whole = [&](std::size_t at, MetricId metric) { return subjects.total(at, metric); };
    Section others{"Causes and costs of waiting", "Percentages are of the root of each hierarchy.", {}};
    for (const MetricId root : genericFirst(subjects, subjects.metrics().roots())) {
        const Metric& metric = subjects.metrics()[root];
        Section& section = metric.uniqueName == "time" ? time
                           : isRatio(metric)           ? ratios
                           : metric.unit == "sec"      ? others
                                                       : counters;
        addTree(subjects, root, whole, whole, section.rows);
    }
    std::vector<Section> sections;
    for (Section* each : {&time, &counters, &ratios, &others})
        if (!each->rows.empty()) sections.push_back(std::move(*each));
    return sections;
}

std::vector<RooflinePicture> rooflinesOf(const Subjects& subjects, const algebra::Roofs& roofs) {
    std::vector<RooflinePicture> pictures;
    for (std::size_t at = 0; at < subjects.size(); ++at) {
        const algebra::Experiment& experiment = subjects.experiment(at);
        const algebra::Roofline roofline = algebra::rooflineOf(experiment);
        if (roofline.points.empty()) continue;
        std::vector<std::string> names;
        for (const algebra::RooflinePoint& point : roofline.points)
            names.push_back(algebra::callPathText(experiment, point.path));
        pictures.push_back(
            {subjects.name(at), plot::svgOf(roofline, algebra::roofsOf(experiment, roofs), names)});
    }
    return pictures;
}

// What is spent and counted in call paths that somebody asks for, as Table 1 of the KOJAK paper has it of
// `init` and `runhyd`.

namespace {

/// The outermost call paths of a function of this name, or the one call path that a longer text names.
std::vector<CallPathChoice> pathsNamed(const Experiment& experiment, const std::string& name) {
    std::vector<CallPathChoice> found;
    if (name.find('/') != std::string::npos) {
        if (const auto path = callPathNamed(experiment, name)) found.push_back({*path, Extent::Inclusive});
        return found;
    }
    std::vector<bool> isBelow(experiment.callTree.size(), false);
    for (const CallPathId path : experiment.callTree.ids()) {
        const auto parent = experiment.callTree.parent(path);
        const bool isInside = parent && isBelow[parent->index()];
        const bool isIt = experiment.regionOf(path).name == name;
        isBelow[path.index()] = isInside || isIt;
        if (isIt && !isInside) found.push_back({path, Extent::Inclusive});
    }
    return found;
}

[[noreturn]] void failUnknown(const Subjects& subjects, const std::string& name) {
    std::vector<std::string> names;
    for (const Region& region : subjects.structure().regions) names.push_back(region.name);
    throw WrongRequest("--call-paths: no experiment has a call path '" + name + '\'' +
                       didYouMean(name, names));
}

class OnePath {
  public:
    OnePath(const Subjects& subjects, const std::string& name) : subjects_(subjects), name_(name) {
        bool isAnywhere = false;
        for (std::size_t at = 0; at < subjects.size(); ++at) {
            paths_.push_back(pathsNamed(subjects.experiment(at), name));
            isAnywhere = isAnywhere || !paths_.back().empty();
        }
        if (!isAnywhere) failUnknown(subjects, name);
    }

    Section section() const {
        Section section{
            "Call path " + name_,
            "With all that is called there; percentages are of what the whole run has, ratios are evaluated "
            "there.",
            {}};
        section.rows.push_back(wallTime());
        const ValueOf here = [&](std::size_t at, MetricId metric) { return total(at, metric); };
        const ValueOf whole = [&](std::size_t at, MetricId metric) { return subjects_.total(at, metric); };
        for (const MetricId root : genericFirst(subjects_, subjects_.metrics().roots())) {
            const Metric& metric = subjects_.metrics()[root];
            const bool isCause = metric.unit == "sec" && metric.uniqueName != "time" && !isRatio(metric);
            if (!isCause) addTree(subjects_, root, here, whole, section.rows);
        }
        return section;
    }

  private:
    double total(std::size_t at, MetricId metric) const {
        const auto own = subjects_.metricOf(at, metric);
        if (!own || paths_[at].empty()) return kNothing;
        return aggregate(subjects_.experiment(at), {*own, Extent::Inclusive}, paths_[at]);
    }

    /// What the location takes that is there for longest.
    Row wallTime() const {
        Row row{"Wall time", 0, "sec", {}};
        for (std::size_t at = 0; at < subjects_.size(); ++at) {
            const Experiment& experiment = subjects_.experiment(at);
            const auto time = experiment.findMetric("time");
            if (!time || paths_[at].empty()) {
                row.cells.push_back({kNothing, {}, false});
                continue;
            }
            const double here = longest(experiment, *time, paths_[at]);
            row.cells.push_back({here, percentOf(here, longest(experiment, *time, kAll)), true});
        }
        return row;
    }
    static double longest(const Experiment& experiment, MetricId time, const ChosenPaths& paths) {
        const std::vector<double> values = perLocation(experiment, {time, Extent::Inclusive}, paths);
        return values.empty() ? kNothing : *std::ranges::max_element(values);
    }

    const Subjects& subjects_;
    const std::string& name_;
    std::vector<std::vector<CallPathChoice>> paths_;  ///< by experiment
};

}  // namespace

std::vector<Section> callPathSections(const Subjects& subjects, const std::vector<std::string>& names) {
    std::vector<Section> sections;
    for (const std::string& name : names) sections.push_back(OnePath(subjects, name).section());
    return sections;
}

// Where it happens: call paths and wait states, aligned by name.

namespace {

constexpr std::size_t kPlacesOfWaitState = 3;
constexpr std::size_t kMostSpreads = 12;

/// One per thread, or where only other locations have values one for each of them.
std::vector<double> comparedValues(const Experiment& experiment, MetricId metric) {
    const std::vector<double> all = perLocation(experiment, {metric});
    const std::vector<bool> isCompared = comparedLocations(experiment.system, all);
    std::vector<double> values;
    for (std::size_t at = 0; at < all.size(); ++at)
        if (isCompared[at]) values.push_back(all[at]);
    return values;
}

/// The total time of each experiment; NaN without time.
std::vector<double> wholeTimes(const Subjects& subjects) {
    if (const auto time = subjects.find("time")) return subjects.totals(*time);
    return std::vector<double>(subjects.size(), std::numeric_limits<double>::quiet_NaN());
}

Cell cellOf(double value, double whole, bool present) {
    Cell cell{value, {}, present};
    if (present && std::isfinite(value) && std::isfinite(whole) && whole != 0.0)
        cell.percent = 100.0 * value / whole;
    return cell;
}

/// The call paths with the largest values of a metric in any experiment, relative to its time. Percentages
/// are of the metric's total.
std::vector<Row> placesOf(const Subjects& subjects, MetricId metric, std::size_t top, std::size_t depth) {
    const auto wholes = wholeTimes(subjects), totals = subjects.totals(metric);
    std::vector<std::vector<double>> values;
    for (std::size_t at = 0; at < subjects.size(); ++at) values.push_back(subjects.perPath(at, metric));
    std::vector<std::pair<double, CallPathId>> ranked;
    for (const CallPathId path : subjects.structure().callTree.ids()) {
        double share = 0.0;
        for (std::size_t at = 0; at < subjects.size(); ++at)
            if (const double value = values[at][path.index()]; std::isfinite(value))
                share = std::max(share, std::fabs(value) / (wholes[at] > 0.0 ? wholes[at] : 1.0));
        if (share > 0.0) ranked.emplace_back(share, path);
    }
    std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) { return a.first > b.first; });
    if (ranked.size() > top) ranked.resize(top);
    std::vector<Row> rows;
    for (const auto& [share, path] : ranked) {
        Row row{
            algebra::callPathText(subjects.structure(), path), depth, subjects.metrics()[metric].unit, {}};
        for (std::size_t at = 0; at < subjects.size(); ++at)
            row.cells.push_back(
                cellOf(values[at][path.index()], totals[at], subjects.pathOf(at, path).has_value()));
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Wait states that are not part of another one, the largest share of time first.
std::vector<MetricId> rankedWaitStates(const Subjects& subjects) {
    const auto wholes = wholeTimes(subjects);
    std::vector<std::pair<double, MetricId>> ranked;
    for (const MetricId id : analyzer::metricGuide().outermostWaitStates(subjects.structure())) {
        double share = 0.0;
        for (std::size_t at = 0; at < subjects.size(); ++at)
            if (const double value = subjects.total(at, id) / wholes[at]; std::isfinite(value))
                share = std::max(share, value);
        if (share > 0.0) ranked.emplace_back(share, id);
    }
    std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<MetricId> ids;
    for (const auto& each : ranked) ids.push_back(each.second);
    return ids;
}

}  // namespace

Section hottestPaths(const Subjects& subjects, std::size_t top) {
    Section section{
        "Hottest call paths", "Time without what is called; percentages are of the total time.", {}};
    if (const auto time = subjects.find("time")) section.rows = placesOf(subjects, *time, top, 0);
    return section;
}

Section waitStates(const Subjects& subjects, std::size_t top) {
    Section section{"Wait states",
                    "Time lost by waiting, in percent of the total time, and the call paths where most of it "
                    "was lost, in percent of it.",
                    {}};
    const auto wholes = wholeTimes(subjects);
    for (const MetricId id : rankedWaitStates(subjects)) {
        if (section.rows.size() >= top * (kPlacesOfWaitState + 1)) break;
        const Metric& metric = subjects.metrics()[id];
        Row row{metric.displayName, 0, metric.unit, {}};
        for (std::size_t at = 0; at < subjects.size(); ++at)
            row.cells.push_back(
                cellOf(subjects.total(at, id), wholes[at], subjects.metricOf(at, id).has_value()));
        section.rows.push_back(std::move(row));
        for (Row& place : placesOf(subjects, id, kPlacesOfWaitState, 1))
            section.rows.push_back(std::move(place));
    }
    return section;
}

std::vector<Spread> spreadsOf(const Subjects& subjects) {
    bool severalThreads = false;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        severalThreads = severalThreads || numberOfThreads(subjects.experiment(at).system) > 1;
    if (!severalThreads) return {};
    std::vector<MetricId> chosen;
    const auto choose = [&](MetricId id) {
        if (chosen.size() < kMostSpreads && std::ranges::find(chosen, id) == chosen.end())
            chosen.push_back(id);
    };
    for (const char* name : {"execution", "mpi", "omp_time"})
        if (const auto id = subjects.find(name)) choose(*id);
    const auto waits = rankedWaitStates(subjects);
    std::for_each(waits.begin(),
                  waits.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(waits.size(), 3)),
                  choose);
    for (const MetricId root : subjects.metrics().roots()) {
        const Metric& metric = subjects.metrics()[root];
        if (metric.hasValues() && !metric.isVoid && !metric.ghost && metric.unit != "sec") choose(root);
    }
    std::vector<Spread> spreads;
    for (const MetricId id : chosen) {
        const Metric& metric = subjects.metrics()[id];
        Spread spread{metric.displayName, metric.unit, {}};
        bool any = false;
        for (std::size_t at = 0; at < subjects.size(); ++at) {
            const auto own = subjects.metricOf(at, id);
            spread.values.push_back(own ? comparedValues(subjects.experiment(at), *own)
                                        : std::vector<double>());
            any = any || std::ranges::any_of(spread.values.back(), [](double value) {
                      return value != 0.0 && std::isfinite(value);
                  });
        }
        if (any) spreads.push_back(std::move(spread));
    }
    return spreads;
}

namespace {

Row iterationRow(std::string name, std::size_t runs, const query::IterationComparison& all, double before,
                 double after) {
    Row row{std::move(name), 0, "sec", std::vector<Cell>(runs, Cell{kNothing, std::nullopt, false})};
    row.cells.back() = {after, std::nullopt, true};
    if (!all.before.empty()) row.cells.front() = {before, std::nullopt, true};
    return row;
}

std::string because(const std::vector<query::IterationReason>& reasons) {
    return reasons.empty() ? "" : ": " + query::reasonText(reasons);
}

}  // namespace

Section iterationsOf(const std::vector<query::IterationTimes>& runs, std::size_t top) {
    Section section{"Iterations", {}, {}};
    if (runs.empty()) return section;
    const query::IterationComparison all = runs.size() == 1
                                               ? query::compareIterations(runs.front())
                                               : query::compareIterations(runs.front(), runs.back());
    const std::string which =
        fmt::format("Iterations of {}, as the mean of the processes' first threads{}. ", runs.back().loop,
                    runs.size() == 1 ? "" : ", compared by their numbers between the first and the last run");
    const auto other = query::otherLoopText({"the first run", runs.front()}, {"the last one", runs.back()});
    section.explanation =
        which + (other ? "But " + *other + ". " : "") +
        (all.odd.empty()
             ? "None differs from the others by more than 5 % and by more than they do by chance."
             : "Listed are those that differ from the others by more than 5 % and by more than they do by "
               "chance, with the call paths (without waiting) and waits that make the difference.");
    section.rows.push_back(
        iterationRow("Median" + because(all.typical), runs.size(), all, all.medianBefore, all.medianAfter));
    for (std::size_t i = 0; i < std::min(top, all.odd.size()); ++i) {
        const query::OddIteration& odd = all.odd[i];
        section.rows.push_back(iterationRow(fmt::format("Iteration {}{}", odd.number, because(odd.reasons)),
                                            runs.size(), all, odd.before, odd.after));
    }
    return section;
}

}  // namespace holos::report
