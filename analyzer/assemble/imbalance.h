// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <variant>

#include "algebra/model/experiment.h"
#include "algebra/model/row_sums.h"
#include "analyzer/assemble/metric_catalog.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::assemble {

/// Adds how unevenly computation is spread over the locations, to an experiment that has `comp` and `visits`.
/// Inside of parallel regions all threads are compared, elsewhere the masters of all processes. Its values
/// are made whenever somebody asks for them; `sums`, unless null, gets what they add up to, which is found in
/// passing.
void addImbalance(algebra::Experiment& experiment, const Present& present, const paths::MergedTree& merged,
                  workers::Workers& workers, algebra::WantedSums* sums);

/// The metrics that it adds.
using ImbalanceMetric = patterns::MetricOf<std::monostate>;
std::span<const ImbalanceMetric> imbalanceMetrics();

}  // namespace holos::analyzer::assemble
