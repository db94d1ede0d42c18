// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/queries.h"

namespace holos::serve {

/// Sums of a metric's stored values, read row by row: values need not fit into memory. Bit for bit the
/// numbers of the algebra's queries, as they are added in the same order. For metrics of which `hasRowSums`
/// is true.
using algebra::RowSums;

/// True for a metric whose values are stored, and added up.
bool hasRowSums(const algebra::Experiment& experiment, algebra::MetricId metric);

/// Of the whole run. Where the sums are stored with the values, these are not read.
RowSums rowSumsOf(const algebra::Experiment& experiment, algebra::MetricId metric);

/// By location, over some call paths; others are not read.
std::vector<double> locationSumsOf(const algebra::Experiment& experiment, algebra::MetricId metric,
                                   const algebra::CallPathChoice& path);

/// What call paths have with those below them.
std::vector<double> withThoseBelow(const algebra::CallTree& tree, std::vector<double> own);

/// What nodes, processes and locations have, in this order one after the other.
std::vector<double> sumsOfSystem(const algebra::SystemTree& system, const std::vector<double>& locations);

}  // namespace holos::serve
