// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algebra/model/queries.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/history/recorded_processor.h"
#include "base/error.h"
#include "metric-specs/specification.h"
#include "report/comparison.h"

namespace holos::report {

using namespace algebra;

namespace {

bool isRatio(const Metric& metric) {
    return metric.origin == Origin::Ratio || metric.storage == Storage::PostDerived;
}

std::optional<double> percentOf(double part, double whole) {
    if (!std::isfinite(part) || !std::isfinite(whole) || whole == 0.0) return std::nullopt;
    return 100.0 * part / whole;
}

/// Those first that most experiments have: what is special to a platform follows what is generic.
std::vector<MetricId> genericFirst(const Subjects& subjects, std::vector<MetricId> metrics) {
    const auto having = [&](MetricId metric) {
        std::size_t count = 0;
        for (std::size_t at = 0; at < subjects.size(); ++at) count += subjects.metricOf(at, metric) ? 1 : 0;
        return count;
    };
    std::stable_sort(metrics.begin(), metrics.end(),
                     [&](MetricId a, MetricId b) { return having(a) > having(b); });
    return metrics;
}

std::string shownName(const Subjects& subjects, MetricId id) {
    const Metric& metric = subjects.metrics()[id];
    return metric.displayName.empty() ? metric.uniqueName : metric.displayName;
}

Row rowOf(const Subjects& subjects, MetricId id, std::size_t depth, const std::vector<double>& whole) {
    const Metric& metric = subjects.metrics()[id];
    Row row{shownName(subjects, id), depth, metric.unit, {}};
    for (std::size_t at = 0; at < subjects.size(); ++at) {
        Cell cell{subjects.total(at, id), {}, subjects.metricOf(at, id).has_value()};
        if (!isRatio(metric)) cell.percent = percentOf(cell.value, whole[at]);
        row.cells.push_back(cell);
    }
    return row;
}

bool saysNothing(const Row& row) {
    return std::all_of(row.cells.begin(), row.cells.end(),
                       [](const Cell& cell) { return std::isnan(cell.value) || cell.value == 0.0; });
}

/// The metric and those below it; what is zero everywhere is left out.
void addTree(const Subjects& subjects, MetricId root, std::vector<Row>& rows) {
    struct Open {
        MetricId id;
        std::size_t depth;
    };
    std::vector<double> whole;
    for (std::size_t at = 0; at < subjects.size(); ++at) whole.push_back(subjects.total(at, root));
    std::vector<Open> open{{root, 0}};
    while (!open.empty()) {
        const auto [id, depth] = open.back();
        open.pop_back();
        const Metric& metric = subjects.metrics()[id];
        if (metric.ghost) continue;
        if (!metric.isVoid) {
            Row row = rowOf(subjects, id, depth, whole);
            if (saysNothing(row)) continue;
            rows.push_back(std::move(row));
        }
        const auto below = genericFirst(subjects, subjects.metrics().children(id));
        for (auto child = below.rbegin(); child != below.rend(); ++child) open.push_back({*child, depth + 1});
    }
}

std::string specificationOf(const Experiment& experiment) {
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
                std::find(keys.begin(), keys.end(), key) == keys.end())
                keys.push_back(key);
    return keys;
}

template <class ValueOf>
void addFact(const Subjects& subjects, const std::string& name, ValueOf valueOf, std::vector<Fact>& facts) {
    Fact fact{name, {}};
    for (std::size_t at = 0; at < subjects.size(); ++at)
        fact.values.push_back(valueOf(subjects.experiment(at)));
    const bool any = std::any_of(fact.values.begin(), fact.values.end(),
                                 [](const std::string& value) { return !value.empty(); });
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
        [](const Experiment& each) { return std::to_string(each.system.processes.size()); }, facts);
    addFact(
        subjects, "Locations",
        [](const Experiment& each) { return std::to_string(each.system.locations.size()); }, facts);
    addFact(
        subjects, "Call paths", [](const Experiment& each) { return std::to_string(each.callTree.size()); },
        facts);
    addFact(subjects, "Specification", specificationOf, facts);
    addFact(subjects, "Made by", originOf, facts);
    return facts;
}

std::vector<Section> metricSections(const Subjects& subjects) {
    Section time{"Time", "Percentages are of the total time of all locations.", {}};
    Section counters{
        "Counters and other measurements",
        "Hierarchies side by side; percentages are of the root of each hierarchy. What only some "
        "platforms have stands below what all have.",
        {}};
    Section ratios{"Ratios", "Evaluated on the sums over the whole run.", {}};
    Section others{"Causes and costs of waiting", "Percentages are of the root of each hierarchy.", {}};
    for (const MetricId root : genericFirst(subjects, subjects.metrics().roots())) {
        const Metric& metric = subjects.metrics()[root];
        Section& section = metric.uniqueName == "time" ? time
                           : isRatio(metric)           ? ratios
                           : metric.unit == "sec"      ? others
                                                       : counters;
        addTree(subjects, root, section.rows);
    }
    std::vector<Section> sections;
    for (Section* each : {&time, &counters, &ratios, &others})
        if (!each->rows.empty()) sections.push_back(std::move(*each));
    return sections;
}

}  // namespace holos::report
