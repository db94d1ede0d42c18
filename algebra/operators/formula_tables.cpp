// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/formula_tables.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "metric-specs/formula_text.h"

namespace holos::algebra {
namespace {

using specs::Formula;
using specs::Step;

bool usesNone(const Formula& formula, std::initializer_list<Step::Kind> kinds) {
    return std::none_of(formula.steps.begin(), formula.steps.end(), [kinds](const Step& step) {
        return std::find(kinds.begin(), kinds.end(), step.kind) != kinds.end();
    });
}

}  // namespace

SeverityTable evaluateTables(const Experiment& experiment, const Formula& formula,
                             const std::vector<MetricId>& terms) {
    SeverityTable result = experiment.newTable();
    std::vector<const SeverityTable*> tables;
    tables.reserve(terms.size());
    for (const MetricId term : terms) tables.push_back(&experiment.severities.table(term));
    std::vector<std::span<const double>> operands(terms.size());
    for (const CallPathId path : experiment.callTree.ids()) {
        bool any = false;
        for (std::size_t i = 0; i < tables.size(); ++i) {
            operands[i] = tables[i]->callPaths() == 0 ? std::span<const double>() : tables[i]->row(path);
            any = any || !operands[i].empty();
        }
        if (any) specs::evaluate(formula, operands, result.editRow(path));
    }
    return result;
}

bool addsOnly(const Formula& formula) {
    return usesNone(formula, {Step::Kind::Multiply, Step::Kind::Divide, Step::Kind::Number});
}

bool isIntegerFormula(const Formula& formula) {
    return usesNone(formula, {Step::Kind::Divide}) &&
           std::all_of(formula.steps.begin(), formula.steps.end(), [](const Step& step) {
               return step.kind != Step::Kind::Number || std::nearbyint(step.number) == step.number;
           });
}

std::string cubeplOf(Formula numerator, const std::vector<std::string>& numeratorNames, Formula denominator,
                     const std::vector<std::string>& denominatorNames, double minimum) {
    for (std::size_t i = 0; i < numeratorNames.size(); ++i)
        numerator.terms[i] = "metric::" + numeratorNames[i] + "()";
    for (std::size_t i = 0; i < denominatorNames.size(); ++i)
        denominator.terms[i] = "metric::" + denominatorNames[i] + "()";
    const std::string enough = minimum == 0.0 ? "${whole} != 0" : "${whole} >= " + specs::textOf(minimum);
    return "{ ${whole} = " + specs::textOf(denominator) + "; ${value} = sqrt(-1); if (" + enough +
           ") { ${value} = ( " + specs::textOf(numerator) + " ) / ${whole}; }; return ${value}; }";
}

}  // namespace holos::algebra
