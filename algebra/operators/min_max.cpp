// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/min_max.h"

#include <algorithm>

#include "algebra/model/structure.h"
#include "algebra/operators/rows/combine.h"
#include "algebra/operators/rows/each_metric.h"

namespace holos::algebra {
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

}  // namespace holos::algebra
