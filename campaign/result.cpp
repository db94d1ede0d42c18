// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "algebra/files/experiment_file.h"
#include "algebra/operators/merge.h"
#include "base/csv.h"
#include "base/error.h"
#include "campaign/execution.h"
#include "metric-specs/specification.h"

namespace holos::campaign {
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
