// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "algebra/operators/unite.h"

namespace holos::algebra {

/// One input's table with its place in the union.
struct Operand {
    const SeverityTable* table;
    const InputMap* map;
    std::vector<double> factors;  ///< per location of the input; empty: all 1
};

/// `(Σ factor × value) / divisor` for every value of the union; what an operand lacks counts as 0.
/// `divisors` are per location of the union; empty: all 1.
SeverityTable weightedSum(const Experiment& result, const std::vector<Operand>& operands,
                          std::span<const double> divisors = {});

/// The smallest or largest value of the operands; what an operand lacks is no value (`missing()` of the
/// result).
SeverityTable extreme(const Experiment& result, const std::vector<Operand>& operands, bool minimum);

/// The inputs' tables of one metric of the union, each with factors 1.
std::vector<Operand> operandsOf(const Union& united, const Inputs& inputs, MetricId metric);

bool isExtreme(ValueType type);

/// True when every value is a whole number.
bool allIntegral(const SeverityTable& table);

/// Keeps values of several numbers, which no operator combines, where one input alone has them and has all
/// call paths and locations of the union in the same order. Otherwise such a metric loses its values.
void keepCompoundValues(Union& united, const Inputs& inputs);

}  // namespace holos::algebra
