// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
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
        : rows_(callPaths, kNoRow), locations_(locations), missing_(missing) {}

    std::size_t callPaths() const { return rows_.size(); }
    std::size_t locations() const { return locations_; }
    double missing() const { return missing_; }
    bool hasRow(CallPathId path) const { return rows_[path.index()] != kNoRow; }

    /// The values of all locations; empty when they are all `missing()`.
    std::span<const double> row(CallPathId path) const {
        const std::uint32_t row = rows_[path.index()];
        if (row == kNoRow) return {};
        return {values_.data() + std::size_t{row} * locations_, locations_};
    }

    double at(CallPathId path, LocationId location) const {
        const auto values = row(path);
        return values.empty() ? missing_ : values[location.index()];
    }

    /// The values of all locations, to write to. Invalidates other rows' spans when the row is new.
    std::span<double> editRow(CallPathId path) {
        std::uint32_t& row = rows_[path.index()];
        if (row == kNoRow) {
            row = static_cast<std::uint32_t>(locations_ == 0 ? 0 : values_.size() / locations_);
            values_.resize(values_.size() + locations_, missing_);
        }
        return {values_.data() + std::size_t{row} * locations_, locations_};
    }

    /// Makes room for this many further rows at once.
    void reserveRows(std::size_t count) { values_.reserve(values_.size() + count * locations_); }

    /// Adds to one value; adding zero makes no row.
    void add(CallPathId path, LocationId location, double value) {
        if (value != 0.0) editRow(path)[location.index()] += value;
    }

  private:
    static constexpr std::uint32_t kNoRow = ~std::uint32_t{0};
    std::vector<std::uint32_t> rows_;
    std::vector<double> values_;
    std::size_t locations_ = 0;
    double missing_ = 0.0;
};

/// The tables of an experiment's metrics. A table is loaded from its file when it is first asked for.
/// Reading is safe from several threads; `set`, `setLoader` and `edit` need the caller alone.
class Severities {
  public:
    using Loader = std::function<SeverityTable()>;

    void set(MetricId metric, SeverityTable table);
    /// `loader` may throw `holos::Error`, which then comes out of `table`.
    void setLoader(MetricId metric, Loader loader);

    /// The metric's table; an empty one (no rows at all, `callPaths() == 0`) when nothing was ever set.
    const SeverityTable& table(MetricId metric) const;
    SeverityTable& edit(MetricId metric);
    /// True when a table or a loader was set.
    bool has(MetricId metric) const;

  private:
    struct Entry {
        std::once_flag loaded;
        Loader loader;
        SeverityTable table;
    };
    Entry& entry(MetricId metric);
    const Entry* find(MetricId metric) const;

    std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace holos::algebra
