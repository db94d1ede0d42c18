// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <utility>

#include "analyzer/replay/call_replay.h"

namespace holos::analyzer::replay {

/// A window, and the number that an operation has there.
using RmaKey = std::pair<std::uint32_t, std::uint64_t>;

/// What a location's events say of one-sided communication becomes records. Accesses with a request are
/// followed to the call that completes them, if both are in this location.
/// Thread safety: one thread for each location.
class OneSidedEvents {
  public:
    OneSidedEvents(CallReplay& calls, Memory memory) : calls_(calls), records_(memory) {}

    void groupSync(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t group);
    void lock(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target, bool exclusive);
    void unlock(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target);
    void access(std::uint64_t event, Ticks time, const RmaKey& key, std::uint32_t target, std::uint64_t put,
                std::uint64_t got);
    void complete(std::uint64_t event, Ticks time, const RmaKey& key);

    /// Accesses that are not complete are left to matching.
    Records<RmaRecord> take();

  private:
    /// Of the present event.
    RmaRecord& add(RmaRecord::Kind kind, std::uint64_t event, std::uint32_t window);
    void leaveOpen(const RmaKey& key, std::uint32_t record);
    trace::CallKind kindOf(std::uint32_t call) { return calls_.records().call(call).kind; }

    CallReplay& calls_;
    Records<RmaRecord> records_;
    std::map<RmaKey, std::uint32_t> requested_;  ///< records of accesses whose request is not complete
};

}  // namespace holos::analyzer::replay
