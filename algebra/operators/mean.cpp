// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/mean.h"

#include "algebra/model/structure.h"
#include "algebra/operators/rows/combine.h"
#include "algebra/operators/rows/each_metric.h"

namespace holos::algebra {

Experiment mean(const Inputs& inputs, const Matching& matching) {
    const auto average = [&inputs](Union& united, MetricId id) {
        const std::vector<Operand> operands = operandsOf(united, inputs, id);
        Metric& metric = united.result.metrics[id];
        if (isExtreme(metric.valueType)) return extreme(united, operands, metric.valueType);
        const std::vector<double> divisors(united.result.system.locations.size(),
                                           static_cast<double>(inputs.size()));
        RowSource means = weightedSum(united, operands, divisors);
        if (isIntegral(metric.valueType) && !allIntegral(*means())) metric.valueType = ValueType::Double;
        return means;
    };
    return combineEachMetric("mean", inputs, matching, DerivedMetrics::Reevaluated, average,
                             std::vector<double>(inputs.size(), 1.0 / static_cast<double>(inputs.size())));
}

}  // namespace holos::algebra
