// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/summary/measures.h"
#include "algebra/summary/summary.h"

namespace holos::algebra {

/// What was recorded too thinly to judge, or not at all.
std::vector<Doubt> doubtsOf(const Measures& measures);

}  // namespace holos::algebra
