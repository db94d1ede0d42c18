// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/patterns/severities.h"
#include "analyzer/patterns/waits.h"

namespace holos::analyzer::patterns {

/// How long the calls of one location have waited for messages and nonblocking operations: patterns that come
/// later take it away from what they find in the same call.
class CallWaits {
  public:
    CallWaits(std::size_t calls, Memory memory) : calls_(calls), waited_(memory) {}

    Ticks waited(std::uint32_t call) const { return waited_.empty() ? 0 : waited_[call]; }
    void add(std::uint32_t call, Ticks wait) {
        if (waited_.empty()) waited_.resize(calls_, 0);
        waited_[call] += wait;
    }
    /// A receive that it completes came before its send, even if another wait of the call counts.
    void noteLateSender(std::uint32_t call) {
        if (hasLateSender_.empty()) hasLateSender_.resize(calls_, false);
        hasLateSender_[call] = true;
    }
    bool hasLateSender(std::uint32_t call) const { return !hasLateSender_.empty() && hasLateSender_[call]; }

  private:
    std::size_t calls_;
    Records<Ticks> waited_;  ///< by call; empty where none has waited
    std::vector<bool> hasLateSender_;
};

/// What patterns have found in one location so far.
struct LocationFindings {
    LocationFindings(const replay::LocationTrace& trace, Memory memory)
        : waits(trace, memory), calls(trace.messages.calls.size(), memory) {}

    LocationWaits waits;
    LocalSeverities severities;
    CallWaits calls;
};
using AllFindings = std::vector<LocationFindings>;  ///< by location

}  // namespace holos::analyzer::patterns
