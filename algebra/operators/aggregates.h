// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/operators/unite/inputs.h"

namespace holos::algebra {

/// The mean of each value over all inputs: the sum divided by the number of inputs. What an input lacks
/// counts as 0, as with CubeLib's cube_mean; whole numbers are not truncated, a metric whose means are not
/// whole becomes one of type Double. Minima and maxima stay the minimum and maximum over all inputs.
/// Composed and computed metrics are evaluated on the means where all inputs carry the same specification,
/// and averaged themselves where not; expressions are kept. Throws Error for no inputs.
Experiment mean(const Inputs& inputs, const Matching& matching = {});

/// The sum of each value over all inputs, such as the phases of a program that were measured one by one.
/// Whole numbers become 64 bits wide; minima and maxima stay the minimum and maximum over all inputs.
/// Composed and computed metrics as in `mean`. Throws Error for no inputs.
Experiment sum(const Inputs& inputs, const Matching& matching = {});

/// The smallest (largest) of each value over all inputs; what an input lacks counts as 0, so that
/// `minimum <= mean <= maximum` holds everywhere.
///
/// Values are taken as they are stored: for one metric, one call path without those below, one location.
/// Sums of them are therefore bounds: no run was below the sum of minima, none above the sum of maxima.
/// Composed and computed metrics take part with the values that they have in each input, and count as
/// measured in the result; ratios, whose extremes no expression can give, are left out. Of a metric of
/// minima or maxima, only inputs that have a value count. Throws Error for no inputs.
Experiment minimum(const Inputs& inputs, const Matching& matching = {});
Experiment maximum(const Inputs& inputs, const Matching& matching = {});

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
