// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "analyzer/predict/retimed_clock.h"
#include "analyzer/trace/event_copy.h"

namespace holos::analyzer::predict {

/// Writes each event of a location at the time that it has in a prediction, also those that the replay does
/// not ask for.
class ArchivingClock final : public replay::Clock {
  public:
    /// The graph, the shifts and the scales must outlive the clock.
    ArchivingClock(const LocationGraph& graph, const PackedTicks& shifts, const LocationScales& scales,
                   std::unique_ptr<trace::EventCopy> copy)
        : clock_(graph, shifts, scales), copy_(std::move(copy)) {}

    Ticks at(std::uint64_t event, Ticks recorded, NodeId node) override;
    Ticks later(Ticks recorded) const override { return clock_.later(recorded); }
    void note(const replay::ClockEvent&) override {}
    /// The rest. Returns how many events were written.
    std::uint64_t finish();
    const trace::EventCopy& copy() const { return *copy_; }

  private:
    RetimedClock clock_;
    std::unique_ptr<trace::EventCopy> copy_;
};

}  // namespace holos::analyzer::predict
