// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "algebra/model/severities.h"
#include "algebra/model/structure.h"

namespace holos::algebra {

/// A call path's parent, by CallPathId; all that is needed to pass between the two kinds of values along the
/// call tree.
using Parents = std::vector<std::optional<CallPathId>>;
Parents parentsOf(const CallTree& tree);

/// From values exclusive along the call tree to inclusive ones, and back. Only for values that are sums.
void makeInclusive(SeverityTable& table, const Parents& parents);
void makeExclusive(SeverityTable& table, const Parents& parents);

}  // namespace holos::algebra
