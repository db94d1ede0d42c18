// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "metric-specs/formula.h"

namespace holos::algebra {

/// The formula's value for every call path and location where one of its terms has a row; `terms[i]` is the
/// metric of `formula.terms[i]`.
RowSource evaluateRows(const Experiment& experiment, const specs::Formula& formula,
                       const std::vector<MetricId>& terms);

/// Values of `part`, as far as they fit into what `others` leave of `whole`: at least 0 and at most that.
/// Where `whole` has no row there are none.
RowSource atMostTheRest(const RowSource& part, const RowSource& whole, std::vector<RowSource> others);

/// True when the formula only adds and subtracts terms, so that they all have one unit.
bool addsOnly(const specs::Formula& formula);
/// True when whole terms give a whole value.
bool isIntegerFormula(const specs::Formula& formula);
/// The quotient as a CubePL program over metrics of these unique names, by term: undefined (the square root
/// of a negative number) where the denominator is 0, or smaller than `minimum` when that is not 0.
std::string cubeplOf(specs::Formula numerator, const std::vector<std::string>& numeratorNames,
                     specs::Formula denominator, const std::vector<std::string>& denominatorNames,
                     double minimum);

}  // namespace holos::algebra
