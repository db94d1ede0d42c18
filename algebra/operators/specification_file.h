// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/operators/inputs.h"

namespace holos::algebra {

/// Removes the specification from a combined experiment unless all inputs carry the same one: its derived
/// metrics then come from different ones, and deriving them again would not give them back.
void keepSharedSpecification(Experiment& result, const Inputs& inputs);

}  // namespace holos::algebra
