// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/operators/unite/inputs.h"

namespace holos::algebra {

/// The variation from run to run: the standard deviation of each value over all inputs, with n - 1 in the
/// denominator, as the inputs are samples of what the program may do. What an input lacks counts as 0.
///
/// Values are taken as they are stored: for one metric, one call path without those below, one location. A
/// sum of deviations is a bound of the sum's deviation, which it reaches where all parts vary together.
/// Composed and computed metrics take part with the values that they have in each input, and count as
/// measured in the result; ratios are left out; minima and maxima lose their values. Throws Error for fewer
/// than two inputs.
Experiment standardDeviation(const Inputs& inputs, const Matching& matching = {});

}  // namespace holos::algebra
