// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/scale.h"

#include <cmath>

#include "algebra/model/value_kinds.h"
#include "algebra/operators/derive/derive_again.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/rows/combine.h"
#include "base/error.h"

namespace holos::algebra {
namespace {

/// By MetricId: whether it is scaled.
std::vector<bool> chosenMetrics(const Experiment& experiment, const Chosen<std::string>& names) {
    const MetricForest& metrics = experiment.metrics;
    const bool derivesAgain = experiment.files.contains(kSpecificationFile);
    std::vector<bool> chosen(metrics.size(), names.isAll());
    for (const std::string& name : names.given()) {
        const auto root = experiment.findMetric(name);
        if (!root) throw Error("there is no metric \"" + name + "\"; `holos info` lists them");
        const auto above = metrics.parent(*root);
        if (above && !(derivesAgain && isDerivedBySpecification(metrics[*above])))
            throw Error("metric \"" + name + "\" is part of \"" + metrics[*above].uniqueName +
                        "\" and cannot be scaled without it");
        for (const MetricId id : metrics.subtree(*root)) chosen[id.index()] = true;
    }
    return chosen;
}

void scaleValues(SeverityTable& table, double factor) {
    for (std::size_t path = 0; path < table.callPaths(); ++path) {
        if (!table.hasRow(CallPathId(path))) continue;
        for (double& value : table.editRow(CallPathId(path))) value *= factor;
    }
}

SeverityTable scaleExtremes(const SeverityTable& table, double factor, ValueType type) {
    SeverityTable scaled(table.callPaths(), table.locations(), missingValue(type));
    for (std::size_t path = 0; path < table.callPaths(); ++path) {
        const auto row = table.row(CallPathId(path));
        if (row.empty()) continue;
        const auto into = scaled.editRow(CallPathId(path));
        for (std::size_t at = 0; at < row.size(); ++at)
            if (row[at] != table.missing()) into[at] = factor * row[at];
    }
    return scaled;
}

ValueType typeAfter(ValueType type, double factor) {
    if (isIntegral(type)) return isUnsigned(type) && factor >= 0.0 ? ValueType::UInt64 : ValueType::Int64;
    if (factor >= 0.0 || !isExtreme(type)) return type;
    return type == ValueType::MinDouble ? ValueType::MaxDouble : ValueType::MinDouble;
}

void scaleMetric(Experiment& experiment, MetricId id, double factor) {
    Metric& metric = experiment.metrics[id];
    const ValueType type = typeAfter(metric.valueType, factor);
    if (type != metric.valueType) metric.typeName.clear();
    metric.valueType = type;
    if (isExtreme(type)) {
        experiment.severities.set(id, scaleExtremes(experiment.severities.table(id), factor, type));
        return;
    }
    SeverityTable& table = experiment.severities.edit(id);
    scaleValues(table, factor);
    if (isIntegral(type) && !allIntegral(*experiment.severities.rows(id)))
        metric.valueType = ValueType::Double;
}

}  // namespace

Experiment scale(Experiment experiment, const Scaling& scaling) {
    if (!std::isfinite(scaling.factor)) throw Error("the factor of a scaling must be a number");
    const std::vector<bool> chosen = chosenMetrics(experiment, scaling.metrics);
    for (const MetricId id : experiment.metrics.ids()) {
        Metric& metric = experiment.metrics[id];
        if (!chosen[id.index()] || metric.isVoid) continue;
        if (metric.hasValues() && metric.valueType != ValueType::Compound)
            scaleMetric(experiment, id, scaling.factor);
        if (!scaling.unit.empty() && metric.hasValues()) metric.unit = scaling.unit;
    }
    return deriveAgain(std::move(experiment));
}

}  // namespace holos::algebra
