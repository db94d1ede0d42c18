// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "algebra/model/experiment.h"
#include "analyzer/assemble/metric_catalog.h"
#include "analyzer/patterns/severities.h"
#include "analyzer/profile/table_replay.h"

/// What of the analyzer's metrics is known without events.
namespace holos::analyzer::profile {

/// The metrics that one location alone tells by sums, in the catalog's order.
const assemble::Catalog& addedMetrics();

/// Messages and bytes, and what parallel regions cost, by location.
patterns::Severities severitiesOf(const std::vector<ReplayedTable>& tables);

/// Adds the lengths of single visits, as metrics of their own. `pathOf`: by location, where its nodes are.
void addVisitTimes(algebra::Experiment& experiment, const trace::Definitions& definitions,
                   const std::vector<std::vector<std::optional<algebra::CallPathId>>>& pathOf,
                   const std::vector<ReplayedTable>& tables);

}  // namespace holos::analyzer::profile
