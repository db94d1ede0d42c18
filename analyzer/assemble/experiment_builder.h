// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"
#include "analyzer/assemble/metric_catalog.h"
#include "analyzer/causes/cause_values.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/patterns/severities.h"
#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::assemble {

/// Puts the locations' severities into the merged call tree. `severities` and `causes` are by location;
/// without `causes` their metrics are left out. `catalog`: the metrics of time and counts that are wanted.
algebra::Experiment buildExperiment(const replay::ReplayedCalls& calls, paths::MergedTree merged,
                                    const patterns::Severities& severities,
                                    const std::vector<causes::LocationCauses>& causes,
                                    workers::Workers& workers, const Catalog& catalog = metricCatalog());

}  // namespace holos::analyzer::assemble
