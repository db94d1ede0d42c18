// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/aggregates.h"

#include <algorithm>
#include <cmath>

#include "algebra/model/structure.h"
#include "algebra/operators/rows/combine.h"
#include "algebra/operators/unite/run_facts.h"
#include "base/error.h"

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

namespace {

template <class Choose>
RowSource choose(const Union& united, const Inputs& inputs, MetricId metric, Choose better) {
    const ValueType type = united.result.metrics[metric].valueType;
    const double missing = missingValue(type);
    // 0 is a value like others; "no value" gives way to any.
    const auto one = [extremes = isExtreme(type), missing, better](double a, double b) {
        if (!extremes) return better(a, b);
        return a == missing ? b : b == missing ? a : better(a, b);
    };
    const auto chooseRow = [missing, one](const OperandRows& rows, std::span<double> into) {
        for (std::size_t input = 0; input < rows.size(); ++input)
            for (std::size_t at = 0; at < into.size(); ++at) {
                const double value = rows[input].empty() ? missing : rows[input][at];
                into[at] = input == 0 ? value : one(into[at], value);
            }
    };
    return combineRows(united, operandPerInput(united, inputs, metric), missing, chooseRow);
}

template <class Choose>
Experiment chooseEach(const char* name, const Inputs& inputs, const Matching& matching, Choose better) {
    const auto combine = [&](const Union& united, MetricId metric) {
        return choose(united, inputs, metric, better);
    };
    return combineEachMetric(name, inputs, matching, DerivedMetrics::Combined, combine);
}

}  // namespace

Experiment minimum(const Inputs& inputs, const Matching& matching) {
    return chooseEach("min", inputs, matching, [](double a, double b) { return std::min(a, b); });
}

Experiment maximum(const Inputs& inputs, const Matching& matching) {
    return chooseEach("max", inputs, matching, [](double a, double b) { return std::max(a, b); });
}

namespace {

/// Welford's algorithm: exact for equal values, and without cancellation for large ones.
double deviation(const OperandRows& rows, std::size_t at) {
    double mean = 0.0;
    double squares = 0.0;
    double count = 0.0;
    for (const auto& row : rows) {
        const double value = row.empty() ? 0.0 : row[at];
        const double distance = value - mean;
        count += 1.0;
        mean += distance / count;
        squares += distance * (value - mean);
    }
    return std::sqrt(squares / (count - 1.0));
}

RowSource deviations(const Union& united, const Inputs& inputs, MetricId metric) {
    return combineRows(united, operandPerInput(united, inputs, metric), 0.0,
                       [](const OperandRows& rows, std::span<double> into) {
                           for (std::size_t at = 0; at < into.size(); ++at) into[at] = deviation(rows, at);
                       });
}

}  // namespace

Experiment standardDeviation(const Inputs& inputs, const Matching& matching) {
    if (inputs.size() < 2) throw Error("stddev needs at least two experiments");
    const auto combine = [&inputs](Union& united, MetricId id) {
        Metric& metric = united.result.metrics[id];
        if (isExtreme(metric.valueType)) return RowSource();
        metric.valueType = ValueType::Double;
        metric.typeName.clear();
        return deviations(united, inputs, id);
    };
    Experiment result = combineEachMetric("stddev", inputs, matching, DerivedMetrics::Combined, combine);
    forgetTimesOfRun(result);
    return result;
}

}  // namespace holos::algebra
