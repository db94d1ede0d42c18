// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "algebra/model/severity_table.h"

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

}  // namespace holos::analyzer::assemble
