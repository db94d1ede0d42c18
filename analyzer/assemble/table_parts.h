// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "algebra/model/severities.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::assemble {

/// The values of a metric that was measured and is zero everywhere.
algebra::RowSource zeros(std::size_t callPaths, std::size_t locations);
/// Whether a metric has those.
bool isZero(const algebra::Severities& severities, algebra::MetricId metric);

/// A range of call paths of one table, for one worker, while others have other ranges of it.
class TablePart {
  public:
    TablePart(algebra::SeverityTable& table, std::size_t begin, std::size_t end)
        : table_(table), begin_(begin), rows_(end - begin, nullptr) {}

    /// As `SeverityTable::editRow`, within the range.
    std::span<double> editRow(algebra::CallPathId path);
    /// Adds to one value; adding zero makes no row.
    void add(algebra::CallPathId path, algebra::LocationId location, double value) {
        if (value != 0.0) editRow(path)[location.index()] += value;
    }
    /// Puts the rows that were made into the table; nobody may work on it any more.
    void finish();

  private:
    /// New rows back to back.
    struct Block {
        std::unique_ptr<double[]> values;
        std::vector<algebra::CallPathId> paths;
        std::size_t capacity = 0;
    };
    double* newRow(algebra::CallPathId path);

    algebra::SeverityTable& table_;
    std::size_t begin_;
    std::vector<double*> rows_;  ///< by call path of the range, as far as they were asked for
    std::vector<Block> blocks_;
};

/// Values that a location has by call path lie side by side: ranges have more than a cache line of them.
inline constexpr std::size_t kFewestPaths = 16;

/// How many call paths `forRanges` puts into one.
std::size_t pathsPerRange(std::size_t locations, std::size_t fewest = kFewestPaths);

/// Calls `work` for ranges of call paths that together are all of them, each large enough for a worker and
/// of `fewest` at least.
void forRanges(std::size_t callPaths, std::size_t locations, workers::Workers& workers,
               const std::function<void(std::size_t begin, std::size_t end)>& work,
               std::size_t fewest = kFewestPaths);

/// Edits the parts of `tables`, which have the same shape, that belong to the range.
void editParts(
    std::span<algebra::SeverityTable* const> tables, workers::Workers& workers,
    const std::function<void(std::span<TablePart> parts, std::size_t begin, std::size_t end)>& work,
    std::size_t fewest = kFewestPaths);

}  // namespace holos::analyzer::assemble
