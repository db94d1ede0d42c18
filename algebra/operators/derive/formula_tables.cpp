// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/derive/formula_tables.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "metric-specs/formula.h"

namespace holos::algebra {
namespace {

using specs::Formula;
using specs::Step;

bool usesNone(const Formula& formula, std::initializer_list<Step::Kind> kinds) {
    return std::ranges::none_of(formula.steps, [kinds](const Step& step) {
        return std::ranges::find(kinds, step.kind) != kinds.end();
    });
}

class FormulaRows final : public Rows {
  public:
    FormulaRows(std::size_t callPaths, std::size_t locations, const Formula& formula,
                const std::vector<RowSource>& terms)
        : Rows(callPaths, locations, 0.0), formula_(formula) {
        for (const RowSource& term : terms) terms_.push_back(term());
    }

    bool hasRow(CallPathId path) const override {
        return std::ranges::any_of(terms_, [path](const RowsPtr& term) { return term->hasRow(path); });
    }
    bool isFar() const override {
        return std::ranges::any_of(terms_, [](const RowsPtr& term) { return term->isFar(); });
    }

    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        std::vector<double> memory(terms_.size() * locations());
        std::vector<std::span<const double>> operands;
        for (const RowsPtr& term : terms_)
            operands.push_back(
                term->row(path, std::span(memory).subspan(operands.size() * locations(), locations())));
        const auto result = scratch.first(locations());
        specs::evaluate(formula_, operands, result);
        return result;
    }

  private:
    Formula formula_;
    std::vector<RowsPtr> terms_;
};

class RestRows final : public Rows {
  public:
    RestRows(RowsPtr part, RowsPtr whole, std::vector<RowsPtr> others)
        : Rows(part->callPaths(), part->locations(), 0.0),
          part_(std::move(part)),
          whole_(std::move(whole)),
          others_(std::move(others)) {}

    bool hasRow(CallPathId path) const override { return part_->hasRow(path) && whole_->hasRow(path); }
    bool isFar() const override {
        return part_->isFar() || whole_->isFar() ||
               std::ranges::any_of(others_, [](const RowsPtr& other) { return other->isFar(); });
    }

    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        std::vector<double> memory(locations());
        std::vector<double> rest(locations());
        std::copy_n(whole_->row(path, memory).begin(), locations(), rest.begin());
        for (const RowsPtr& other : others_) {
            const auto values = other->row(path, memory);
            for (std::size_t at = 0; at < values.size(); ++at) rest[at] -= values[at];
        }
        const auto values = part_->row(path, memory);
        const auto result = scratch.first(locations());
        for (std::size_t at = 0; at < result.size(); ++at)
            result[at] = std::clamp(values[at], 0.0, std::max(rest[at], 0.0));
        return result;
    }

  private:
    RowsPtr part_;
    RowsPtr whole_;
    std::vector<RowsPtr> others_;
};

}  // namespace

RowSource atMostTheRest(const RowSource& part, const RowSource& whole, std::vector<RowSource> others) {
    return [part, whole, others = std::move(others)] {
        std::vector<RowsPtr> open;
        for (const RowSource& other : others) open.push_back(other());
        return std::make_shared<RestRows>(part(), whole(), std::move(open));
    };
}

RowSource evaluateRows(const Experiment& experiment, const Formula& formula,
                       const std::vector<MetricId>& terms) {
    std::vector<RowSource> sources;
    sources.reserve(terms.size());
    for (const MetricId term : terms) {
        // A term that is itself evaluated would be so again for each metric above it.
        if (experiment.metrics[term].origin != Origin::Measured) experiment.severities.table(term);
        sources.push_back(experiment.severities.source(term));
    }
    return
        [sources, formula, paths = experiment.callTree.size(), width = experiment.system.locations.size()] {
            return std::make_shared<FormulaRows>(paths, width, formula, sources);
        };
}

bool addsOnly(const Formula& formula) {
    return usesNone(formula, {Step::Kind::Multiply, Step::Kind::Divide, Step::Kind::Number});
}

bool isIntegerFormula(const Formula& formula) {
    return usesNone(formula, {Step::Kind::Divide}) &&
           std::ranges::all_of(formula.steps, [](const Step& step) {
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
