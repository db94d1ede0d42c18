// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The operands of an operator: `merge({a, b, c})`. They must outlive the call only.
using Inputs = std::vector<std::reference_wrapper<const Experiment>>;

}  // namespace holos::algebra
