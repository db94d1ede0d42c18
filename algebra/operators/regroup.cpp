// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/regroup.h"

#include <algorithm>
#include <memory>

#include "algebra/model/value_kinds.h"

namespace holos::algebra {
namespace {

/// What the tables of all metrics have in common.
struct Plan {
    std::vector<std::optional<CallPathId>> callPaths;
    std::vector<LocationId> locations;
    std::size_t newCallPaths = 0;
    std::size_t newLocations = 0;
};

template <class Combine>
void combineInto(SeverityTable& result, const SeverityTable& table, const Plan& plan, Combine combine) {
    for (std::size_t path = 0; path < table.callPaths(); ++path) {
        const auto values = table.row(CallPathId(path));
        if (values.empty() || !plan.callPaths[path]) continue;
        const auto into = result.editRow(*plan.callPaths[path]);
        for (std::size_t at = 0; at < values.size(); ++at) {
            double& target = into[plan.locations[at].index()];
            target = combine(target, values[at]);
        }
    }
}

SeverityTable regrouped(const SeverityTable& table, const Plan& plan, ValueType type) {
    SeverityTable result(plan.newCallPaths, plan.newLocations, missingValue(type));
    if (type == ValueType::MinDouble)
        combineInto(result, table, plan, [](double a, double b) { return std::min(a, b); });
    else if (type == ValueType::MaxDouble)
        combineInto(result, table, plan, [](double a, double b) { return std::max(a, b); });
    else
        combineInto(result, table, plan, [](double a, double b) { return a + b; });
    return result;
}

bool keepsEverything(const Plan& plan) {
    if (plan.callPaths.size() != plan.newCallPaths || plan.locations.size() != plan.newLocations)
        return false;
    for (std::size_t at = 0; at < plan.callPaths.size(); ++at)
        if (plan.callPaths[at] != CallPathId(at)) return false;
    for (std::size_t at = 0; at < plan.locations.size(); ++at)
        if (plan.locations[at] != LocationId(at)) return false;
    return true;
}

/// Sums of small numbers may need more bits.
void widen(Metric& metric) {
    if (!isIntegral(metric.valueType)) return;
    const ValueType wide = isUnsigned(metric.valueType) ? ValueType::UInt64 : ValueType::Int64;
    if (metric.valueType != wide) metric.typeName.clear();
    metric.valueType = wide;
}

}  // namespace

Regrouping unchanged(const Experiment& experiment) {
    Regrouping same{experiment.callTree, experiment.system, {}, {}};
    for (const CallPathId path : experiment.callTree.ids()) same.callPaths.emplace_back(path);
    for (std::size_t at = 0; at < experiment.system.locations.size(); ++at) same.locations.emplace_back(at);
    return same;
}

Experiment regroup(Experiment experiment, Regrouping regrouping) {
    const auto plan =
        std::make_shared<const Plan>(Plan{std::move(regrouping.callPaths), std::move(regrouping.locations),
                                          regrouping.callTree.size(), regrouping.system.locations.size()});
    experiment.callTree = std::move(regrouping.callTree);
    experiment.system = std::move(regrouping.system);
    if (keepsEverything(*plan)) return experiment;
    experiment.compoundValues.clear();
    const auto old = std::make_shared<Severities>();
    std::swap(*old, experiment.severities);
    for (const MetricId id : experiment.metrics.ids()) {
        const ValueType type = experiment.metrics[id].valueType;
        widen(experiment.metrics[id]);
        if (!old->has(id)) continue;
        experiment.severities.setLoader(id, [old, plan, id, type] {
            SeverityTable result = regrouped(old->table(id), *plan, type);
            old->edit(id) = SeverityTable();  // no longer needed
            return result;
        });
    }
    return experiment;
}

}  // namespace holos::algebra
