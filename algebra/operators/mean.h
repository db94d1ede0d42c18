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

}  // namespace holos::algebra
