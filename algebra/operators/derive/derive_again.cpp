// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/derive/derive_again.h"

#include <string>
#include <unordered_set>

#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/metric_names.h"
#include "metric-specs/specification.h"

namespace holos::algebra {
namespace {

std::unordered_set<std::string> incompleteMetrics(const Experiment& experiment) {
    std::unordered_set<std::string> names;
    for (const MetricId id : experiment.metrics.ids())
        if (experiment.metrics[id].incomplete) names.insert(specifiedName(experiment.metrics[id]));
    return names;
}

}  // namespace

Experiment deriveAgain(Experiment experiment) {
    const auto carried = experiment.files.find(kSpecificationFile);
    if (carried == experiment.files.end()) return experiment;
    const auto specification = specs::parse(carried->second, kSpecificationFile);
    const auto incomplete = incompleteMetrics(experiment);
    Experiment result = derive(std::move(experiment), specification);
    for (const MetricId id : result.metrics.ids()) {
        Metric& metric = result.metrics[id];
        if (metric.incomplete || !incomplete.contains(specifiedName(metric))) continue;
        metric.incomplete = true;
        metric.displayName.insert(0, 1, '~');
    }
    return result;
}

}  // namespace holos::algebra
