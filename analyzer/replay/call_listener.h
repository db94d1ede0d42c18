// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "analyzer/replay/call_stack.h"
#include "analyzer/replay/counter_recorder.h"

namespace holos::analyzer::replay {

/// One call from its enter to its leave.
struct LeftCall {
    NodeId node;
    RegionId region;
    Ticks enter = 0;
    Ticks leave = 0;
    std::span<const Frame> around;  ///< the regions around it in its location, outermost first
    const LocalTree* tree = nullptr;
};

/// Counters that were read, or a sample of the call stack.
struct HeardReading {
    NodeId node;
    Ticks time = 0;
    trace::MetricClassId metricClass;
    std::span<const CounterValue> values;
    bool isSample = false;
};

/// Hears of what replay does not keep: each single call and reading of a location, in the order in which they
/// end. A call's node is that of the location's own tree. What it throws ends the replay.
/// Thread safety: one thread for each location.
class CallListener {
  public:
    CallListener() = default;
    virtual ~CallListener() = default;
    CallListener(const CallListener&) = delete;
    CallListener& operator=(const CallListener&) = delete;

    /// What was entered last stands for so many calls, one directly after the other.
    virtual void standsFor(std::uint64_t /*calls*/) {}
    /// The innermost call sent or received so many bytes.
    virtual void moved(std::uint64_t /*sent*/, std::uint64_t /*received*/) {}
    virtual void left(const LeftCall& /*call*/) {}
    virtual void read(const HeardReading& /*reading*/) {}
};

}  // namespace holos::analyzer::replay
