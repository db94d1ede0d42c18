// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// Seconds by CallPathId that threads are idle in parallel regions which fewer threads run than their process
/// has. They are no part of what only the first thread's own work causes.
std::vector<double> idleInRegions(const Measures& measures);

/// Parallel regions for which so many seconds of threads are idle, because they have fewer threads (clauses
/// `if` and `num_threads`, a limit of nesting). Time in which those who run them had no processor does not
/// count: it would be lost anyway.
///
///     thread 1  ──┤ region ├──
///     thread 2  ··············    it could work in the region, too
std::vector<Problem> limitedRegions(const Measures& measures, double least);

}  // namespace holos::algebra
