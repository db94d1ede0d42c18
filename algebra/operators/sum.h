// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/operators/unite/inputs.h"

namespace holos::algebra {

/// The sum of each value over all inputs, such as the phases of a program that were measured one by one.
/// Whole numbers become 64 bits wide; minima and maxima stay the minimum and maximum over all inputs.
/// Composed and computed metrics as in `mean`. Throws Error for no inputs.
Experiment sum(const Inputs& inputs, const Matching& matching = {});

}  // namespace holos::algebra
