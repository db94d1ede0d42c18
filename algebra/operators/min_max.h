// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/operators/unite/inputs.h"

namespace holos::algebra {

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

}  // namespace holos::algebra
