// SPDX-License-Identifier: BSD-3-Clause
#include "report/comparison.h"

#include <algorithm>
#include <utility>

#include "algebra/model/queries.h"
#include "report/differences.h"
#include "report/introductions.h"
#include "report/sections.h"
#include "report/tables/value_tree.h"
#include "report/verdicts.h"

namespace holos::report {

using namespace algebra;

namespace {

Union uniteAll(const std::vector<Subject>& subjects) {
    Inputs inputs;
    std::vector<MetricView> views;
    for (const Subject& each : subjects) {
        inputs.emplace_back(each.experiment);
        views.push_back(everything(each.experiment));
    }
    Matching matching;
    matching.loosely = true;  // versions and platforms are compiled by different compilers
    return unite(inputs, views, matching);
}

}  // namespace

Subjects::Subjects(std::vector<Subject> subjects)
    : subjects_(std::move(subjects)), united_(uniteAll(subjects_)) {}

void Subjects::shortenNames() {
    for (Subject& each : subjects_) tables::shortenNames(each.experiment);
    tables::shortenNames(united_.result);
}

std::optional<MetricId> Subjects::metricOf(std::size_t at, MetricId metric) const {
    for (const Contribution& each : united_.contributions[metric.index()])
        if (each.input == at) return each.metric;
    return std::nullopt;
}

std::optional<CallPathId> Subjects::pathOf(std::size_t at, CallPathId path) const {
    return united_.inputs[at]->sources[path.index()];
}

std::optional<MetricId> Subjects::find(const std::string& uniqueName) const {
    return united_.result.findMetric(uniqueName);
}

double Subjects::total(std::size_t at, MetricId metric) const {
    const auto own = metricOf(at, metric);
    return own ? aggregate(experiment(at), {*own, Extent::Inclusive}) : kNothing;
}

std::vector<double> Subjects::totals(MetricId metric) const {
    std::vector<double> values;
    for (std::size_t at = 0; at < size(); ++at) values.push_back(total(at, metric));
    return values;
}

std::vector<double> Subjects::perPath(std::size_t at, MetricId metric) const {
    std::vector<double> values(structure().callTree.size(), kNothing);
    const auto own = metricOf(at, metric);
    if (!own) return values;
    const auto ofExperiment = perCallPath(experiment(at), {*own, Extent::Inclusive}, Extent::Exclusive);
    const auto& places = united_.inputs[at]->callPaths;
    std::ranges::fill(values, 0.0);
    for (std::size_t path = 0; path < places.size(); ++path)
        values[places[path].index()] += ofExperiment[path];
    return values;
}

Comparison compare(const Subjects& subjects, const Wishes& wishes) {
    Comparison all;
    for (std::size_t at = 0; at < subjects.size(); ++at) all.names.push_back(subjects.name(at));
    all.change = changeOf(subjects, wishes.before);
    all.introductions = introductionsOf(subjects);
    all.configuration = configurationOf(subjects);
    all.sections = metricSections(subjects);
    const auto addSection = [&all](Section section) {
        if (!section.rows.empty()) all.sections.push_back(std::move(section));
    };
    for (Section& section : callPathSections(subjects, wishes.callPaths)) addSection(std::move(section));
    addSection(efficiencySection(subjects));
    addSection(waitStates(subjects, wishes.top));
    addSection(hottestPaths(subjects, wishes.top));
    all.spreads = spreadsOf(subjects);
    all.rooflines = rooflinesOf(subjects, wishes.roofs);
    all.findings = findingsOf(subjects);
    all.differences = differencesOf(subjects);
    all.notes = differentMeanings(subjects);
    return all;
}

}  // namespace holos::report
