// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::collate {

/// Adds how unevenly computation is spread over the locations, to an experiment that has `comp` and `visits`.
/// Inside of parallel regions all threads are compared, elsewhere the masters of all processes.
void addImbalance(algebra::Experiment& experiment, const paths::MergedTree& merged,
                  workers::Workers& workers);

}  // namespace holos::analyzer::collate
