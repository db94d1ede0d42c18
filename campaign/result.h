// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/operators/unite/unite.h"
#include "campaign/certainty.h"
#include "campaign/state.h"
#include "campaign/variation.h"

namespace holos::campaign {

/// A measurement that varied much from run to run.
struct Doubt {
    Variation variation;
    bool isTime = false;               ///< counters of different runs were counted under different conditions
    std::vector<std::string> invalid;  ///< metrics derived from it, which mean little then
};

/// The finished runs that counted each event all of the time: those that the result is made of.
std::vector<Run> ordinaryRuns(const State& state);

/// What the finished runs of a campaign measured together.
struct Result {
    std::vector<std::filesystem::path> files;  ///< their analyses
    std::vector<algebra::Experiment> runs;     ///< the same, read
    algebra::Experiment merged;
    std::vector<Variation> variations;  ///< this and what follows: nothing for one run
    std::vector<Doubt> doubts;
    std::vector<SetEffect> setEffects;
    std::vector<PartialCallPath> partialPaths;
    std::vector<MultiplexedTotal> multiplexed;  ///< of a run of all events, which is no part of the others

    algebra::Inputs inputs() const { return algebra::Inputs(runs.begin(), runs.end()); }
};

/// Merges them. Throws Error when no run finished.
Result unite(const std::filesystem::path& folder, const State& state,
             const specs::Specification& specification);

/// How what the finished runs measured varies, in their order; without the multiplexed one.
std::vector<Variation> variationsOf(const std::filesystem::path& folder, const State& state);

/// Variations as CSV, with a line of headings.
std::string tableOf(const std::vector<Variation>& variations);

}  // namespace holos::campaign
