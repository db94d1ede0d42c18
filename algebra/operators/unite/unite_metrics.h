// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/structure.h"

namespace holos::algebra {

/// Adds the metrics of `from` that `into` lacks. Two metrics are the same when they have the same name
/// (`specifiedName`), the same parents, and both values or both an expression; several such siblings pair up
/// in their order. What `into` says about a metric stays, except that the value type becomes one that holds
/// both, and that it is incomplete when one of them is. Returns for each metric of `from` its id in `into`.
std::vector<MetricId> uniteMetrics(MetricForest& into, const MetricForest& from);

}  // namespace holos::algebra
