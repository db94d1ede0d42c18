// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <limits>

#include "analyzer/replay/records.h"
#include "analyzer/trace/quiet_calls.h"

namespace holos::analyzer::replay {

/// The part of an event in the logical order of events: some cannot happen before others did.
enum class ClockRole : std::uint8_t {
    Send,
    Receive,
    CollectiveBegin,
    CollectiveEnd,
    CollectiveComplete,  ///< the end of a nonblocking operation
    InitEnter,
    InitLeave,
    FinalizeEnter,
    FinalizeLeave,
    Fork,
    Join,
    TeamBegin,
    TeamEnd,
    BarrierEnter,
    BarrierLeave,
    EpochBegin,  ///< a call of a window's epoch; its record is the position of the call
    EpochEnd
};

struct ClockEvent {
    ClockRole role;
    std::uint32_t record = kNone;  ///< position of its record, where it has one already
    TeamKey team;                  ///< of a team's start and end
};

/// Whether what happens counts: visits, messages, what counters say; not only its time.
enum class Counting : std::uint8_t { NotYet, Now, NoMore };

/// What the replay takes for an event's time. Without one, events happened when their recorder says.
/// Thread safety: one thread for each location.
class Clock {
  public:
    Clock() = default;
    virtual ~Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;

    /// The time of an event that was recorded at `recorded`; called for all events in the order of the file.
    /// `node`: the call path that has the time since the one before.
    virtual Ticks at(std::uint64_t event, Ticks recorded, NodeId node) = 0;
    /// The time of something that is recorded ahead of its turn, such as the writing of a buffer.
    virtual Ticks later(Ticks recorded) const = 0;
    /// The present event has a part in the logical order.
    virtual void note(const ClockEvent& event) = 0;
    /// Whether the present event is before, in or behind what is counted.
    virtual Counting counting() const { return Counting::Now; }
};

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
