// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/combine.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace holos::algebra {
namespace {

template <class Id>
bool isIdentity(const std::vector<Id>& map) {
    for (std::size_t i = 0; i < map.size(); ++i)
        if (map[i].index() != i) return false;
    return true;
}

/// How many rows the input adds to the table.
std::size_t newRows(const SeverityTable& into, const SeverityTable& from, const InputMap& map) {
    std::size_t rows = 0;
    for (std::size_t i = 0; i < from.callPaths(); ++i)
        if (from.hasRow(CallPathId(i)) && !into.hasRow(map.callPaths[i])) ++rows;
    return rows;
}

/// Calls `combine(target, value, column)` for every value of the input that is stored.
template <class Combine>
void forEachValue(SeverityTable& into, const SeverityTable& from, const InputMap& map, Combine combine) {
    const bool sameColumns = isIdentity(map.locations);
    into.reserveRows(newRows(into, from, map));
    for (std::size_t i = 0; i < from.callPaths(); ++i) {
        const std::span<const double> values = from.row(CallPathId(i));
        if (values.empty()) continue;
        const std::span<double> target = into.editRow(map.callPaths[i]);
        if (sameColumns)
            for (std::size_t column = 0; column < values.size(); ++column)
                combine(target[column], values[column], column);
        else
            for (std::size_t column = 0; column < values.size(); ++column)
                combine(target[map.locations[column].index()], values[column], column);
    }
}

}  // namespace

void accumulate(SeverityTable& into, const SeverityTable& from, const InputMap& map,
                std::span<const double> factors) {
    if (factors.empty())
        forEachValue(into, from, map, [](double& target, double value, std::size_t) { target += value; });
    else
        forEachValue(into, from, map, [factors](double& target, double value, std::size_t column) {
            target += factors[column] * value;
        });
}

void accumulateExtreme(SeverityTable& into, const SeverityTable& from, const InputMap& map, bool minimum) {
    if (minimum)
        forEachValue(into, from, map,
                     [](double& target, double value, std::size_t) { target = std::min(target, value); });
    else
        forEachValue(into, from, map,
                     [](double& target, double value, std::size_t) { target = std::max(target, value); });
}

void divide(SeverityTable& table, std::span<const double> divisors) {
    for (std::size_t i = 0; i < table.callPaths(); ++i) {
        if (!table.hasRow(CallPathId(i))) continue;
        const std::span<double> row = table.editRow(CallPathId(i));
        for (std::size_t column = 0; column < row.size(); ++column) row[column] /= divisors[column];
    }
}

bool allIntegral(const SeverityTable& table) {
    for (std::size_t i = 0; i < table.callPaths(); ++i)
        for (const double value : table.row(CallPathId(i)))
            if (std::nearbyint(value) != value) return false;
    return true;
}

SeverityTable newTableFor(const Experiment& result, const Metric& metric) {
    double missing = 0.0;
    if (metric.valueType == ValueType::MinDouble) missing = DBL_MAX;
    if (metric.valueType == ValueType::MaxDouble) missing = -DBL_MAX;
    return {result.callTree.size(), result.system.locations.size(), missing};
}

SeverityTable accumulateAll(const Union& united, const Inputs& inputs, MetricId metric) {
    const ValueType type = united.result.metrics[metric].valueType;
    SeverityTable table = newTableFor(united.result, united.result.metrics[metric]);
    for (const Contribution& each : united.contributions[metric.index()]) {
        const SeverityTable& from = inputs[each.input].get().severities.table(each.metric);
        if (type == ValueType::MinDouble || type == ValueType::MaxDouble)
            accumulateExtreme(table, from, united.inputs[each.input], type == ValueType::MinDouble);
        else
            accumulate(table, from, united.inputs[each.input]);
    }
    return table;
}

void keepCompoundValues(Union& united, const Inputs& inputs) {
    for (const MetricId metric : united.result.metrics.ids()) {
        const auto& contributions = united.contributions[metric.index()];
        if (contributions.size() != 1) continue;
        const Contribution& only = contributions.front();
        const Experiment& input = inputs[only.input];
        const InputMap& map = united.inputs[only.input];
        const bool whole = input.callTree.size() == united.result.callTree.size() &&
                           input.system.locations.size() == united.result.system.locations.size();
        const auto values = input.compoundValues.find(only.metric);
        if (whole && isIdentity(map.callPaths) && isIdentity(map.locations) &&
            values != input.compoundValues.end())
            united.result.compoundValues.emplace(metric, values->second);
    }
}

}  // namespace holos::algebra
