// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/sum.h"

#include "algebra/model/value_kinds.h"
#include "algebra/operators/combine.h"
#include "algebra/operators/each_metric.h"

namespace holos::algebra {
namespace {

void widen(Metric& metric) {
    if (!isIntegral(metric.valueType)) return;
    const ValueType wide = isUnsigned(metric.valueType) ? ValueType::UInt64 : ValueType::Int64;
    if (metric.valueType != wide) metric.typeName.clear();
    metric.valueType = wide;
}

}  // namespace

Experiment sum(const Inputs& inputs, const Matching& matching) {
    const auto add = [&inputs](Union& united, MetricId id) {
        const std::vector<Operand> operands = operandsOf(united, inputs, id);
        Metric& metric = united.result.metrics[id];
        if (isExtreme(metric.valueType)) return extreme(united, operands, metric.valueType);
        widen(metric);
        return weightedSum(united, operands);
    };
    return combineEachMetric("sum", inputs, matching, DerivedMetrics::Reevaluated, add,
                             std::vector<double>(inputs.size(), 1.0));
}

}  // namespace holos::algebra
