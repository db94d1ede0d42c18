// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/replay/call_replay.h"

namespace holos::analyzer::replay {

/// What a location's events say of threads that begin and end by themselves, and of locks, becomes records.
/// Thread safety: one thread for each location.
class ThreadEvents {
  public:
    explicit ThreadEvents(CallReplay& calls) : calls_(calls) {}

    /// `contingent`: the communicator of the threads, or `kNone`; `number`: of the new one among these.
    void create(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number);
    void begin(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number);
    void end(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number);
    /// The call around the event has waited for the end of that thread.
    void wait(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number);
    void lock(std::uint64_t event, Ticks time, std::uint32_t lock, std::uint32_t order, bool acquired);

  private:
    void start(std::uint64_t event, std::uint32_t contingent, std::uint64_t number, bool begins);
    bool isKnown(std::uint32_t contingent) const { return contingent != kNone && !calls_.isAlone(); }

    CallReplay& calls_;
};

}  // namespace holos::analyzer::replay
