// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "algebra/model/ids.h"
#include "algebra/model/metric_values.h"
#include "algebra/model/rows.h"

namespace holos::algebra {

class RowsBelow;

/// A metric's values at every call path and location, for who goes through all of them, call path by call
/// path. Stored values are read as they are asked for, however many there are; those of an expression are in
/// memory, as a whole. They are inclusive of the metrics below.
///
/// Call paths are asked for in their order; values of others are right, but take long.
///
/// Thread safety: one thread.
class MetricRows {
  public:
    /// What the second value of a call path is.
    enum class Below : unsigned char {
        Nothing,  ///< there is none
        Added,    ///< with what the call path calls
        Extreme   ///< `Added`, or of minima and maxima the smallest or largest of what it calls, too
    };

    static constexpr std::size_t kUsualMemory = std::size_t{256} << 20;

    /// The experiment must outlive this. `memory`: bytes for rows with what call paths call; the more, the
    /// less often the rows of callees are read. Throws `holos::Error` for a metric that cannot be evaluated.
    MetricRows(const Experiment& experiment, MetricId metric, Below below, std::size_t memory = kUsualMemory);
    MetricRows(const MetricRows&) = delete;
    MetricRows& operator=(const MetricRows&) = delete;
    ~MetricRows();

    /// What a value is that no row covers.
    double missing() const { return missing_; }
    /// False when all values of the call path are missing, and, with `Below`, all of what it calls.
    bool hasRow(CallPathId path) const;
    /// The values of all locations, of this call path alone; empty when they are all missing. Valid until the
    /// next call of this. Throws `holos::Error` when they cannot be read.
    std::span<const double> own(CallPathId path);
    /// As `own`, with what the call path calls.
    std::span<const double> withBelow(CallPathId path);

  private:
    std::optional<MetricValues> values_;  ///< of an expression
    RowsPtr own_;
    RowsPtr evaluatedBelow_;            ///< what an expression gives
    std::unique_ptr<RowsBelow> below_;  ///< what is added up; null: nothing
    std::vector<double> scratch_;
    double missing_;
};

}  // namespace holos::algebra
