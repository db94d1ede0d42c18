// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/insight/runs/change.h"

namespace holos::algebra {

/// The parts of the program that have most of a difference of so many seconds in the run's time, the largest
/// first. A run takes as long as its critical path, so that these are compared; where one of the runs has
/// none, the time of a thread on average. Both groups have runs of the same processes and threads.
std::vector<ChangedPlace> changedPlaces(const RunGroup& first, const RunGroup& second,
                                        const Matching& matching, double seconds);

}  // namespace holos::algebra
