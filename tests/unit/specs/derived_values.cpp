// SPDX-License-Identifier: BSD-3-Clause
#include "tests/unit/specs/derived_values.h"

#include <span>
#include <vector>

#include "metric-specs/hierarchy.h"

namespace holos::specs {
namespace {

double valueOf(const Formula& formula, const Values& values) {
    std::vector<std::span<const double>> operands;
    for (const std::string& term : formula.terms) operands.emplace_back(&values.at(term), 1);
    double value = 0.0;
    evaluate(formula, operands, {&value, 1});
    return value;
}

}  // namespace

Values shownValues(const Specification& specification, const Values& measured, double hertz) {
    std::vector<std::string> names;
    for (const auto& each : measured) names.push_back(each.first);
    const Hierarchy hierarchy = resolve(specification, names, hertz);
    Values values;
    for (const HierarchyNode& node : hierarchy.nodes)
        if (node.state == State::Measured) values[node.name] = measured.at(node.event);
    for (const std::size_t i : hierarchy.evaluationOrder)
        values[hierarchy.nodes[i].name] = valueOf(hierarchy.nodes[i].formula, values);
    for (const HierarchyNode& node : hierarchy.nodes) {
        if (node.state != State::Ratio) continue;
        const double denominator = valueOf(node.denominator, values);
        if (denominator != 0.0 && denominator >= node.minimum)
            values[node.name] = valueOf(node.formula, values) / denominator;
    }
    Values shown;
    for (const HierarchyNode& node : hierarchy.nodes)
        if (const auto found = values.find(node.name); found != values.end())
            shown[(node.incomplete ? "~" : "") + node.name] = found->second;
    return shown;
}

}  // namespace holos::specs
