// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/findings/named_values.h"

#include <limits>
#include <span>

#include "algebra/operators/history/metric_names.h"

namespace holos::algebra {
namespace {

constexpr double kNotDefined = std::numeric_limits<double>::quiet_NaN();

/// What the specification calls a metric that it has a part in.
std::optional<std::string> shownName(const Metric& metric) {
    if (!isDerivedBySpecification(metric) && !attribute(metric.attributes, kEventAttribute))
        return std::nullopt;
    return metric.displayName.starts_with('~') ? metric.displayName.substr(1) : metric.displayName;
}

std::vector<double> evaluated(const specs::Formula& formula,
                              const std::vector<std::span<const double>>& operands, std::size_t count) {
    std::vector<double> result(count);
    specs::evaluate(formula, operands, result, kNotDefined);
    return result;
}

}  // namespace

NamedValues::NamedValues(const Experiment& experiment)
    : experiment_(experiment),
      values_(experiment, {.by = Selection::By::CallPath, .callExtent = Extent::Exclusive}) {
    for (const MetricId id : experiment.metrics.ids())
        if (const auto name = shownName(experiment.metrics[id])) names_.emplace(*name, id);
    for (const MetricId id : experiment.metrics.ids()) names_.emplace(eventName(experiment.metrics[id]), id);
}

std::optional<MetricId> NamedValues::find(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<double> NamedValues::perCallPath(const specs::Formula& formula) {
    std::vector<std::span<const double>> operands;
    for (const std::string& term : formula.terms) operands.emplace_back(perCallPath(names_.at(term)));
    return evaluated(formula, operands, experiment_.callTree.size());
}

const std::vector<double>& NamedValues::perCallPath(MetricId metric) {
    const auto [place, isNew] = known_.try_emplace(metric);
    if (isNew) place->second = values_.values({metric});
    return place->second;
}

double NamedValues::of(const specs::Formula& formula, const std::vector<CallPathId>& paths) const {
    std::vector<double> values;
    for (const std::string& term : formula.terms) values.push_back(of(names_.at(term), paths));
    std::vector<std::span<const double>> operands;
    for (const double& value : values) operands.emplace_back(&value, 1);
    return evaluated(formula, operands, 1).front();
}

double NamedValues::of(MetricId metric, const std::vector<CallPathId>& paths) const {
    std::vector<CallPathChoice> choices;
    for (const CallPathId path : paths) choices.push_back({path, Extent::Exclusive});
    return aggregate(experiment_, {metric}, choices);
}

}  // namespace holos::algebra
