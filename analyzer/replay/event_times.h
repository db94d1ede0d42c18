// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/replay/call_stack.h"
#include "analyzer/replay/clock.h"
#include "analyzer/replay/records.h"
#include "analyzer/replay/team_stays.h"
#include "analyzer/trace/diagnosis.h"

namespace holos::analyzer::replay {

/// Which times the events of a location have, and which of them count: time never runs backwards, a clock may
/// correct it, and the recorder takes some for itself. Thread safety: one thread for each location.
class EventTimes {
  public:
    /// `clock`: may be null; then the events have the times of the trace. `recorder`: of which the trace
    /// tells how long the run is.
    EventTimes(Clock* clock, const trace::Clock& recorder, CallStack& stack, const TeamStays& stays,
               TeamRecorder& teams, DiagnosisLog& log);

    bool areCorrected() const { return clock_ != nullptr; }
    /// What the clock makes of an event's time. From this event on that counts which the clock says.
    Ticks correct(std::uint64_t event, Ticks time);
    /// What the clock makes of the time of a sample, which does not pass the time.
    Ticks ofSample(std::uint64_t event, Ticks time) {
        return clock_ != nullptr ? clock_->at(event, time, stack_.current()) : time;
    }
    bool needsNoChange(Ticks time) const { return time >= stack_.now() && time <= latest_; }
    /// No later time needs none.
    Ticks latest() const { return latest_; }
    /// A time that does need one, as it may be used.
    Ticks adjust(std::uint64_t event, Ticks time);
    /// The present event has a part in the logical order.
    void note(const ClockEvent& event) {
        if (clock_ != nullptr) clock_->note(event);
    }

    /// The recorder writes its buffer to a file from `time` to `stop`, which the next event comes after.
    void flush(Ticks time, Ticks stop);
    /// One that is still to come has happened.
    void runPendingFlush();

    /// An event has happened.
    bool haveStarted() const { return started_; }
    /// Of the first event.
    Ticks first() const { return first_; }
    /// Times beyond lie centuries away; staying inside keeps differences and their sums in range.
    static constexpr Ticks kLatest = Ticks{1} << 60U;

    /// What happens now, or with the next event, may count.
    bool mayCount() const {
        return clock_ == nullptr || counting_ == Counting::Now || clock_->counting() != counting_;
    }
    EventRange countedEvents() const { return countedEvents_; }
    /// How long the recorder wrote its buffer so far.
    Ticks paused() const { return paused_; }
    /// The recorder had no more events of this location.
    void unrecorded(Period time) {
        if (time.begin < time.end) pauses_.push_back(time);
    }
    /// In which it did, or had none. Call once.
    std::vector<Period> takePauses() { return std::move(pauses_); }

    /// No event of the run can be there: its time was damaged.
    bool isFar(Ticks time) const { return time >= far_ || time <= -far_; }

  private:
    void complainOfFar(std::uint64_t event);
    /// An event before or behind the run, by what the trace says of its length; the first one is told.
    void complainOfOutside(std::uint64_t event, Ticks time);
    void setCounting(std::uint64_t event, Counting counting);

    Clock* clock_;
    CallStack& stack_;
    const TeamStays& stays_;
    TeamRecorder& teams_;
    DiagnosisLog& log_;
    Ticks far_;
    Ticks start_ = -kLatest;                            ///< of the run: no event before it is sound
    Ticks end_ = kLatest;                               ///< of the run, until an event was behind it
    Ticks latest_ = std::numeric_limits<Ticks>::min();  ///< makes the first event special
    std::optional<Period> flush_;                       ///< to come
    Ticks lastRecorded_ = 0;                            ///< time of an event that was not far, if corrected
    Ticks first_ = 0;
    bool started_ = false;
    Counting counting_ = Counting::Now;
    EventRange countedEvents_;
    std::vector<Period> pauses_;
    Ticks paused_ = 0;
};

}  // namespace holos::analyzer::replay
