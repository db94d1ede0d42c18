// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/replay/local_tree.h"

namespace holos::analyzer::replay {

/// A counter's value as the event has it; the metric's definition says which member counts.
union CounterValue {
    std::int64_t integer;
    double real;
};

/// One metric's values by local call path. Integers are summed exactly; doubles in the order of events.
struct CounterSeries {
    trace::MemberId member;
    std::vector<CounterValue> values;  ///< by node; only those below `seen` have meaning
    std::vector<char> seen;            ///< by node: 1 where it has a value
};

struct CounterRecords {
    std::vector<CounterSeries> series;
};

/// Books counter values on call paths: what was counted since the last reading belongs to the call path that
/// was current in between; a sample belongs to the call path it was taken in, and the largest one is kept.
class CounterRecorder {
  public:
    explicit CounterRecorder(const trace::Definitions& definitions) : definitions_(definitions) {}

    /// `isCounted`: else only later differences need the values.
    void record(NodeId node, trace::MetricClassId metricClass, const CounterValue* values, std::size_t count,
                bool isCounted = true);
    /// A part of a call path's differences of counters, which belongs to another one.
    struct Part {
        NodeId from;
        NodeId to;
        double share;
    };
    void share(std::span<const Part> parts);
    CounterRecords take() { return std::move(records_); }

  private:
    struct State {
        std::size_t series;
        CounterValue last{};
        bool hasLast = false;
    };
    State& stateOf(trace::MetricClassId metricClass, std::size_t position);
    void book(State& state, NodeId node, CounterValue value, bool isCounted);
    static void makeRoom(CounterSeries& series, NodeId node);
    static void move(CounterSeries& series, const Part& part, CounterValue counted, bool isReal);

    const trace::Definitions& definitions_;
    std::vector<std::vector<State>> states_;  ///< by metric class and position in it
    std::vector<std::size_t> seriesOfMember_;
    CounterRecords records_;
};

}  // namespace holos::analyzer::replay
