// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "algebra/model/rows.h"
#include "algebra/operators/unite/unite.h"

namespace holos::algebra {

/// What an operator does with metrics that the inputs' specification made of others.
enum class DerivedMetrics : std::uint8_t {
    Reevaluated,  ///< made again from the combined measurements, where all inputs carry one specification
    Combined,     ///< combined like measured ones, and no longer derived; ratios are left out
};

/// Says how the values of one metric of the union are made, or nothing for a metric without values; may
/// change the metric's value type and description.
using CombineMetric = std::function<RowSource(Union&, MetricId)>;

/// Unites the inputs and combines each stored metric by itself: what `mean`, `diff`, `min` and their like
/// have in common. Expressions are kept. `factors` are those of the inputs' communication and of what is said
/// of their runs' times (`run_facts.h`); none: the result has no communication. Throws Error for no inputs,
/// naming the operator.
Experiment combineEachMetric(const char* operatorName, const Inputs& inputs, const Matching& matching,
                             DerivedMetrics derived, const CombineMetric& combine,
                             const std::vector<double>& factors = {});

/// One input's values of a metric with their place in the union.
struct Operand {
    RowSource values;  ///< none: the input lacks the metric
    std::shared_ptr<const InputMap> map;
    std::vector<double> factors;  ///< for `weightedSum`, per location of the input; empty: all 1
};

/// One row of each operand with a value for every location of the union, `missing` where the operand lacks
/// the location; empty where it has no row.
using OperandRows = std::vector<std::span<const double>>;
/// Fills a row of the result. Called from several threads.
using CombineRow = std::function<void(const OperandRows& operands, std::span<double> into)>;

/// The values of a metric of the union, made row by row when they are asked for, where any operand has a row.
/// The rows remain valid without the union and the inputs. A row that one of the first `passing` operands has
/// alone is that of the result, every digit.
RowSource combineRows(const Union& united, const std::vector<Operand>& operands, double missing,
                      CombineRow combine, std::size_t passing = 0);

/// `(Σ factor × value) / divisor` for every value of the union; what an operand lacks counts as 0.
/// `divisors` are per location of the union; empty: all 1.
RowSource weightedSum(const Union& united, const std::vector<Operand>& operands,
                      std::vector<double> divisors = {});

/// The first operand minus the second; what one of them lacks counts as 0.
RowSource difference(const Union& united, const std::vector<Operand>& operands);

/// The smallest or largest value of the operands, as the type says; what an operand lacks is no value.
RowSource extreme(const Union& united, const std::vector<Operand>& operands, ValueType type);

/// The operands of one metric of the union: of the inputs that have it, or one for every input.
std::vector<Operand> operandsOf(const Union& united, const Inputs& inputs, MetricId metric);
std::vector<Operand> operandPerInput(const Union& united, const Inputs& inputs, MetricId metric);

bool isExtreme(ValueType type);

/// True when every value is a whole number. Reads until one is not, with all processor cores.
bool allIntegral(const Rows& rows);

/// Keeps values of several numbers, which no operator combines, where one input alone has them and has all
/// call paths and locations of the union in the same order. Otherwise such a metric loses its values.
void keepCompoundValues(Union& united, const Inputs& inputs);

}  // namespace holos::algebra
