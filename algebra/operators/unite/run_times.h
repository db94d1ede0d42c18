// SPDX-License-Identifier: BSD-3-Clause
// What becomes of the times that attributes say of the run of an experiment, when operators make another one:
// how long it took, how long its threads were on processors and waited for them, how much its machines'
// processors were in use. They belong to the values, which are told beside them.
#pragma once

#include <vector>

#include "algebra/operators/unite/unite.h"

namespace holos::algebra {

/// For values that are not those of a whole run.
void forgetTimesOfRun(Experiment& experiment);

/// For values that were multiplied by a positive number.
void scaleTimesOfRun(Experiment& experiment, double factor);

/// For values that are the sum over the inputs, times a factor for each: the same sum, where all inputs say
/// the time; what an input has no location of counts as 0. Otherwise, and without factors, what all inputs
/// say alike stays. How the processes ended stays where all of them ended alike, as well.
void combineTimesOfRun(Union& united, const Inputs& inputs, const std::vector<double>& factors);

}  // namespace holos::algebra
