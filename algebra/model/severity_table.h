// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "algebra/model/ids.h"

namespace holos::algebra {

/// One metric's values: call path × location. Only rows with values take memory.
/// A value is **exclusive** along the call tree (without the call paths below) and
/// **inclusive** along the metric tree (with the metrics below), as in CUBE.
class SeverityTable {
  public:
    SeverityTable() = default;
    /// `missing` is what a value is that was never set: 0, or for minima and maxima the "no value" of the
    /// type.
    SeverityTable(std::size_t callPaths, std::size_t locations, double missing = 0.0)
        : rows_(callPaths, nullptr), locations_(locations), missing_(missing) {}
    SeverityTable(const SeverityTable& other);
    SeverityTable(SeverityTable&&) noexcept = default;
    SeverityTable& operator=(const SeverityTable& other);
    SeverityTable& operator=(SeverityTable&&) noexcept = default;
    ~SeverityTable() = default;

    std::size_t callPaths() const { return rows_.size(); }
    std::size_t locations() const { return locations_; }
    double missing() const { return missing_; }
    /// That the values take in memory.
    std::size_t bytes() const { return made_ * locations_ * sizeof(double); }
    bool hasRow(CallPathId path) const {
        return path.index() < rows_.size() && rows_[path.index()] != nullptr;
    }

    /// The values of all locations; empty when they are all `missing()`.
    std::span<const double> row(CallPathId path) const {
        if (!hasRow(path)) return {};
        return {rows_[path.index()], locations_};
    }

    double at(CallPathId path, LocationId location) const {
        const auto values = row(path);
        return values.empty() ? missing_ : values[location.index()];
    }

    /// The values of all locations, to write to.
    std::span<double> editRow(CallPathId path) {
        double*& row = rows_[path.index()];
        if (row == nullptr) row = newRow();
        return {row, locations_};
    }

    /// Makes room for this many further rows at once.
    void reserveRows(std::size_t count);

    /// Takes over rows that lie back to back in `values`, in the order of `paths`, which have no rows yet.
    void adoptRows(std::unique_ptr<double[]> values, std::span<const CallPathId> paths);

    /// Adds to one value; adding zero makes no row.
    void add(CallPathId path, LocationId location, double value) {
        if (value != 0.0) editRow(path)[location.index()] += value;
    }

  private:
    double* newRow();

    std::vector<double*> rows_;                      ///< by call path; into `blocks_`, or null
    std::vector<std::unique_ptr<double[]>> blocks_;  ///< rows in the order in which they were made
    double* free_ = nullptr;                         ///< where the next row goes
    std::size_t freeRows_ = 0;                       ///< that fit there
    std::size_t made_ = 0;                           ///< rows so far
    std::size_t locations_ = 0;
    double missing_ = 0.0;
};

}  // namespace holos::algebra
