// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/replay/local_tree.h"
#include "analyzer/trace/ids.h"

namespace holos::analyzer::replay {

using trace::Ticks;

/// By how much the counters of a class grew from one reading to the next.
struct Growths {
    trace::MetricClassId metricClass;
    std::vector<Ticks>
        ends;  ///< of the times between the readings, ascending; the first begins with the trace
    std::vector<double> values;  ///< for each such time that of each member of the class; 0 for levels
};

/// When counters are read.
struct ReadingMoment {
    Ticks time;  ///< in an analysis of a range not before its start nor behind its end
    Ticks recorded;
    bool isCounted;  ///< it is in the range
};

/// Keeps by how much the counters of a class grew. Of two readings of which only one is in the range that is
/// analyzed, or none, that part of the growth counts that the time in the range is of the time between them.
/// In long runs, neighbours are joined, so that there are never more than `kMost`.
/// Thread safety: one thread.
class GrowthRecorder {
  public:
    static constexpr std::size_t kMost = 4'096;

    /// `begin`: of the trace. What the first reading of a counter says that starts anew with each reading has
    /// grown since then.
    GrowthRecorder(trace::MetricClassId metricClass, std::size_t members,
                   const ReadingMoment& begin = {0, 0, true})
        : members_(members), growths_{metricClass, {}, {}}, last_(begin) {}

    /// What is added next has grown since the last moment.
    void passTo(const ReadingMoment& moment);
    /// What is no finite number is left out.
    void add(std::size_t member, double value);

    Growths take() { return std::move(growths_); }

  private:
    double partTo(const ReadingMoment& moment) const;
    void joinNeighbours();

    std::size_t members_;
    Growths growths_;
    ReadingMoment last_;
    double part_ = 0;           ///< of the growth until now
    std::size_t readings_ = 1;  ///< that are joined to one
    std::size_t inLast_ = 0;    ///< how many of them there are already
};

/// A counter's value as the event has it; the metric's definition says which member counts.
union CounterValue {
    std::int64_t integer;
    double real;
};

/// The largest values that were read in each call path.
struct CounterLevels {
    std::vector<CounterValue> values;  ///< by node; only those below `seen` have meaning
    std::vector<char> seen;            ///< by node: 1 where it has a value
};

/// One metric's values by local call path. Integers are summed exactly; doubles in the order of events.
struct CounterSeries {
    trace::MemberId member;
    std::vector<CounterValue> values = {};  ///< by node; only those below `seen` have meaning
    std::vector<char> seen = {};            ///< by node: 1 where it has a value
    CounterLevels levels = {};              ///< of one that is said to grow
    double risen = 0;                       ///< by how much that grew from one reading to the next, in all
    double fallen = 0;

    /// It is said to grow, but falls too much for a counter. Estimates of counters may fall a little.
    bool isGauge() const { return fallen > risen / 100; }
};

struct CounterRecords {
    std::vector<CounterSeries> series;
    std::vector<Growths> growths;  ///< of counters that are read for several threads; by class
};

/// Books counter values on call paths: what was counted since the last reading belongs to the call path that
/// was current in between; a sample belongs to the call path it was taken in, and the largest one is kept.
/// What was read for several threads is kept with its time instead.
class CounterRecorder {
  public:
    /// `begin`: of the trace.
    CounterRecorder(const trace::Definitions& definitions, trace::LocationId self, const ReadingMoment& begin)
        : definitions_(definitions),
          isReader_(definitions[self].kind == trace::Location::Kind::Metric),
          begin_(begin) {}

    /// What is not counted is needed by later differences.
    void record(NodeId node, const ReadingMoment& moment, trace::MetricClassId metricClass,
                const CounterValue* values, std::size_t count);
    /// A part of a call path's differences of counters, which belongs to another one.
    struct Part {
        NodeId from;
        NodeId to;
        double share;
    };
    void share(std::span<const Part> parts);
    CounterRecords take();

  private:
    struct State {
        std::size_t series;
        CounterValue last{};
        bool hasLast = false;
    };
    State& stateOf(trace::MetricClassId metricClass, std::size_t position);
    /// What a value adds since the one before; nothing where it is the first of those since the start.
    std::optional<CounterValue> grown(State& state, CounterValue value);
    static void noteGrowth(CounterSeries& series, double growth);
    void noteLevel(CounterSeries& series, NodeId node, CounterValue value) const;
    static double growthOf(const trace::MetricMember& member, CounterValue value);
    GrowthRecorder& growthsOf(trace::MetricClassId metricClass);
    void book(CounterSeries& series, NodeId node, CounterValue value);
    template <class Series>
    static void makeRoom(Series& series, NodeId node);
    static void move(CounterSeries& series, const Part& part, CounterValue counted, bool isReal);

    const trace::Definitions& definitions_;
    bool isReader_;  ///< a location of its own, which may read for several threads
    ReadingMoment begin_;
    std::vector<std::vector<State>> states_;  ///< by metric class and position in it
    std::vector<std::size_t> seriesOfMember_;
    CounterRecords records_;
    std::map<std::size_t, GrowthRecorder> growths_;  ///< by class
};

}  // namespace holos::analyzer::replay
