// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/min_max.h"

#include <algorithm>

#include "algebra/model/value_kinds.h"
#include "algebra/operators/combine.h"
#include "algebra/operators/each_metric.h"
#include "algebra/operators/folding.h"

namespace holos::algebra {
namespace {

template <class Choose>
SeverityTable choose(const Union& united, const Inputs& inputs, MetricId metric, Choose better) {
    const Experiment& result = united.result;
    const ValueType type = result.metrics[metric].valueType;
    const double missing = missingValue(type);
    SeverityTable chosen(result.callTree.size(), result.system.locations.size(), missing);
    // 0 is a value like others; "no value" gives way to any.
    const auto one = [&](double a, double b) {
        if (!isExtreme(type)) return better(a, b);
        return a == missing ? b : b == missing ? a : better(a, b);
    };
    foldInputs(united, inputs, metric, [&](std::size_t input, CallPathId path, std::span<const double> row) {
        if (row.empty() && !chosen.hasRow(path)) return;
        const std::span<double> into = chosen.editRow(path);
        for (std::size_t at = 0; at < into.size(); ++at) {
            const double value = row.empty() ? missing : row[at];
            into[at] = input == 0 ? value : one(into[at], value);
        }
    });
    return chosen;
}

template <class Choose>
Experiment chooseEach(const char* name, const Inputs& inputs, Choose better) {
    const auto combine = [&](const Union& united, MetricId metric) {
        return choose(united, inputs, metric, better);
    };
    return combineEachMetric(name, inputs, DerivedMetrics::Combined, combine);
}

}  // namespace

Experiment minimum(const Inputs& inputs) {
    return chooseEach("min", inputs, [](double a, double b) { return std::min(a, b); });
}

Experiment maximum(const Inputs& inputs) {
    return chooseEach("max", inputs, [](double a, double b) { return std::max(a, b); });
}

}  // namespace holos::algebra
