// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/summary/measures.h"
#include "algebra/summary/summary.h"

namespace holos::algebra {

/// What takes time by itself, without anybody waiting: communication, files, start-up, managing threads.
std::vector<Problem> costProblems(const Measures& measures);

}  // namespace holos::algebra
