// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/replay/records.h"

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

}  // namespace holos::analyzer::replay
