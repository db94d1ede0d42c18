// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/experiment.h"
#include "analyzer/assemble/metric_catalog.h"
#include "analyzer/causes/cause_values.h"
#include "analyzer/trace/definitions.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::assemble {

/// Adds the metrics of causes to an experiment that has the metrics of waits. `causes` is by location, in
/// ticks.
void addCauses(algebra::Experiment& experiment, const trace::Definitions& definitions, const Present& present,
               const std::vector<causes::LocationCauses>& causes, workers::Workers& workers);

}  // namespace holos::analyzer::assemble
