// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "algebra/model/rows.h"

namespace holos::algebra {

/// Of one row.
struct RowTotal {
    double sum = 0;
    double least = 0;  ///< the least value, or 0
};

/// What one pass over the values of a metric tells.
struct ValueTotals {
    ValueTotals(std::size_t callPaths, std::size_t locations) : byPath(callPaths), byLocation(locations) {}

    std::vector<RowTotal> byPath;
    std::vector<double> byLocation;

    double all() const;
    /// Rows that were summed elsewhere.
    void add(std::span<const CallPathId> paths, std::span<const RowTotal> sums,
             std::span<const double> perLocation);
};

/// Adds a row to the sums of locations; in an order of its own, which is always the same.
RowTotal addRow(std::span<const double> values, std::span<double> byLocation);

/// Reads all rows once, in their order.
ValueTotals totalsOf(const Rows& rows);

/// Sums of the metrics that somebody wants to know, by metric: what is read or written for another purpose
/// need not be read again.
using WantedTotals = std::vector<std::optional<ValueTotals>>;

}  // namespace holos::algebra
