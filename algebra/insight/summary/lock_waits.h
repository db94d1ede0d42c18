// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// Threads that wait for each other at a lock.
struct LockProblem {
    Problem problem;
    CallPathId user;  ///< in which the lock is wanted and had
};

/// The problems that cost at least so many seconds. A part in which the holder had no processor is left out:
/// it is told with the lack of processors.
std::vector<LockProblem> lockProblems(const Measures& measures, double least);

}  // namespace holos::algebra
