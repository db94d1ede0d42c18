// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <limits>

#include "analyzer/replay/clock.h"
#include "analyzer/trace/quiet_calls.h"

namespace holos::analyzer::replay {

/// Lets time pass only within a range: what happens before it happens at its start, what happens after it at
/// its end. Time, waits and their causes are then those of the range, since each of them is a difference of
/// times; and only events in the range count.
class RangeClock final : public Clock {
  public:
    /// The end is not in the range.
    RangeClock(Ticks from, Ticks to) : from_(from), to_(to) {}

    /// Whether all of them are before or behind the range.
    bool isOutside(const trace::QuietCalls& calls) const {
        return calls.latest < from_ || calls.before >= to_;
    }

    Ticks at(std::uint64_t, Ticks recorded, NodeId) override {
        now_ = std::max(now_, recorded);
        return later(recorded);
    }
    Ticks later(Ticks recorded) const override { return std::clamp(recorded, from_, to_); }
    void note(const ClockEvent&) override {}
    Counting counting() const override {
        if (now_ < from_) return Counting::NotYet;
        return now_ < to_ ? Counting::Now : Counting::NoMore;
    }

  private:
    Ticks from_;
    Ticks to_;
    Ticks now_ = std::numeric_limits<Ticks>::min();
};

}  // namespace holos::analyzer::replay
