// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/summary/measures.h"
#include "algebra/summary/summary.h"

namespace holos::algebra {

/// What makes others wait: by the metrics of causes where the experiment has them, else where the waiting is.
/// All of them, in no order.
std::vector<Problem> delayProblems(const Measures& measures);

}  // namespace holos::algebra
