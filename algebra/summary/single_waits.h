// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/summary/measures.h"
#include "algebra/summary/summary.h"

namespace holos::algebra {

/// Says of problems that are mostly one wait, however many wait at that time, that one run cannot tell
/// whether it recurs.
void doubtSingleWaits(const Measures& measures, std::vector<Problem>& problems);

}  // namespace holos::algebra
