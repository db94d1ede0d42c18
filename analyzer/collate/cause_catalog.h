// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <variant>

#include "analyzer/causes/cause_values.h"
#include "analyzer/collate/metric_catalog.h"

namespace holos::analyzer::collate {

/// Where the values of a cause's metric come from, beside those of `metric_catalog.h`.
struct FromCause {
    causes::Cause cause;
};
struct FromDifference {  ///< one metric without another, both by unique name
    const char* whole;
    const char* part;
};
struct FromPathImbalance {};  ///< what the critical path takes beyond the average location

using CauseSource = std::variant<FromCause, FromDifference, FromChildren, FromPathImbalance>;

/// Of the metric tree of causes. What a difference needs stands before the difference.
using CauseEntry = TreeEntry<CauseSource>;

/// The whole tree, with Scalasca's unique names and order.
std::span<const CauseEntry> causeCatalog();

}  // namespace holos::analyzer::collate
