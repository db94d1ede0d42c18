// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/stddev.h"

#include <cmath>

#include "algebra/operators/rows/combine.h"
#include "algebra/operators/rows/each_metric.h"
#include "base/error.h"

namespace holos::algebra {
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
    return combineEachMetric("stddev", inputs, matching, DerivedMetrics::Combined, combine);
}

}  // namespace holos::algebra
