// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algebra/insight/summary/replayed_gains.h"
#include "algebra/insight/summary/summary.h"
#include "analyzer/predictor.h"

namespace holos::trials {

/// One change by itself, and what it brings.
struct Trial {
    std::string condition;  ///< as `holos predict --if` takes it
    std::string reason;     ///< a problem of the summary in its words; empty: a call path, or the whole run
    double seconds = 0;     ///< what the run takes then
    double gain = 0;        ///< seconds less than recorded
};

/// What helps against a problem, as a condition; empty where no condition stands for that.
std::string conditionFor(const algebra::Experiment& experiment, const algebra::Problem& problem);

/// What mending each problem of the run's summary brings when those before it are mended, too, as far as
/// conditions stand for that. `analyzed`: an experiment of the same run with causes, which has the problems.
std::vector<algebra::ReplayedGain> gainsOfProblems(const analyzer::Predictor& predictor,
                                                   const algebra::Experiment& analyzed);

/// What is less is shown as 0.0 %.
inline constexpr double kLeastGain = 0.0005;

struct TrialOptions {
    unsigned threads = 1;      ///< that try at the same time; 0: one for each processor
    double leastShare = 0.01;  ///< of all computation that a call path must have to be tried
    std::function<void(const analyzer::AnalysisProgress&)> progress = {};
};

/// Tries what helps against each problem; then each call path that computes, balanced and twice as fast; and
/// balanced threads of teams and of those that are joined, free locks and an ideal network. Those that gain
/// at least `kLeastGain` of the run, the largest gain first; equal ones in the order above. Call paths of
/// which one calls the other are one of them, under the shortest name that they have alone. `analyzed`: an
/// experiment of the same run with causes, which has the problems.
std::vector<Trial> tryEach(const analyzer::Predictor& predictor, const algebra::Experiment& analyzed,
                           const TrialOptions& options);

}  // namespace holos::trials
