// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/formula_tables.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

namespace holos::algebra {
namespace {

using specs::Formula;
using specs::Step;

/// A part of a formula as text, and how tightly its outermost operator binds.
struct Part {
    enum class Binding : std::uint8_t { Sum, Product, Atom };
    std::string text;
    Binding binding = Binding::Atom;

    std::string inside(Binding least) const { return binding < least ? "( " + text + " )" : text; }
};

std::string textOf(double number) {
    std::array<char, 400> digits{};  // room for the longest number without exponent
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed).ptr;
    return {digits.data(), end};
}

Part join(const Part& left, char op, const Part& right) {
    const bool product = op == '*' || op == '/';
    const Part::Binding own = product ? Part::Binding::Product : Part::Binding::Sum;
    // Behind '-' and '/' an operand of the same binding needs parentheses.
    const Part::Binding rightLeast = op == '/'   ? Part::Binding::Atom
                                     : op == '-' ? Part::Binding::Product
                                                 : own;
    return {left.inside(own) + ' ' + op + ' ' + right.inside(rightLeast), own};
}

void append(std::vector<Part>& stack, const Step& step, const Formula& formula) {
    const auto binary = [&stack](char op) {
        const Part right = std::move(stack.back());
        stack.pop_back();
        stack.back() = join(stack.back(), op, right);
    };
    switch (step.kind) {
        case Step::Kind::Operand:
            stack.push_back({formula.terms[step.operand], Part::Binding::Atom});
            break;
        case Step::Kind::Number:
            stack.push_back({textOf(step.number), Part::Binding::Atom});
            break;
        case Step::Kind::Add:
            binary('+');
            break;
        case Step::Kind::Subtract:
            binary('-');
            break;
        case Step::Kind::Multiply:
            binary('*');
            break;
        case Step::Kind::Divide:
            binary('/');
            break;
        case Step::Kind::Negate:
            stack.back() = {"-" + stack.back().inside(Part::Binding::Atom), Part::Binding::Product};
    }
}

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

std::string textOf(const Formula& formula) {
    std::vector<Part> stack;
    for (const Step& step : formula.steps) append(stack, step, formula);
    return stack.empty() ? std::string() : stack.back().text;
}

std::string cubeplOf(Formula numerator, const std::vector<std::string>& numeratorNames, Formula denominator,
                     const std::vector<std::string>& denominatorNames, double minimum) {
    for (std::size_t i = 0; i < numeratorNames.size(); ++i)
        numerator.terms[i] = "metric::" + numeratorNames[i] + "()";
    for (std::size_t i = 0; i < denominatorNames.size(); ++i)
        denominator.terms[i] = "metric::" + denominatorNames[i] + "()";
    const std::string enough = minimum == 0.0 ? "${whole} != 0" : "${whole} >= " + textOf(minimum);
    return "{ ${whole} = " + textOf(denominator) + "; ${value} = sqrt(-1); if (" + enough +
           ") { ${value} = ( " + textOf(numerator) + " ) / ${whole}; }; return ${value}; }";
}

}  // namespace holos::algebra
