// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/history/recorded_run.h"
// From one version to another, in sentences.
#include "algebra/insight/runs/change.h"
#include "base/error.h"
#include "metric-specs/specification.h"
#include "report/comparison.h"
#include "report/plot/roofline.h"
#include "report/section_rows.h"

namespace holos::report {

using namespace algebra;

namespace {

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
        "Hierarchies side by side; percentages are of the root of each hierarchy. What only some "
        "platforms have stands below what all have.",
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

namespace {

algebra::RunGroup groupOf(const Subjects& subjects, std::size_t from, std::size_t to) {
    std::vector<std::string> names;
    algebra::RunGroup group;
    for (std::size_t at = from; at < to; ++at) {
        names.push_back(subjects.name(at));
        group.runs.emplace_back(subjects.experiment(at));
    }
    group.name = algebra::nameOfGroup(names);
    return group;
}

}  // namespace

std::vector<std::string> changeOf(const Subjects& subjects, std::size_t before) {
    if (before == 0 && subjects.size() == 2) before = 1;
    if (before == 0 || before >= subjects.size()) return {};
    algebra::Matching loosely;
    loosely.loosely = true;
    const auto change = algebra::changeBetween(groupOf(subjects, 0, before),
                                               groupOf(subjects, before, subjects.size()), loosely);
    return change ? change->sentences : std::vector<std::string>();
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

}  // namespace holos::report
