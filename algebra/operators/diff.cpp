// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/diff.h"

#include "algebra/operators/combine.h"
#include "algebra/operators/each_metric.h"

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

SeverityTable plainDifference(const Union& united, const Inputs& inputs, MetricId metric) {
    std::vector<Operand> operands = operandsOf(united, inputs, metric);
    const auto& contributions = united.contributions[metric.index()];
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (contributions[i].input == 1) operands[i].factors.assign(operands[i].map->locations.size(), -1.0);
    return weightedSum(united.result, operands);
}

/// The table of one input's values in the union.
SeverityTable alone(const Union& united, const Inputs& inputs, MetricId metric, std::size_t input) {
    std::vector<Operand> operands;
    const auto& contributions = united.contributions[metric.index()];
    for (std::size_t i = 0; i < contributions.size(); ++i)
        if (contributions[i].input == input) operands.push_back(operandsOf(united, inputs, metric)[i]);
    return extreme(united.result, operands, united.result.metrics[metric].valueType == ValueType::MinDouble);
}

SeverityTable differenceOfExtremes(const Union& united, const Inputs& inputs, MetricId metric) {
    SeverityTable table = alone(united, inputs, metric, 0);
    const SeverityTable subtrahend = alone(united, inputs, metric, 1);
    for (std::size_t i = 0; i < table.callPaths(); ++i) {
        if (!table.hasRow(CallPathId(i))) continue;
        const std::span<double> row = table.editRow(CallPathId(i));
        for (std::size_t column = 0; column < row.size(); ++column) {
            const double other = subtrahend.at(CallPathId(i), LocationId(column));
            const bool both = row[column] != table.missing() && other != table.missing();
            row[column] = both ? row[column] - other : table.missing();
        }
    }
    return table;
}

}  // namespace

Experiment diff(const Experiment& minuend, const Experiment& subtrahend) {
    const Inputs inputs{minuend, subtrahend};
    const auto subtract = [&inputs](Union& united, MetricId id) {
        Metric& metric = united.result.metrics[id];
        SeverityTable table = isExtreme(metric.valueType) ? differenceOfExtremes(united, inputs, id)
                                                          : plainDifference(united, inputs, id);
        if (metric.valueType != signedType(metric.valueType)) metric.typeName.clear();
        metric.valueType = signedType(metric.valueType);
        return table;
    };
    return combineEachMetric("diff", inputs, DerivedMetrics::Reevaluated, subtract);
}

}  // namespace holos::algebra
