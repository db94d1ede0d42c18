// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "report/comparison.h"

namespace holos::report {

/// What an experiment has of a metric of the structure; NaN where it lacks it.
using ValueOf = std::function<double(std::size_t experiment, algebra::MetricId metric)>;

bool isRatio(const algebra::Metric& metric);
std::optional<double> percentOf(double part, double whole);

/// Metrics that most experiments have come first: what is special to a platform follows what is generic.
std::vector<algebra::MetricId> genericFirst(const Subjects& subjects, std::vector<algebra::MetricId> metrics);

/// The metric and those below it; what is zero everywhere is left out. Percentages are of what `wholeOf` has
/// of the root.
void addTree(const Subjects& subjects, algebra::MetricId root, const ValueOf& valueOf, const ValueOf& wholeOf,
             std::vector<Row>& rows);

}  // namespace holos::report
