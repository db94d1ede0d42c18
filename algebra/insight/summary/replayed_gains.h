// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"
#include "algebra/model/experiment.h"

namespace holos::algebra {

/// How much shorter the run is without a problem, by a replay of its trace in which those that the list has
/// before it are mended, too: gains do not overlap.
struct ReplayedGain {
    std::string kind;       ///< of the problem
    std::string path;       ///< `keyOf` its call path
    std::string condition;  ///< under which the run was replayed, as `holos predict --if` takes it
    double seconds = 0;
};

/// A call path in a way that does not depend on how far names were shortened for reading; empty for none.
std::string keyOf(const Experiment& experiment, std::optional<CallPathId> path);

/// Keeps them in the experiment of the run, for summaries.
void keepReplayedGains(const std::vector<ReplayedGain>& gains, Experiment& experiment);

/// The gains that were kept with an experiment; lines that are none are passed over.
std::vector<ReplayedGain> replayedGainsOf(const Experiment& experiment);

/// Of those who are late or alone the formula is the work that they have beyond others: nothing that is done
/// about that brings more.
bool isBeyondOthers(const Problem& problem);

/// Takes the gains that were kept where a replay knows better than the formula, and says where it shows that
/// even work does not help. Left out is what it shows to be waiting for those who had no processor.
void takeReplayedGains(const Measures& measures, std::vector<Problem>& problems);

}  // namespace holos::algebra
