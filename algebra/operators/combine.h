// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "algebra/operators/unite.h"

namespace holos::algebra {

/// Adds one input's values to a table of the union, each multiplied by its location's factor (by 1 when there
/// are no factors). Call paths and locations that the input lacks get nothing.
void accumulate(SeverityTable& into, const SeverityTable& from, const InputMap& map,
                std::span<const double> factors = {});

/// As above for minima or maxima: keeps the smaller or larger of two values. "No value" is `missing()`.
void accumulateExtreme(SeverityTable& into, const SeverityTable& from, const InputMap& map, bool minimum);

/// Divides every value by its location's divisor.
void divide(SeverityTable& table, std::span<const double> divisors);

/// True when every value is a whole number.
bool allIntegral(const SeverityTable& table);

/// An empty table of the union for this metric.
SeverityTable newTableFor(const Experiment& result, const Metric& metric);

/// The union of one metric's tables: plain sums, or extremes for MinDouble and MaxDouble.
SeverityTable accumulateAll(const Union& united, const Inputs& inputs, MetricId metric);

/// Keeps values of several numbers, which no operator combines, where one input alone has them and has all
/// call paths and locations of the union in the same order. Otherwise such a metric loses its values.
void keepCompoundValues(Union& united, const Inputs& inputs);

}  // namespace holos::algebra
