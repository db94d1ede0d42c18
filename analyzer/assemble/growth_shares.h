// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "algebra/model/rows.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/replay/reading_times.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::assemble {

/// A table to which several workers add, each values of other locations.
/// Thread safety: safe for different locations; nobody may use the table itself meanwhile.
class SharedTable {
  public:
    explicit SharedTable(algebra::SeverityTable& table) : table_(table), rows_(table.callPaths()) {}

    /// Adds to one value; adding zero makes no row.
    void add(algebra::CallPathId path, algebra::LocationId location, double value) {
        if (value != 0.0) row(path)[location.index()] += value;
    }

  private:
    double* row(algebra::CallPathId path) {
        std::atomic<double*>& known = rows_[path.index()];
        if (double* const row = known.load(std::memory_order_acquire)) return row;
        const std::lock_guard lock(mutex_);
        double* const row = table_.editRow(path).data();
        known.store(row, std::memory_order_release);
        return row;
    }

    algebra::SeverityTable& table_;
    std::mutex mutex_;
    std::vector<std::atomic<double*>> rows_;  ///< by call path; null where nobody asked yet
};

/// Divides what counters counted that are read for several threads: those of a process or of a node.
///
/// What a counter grew by between two readings is divided among the call paths in which these threads were
/// meanwhile, by their time there, whether they computed or waited. A thread that was there all the time has
/// as much as any other such thread; one that had not begun, or was between two parallel regions, has
/// nothing. Where no thread was in any call path, the growth stays with the program, in the location that
/// read it; in a trace without programs, with the outermost call path that one of the threads was in first.
/// In this way the sum over all call paths and locations is the growth of the counter.
///
///     reading        3 J        6 J          thread A: main 1 s, solve 1 s     → 0.75 J each
///        │───────────│──────────│            thread B: solve 2 s               → 1.5 J
///
/// Workers have a few locations at a time, whose times they read twice: to add them up, and to divide all
/// counters at once.
/// Thread safety: one thread.
class GrowthShares {
  public:
    /// By member; nothing where it has no values.
    using Tables = std::vector<std::optional<algebra::SeverityTable>>;

    GrowthShares(const replay::ReplayedCalls& calls, const paths::MergedTree& merged,
                 workers::Workers& workers);

    bool has(trace::MemberId member) const { return isDivided_[member.index()]; }
    /// Adds the values of all such members to their tables, where they have some; not of those that are left
    /// out, by member.
    void addTo(Tables& tables, const std::vector<char>& areLeftOut) const;

  private:
    /// A counter of a class.
    struct Column {
        std::size_t position;
        trace::MemberId member;
    };
    /// What a location read of the counters of a class.
    struct Read {
        Read(std::size_t location, const replay::Growths& allGrowths, const trace::Definitions& definitions);

        void findPerTick();
        double timeBefore(std::size_t reading) const {
            return static_cast<double>(static_cast<trace::Ticks>(ticks[reading]));
        }
        double growth(std::size_t reading, const Column& column) const {
            return growths.values[reading * metricClass.members.size() + column.position];
        }

        std::size_t reader;
        const replay::Growths& growths;
        const trace::MetricClass& metricClass;
        std::vector<Column> columns;
        /// Of the threads in call paths, before each reading. Whole numbers: the order in which they are
        /// added up does not matter.
        std::vector<std::uint64_t> ticks;
        std::vector<double> perTick;  ///< what grew before each reading, of all columns side by side
    };
    using SharedTables = std::vector<std::unique_ptr<SharedTable>>;
    class TimeSum;
    class Division;

    void forLocations(const std::function<void(trace::LocationId)>& work) const;
    /// Tells the visitor between which readings a location was in which of its call paths, and how long.
    template <class Visitor>
    void visitTimes(trace::LocationId location, Visitor& visitor) const;
    /// What grew while no thread was in any call path.
    void addOthers(const Read& read, const SharedTables& tables) const;
    /// Its call path; nothing where none of the threads ever was in one.
    std::optional<algebra::CallPathId> rootFor(const Read& read) const;

    const replay::ReplayedCalls& calls_;
    const paths::MergedTree& merged_;
    workers::Workers& workers_;
    replay::ReadingTimes cuts_;
    std::deque<Read> reads_;
    std::vector<std::vector<Read*>> readsFor_;  ///< by location
    std::vector<bool> isDivided_;               ///< by member
};

}  // namespace holos::analyzer::assemble
