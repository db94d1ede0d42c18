// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "algebra/model/severities.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/replay/reading_times.h"

namespace holos::analyzer::assemble {

/// Divides what counters counted that are read for several threads: those of a process or of a node.
///
/// What a counter grew by between two readings is divided among the call paths in which these threads were
/// meanwhile, by their time there, whether they computed or waited. A thread that was there all the time has
/// as much as any other such thread; one that had not begun, or was between two parallel regions, has
/// nothing. Where no thread was in any call path, the growth stays with the program, in the location that
/// read it; in a trace without programs, with the outermost call path that one of the threads was in first.
/// So the sum over all call paths and locations is the growth of the counter.
///
///     reading        3 J        6 J          thread A: main 1 s, solve 1 s     → 0.75 J each
///        │───────────│──────────│            thread B: solve 2 s               → 1.5 J
///
/// Thread safety: one thread.
class GrowthShares {
  public:
    GrowthShares(const replay::ReplayedCalls& calls, const paths::MergedTree& merged);

    bool has(trace::MemberId member) const { return columns_.count(member.index()) != 0; }
    /// Adds the member's values to a table.
    void addTo(algebra::SeverityTable& table, trace::MemberId member) const;

  private:
    /// What a location read of the counters of a class.
    struct Read {
        std::size_t reader;
        const replay::Growths& growths;
        const trace::MetricClass& metricClass;
        std::vector<double> times;  ///< of the threads in call paths, before each reading
    };
    /// One counter of them.
    struct Column {
        std::size_t read;
        std::size_t position;
    };

    /// Calls `visit(i, node, ticks)` for a location's times in call paths before the `i`-th reading.
    template <class Visit>
    void visitTimes(trace::LocationId location, const replay::Growths& growths, Visit&& visit) const;
    /// The call path of growth while no thread was in any; nothing where none of the threads ever was.
    std::optional<algebra::CallPathId> rootFor(const Read& read) const;
    void addColumn(algebra::SeverityTable& table, const Read& read, std::size_t position) const;
    void moveToSampled(trace::LocationId location, std::vector<double>& values) const;

    const replay::ReplayedCalls& calls_;
    const paths::MergedTree& merged_;
    replay::ReadingTimes cuts_;
    std::vector<Read> reads_;
    std::map<std::size_t, std::vector<Column>> columns_;  ///< by member
};

}  // namespace holos::analyzer::assemble
