// SPDX-License-Identifier: BSD-3-Clause
#include "report/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "algebra/insight/findings/efficiencies.h"
#include "algebra/insight/findings/findings.h"
#include "algebra/model/call_names.h"
#include "analyzer/metric_guide.h"
#include "base/error.h"

namespace holos::report {

using namespace algebra;

using algebra::Efficiencies;

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

}  // namespace

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

}  // namespace holos::report
