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
    RetimedClock(const LocationGraph& graph, const std::vector<Ticks>& times, const LocationScales& scales)
        : graph_(graph), times_(times), scales_(scales) {}

    Ticks at(std::uint64_t event, Ticks recorded, NodeId node) override;
    Ticks later(Ticks recorded) const override;
    void note(const replay::ClockEvent&) override {}

  private:
    bool isPassed(const Mark& mark, Ticks recorded, NodeId node) const;
    void pass(std::uint32_t mark);

    const LocationGraph& graph_;
    const std::vector<Ticks>& times_;
    ScaleReader scales_;
    std::uint32_t next_ = 0;  ///< the mark that comes next
    Ticks last_ = 0;          ///< the recorded time of the last event or mark
    double now_ = 0;          ///< the time that it has now
};

}  // namespace holos::analyzer::predict
