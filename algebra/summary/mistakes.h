// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/summary/measures.h"
#include "algebra/summary/summary.h"

namespace holos::algebra {

/// Mistakes in how the program was started or recorded: threads that share processors, and recording that
/// took long.
std::vector<Problem> mistakes(const Measures& measures);

}  // namespace holos::algebra
