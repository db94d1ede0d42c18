// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/clocks/controlled_clock.h"
#include "analyzer/clocks/logical_walk.h"
#include "analyzer/clocks/shifted_time.h"
#include "analyzer/replay/clock.h"

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

}  // namespace holos::analyzer::clocks
