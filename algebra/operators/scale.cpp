// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/scale.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "algebra/model/structure.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/rows/combine.h"
#include "algebra/operators/unite/run_facts.h"
#include "base/error.h"
#include "base/wrong_request.h"

namespace holos::algebra {
namespace {

/// By MetricId: whether it is scaled.
std::vector<bool> chosenMetrics(const Experiment& experiment, const Chosen<std::string>& names) {
    const MetricForest& metrics = experiment.metrics;
    const bool derivesAgain = experiment.files.contains(kSpecificationFile);
    std::vector<bool> chosen(metrics.size(), names.isAll());
    for (const std::string& name : names.given()) {
        const auto root = experiment.findMetric(name);
        if (!root) throw WrongRequest("there is no metric \"" + name + "\"; `holos info` lists them");
        const auto above = metrics.parent(*root);
        if (above && !(derivesAgain && isDerivedBySpecification(metrics[*above])))
            throw Error("metric \"" + name + "\" is part of \"" + metrics[*above].uniqueName +
                        "\" and cannot be scaled without it");
        for (const MetricId id : metrics.subtree(*root)) chosen[id.index()] = true;
    }
    return chosen;
}

/// The rows of another metric times the factor, made when they are asked for.
class ScaledRows final : public Rows {
  public:
    ScaledRows(RowsPtr rows, double factor, double missing)
        : Rows(rows->callPaths(), rows->locations(), missing), rows_(std::move(rows)), factor_(factor) {}

    bool hasRow(CallPathId path) const override { return rows_->hasRow(path); }
    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        const auto values = rows_->row(path, scratch);
        const auto scaled = [this](double value) {
            return value == rows_->missing() ? missing() : factor_ * value;
        };
        std::ranges::transform(values, scratch.begin(), scaled);
        return scratch.first(values.size());
    }
    bool isFar() const override { return rows_->isFar(); }

  private:
    RowsPtr rows_;
    double factor_;
};

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
    const auto scaled = [source = experiment.severities.source(id), factor, missing = missingValue(type)] {
        return std::make_shared<ScaledRows>(source(), factor, missing);
    };
    experiment.severities.setRows(id, scaled);
    if (isIntegral(type) && !allIntegral(*scaled())) metric.valueType = ValueType::Double;
}

/// What attributes say of the run's times goes with the time of the threads.
void scaleTimes(Experiment& experiment, const std::vector<bool>& chosen, const Scaling& scaling) {
    const auto time = experiment.findMetric("time");
    if (!time || !chosen[time->index()]) return;
    if (scaling.factor > 0 && experiment.metrics[*time].unit == "sec")
        scaleTimesOfRun(experiment, scaling.factor);
    else
        forgetTimesOfRun(experiment);
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
    scaleTimes(experiment, chosen, scaling);
    return deriveAgain(std::move(experiment));
}

}  // namespace holos::algebra
