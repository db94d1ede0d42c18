// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/predict/scales.h"
#include "analyzer/predict/timing.h"
#include "analyzer/replay/clock.h"

namespace holos::analyzer::predict {

/// Gives the events of a location the times that they have in a prediction: at marks those of the marks,
/// between them as quickly as the work there goes.
class RetimedClock final : public replay::Clock {
  public:
    /// All must outlive the clock.
    RetimedClock(const LocationGraph& graph, const PackedTicks& shifts, const LocationScales& scales);

    Ticks at(std::uint64_t event, Ticks recorded, NodeId node) override;
    Ticks later(Ticks recorded) const override;
    void note(const replay::ClockEvent&) override {}

  private:
    bool isPassed(const Mark& mark, Ticks recorded, NodeId node) const;
    void pass();
    Ticks timeOfNext() const { return next_->time + shift_; }

    PackedMarks::Reader next_;  ///< the mark that comes next
    PackedTicks::Reader shifts_;
    Ticks shift_ = 0;  ///< of that mark
    ScaleReader scales_;
    Ticks last_ = 0;  ///< the recorded time of the last event or mark
    double now_ = 0;  ///< the time that it has now
};

}  // namespace holos::analyzer::predict
