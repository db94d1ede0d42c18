// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/matching/teams.h"
#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

/// The call that waited until its timeout, at a condition, by the acquisition of the mutex with which it
/// ends; null where another thread ended the wait, or nobody knows.
const replay::Timeout* timeoutOf(const replay::ThreadRecords& threads, const replay::LockRecord& acquired);

/// What calls at conditions wait for: a signal, or their timeout. A row of timeouts that goes on until a
/// signal is for that.
/// Thread safety: safe to read.
class ConditionTimes {
  public:
    explicit ConditionTimes(const replay::ThreadRecords& threads);

    /// By the position of the acquisition that ends the wait; null for other uses of locks. In a part of the
    /// time the mutex may have been taken.
    const Metric* metricOf(std::size_t lock) const { return metrics_[lock]; }

  private:
    std::vector<const Metric*> metrics_;
};

/// Waits in calls at condition variables, among the uses of the mutexes that they acquire again.
/// Thread safety: one thread at a time for the locations of one process.
class ConditionWaits {
  public:
    explicit ConditionWaits(const replay::ReplayedTrace& trace)
        : trace_(trace), signals_(trace.locations.size()) {}

    /// Of one condition; before the mutexes of the process.
    void noteSignals(matching::LockHistory signals) { signals_.note(signals); }
    void noteWaits(matching::LockHistory mutex, AllFindings& found) const;

  private:
    class OfMutex;

    const replay::ReplayedTrace& trace_;
    matching::Signals signals_;
};

}  // namespace holos::analyzer::patterns
