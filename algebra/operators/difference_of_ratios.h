// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// Makes each ratio of a difference the ratio of the first experiment minus that of the second, at every call
/// path and location, whole or part: what it was made of the differences of its terms says nothing of either.
/// `first` and `second` have all values of one experiment each, and the trees of the difference. The terms of
/// the ratios are added as hidden metrics, `NAME_of_first` and `NAME_of_second`. A ratio whose expression
/// defines metrics or variables is left out of the difference: it becomes undefined.
void subtractRatios(const Experiment& first, const Experiment& second, Experiment& difference);

}  // namespace holos::algebra
