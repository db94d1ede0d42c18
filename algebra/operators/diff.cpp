// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/diff.h"

#include <algorithm>

#include "algebra/model/value_kinds.h"
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

}  // namespace

Experiment diff(const Experiment& minuend, const Experiment& subtrahend, const Matching& matching) {
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
    return combineEachMetric("diff", inputs, matching, DerivedMetrics::Reevaluated, subtract, {1.0, -1.0});
}

}  // namespace holos::algebra
