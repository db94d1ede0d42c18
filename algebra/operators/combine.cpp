// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/combine.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace holos::algebra {
namespace {

std::span<const double> rowOf(const Operand& operand, CallPathId path) {
    const auto source = operand.map->sources[path.index()];
    return source && operand.table->callPaths() > 0 ? operand.table->row(*source) : std::span<const double>();
}

bool anyHasRow(const std::vector<Operand>& operands, CallPathId path) {
    return std::any_of(operands.begin(), operands.end(),
                       [path](const Operand& operand) { return !rowOf(operand, path).empty(); });
}

/// Calls `combine(target, value, column)` for each value of a row, with the target of the same location.
template <class Combine>
void combineRow(std::span<double> target, std::span<const double> values, const InputMap& map,
                Combine combine) {
    if (map.sameLocations)
        for (std::size_t column = 0; column < values.size(); ++column)
            combine(target[column], values[column], column);
    else
        for (std::size_t column = 0; column < values.size(); ++column)
            combine(target[map.locations[column].index()], values[column], column);
}

/// Makes the table row by row, so that a row is finished while it is in the cache.
template <class AddOperand, class Finish>
SeverityTable rowWise(const Experiment& result, const std::vector<Operand>& operands, double missing,
                      AddOperand addOperand, Finish finish) {
    SeverityTable table(result.callTree.size(), result.system.locations.size(), missing);
    std::size_t rows = 0;
    for (const CallPathId path : result.callTree.ids()) rows += anyHasRow(operands, path) ? 1 : 0;
    table.reserveRows(rows);
    for (const CallPathId path : result.callTree.ids()) {
        if (!anyHasRow(operands, path)) continue;
        const std::span<double> target = table.editRow(path);
        for (const Operand& operand : operands) addOperand(target, rowOf(operand, path), operand);
        finish(target);
    }
    return table;
}

bool isIdentity(const std::vector<CallPathId>& map) {
    for (std::size_t i = 0; i < map.size(); ++i)
        if (map[i].index() != i) return false;
    return true;
}

}  // namespace

SeverityTable weightedSum(const Experiment& result, const std::vector<Operand>& operands,
                          std::span<const double> divisors) {
    const auto add = [](std::span<double> target, std::span<const double> values, const Operand& operand) {
        const std::span<const double> factors = operand.factors;
        if (factors.empty())
            combineRow(target, values, *operand.map,
                       [](double& into, double value, std::size_t) { into += value; });
        else
            combineRow(target, values, *operand.map,
                       [factors](double& into, double value, std::size_t column) {
                           into += factors[column] * value;
                       });
    };
    const auto divide = [divisors](std::span<double> target) {
        for (std::size_t column = 0; column < divisors.size(); ++column) target[column] /= divisors[column];
    };
    return rowWise(result, operands, 0.0, add, divide);
}

SeverityTable extreme(const Experiment& result, const std::vector<Operand>& operands, bool minimum) {
    const auto add = [minimum](std::span<double> target, std::span<const double> values,
                               const Operand& operand) {
        combineRow(target, values, *operand.map, [minimum](double& into, double value, std::size_t) {
            into = minimum ? std::min(into, value) : std::max(into, value);
        });
    };
    return rowWise(result, operands, minimum ? DBL_MAX : -DBL_MAX, add, [](std::span<double>) {});
}

std::vector<Operand> operandsOf(const Union& united, const Inputs& inputs, MetricId metric) {
    std::vector<Operand> operands;
    for (const Contribution& each : united.contributions[metric.index()])
        operands.push_back(
            {&inputs[each.input].get().severities.table(each.metric), &united.inputs[each.input], {}});
    return operands;
}

bool isExtreme(ValueType type) {
    return type == ValueType::MinDouble || type == ValueType::MaxDouble;
}

bool allIntegral(const SeverityTable& table) {
    for (std::size_t i = 0; i < table.callPaths(); ++i)
        for (const double value : table.row(CallPathId(i)))
            if (std::nearbyint(value) != value) return false;
    return true;
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
        if (whole && isIdentity(map.callPaths) && map.sameLocations && values != input.compoundValues.end())
            united.result.compoundValues.emplace(metric, values->second);
    }
}

}  // namespace holos::algebra
