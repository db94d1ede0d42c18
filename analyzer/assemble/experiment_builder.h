// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"
#include "algebra/model/row_sums.h"
#include "analyzer/assemble/metric_catalog.h"
#include "analyzer/causes/cause_values.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/patterns/severities.h"
#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::assemble {

/// Puts the locations' severities into the merged call tree. `severities` and `causes` are by location;
/// without `causes` their metrics are left out. `catalog`: the metrics of time and counts that are wanted.
/// `sums`, unless null, gets those of metrics whose values have to be made anew for whoever adds them up.
algebra::Experiment buildExperiment(const replay::ReplayedCalls& calls, paths::MergedTree merged,
                                    const patterns::Severities& severities,
                                    const std::vector<causes::LocationCauses>& causes,
                                    workers::Workers& workers, const Catalog& catalog = metricCatalog(),
                                    algebra::WantedSums* sums = nullptr);

}  // namespace holos::analyzer::assemble
