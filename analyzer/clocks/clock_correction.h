// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/clocks/backward.h"
#include "analyzer/clocks/controlled_clock.h"
#include "analyzer/clocks/logical_walk.h"
#include "analyzer/matching/matches.h"
#include "analyzer/replay/clock.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::clocks {

/// What has to be done to the times of a location.
struct Correction {
    std::vector<Jump> jumps;
    ShiftedTime shift;  ///< of the times after the jumps
};

/// Gives events their corrected times, in fine ticks.
class CorrectedClock final : public replay::Clock {
  public:
    CorrectedClock(const FineTicks& fine, const ClockParameters& parameters, const Correction& correction)
        : steps_(fine, parameters), correction_(correction) {}

    Ticks at(std::uint64_t event, Ticks recorded, replay::NodeId node) override;
    Ticks later(Ticks recorded) const override;
    void note(const replay::ClockEvent&) override {}

  private:
    Steps steps_;
    const Correction& correction_;
    Ticks clock_ = kNever;
    std::size_t nextJump_ = 0;
};

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
