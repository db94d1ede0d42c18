// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "algebra/files/experiment_file.h"
#include "algebra/insight/scaling/noise.h"
#include "algebra/operators/merge.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/moments.h"
#include "campaign/execution.h"
#include "metric-specs/specification.h"

namespace holos::campaign {
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
