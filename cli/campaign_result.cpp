// SPDX-License-Identifier: BSD-3-Clause
#include "cli/campaign_result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "algebra/files/experiment_file.h"
#include "algebra/operators/merge.h"
#include "base/csv.h"
#include "base/output_file.h"
#include "campaign/execution.h"
#include "campaign/variation.h"
#include "cli/terminal.h"
#include "cli/write_result.h"
#include "metric-specs/error.h"
#include "metric-specs/specification.h"
#include "report/tables/summary.h"

namespace holos::cli {

using namespace tables;

using namespace campaign;
namespace fs = std::filesystem;

namespace {

/// Above this part of the mean, a deviation makes what is derived from a value meaningless.
constexpr double kMuch = 0.1;
constexpr std::size_t kMostPaths = 5;

std::string describe(const Variation& each) {
    return fmt::format("{} varies by {:.0f} % over {} runs (mean {}, standard deviation {})", each.metric,
                       100.0 * each.relative(), each.totals.size(), valueText(each.mean, each.unit),
                       valueText(each.deviation, each.unit));
}

void warnOfVariation(const std::vector<Variation>& variations, const specs::Specification& specification,
                     const algebra::Experiment& merged) {
    const std::vector<std::string> events = specification.events();
    for (const Variation& each : variations) {
        if (each.relative() < kMuch) continue;
        if (each.metric == "time")
            complain("warning: " + describe(each) +
                     ": counters of different runs were counted under different conditions");
        if (std::find(events.begin(), events.end(), each.metric) == events.end()) continue;
        const auto invalid = metricsInvalidatedBy(each, kMuch, specification, merged);
        complain("warning: " + describe(each) +
                 (invalid.empty() ? ""
                                  : fmt::format("; metrics derived from it are not reliable: {}",
                                                fmt::join(invalid, ", "))));
    }
}

void warnOfCallTrees(const algebra::Inputs& inputs, const State& state) {
    const std::vector<PartialCallPath> paths = callPathsNotInAllRuns(inputs);
    for (std::size_t i = 0; i < std::min(paths.size(), kMostPaths); ++i) {
        std::vector<std::string> runs;
        for (const std::size_t at : paths[i].inputs) runs.push_back(state.finished[at].run.name);
        complain(
            fmt::format("warning: the call path {} is only in {}", paths[i].path, fmt::join(runs, ", ")));
    }
    if (paths.size() > kMostPaths)
        complain(fmt::format("warning: {} more call paths are not in all runs", paths.size() - kMostPaths));
}

void writeTable(const std::vector<Variation>& variations, const fs::path& file) {
    std::string table = "metric,unit,runs,mean,standard deviation,relative,totals\n";
    for (const Variation& each : variations)
        table += fmt::format("{},{},{},{},{},{},{}\n", csvField(each.metric), csvField(each.unit),
                             each.totals.size(), each.mean, each.deviation, each.relative(),
                             fmt::join(each.totals, " "));
    writeFile(file, table);
}

}  // namespace

void writeCampaignResult(const Command& command, const fs::path& folder, const State& state,
                         const specs::Specification& specification) {
    if (state.finished.empty()) throw Error("no run finished: there is no result");
    std::vector<fs::path> files;
    for (const FinishedRun& each : state.finished) files.push_back(analysisOf(folder, each.run));
    const std::vector<algebra::Experiment> experiments = algebra::readExperiments(files);
    const algebra::Inputs inputs(experiments.begin(), experiments.end());
    algebra::Experiment merged = algebra::merge(inputs, &specification);
    if (inputs.size() > 1) {
        const auto all = variations(inputs);
        writeTable(all, folder / kVariationFile);
        warnOfVariation(all, specification, merged);
        warnOfCallTrees(inputs, state);
        writeResult(deviations(inputs), provenanceOf(command, files, inputs), folder / kDeviationFile);
    }
    writeResult(std::move(merged), provenanceOf(command, files, inputs), folder / kResultFile);
}

}  // namespace holos::cli
