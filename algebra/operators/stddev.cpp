// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/stddev.h"

#include <cmath>

#include "algebra/operators/combine.h"
#include "algebra/operators/each_metric.h"
#include "algebra/operators/folding.h"
#include "metric-specs/error.h"

namespace holos::algebra {
namespace {

/// Welford's algorithm: exact for equal values, and without cancellation for large ones.
SeverityTable deviations(const Union& united, const Inputs& inputs, MetricId metric) {
    const Experiment& result = united.result;
    SeverityTable means = result.newTable();
    SeverityTable squares = result.newTable();
    foldInputs(united, inputs, metric, [&](std::size_t input, CallPathId path, std::span<const double> row) {
        if (row.empty() && !means.hasRow(path)) return;
        const std::span<double> mean = means.editRow(path);
        const std::span<double> square = squares.editRow(path);
        const double count = static_cast<double>(input) + 1.0;
        for (std::size_t at = 0; at < mean.size(); ++at) {
            const double value = row.empty() ? 0.0 : row[at];
            const double distance = value - mean[at];
            mean[at] += distance / count;
            square[at] += distance * (value - mean[at]);
        }
    });
    const double divisor = static_cast<double>(inputs.size()) - 1.0;
    for (const CallPathId path : result.callTree.ids())
        if (squares.hasRow(path))
            for (double& value : squares.editRow(path)) value = std::sqrt(value / divisor);
    return squares;
}

}  // namespace

Experiment standardDeviation(const Inputs& inputs) {
    if (inputs.size() < 2) throw Error("stddev needs at least two experiments");
    const auto combine = [&inputs](Union& united, MetricId id) {
        Metric& metric = united.result.metrics[id];
        if (isExtreme(metric.valueType)) return SeverityTable();
        metric.valueType = ValueType::Double;
        metric.typeName.clear();
        return deviations(united, inputs, id);
    };
    return combineEachMetric("stddev", inputs, DerivedMetrics::Combined, combine);
}

}  // namespace holos::algebra
