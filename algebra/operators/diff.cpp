// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/diff.h"

#include <algorithm>
#include <regex>
#include <set>
#include <string>

#include "algebra/model/experiment.h"
#include "algebra/model/structure.h"
#include "algebra/operators/rows/combine.h"
#include "algebra/operators/unite/run_facts.h"

namespace holos::algebra {
namespace {

/// `metric::NAME`, `metric::call::NAME` and their like.
const std::regex& reference() {
    static const std::regex made("\\bmetric::((?:context::|fixed::|call::)?)([A-Za-z_][A-Za-z0-9_]*)");
    return made;
}

constexpr const char* kUndefinedFormula = "0 / 0";

bool isRatio(const Metric& metric) {
    return metric.storage == Storage::PostDerived && !metric.expression.empty();
}

/// The hidden metrics of one of the two experiments in the difference.
class Terms {
  public:
    Terms(const Experiment& of, std::string ending, Experiment& difference)
        : of_(of), ending_(std::move(ending)), difference_(difference) {}

    /// The name of the metric's values of this experiment in the difference; adds them once.
    std::string add(const std::string& name) {
        const std::string hidden = name + ending_;
        const auto source = of_.findMetric(name);
        if (!source || !known_.insert(name).second || difference_.findMetric(hidden)) return hidden;
        Metric metric = of_.metrics[*source];
        metric.uniqueName = hidden;
        metric.displayName += ending_;
        metric.ghost = true;
        metric.attributes.clear();
        if (metric.origin != Origin::Ratio) metric.origin = Origin::Measured;
        if (!metric.hasValues()) metric.expression = expression(metric.expression);
        const bool isStored = metric.hasValues() && of_.severities.has(*source);
        const MetricId id = difference_.metrics.add(std::move(metric));
        if (isStored) difference_.severities.setRows(id, of_.severities.source(*source));
        return hidden;
    }

  private:
    std::string expression(const std::string& text) {
        std::string made;
        auto rest = text.cbegin();
        for (std::sregex_iterator at(text.begin(), text.end(), reference()), end; at != end; ++at) {
            made.append(rest, (*at)[0].first);
            made += "metric::" + at->str(1) + add(at->str(2));
            rest = (*at)[0].second;
        }
        return made.append(rest, text.cend());
    }

    const Experiment& of_;
    std::string ending_;
    Experiment& difference_;
    std::set<std::string> known_;
};

/// Makes each ratio of a difference the ratio of the first experiment minus that of the second, at every call
/// path and location, whole or part: what it was made of the differences of its terms says nothing of either.
/// `first` and `second` have all values of one experiment each, and the trees of the difference. The terms of
/// the ratios are added as hidden metrics, `NAME_of_first` and `NAME_of_second`. A ratio whose expression
/// defines metrics or variables is left out of the difference: it becomes undefined.
void subtractRatios(const Experiment& first, const Experiment& second, Experiment& difference) {
    Terms ofFirst(first, "_of_first", difference), ofSecond(second, "_of_second", difference);
    const std::size_t before = difference.metrics.size();
    for (std::size_t at = 0; at < before; ++at) {
        const Metric& metric = difference.metrics[MetricId(at)];
        if (!isRatio(metric) || metric.ghost) continue;
        const bool isSimple = metric.initialisation.empty() && metric.aggregations.empty() &&
                              metric.expression.find("cube::") == std::string::npos;
        const std::string name = metric.uniqueName;
        const std::string text =
            isSimple ? "metric::" + ofFirst.add(name) + "() - metric::" + ofSecond.add(name) + "()"
                     : kUndefinedFormula;
        difference.metrics[MetricId(at)].expression = text;
        if (!isSimple) difference.metrics[MetricId(at)].initialisation.clear();
    }
}

/// A signed type that holds every difference of two values of `type` (of 64 bits: as far as a signed one
/// can).
ValueType signedType(ValueType type) {
    switch (type) {
        case ValueType::Int8:
        case ValueType::UInt8:
            return ValueType::Int16;
        case ValueType::Int16:
        case ValueType::UInt16:
            return ValueType::Int32;
        case ValueType::Int32:
        case ValueType::UInt32:
        case ValueType::UInt64:
            return ValueType::Int64;
        default:
            return type;
    }
}

/// A minimum or maximum has a difference where both have a value.
RowSource differenceOfExtremes(const Union& united, const std::vector<Operand>& operands, ValueType type) {
    const double missing = missingValue(type);
    return combineRows(united, operands, missing, [missing](const OperandRows& rows, std::span<double> into) {
        if (rows[0].empty() || rows[1].empty()) return std::fill(into.begin(), into.end(), missing);
        std::transform(
            rows[0].begin(), rows[0].end(), rows[1].begin(), into.begin(),
            [missing](double a, double b) { return a != missing && b != missing ? a - b : missing; });
    });
}

/// One of the experiments, with the trees and metrics of their difference.
Experiment valuesOf(std::size_t which, const Inputs& inputs, const Matching& matching) {
    const auto take = [&](Union& united, MetricId id) {
        const std::vector<Operand> own{operandPerInput(united, inputs, id)[which]};
        const ValueType type = united.result.metrics[id].valueType;
        return isExtreme(type) ? extreme(united, own, type) : weightedSum(united, own);
    };
    return combineEachMetric("diff", inputs, matching, DerivedMetrics::Reevaluated, take);
}

bool hasRatios(const Experiment& experiment) {
    for (const MetricId id : experiment.metrics.ids())
        if (experiment.metrics[id].storage == Storage::PostDerived) return true;
    return false;
}

}  // namespace

Experiment diff(const Experiment& minuend, const Experiment& subtrahend, const Matching& matching,
                DifferenceOfRatios ratios) {
    const Inputs inputs{minuend, subtrahend};
    const auto subtract = [&inputs](Union& united, MetricId id) {
        Metric& metric = united.result.metrics[id];
        const std::vector<Operand> operands = operandPerInput(united, inputs, id);
        RowSource differences = isExtreme(metric.valueType)
                                    ? differenceOfExtremes(united, operands, metric.valueType)
                                    : difference(united, operands);
        if (metric.valueType != signedType(metric.valueType)) metric.typeName.clear();
        metric.valueType = signedType(metric.valueType);
        return differences;
    };
    Experiment result =
        combineEachMetric("diff", inputs, matching, DerivedMetrics::Reevaluated, subtract, {1.0, -1.0});
    forgetTimesOfRun(result);
    if (ratios == DifferenceOfRatios::Subtracted && hasRatios(result))
        subtractRatios(valuesOf(0, inputs, matching), valuesOf(1, inputs, matching), result);
    return result;
}

}  // namespace holos::algebra
