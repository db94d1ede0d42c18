// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

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

}  // namespace holos::analyzer::replay
