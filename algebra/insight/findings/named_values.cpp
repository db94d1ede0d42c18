// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/findings/named_values.h"

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

double percent(double part, double whole) {
    return whole > 0 ? 100 * part / whole : kNotDefined;
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
    std::vector<std::vector<double>> values;
    for (const std::string& term : formula.terms) values.push_back(perCallPath(term));
    for (const std::vector<double>& each : values) operands.emplace_back(each);
    return evaluated(formula, operands, experiment_.callTree.size());
}

std::vector<double> NamedValues::perCallPath(const std::string& name) {
    const auto share = shares_.find(name);
    if (share == shares_.end()) return perCallPath(names_.at(name));
    const auto& [part, whole] = share->second;
    std::vector<double> percents;
    for (std::size_t i = 0; i < part.size(); ++i) percents.push_back(percent(part[i], whole[i]));
    return percents;
}

std::string NamedValues::unitOf(const std::string& name) const {
    return shares_.contains(name) ? "%" : experiment_.metrics[names_.at(name)].unit;
}

const std::vector<double>& NamedValues::perCallPath(MetricId metric) {
    const auto [place, isNew] = known_.try_emplace(metric);
    if (isNew) place->second = values_.values({metric});
    return place->second;
}

double NamedValues::of(const specs::Formula& formula, const std::vector<CallPathId>& paths) const {
    std::vector<double> values;
    for (const std::string& term : formula.terms) values.push_back(of(term, paths));
    std::vector<std::span<const double>> operands;
    for (const double& value : values) operands.emplace_back(&value, 1);
    return evaluated(formula, operands, 1).front();
}

double NamedValues::of(const std::string& name, const std::vector<CallPathId>& paths) const {
    const auto share = shares_.find(name);
    if (share == shares_.end()) return of(names_.at(name), paths);
    double part = 0, whole = 0;
    for (const CallPathId path : paths) {
        part += share->second.part[path.index()];
        whole += share->second.whole[path.index()];
    }
    return percent(part, whole);
}

double NamedValues::of(MetricId metric, const std::vector<CallPathId>& paths) const {
    std::vector<CallPathChoice> choices;
    for (const CallPathId path : paths) choices.push_back({path, Extent::Exclusive});
    return aggregate(experiment_, {metric}, choices);
}

}  // namespace holos::algebra
