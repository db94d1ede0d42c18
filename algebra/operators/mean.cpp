// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/mean.h"

#include "algebra/operators/combine.h"
#include "algebra/operators/metric_names.h"
#include "algebra/operators/specification_file.h"
#include "algebra/operators/unite_metrics.h"
#include "metric-specs/error.h"

namespace holos::algebra {

Experiment mean(const Inputs& inputs) {
    if (inputs.empty()) throw Error("mean needs at least one experiment");
    std::vector<MetricView> views;
    for (const Experiment& input : inputs) views.push_back(everything(input));
    Union united = unite(inputs, views);
    Experiment& result = united.result;
    const std::vector<double> divisors(result.system.locations.size(), static_cast<double>(inputs.size()));
    for (const MetricId id : result.metrics.ids()) {
        Metric& metric = result.metrics[id];
        if (!metric.hasValues() || metric.isVoid || metric.valueType == ValueType::Compound) continue;
        const std::vector<Operand> operands = operandsOf(united, inputs, id);
        SeverityTable table = isExtreme(metric.valueType)
                                  ? extreme(result, operands, metric.valueType == ValueType::MinDouble)
                                  : weightedSum(result, operands, divisors);
        if (isIntegral(metric.valueType) && !allIntegral(table)) metric.valueType = ValueType::Double;
        setAttribute(metric.attributes, kRepetitionsAttribute, {});
        result.severities.set(id, std::move(table));
    }
    keepSharedSpecification(result, inputs);
    return std::move(result);
}

}  // namespace holos::algebra
