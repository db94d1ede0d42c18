// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/rows/each_metric.h"

#include <string>

#include "algebra/model/wait_files.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/unite/run_files.h"
#include "base/error.h"

namespace holos::algebra {
namespace {

/// Every metric stands for itself from now on.
void forgetDerivations(Experiment& experiment) {
    for (const MetricId id : experiment.metrics.ids()) {
        Metric& metric = experiment.metrics[id];
        if (isDerivedBySpecification(metric)) metric.origin = Origin::Measured;
        setAttribute(metric.attributes, kEventAttribute, {});
    }
    experiment.files.erase(kSpecificationFile);
}

}  // namespace

Experiment combineEachMetric(const char* operatorName, const Inputs& inputs, const Matching& matching,
                             DerivedMetrics derived, const CombineMetric& combine,
                             const std::vector<double>& factors) {
    if (inputs.empty()) throw Error(std::string(operatorName) + " needs at least one experiment");
    std::vector<MetricView> views;
    for (const Experiment& input : inputs)
        views.push_back(derived == DerivedMetrics::Combined ? withoutRatios(input) : everything(input));
    Union united = unite(inputs, views, matching);
    Experiment& result = united.result;
    for (const char* file : {kSpecificationFile, kInstancesFile, kWaitCourseFile})
        keepSharedFile(result, inputs, file);
    combineCommunication(united, inputs, factors);
    const bool again = derived == DerivedMetrics::Reevaluated && result.files.contains(kSpecificationFile);
    for (const MetricId id : result.metrics.ids()) {
        Metric& metric = result.metrics[id];
        if (!metric.hasValues() || metric.isVoid || metric.valueType == ValueType::Compound) continue;
        if (again && isDerivedBySpecification(metric)) continue;
        setAttribute(metric.attributes, kRepetitionsAttribute, {});
        setAttribute(metric.attributes, kErrorAttribute, {});
        if (RowSource values = combine(united, id)) result.severities.setRows(id, std::move(values));
    }
    if (again) return deriveAgain(std::move(result));
    if (derived == DerivedMetrics::Combined) forgetDerivations(result);
    return std::move(result);
}

}  // namespace holos::algebra
