// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/mean.h"

#include "algebra/model/value_kinds.h"
#include "algebra/operators/combine.h"
#include "algebra/operators/each_metric.h"

namespace holos::algebra {

Experiment mean(const Inputs& inputs) {
    const auto average = [&inputs](Union& united, MetricId id) {
        const std::vector<Operand> operands = operandsOf(united, inputs, id);
        Metric& metric = united.result.metrics[id];
        if (isExtreme(metric.valueType))
            return extreme(united.result, operands, metric.valueType == ValueType::MinDouble);
        const std::vector<double> divisors(united.result.system.locations.size(),
                                           static_cast<double>(inputs.size()));
        SeverityTable table = weightedSum(united.result, operands, divisors);
        if (isIntegral(metric.valueType) && !allIntegral(table)) metric.valueType = ValueType::Double;
        return table;
    };
    return combineEachMetric("mean", inputs, DerivedMetrics::Reevaluated, average);
}

}  // namespace holos::algebra
