// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/run_records.h"

namespace holos::query {

/// What a location did in an interval, most of all.
struct Activity {
    analyzer::replay::NodeId node;      ///< of the tree of its location
    analyzer::trace::Ticks ticks = -1;  ///< spent there; negative: nothing is known
};

/// What those who were waited for did meanwhile.
///
///     waiter   ──████ MPI_Recv ████──
///     culprit  ───compute──┤io├─send─      it was compute, for half of the wait
///
/// The calls of each culprit are read once. What is kept grows with the number of waits.
class Culprits {
  public:
    /// Reads them. Throws as `RunRecords::readCalls`.
    explicit Culprits(analyzer::RunRecords& records);

    /// In a wait of a location, by its number among those that last some time, as `patterns::visitAllWaits`
    /// visits them. Where nobody in particular was waited for, nothing is known.
    const Activity& during(analyzer::trace::LocationId waiter, std::size_t number) const {
        return byWaiter_[waiter.index()][number];
    }

  private:
    std::vector<std::vector<Activity>> byWaiter_;
};

}  // namespace holos::query
