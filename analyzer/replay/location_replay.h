// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/replay/call_replay.h"
#include "analyzer/replay/recorded_events.h"

namespace holos::analyzer::replay {

/// Replays one location in a single pass. Each kind of events has a class that knows what to make of them.
/// Thread safety: one thread for each location.
class LocationReplay {
  public:
    /// `clock`: what corrects the times of the events; without one they count as they come.
    LocationReplay(const Context& context, trace::LocationId self, Clock* clock = nullptr)
        : memory_(context.memory),
          calls_(context, self, clock),
          messages_(calls_),
          oneSided_(calls_, memory_),
          files_(calls_),
          threads_(calls_) {}
    LocationReplay(const LocationReplay&) = delete;
    LocationReplay& operator=(const LocationReplay&) = delete;

    CallReplay& calls() { return calls_; }
    MessageEvents& messages() { return messages_; }
    OneSidedEvents& oneSided() { return oneSided_; }
    FileEvents& files() { return files_; }
    ThreadEvents& threads() { return threads_; }

    /// Closes what is open. Call once, after the last event.
    ReplayedLocation finish(std::uint64_t events) {
        ReplayedLocation result(memory_);
        result.trace.rma = oneSided_.take();
        result.trace.files = files_.take();
        calls_.finish(events, result);
        return result;
    }

  private:
    Memory memory_;
    CallReplay calls_;
    MessageEvents messages_;
    OneSidedEvents oneSided_;
    FileEvents files_;
    ThreadEvents threads_;
};

}  // namespace holos::analyzer::replay
