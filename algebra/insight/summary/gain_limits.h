// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"

/// What problems bring at most, each and all of them together.
namespace holos::algebra {

/// Seconds by which a run of so many is shorter at most without the problem, by what it costs.
double mostGain(double seconds, const Problem& problem);

/// Each has what those before it leave. `percentLost`: of the time of all threads.
void limitGains(const Measures& measures, double percentLost, std::vector<Problem>& problems);

}  // namespace holos::algebra
