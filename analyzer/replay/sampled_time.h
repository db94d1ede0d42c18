// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "analyzer/replay/call_stack.h"
#include "analyzer/replay/call_ways.h"
#include "analyzer/replay/counter_recorder.h"
#include "analyzer/replay/replayed_location.h"

namespace holos::analyzer::replay {

/// Shares out the time between events among the functions in which samples found the thread meanwhile. The
/// sum stays what it is, the parts are an estimate.
///
///     solve  ──send│ · smooth · smooth · · norm · │recv──      · three samples: smooth has two thirds
///
/// Intervals are shared by their own samples, together with those of the same kind: booked on the same call
/// path, between the same two places. So what happens once (reading the input) and what happens a million
/// times, too shortly for a sample each, do not mix. Kinds that no sample met, because they take less time
/// than there is between two samples, are shared as those of their call path that one met by chance.
class TimeSharing {
  public:
    explicit TimeSharing(const trace::Definitions& definitions);

    /// False where the trace has no samples by time: nothing is shared.
    bool isOn() const { return isOn_; }
    /// How much time such an event stands for; 0 when it is none.
    Ticks timeOf(trace::MetricClassId metricClass, const CounterValue* values, std::size_t count) const;

    /// A sample in a function, in the interval since `begin`. It stands for `weight` ticks. `kOutside`: they
    /// stay where they are booked.
    void sample(NodeId function, Ticks begin, Ticks time, Ticks weight);
    /// Which intervals count as equal.
    struct Kind {
        NodeId booked;  ///< where its time is
        NodeId before;  ///< what was left before it
        NodeId next;    ///< what was entered after it
        friend bool operator==(const Kind&, const Kind&) = default;
    };
    /// The interval ends, and is shared.
    void share(const Kind& kind, Ticks begin, Ticks end);
    /// The interval ends, and is not shared: what it was is known.
    void leaveOut() {
        pending_.clear();
        unseen_ = 0;
    }

    /// By `from` and `to`, each pair once.
    std::vector<SharedTime> take();

  private:
    struct Weight {
        NodeId function;
        Ticks ticks = 0;  ///< that its samples stand for
    };
    /// All intervals of a kind.
    struct Sum {
        Kind kind;
        Ticks time = 0;  ///< to be shared
        std::vector<Weight> weights;
        std::size_t settled = 0;  ///< that have a function each
    };
    struct KindHash {
        std::size_t operator()(const Kind& kind) const;
    };
    struct Period {
        std::size_t position = 0;
        double scale = 0;  ///< ticks for each unit of the value; 0: no samples by time
    };

    Sum& sumOf(const Kind& kind);
    /// Ticks between two samples.
    Ticks gap() const { return samples_ == 0 ? 0 : std::max<Ticks>(1, taken_ / samples_); }
    /// The kinds of one call path.
    void shareOut(std::span<Sum*> kinds, std::vector<SharedTime>& result) const;

    std::vector<Period> periods_;  ///< by class of counters
    bool isOn_ = false;

    std::vector<Weight> pending_;  ///< of the interval at hand
    Ticks unseen_ = 0;             ///< of the interval at hand: time without samples
    Ticks lastSample_ = std::numeric_limits<Ticks>::min();
    Ticks taken_ = 0;    ///< that all samples stand for
    Ticks samples_ = 0;  ///< how many

    std::vector<Sum> sums_;
    std::unordered_map<Kind, std::uint32_t, KindHash> found_;
    std::array<std::uint32_t, 256> recent_{};  ///< by hash: positions in `sums_`, from 1 on
};

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
