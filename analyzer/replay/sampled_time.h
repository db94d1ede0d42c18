// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <vector>

#include "analyzer/replay/call_stack.h"
#include "analyzer/replay/call_ways.h"
#include "analyzer/replay/counter_recorder.h"
#include "analyzer/replay/time_sharing.h"

namespace holos::analyzer::replay {

/// Samples of the call stack: which functions have the time between two events.
/// Thread safety: one thread for each location.
class SampledTime {
  public:
    SampledTime(const Context& context, CallStack& stack, SeenFunctions& seen)
        : context_(context), stack_(stack), seen_(seen), sharing_(context.definitions) {}

    /// False where the trace has no samples by time: nothing is shared.
    bool isOn() const { return sharing_.isOn(); }
    /// How much time such an event stands for; 0 when it is none.
    Ticks timeOf(trace::MetricClassId metricClass, const CounterValue* values, std::size_t count) const {
        return sharing_.timeOf(metricClass, values, count);
    }
    /// The thread was there at that time, even if no event tells of it.
    void ranAt(Ticks time) { ranUntil_ = std::max(ranUntil_, time); }
    Ticks ranUntil() const { return ranUntil_; }
    /// A sample in a function, which stands for so much time.
    void add(NodeId function, Ticks time, Ticks weight);
    /// What the present event enters, where its calls are known; else `kOutside`.
    void leadTo(NodeId next) { next_ = next; }
    /// The time since the last event is booked on the current call path.
    void share(Ticks end);
    /// `share` where the call path is certain to have the time.
    void leaveOut();

    /// Samples have their parts of the times, and of the counters.
    std::vector<SharedTime> finish(CounterRecorder& counters);

    /// Its time may be that of functions which it calls: it is computation, and not artificial.
    bool isComputation(NodeId node) const;

  private:
    const Context& context_;
    CallStack& stack_;
    SeenFunctions& seen_;
    TimeSharing sharing_;
    NodeId next_ = kOutside;
    Ticks ranUntil_ = std::numeric_limits<Ticks>::min();  ///< the latest sample between events
};

}  // namespace holos::analyzer::replay
