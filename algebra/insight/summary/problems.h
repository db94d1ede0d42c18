// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"

namespace holos::algebra {

/// Mistakes in how the program was started or recorded: threads that share processors, and recording that
/// took long.
std::vector<Problem> mistakes(const Measures& measures);

/// Mistakes first, then what costs most. A lack of processors stands behind what is proven to cost more.
void sortByCost(const Measures& measures, std::vector<Problem>& problems);

/// Seconds that the run takes at least, whatever is mended: what threads of a node compute, each on a
/// processor by the kernel's count, needs the processors that there are. 0 where these are not known.
double leastSeconds(const Measures& measures);

/// What makes others wait: by the metrics of causes where the experiment has them, else where the waiting is.
/// All of them, in no order.
std::vector<Problem> delayProblems(const Measures& measures);

/// What takes time by itself, without anybody waiting: communication, files, start-up, managing threads.
std::vector<Problem> costProblems(const Measures& measures);

/// What was recorded too thinly to judge, or not at all.
std::vector<Doubt> doubtsOf(const Measures& measures);

/// Time of threads that have nothing to do because MPI is started or ended: they wait for no work.
double idleAtStart(const Measures& measures);

/// Of threads that are started for a part of the run only: seconds in which the first one works at least
/// while there is no other one, if that is much of the run. Nobody waits then.
double secondsOfOnlyThread(const Measures& measures);

/// What the analysis of a trace had to leave out or to repair: then waiting may be missing.
bool hasDamage(const Experiment& experiment);
/// Of receives without a send nobody knows how long they waited.
bool hasUnmatchedReceives(const Experiment& experiment);

}  // namespace holos::algebra
