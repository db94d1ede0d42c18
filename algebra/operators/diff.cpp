// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/diff.h"

#include <algorithm>

#include "algebra/model/value_kinds.h"
#include "algebra/operators/difference_of_ratios.h"
#include "algebra/operators/rows/combine.h"
#include "algebra/operators/rows/each_metric.h"

namespace holos::algebra {
namespace {

/// A signed type that holds every difference of two values of `type` (of 64 bits: as far as a signed one
/// can).
ValueType signedType(ValueType type) {
    switch (type) {
        case ValueType::Int8:
        case ValueType::UInt8:
            return ValueType::Int16;
        case ValueType::Int16:
        case ValueType::UInt16:
            return ValueType::Int32;
        case ValueType::Int32:
        case ValueType::UInt32:
        case ValueType::UInt64:
            return ValueType::Int64;
        default:
            return type;
    }
}

/// A minimum or maximum has a difference where both have a value.
RowSource differenceOfExtremes(const Union& united, const std::vector<Operand>& operands, ValueType type) {
    const double missing = missingValue(type);
    return combineRows(united, operands, missing, [missing](const OperandRows& rows, std::span<double> into) {
        if (rows[0].empty() || rows[1].empty()) return std::fill(into.begin(), into.end(), missing);
        std::transform(
            rows[0].begin(), rows[0].end(), rows[1].begin(), into.begin(),
            [missing](double a, double b) { return a != missing && b != missing ? a - b : missing; });
    });
}

/// One of the experiments, with the trees and metrics of their difference.
Experiment valuesOf(std::size_t which, const Inputs& inputs, const Matching& matching) {
    const auto take = [&](Union& united, MetricId id) {
        const std::vector<Operand> own{operandPerInput(united, inputs, id)[which]};
        const ValueType type = united.result.metrics[id].valueType;
        return isExtreme(type) ? extreme(united, own, type) : weightedSum(united, own);
    };
    return combineEachMetric("diff", inputs, matching, DerivedMetrics::Reevaluated, take);
}

bool hasRatios(const Experiment& experiment) {
    for (const MetricId id : experiment.metrics.ids())
        if (experiment.metrics[id].storage == Storage::PostDerived) return true;
    return false;
}

}  // namespace

Experiment diff(const Experiment& minuend, const Experiment& subtrahend, const Matching& matching,
                DifferenceOfRatios ratios) {
    const Inputs inputs{minuend, subtrahend};
    const auto subtract = [&inputs](Union& united, MetricId id) {
        Metric& metric = united.result.metrics[id];
        const std::vector<Operand> operands = operandPerInput(united, inputs, id);
        RowSource differences = isExtreme(metric.valueType)
                                    ? differenceOfExtremes(united, operands, metric.valueType)
                                    : difference(united, operands);
        if (metric.valueType != signedType(metric.valueType)) metric.typeName.clear();
        metric.valueType = signedType(metric.valueType);
        return differences;
    };
    Experiment result =
        combineEachMetric("diff", inputs, matching, DerivedMetrics::Reevaluated, subtract, {1.0, -1.0});
    if (ratios == DifferenceOfRatios::Subtracted && hasRatios(result))
        subtractRatios(valuesOf(0, inputs, matching), valuesOf(1, inputs, matching), result);
    return result;
}

}  // namespace holos::algebra
