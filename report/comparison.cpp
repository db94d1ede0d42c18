// SPDX-License-Identifier: BSD-3-Clause
#include "report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algebra/insight/findings/efficiencies.h"
#include "algebra/insight/findings/findings.h"
#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "analyzer/metric_guide.h"
#include "base/error.h"
#include "report/differences.h"
#include "report/sections.h"
#include "report/tables/value_tree.h"

namespace holos::report {

using namespace algebra;

namespace {

constexpr std::size_t kMostFindings = 5;  // of one experiment

/// Nothing for an experiment that has none: without a trace, or of one thread alone.
std::optional<Efficiencies> efficienciesOf(const Experiment& experiment) {
    if (numberOfThreads(experiment.system) < 2) return std::nullopt;
    try {
        return algebra::efficiencies(experiment, analyzer::metricGuide());
    } catch (const Error&) {
        return std::nullopt;
    }
}

struct Level {
    const char* name;
    std::size_t depth;
    std::optional<double> (*value)(const Efficiencies&);  ///< nothing: there is no such level
};

template <auto Member>
std::optional<double> ofMpi(const Efficiencies& values) {
    return values.mpi ? std::optional((*values.mpi).*Member) : std::nullopt;
}
template <auto Member>
std::optional<double> ofOpenMp(const Efficiencies& values) {
    return values.openMp ? std::optional((*values.openMp).*Member) : std::nullopt;
}

constexpr Level kLevels[] = {
    {"Parallel efficiency", 0, [](const Efficiencies& values) { return std::optional(values.parallel); }},
    {"MPI", 1, ofMpi<&Efficiencies::Mpi::parallel>},
    {"Load balance", 2, ofMpi<&Efficiencies::Mpi::loadBalance>},
    {"Communication", 2, ofMpi<&Efficiencies::Mpi::communication>},
    {"Serialisation", 3, ofMpi<&Efficiencies::Mpi::serialisation>},
    {"Transfer", 3, ofMpi<&Efficiencies::Mpi::transfer>},
    {"OpenMP", 1, ofOpenMp<&Efficiencies::OpenMp::parallel>},
    {"Serial regions", 2, ofOpenMp<&Efficiencies::OpenMp::serialRegions>},
    {"Parallel regions", 2, ofOpenMp<&Efficiencies::OpenMp::parallelRegions>},
    {"Has CPU", 1, [](const Efficiencies& values) { return values.processors; }},
};

std::string sentence(const Experiment& experiment, const FindingResult& finding) {
    std::string text = finding.title;
    if (finding.percent) text += fmt::format(", in call paths with {:.1f} % of the time", *finding.percent);
    if (!finding.places.empty())
        text += fmt::format("{} in {}", finding.percent ? ", most of it" : ", most of all",
                            algebra::callPathText(experiment, finding.places.front().path));
    return text;
}

/// The efficiencies of those that have more than one thread, as POP defines them.
Section efficiencySection(const Subjects& subjects) {
    std::vector<std::optional<Efficiencies>> all;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        all.push_back(efficienciesOf(subjects.experiment(at)));
    Section section{"Efficiencies", "As POP defines them: each is the product of those below it.", {}};
    for (const Level& level : kLevels) {
        Row row{level.name, level.depth, "%", {}};
        bool any = false;
        for (const auto& each : all) {
            const auto value = each ? level.value(*each) : std::nullopt;
            const double percent = 100.0 * value.value_or(kNothing);
            row.cells.push_back({percent, {}, !std::isnan(percent)});
            any = any || value;
        }
        if (any) section.rows.push_back(std::move(row));
    }
    return section;
}

/// What the specifications of the experiments find worth saying.
std::vector<std::string> findingsOf(const Subjects& subjects) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < subjects.size(); ++at) {
        const Experiment& experiment = subjects.experiment(at);
        if (!experiment.files.contains(algebra::kSpecificationFile)) continue;
        try {
            const FindingReport report = findings(experiment);
            for (std::size_t i = 0; i < std::min(report.found.size(), kMostFindings); ++i)
                lines.push_back(subjects.name(at) + ": " + sentence(experiment, report.found[i]));
        } catch (const Error& error) {
            lines.push_back(subjects.name(at) + ": no findings: " + error.what());
        }
    }
    return lines;
}

/// The summaries of the runs in plain words, which stand first in a report.
std::vector<Introduction> introductionsOf(const Subjects& subjects) {
    std::vector<Introduction> all;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        if (auto summary = summarize(subjects.experiment(at)))
            all.push_back({subjects.name(at), std::move(*summary)});
    return all;
}

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
