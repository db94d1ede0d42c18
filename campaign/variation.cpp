// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/variation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "algebra/insight/scaling/noise.h"
#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/rows/combine.h"
#include "algebra/operators/unite/unite.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/moments.h"

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
    double value = 0.0;
    if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc())
        return std::nullopt;
    return value / kPercent;
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

}  // namespace holos::campaign
