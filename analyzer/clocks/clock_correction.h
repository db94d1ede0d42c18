// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/clocks/corrected_clock.h"
#include "analyzer/matching/matches.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::clocks {

/// What the correction of a trace's clocks came to.
struct ClockCorrection {
    std::vector<Correction> locations;
    std::uint64_t violations = 0;  ///< events that came too early after one that they follow
    double largest = 0;            ///< seconds by which the farthest one was moved
};

/// The controlled logical clock of all locations. `points`: what a `ClockSurvey` of each location's replay
/// noted; `run`: the same replays, matched. The result is the same for any number of workers.
ClockCorrection correctClocks(const matching::MatchedTrace& run, std::vector<ClockPoints> points,
                              const FineTicks& fine, const ClockParameters& parameters,
                              workers::Workers& workers);

}  // namespace holos::analyzer::clocks
