// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "analyzer/matching/teams.h"
#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

/// Calls that found a lock taken, such as `omp_test_lock`, by the acquisition that ended them.
/// Thread safety: safe to read.
class LockTests {
  public:
    explicit LockTests(const replay::ReplayedTrace& trace);

    /// Positions of their records.
    struct Row {
        std::uint32_t acquisition;
        std::uint32_t polls;
    };
    std::span<const Row> before(const matching::LockRef& acquired) const;

    /// Their waits for a release, directly after that of the call which acquires the lock. May be called for
    /// locks of different processes at a time.
    void noteWaits(const matching::LockRef& acquired, const matching::LockRef& released,
                   AllFindings& found) const;

  private:
    const replay::ReplayedTrace& trace_;
    std::vector<std::vector<Row>> rows_;  ///< by location; acquisitions ascend
};

}  // namespace holos::analyzer::patterns
