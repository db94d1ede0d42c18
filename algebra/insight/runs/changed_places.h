// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/insight/runs/change.h"

namespace holos::algebra {

struct ChangedParts {
    /// Where most of a difference in the run's time is, the largest first.
    std::vector<ChangedPlace> places;
    std::string steps;  ///< `made more steps: …`, of the second; empty where it does not
};

/// What is different in the parts of a program. A run takes as long as its critical path, so that these are
/// compared; where one of the runs has none, the time of a thread on average. Both groups have runs of the
/// same processes and threads. `seconds`: the whole difference.
ChangedParts changedParts(const RunGroup& first, const RunGroup& second, const Matching& matching,
                          double seconds);

}  // namespace holos::algebra
