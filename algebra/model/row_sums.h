// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace holos::algebra {

class Rows;

/// Sums of a metric's values, made in one pass over its rows. Queries ask for them, laws are tested on them,
/// and files of large metrics have them.
struct RowSums {
    std::vector<double> paths;      ///< by call path, over all locations, without the call paths below it
    std::vector<double> locations;  ///< by location, over all call paths
    std::vector<double> leasts;     ///< by call path: the least value, or 0; empty where nobody looked for it

    double all() const;
};

/// Values of some rows, each of as many numbers.
using RowPointers = std::span<const double* const>;

/// How many rows at a time are added up fastest: each addition within a row has to wait for the one before.
inline constexpr std::size_t kRowsTogether = 8;

/// Adds these rows, one after the other, to the sums of locations. `sums` and `leasts` get, for each row, the
/// sum of its numbers, added in their order, and the least of them, or 0.
void addRows(RowPointers rows, std::span<double> locations, double* sums, double* leasts);

/// Reads all rows once, in their order; with all processor cores where they are not in memory. For values
/// that are added up.
RowSums sumsOf(const Rows& rows);
/// As `sumsOf`, in memory that is there: whoever goes through many metrics need not ask for it again.
void sumUp(const Rows& rows, RowSums& sums);

/// Sums of the metrics that somebody wants to know, by metric: what is read or written for another purpose
/// need not be read again.
using WantedSums = std::vector<std::optional<RowSums>>;

}  // namespace holos::algebra
