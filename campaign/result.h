// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/operators/unite/inputs.h"
#include "campaign/plan.h"
#include "campaign/state.h"
#include "campaign/variation.h"
#include "metric-specs/specification.h"

namespace holos::campaign {

/// How well a campaign knows what it measured.

/// Whether the total of one of these events is not known within this part of it. Events that nothing is known
/// of are zero in all runs, and certain.
bool isUncertain(const Measurement& events, const std::vector<Variation>& variations,
                 const specs::Specification& specification, double within);

/// A value that is another one where other events are counted beside it, by more than runs of the same events
/// differ: the measurement itself changes what is measured.
struct SetEffect {
    std::string metric;
    std::string unit;
    Measurement low;  ///< what was counted where it is least
    double lowMean = 0.0;
    Measurement high;  ///< and where it is most
    double highMean = 0.0;
};

/// Of metrics that runs of different events measured, of which one has been repeated: those whose means over
/// the runs of two sets of events are apart by 5 % and by twice what chance explains with 95 % confidence.
/// `measured`: what was counted in each input that the variations are of.
std::vector<SetEffect> setEffects(const std::vector<Variation>& variations,
                                  const std::vector<Measurement>& measured);

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
