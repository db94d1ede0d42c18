// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "algebra/files/experiment_file.h"
#include "algebra/insight/scaling/noise.h"
#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "algebra/model/statistics.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/merge.h"
#include "algebra/operators/rows/combine.h"
#include "algebra/operators/unite/unite.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/number.h"
#include "campaign/execution.h"

namespace holos::campaign {

using namespace algebra;

namespace {

bool isMeasured(const Metric& metric) {
    return metric.origin == Origin::Measured && metric.hasValues() && !metric.isVoid;
}

std::map<std::string, std::size_t> countsOfMeasurements(const Inputs& inputs) {
    std::map<std::string, std::size_t> counts;
    for (const Experiment& input : inputs) {
        std::set<std::string> names;
        for (const MetricId id : input.metrics.ids())
            if (isMeasured(input.metrics[id])) names.insert(eventName(input.metrics[id]));
        for (const std::string& name : names) ++counts[name];
    }
    return counts;
}

/// The measured metrics that several inputs have, and groups of them; what is left out hands its children to
/// its parent.
MetricView measuredSeveralTimes(const Experiment& experiment,
                                const std::map<std::string, std::size_t>& counts) {
    const MetricView all = measurements(experiment);
    MetricView kept;
    std::vector<std::optional<MetricId>> places(all.metrics.size());
    for (const MetricId id : all.metrics.ids()) {
        const auto parent = all.metrics.parent(id);
        const auto place = parent ? places[parent->index()] : std::nullopt;
        const Metric& metric = all.metrics[id];
        const auto count = counts.find(eventName(metric));
        const bool several = isMeasured(metric) && count != counts.end() && count->second > 1 &&
                             !isExtreme(metric.valueType) && metric.valueType != ValueType::Compound;
        places[id.index()] = place;
        if (!several && !metric.isVoid) continue;
        places[id.index()] = kept.metrics.add(metric, place);
        kept.source.push_back(all.source[id.index()]);
    }
    return kept;
}

void putDeviation(const OperandRows& rows, std::span<double> into) {
    for (std::size_t at = 0; at < into.size(); ++at)
        into[at] = momentsOf(rows.size(), [&](std::size_t i) {
                       return rows[i].empty() ? 0.0 : rows[i][at];
                   }).deviation;
}

}  // namespace

double Variation::relative() const {
    return deviation == 0.0 ? 0.0 : deviation / std::fabs(mean);
}

double Variation::knownWithin() const {
    const auto runs = static_cast<double>(totals.size());
    return relative() * scaling::deviationsOf95Percent(totals.size() - 1) / std::sqrt(runs);
}

std::vector<MeasuredTotal> totalsOf(const Experiment& experiment) {
    std::vector<MeasuredTotal> totals;
    std::set<std::string> seen;
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        const std::string name = eventName(metric);
        if (isMeasured(metric) && !metric.ghost && seen.insert(name).second)
            totals.push_back({name, id, aggregate(experiment, {id, Extent::Inclusive})});
    }
    return totals;
}

std::vector<Variation> variations(const Inputs& inputs) {
    std::vector<Variation> found;
    std::map<std::string, std::size_t> places;
    for (std::size_t number = 0; number < inputs.size(); ++number) {
        const Experiment& input = inputs[number];
        for (const auto& [name, id, total] : totalsOf(input)) {
            const auto [place, isNew] = places.emplace(name, found.size());
            if (isNew)
                found.push_back({.metric = name, .unit = input.metrics[id].unit, .totals = {}, .inputs = {}});
            found[place->second].totals.push_back(total);
            found[place->second].inputs.push_back(number);
        }
    }
    std::erase_if(found, [](const Variation& each) {
        return each.totals.size() < 2 ||
               std::ranges::any_of(each.totals, [](double total) { return !std::isfinite(total); }) ||
               std::ranges::all_of(each.totals, [](double total) { return total == 0.0; });
    });
    for (Variation& each : found) {
        const Moments moments = momentsOf(each.totals.size(), [&](std::size_t i) { return each.totals[i]; });
        each.mean = moments.mean;
        each.deviation = moments.deviation;
    }
    return found;
}

std::vector<PartialCallPath> callPathsNotInAllRuns(const Inputs& inputs) {
    const std::vector<MetricView> noMetrics(inputs.size());
    const Union united = unite(inputs, noMetrics);
    const CallTree& tree = united.result.callTree;
    std::vector<bool> isPartial(tree.size(), false);
    std::vector<PartialCallPath> found;
    for (const CallPathId path : tree.ids()) {
        PartialCallPath each;
        for (std::size_t input = 0; input < inputs.size(); ++input)
            if (united.inputs[input]->sources[path.index()]) each.inputs.push_back(input);
        isPartial[path.index()] = each.inputs.size() < inputs.size();
        const auto parent = tree.parent(path);
        if (!isPartial[path.index()] || (parent && isPartial[parent->index()])) continue;
        each.path = callPathText(united.result, path);
        found.push_back(std::move(each));
    }
    return found;
}

Experiment deviations(const Inputs& inputs) {
    if (inputs.size() < 2) throw Error("deviations need at least two runs");
    const auto counts = countsOfMeasurements(inputs);
    std::vector<MetricView> views;
    for (const Experiment& input : inputs) views.push_back(measuredSeveralTimes(input, counts));
    Union united = unite(inputs, views);
    Experiment& result = united.result;
    result.files.erase(algebra::kSpecificationFile);
    for (const MetricId id : result.metrics.ids()) {
        Metric& metric = result.metrics[id];
        if (!isMeasured(metric)) continue;
        setAttribute(metric.attributes, kRepetitionsAttribute, {});
        metric.valueType = ValueType::Double;
        metric.typeName.clear();
        result.severities.setRows(id, combineRows(united, operandsOf(united, inputs, id), 0.0, putDeviation));
    }
    return std::move(result);
}

std::vector<std::string> metricsInvalidatedBy(const Variation& varying, double much,
                                              const specs::Specification& specification,
                                              const Experiment& merged) {
    const auto matters = [&](const specs::Definition& definition) {
        if (definition.kind != specs::Definition::Kind::Compose) return true;
        const auto id = merged.findMetric(safeUniqueName(definition.name));
        return id && varying.deviation >= much * std::fabs(aggregate(merged, {*id, Extent::Inclusive}));
    };
    std::set<std::string> invalid{varying.metric};
    for (std::size_t known = 0; known != invalid.size();) {
        known = invalid.size();
        for (const auto& alias : specification.aliases)
            if (invalid.contains(alias.event)) invalid.insert(alias.name);
        for (const auto& definition : specification.definitions)
            for (const std::string& term : definition.terms())
                if (invalid.contains(term) && matters(definition)) invalid.insert(definition.name);
    }
    std::vector<std::string> names;
    for (const MetricId id : merged.metrics.ids()) {
        const Metric& metric = merged.metrics[id];
        if (!isDerivedBySpecification(metric) || metric.ghost) continue;
        const std::string& shown = metric.displayName;
        if (invalid.contains(shown.starts_with('~') ? shown.substr(1) : shown)) names.push_back(shown);
    }
    return names;
}

namespace {

std::optional<double> statedError(const algebra::Metric& metric) {
    constexpr double kPercent = 100.0;
    const auto text = algebra::attribute(metric.attributes, algebra::kErrorAttribute);
    if (!text) return std::nullopt;
    std::string_view rest = *text;
    const auto value = takeLeadingNumber<double>(rest);
    return value ? std::optional(*value / kPercent) : std::nullopt;
}

std::vector<double> totalsOfEvent(const std::string& event, const algebra::Inputs& runs) {
    std::vector<double> totals;
    for (const algebra::Experiment& run : runs)
        for (const MeasuredTotal& each : totalsOf(run))
            if (each.name == event) totals.push_back(each.total);
    return totals;
}

}  // namespace

double MultiplexedTotal::difference() const {
    if (estimate == mean) return 0.0;
    return mean == 0.0 ? std::numeric_limits<double>::infinity() : (estimate - mean) / mean;
}

bool MultiplexedTotal::isFurtherOffThanStated() const {
    const double off = std::fabs(estimate - mean);
    return error && others.size() > 1 && off > *error * std::fabs(estimate) && off > 2 * deviation;
}

std::vector<MultiplexedTotal> compareMultiplexed(const algebra::Experiment& multiplexed,
                                                 const std::vector<std::string>& events,
                                                 const algebra::Inputs& others) {
    std::vector<MultiplexedTotal> compared;
    for (const MeasuredTotal& each : totalsOf(multiplexed)) {
        if (std::ranges::find(events, each.name) == events.end()) continue;
        const algebra::Metric& metric = multiplexed.metrics[each.metric];
        MultiplexedTotal total{each.name, metric.unit, each.total,         totalsOfEvent(each.name, others),
                               0.0,       0.0,         statedError(metric)};
        if (total.others.empty()) continue;
        const Moments moments =
            momentsOf(total.others.size(), [&](std::size_t i) { return total.others[i]; });
        total.mean = moments.mean;
        if (total.others.size() > 1) total.deviation = moments.deviation;
        compared.push_back(std::move(total));
    }
    return compared;
}

std::string tableOf(const std::vector<MultiplexedTotal>& totals) {
    std::string table =
        "event,unit,multiplexed,known within,runs of its own,mean,standard deviation,difference\n";
    for (const MultiplexedTotal& each : totals)
        table += fmt::format("{},{},{},{},{},{},{},{}\n", csvField(each.event), csvField(each.unit),
                             each.estimate, each.error ? fmt::format("{}", *each.error) : "",
                             each.others.size(), each.mean, each.deviation, each.difference());
    return table;
}

namespace {

bool isAmong(const std::string& name, const Measurement& events) {
    return std::ranges::find(events, name) != events.end();
}

struct Group {
    Measurement events;
    std::vector<double> totals;
    Moments moments{};
};

/// The totals of a metric by what was counted beside it.
std::vector<Group> groupsOf(const Variation& variation, const std::vector<Measurement>& measured) {
    std::map<Measurement, Group> groups;
    for (std::size_t i = 0; i < variation.totals.size(); ++i) {
        Measurement events = measured[variation.inputs[i]];
        std::ranges::sort(events);
        Group& group = groups[events];
        group.events = measured[variation.inputs[i]];
        group.totals.push_back(variation.totals[i]);
    }
    std::vector<Group> all;
    for (auto& [events, found] : groups) {
        Group& group = found;  // clang 14 takes no name of a pair into a lambda
        group.moments = momentsOf(group.totals.size(), [&](std::size_t i) { return group.totals[i]; });
        all.push_back(std::move(group));
    }
    return all;
}

/// By which the means of two groups may differ by chance; nothing where no group has several runs.
std::optional<double> differenceByChance(const std::vector<Group>& groups, const Group& one,
                                         const Group& other) {
    double squares = 0;
    std::size_t freedom = 0;
    for (const Group& group : groups) {
        const std::size_t own = group.totals.size() - 1;
        squares += static_cast<double>(own) * group.moments.deviation * group.moments.deviation;
        freedom += own;
    }
    if (freedom == 0) return std::nullopt;
    const double share =
        1.0 / static_cast<double>(one.totals.size()) + 1.0 / static_cast<double>(other.totals.size());
    return algebra::scaling::deviationsOf95Percent(freedom) *
           std::sqrt(squares / static_cast<double>(freedom) * share);
}

std::optional<SetEffect> effectOn(const Variation& variation, const std::vector<Measurement>& measured) {
    constexpr double kOfAccount = 0.05, kOfChance = 2.0;
    const std::vector<Group> groups = groupsOf(variation, measured);
    if (groups.size() < 2) return std::nullopt;
    const auto [low, high] =
        std::minmax_element(groups.begin(), groups.end(),
                            [](const Group& a, const Group& b) { return a.moments.mean < b.moments.mean; });
    const double difference = high->moments.mean - low->moments.mean;
    const auto byChance = differenceByChance(groups, *low, *high);
    if (!byChance || difference <= kOfChance * *byChance ||
        difference <= kOfAccount * std::fabs(variation.mean))
        return std::nullopt;
    return SetEffect{variation.metric,  variation.unit, low->events,
                     low->moments.mean, high->events,   high->moments.mean};
}

}  // namespace

bool isUncertain(const Measurement& events, const std::vector<Variation>& variations,
                 const specs::Specification& specification, double within) {
    return std::ranges::any_of(variations, [&](const Variation& each) {
        if (each.knownWithin() <= within) return false;
        if (isAmong(each.metric, events)) return true;
        const auto others = specification.otherNames.find(each.metric);
        return others != specification.otherNames.end() &&
               std::ranges::any_of(others->second,
                                   [&](const std::string& name) { return isAmong(name, events); });
    });
}

std::vector<SetEffect> setEffects(const std::vector<Variation>& variations,
                                  const std::vector<Measurement>& measured) {
    std::vector<SetEffect> effects;
    for (const Variation& each : variations)
        if (auto effect = effectOn(each, measured)) effects.push_back(std::move(*effect));
    return effects;
}

namespace {

/// Above this part of the mean, a deviation makes what is derived from a value meaningless.
constexpr double kMuch = 0.1;

std::vector<Doubt> doubtsAbout(const std::vector<Variation>& variations,
                               const specs::Specification& specification, const algebra::Experiment& merged) {
    const std::vector<std::string> events = specification.events();
    std::vector<Doubt> doubts;
    for (const Variation& each : variations) {
        if (each.relative() < kMuch) continue;
        if (each.metric == "time") doubts.push_back({each, true, {}});
        if (std::ranges::find(events, each.metric) != events.end())
            doubts.push_back({each, false, metricsInvalidatedBy(each, kMuch, specification, merged)});
    }
    return doubts;
}

void addMultiplexed(const std::filesystem::path& folder, const State& state, Result& result) {
    for (const FinishedRun& each : state.finished)
        if (each.run.isMultiplexed)
            result.multiplexed = compareMultiplexed(algebra::readExperiment(analysisOf(folder, each.run)),
                                                    each.run.events, result.inputs());
}

}  // namespace

std::vector<Run> ordinaryRuns(const State& state) {
    std::vector<Run> runs;
    for (const FinishedRun& each : state.finished)
        if (!each.run.isMultiplexed) runs.push_back(each.run);
    return runs;
}

Result unite(const std::filesystem::path& folder, const State& state,
             const specs::Specification& specification) {
    const std::vector<Run> runs = ordinaryRuns(state);
    if (runs.empty()) throw Error("no run finished: there is no result");
    Result result;
    for (const Run& each : runs) result.files.push_back(analysisOf(folder, each));
    result.runs = algebra::readExperiments(result.files);
    const algebra::Inputs inputs = result.inputs();
    result.merged = algebra::merge(inputs, &specification);
    addMultiplexed(folder, state, result);
    if (inputs.size() == 1) return result;
    result.variations = variations(inputs);
    result.doubts = doubtsAbout(result.variations, specification, result.merged);
    std::vector<Measurement> measured;
    for (const Run& each : runs) measured.push_back(each.events);
    result.setEffects = setEffects(result.variations, measured);
    result.partialPaths = callPathsNotInAllRuns(inputs);
    return result;
}

std::vector<Variation> variationsOf(const std::filesystem::path& folder, const State& state) {
    std::vector<std::filesystem::path> files;
    for (const Run& each : ordinaryRuns(state)) files.push_back(analysisOf(folder, each));
    const auto runs = algebra::readExperiments(files);
    return variations(algebra::Inputs(runs.begin(), runs.end()));
}

std::string tableOf(const std::vector<Variation>& variations) {
    std::string table = "metric,unit,runs,mean,standard deviation,relative,known within,totals\n";
    for (const Variation& each : variations)
        table += fmt::format("{},{},{},{},{},{},{},{}\n", csvField(each.metric), csvField(each.unit),
                             each.totals.size(), each.mean, each.deviation, each.relative(),
                             each.knownWithin(), fmt::join(each.totals, " "));
    return table;
}

}  // namespace holos::campaign
