// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"
#include "analyzer/assemble/metric_catalog.h"

namespace holos::analyzer::assemble {

/// Adds a metric, without values, below its parent. Nothing where there is not what the metric needs, or its
/// parent is not there.
template <class From>
std::optional<algebra::MetricId> addMetric(algebra::Experiment& experiment, const Present& present,
                                           const patterns::MetricOf<From>& described) {
    std::optional<algebra::MetricId> parent;
    if (described.parent != nullptr) parent = experiment.findMetric(described.parent);
    if (!present.has(described.needs) || (described.parent != nullptr && !parent)) return {};
    algebra::Metric metric;
    metric.uniqueName = described.uniqueName;
    metric.displayName = described.displayName;
    metric.unit = parent ? experiment.metrics[*parent].unit : described.unit;
    metric.description = described.description;
    metric.valueType = metric.unit == "sec" ? algebra::ValueType::Double : algebra::ValueType::Int64;
    return experiment.metrics.add(std::move(metric), parent);
}

}  // namespace holos::analyzer::assemble
