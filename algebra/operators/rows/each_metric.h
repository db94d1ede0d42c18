// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "algebra/operators/unite/unite.h"

namespace holos::algebra {

/// What an operator does with metrics that the inputs' specification made of others.
enum class DerivedMetrics : std::uint8_t {
    Reevaluated,  ///< made again from the combined measurements, where all inputs carry one specification
    Combined,     ///< combined like measured ones, and no longer derived; ratios are left out
};

/// Says how the values of one metric of the union are made, or nothing for a metric without values; may
/// change the metric's value type and description.
using CombineMetric = std::function<RowSource(Union&, MetricId)>;

/// Unites the inputs and combines each stored metric by itself: what `mean`, `diff`, `min` and their like
/// have in common. Expressions are kept. `factors` are those of the inputs' communication (`run_files.h`);
/// none: the result has no communication. Throws Error for no inputs, naming the operator.
Experiment combineEachMetric(const char* operatorName, const Inputs& inputs, const Matching& matching,
                             DerivedMetrics derived, const CombineMetric& combine,
                             const std::vector<double>& factors = {});

}  // namespace holos::algebra
