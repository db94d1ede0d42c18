// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"

/// Runs that failed in calls from which processes did not return: nobody knows how long these take.
namespace holos::algebra {

/// Not all processes are known to have exited with code 0: the program may not have done what it is for.
bool hasFailed(const Experiment& experiment);

/// By rule, how many seconds of such a loss are in calls that did not return and that cost their own time.
std::vector<double> unfinishedParts(const Measures& measures, const std::vector<LossRule>& rules);

/// In which calls processes were for much of the run when it failed: a sentence, or nothing.
std::string unfinishedText(const Measures& measures);

/// Leaves out problems that mostly consist of such calls, and what a run that did not go on would gain.
void leaveOutUnfinished(const Measures& measures, std::vector<Problem>& problems);

}  // namespace holos::algebra
