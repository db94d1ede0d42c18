// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <variant>
#include <vector>

#include "analyzer/assemble/metric_catalog.h"
#include "analyzer/causes/cause_values.h"

namespace holos::analyzer::assemble {

/// Where the values of a cause's metric come from, beside those of `patterns/metric.h`.
struct FromCause {
    causes::Cause cause;
};
struct FromDifference {  ///< one metric, or two together, without another, all by unique name
    const char* whole;
    const char* part;
    const char* alsoWhole = nullptr;
};
struct FromPathImbalance {};  ///< what the critical path takes beyond the average location

using CauseSource = std::variant<FromCause, FromDifference, patterns::FromChildren, FromPathImbalance>;

/// Of the metric tree of causes. What a difference needs stands before the difference.
using CauseEntry = patterns::MetricOf<CauseSource>;

using CauseCatalog = std::vector<const CauseEntry*>;

/// The whole tree, with Scalasca's unique names and order.
const CauseCatalog& causeCatalog();

}  // namespace holos::analyzer::assemble
