// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/sum.h"

#include "algebra/model/structure.h"
#include "algebra/operators/rows/combine.h"
#include "algebra/operators/rows/each_metric.h"

namespace holos::algebra {

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
