// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/model/period_waits.h"
#include "algebra/model/wait_estimates.h"
#include "base/at_most.h"

namespace holos::tables {

/// All instances of a phase, as the profile of a run has them.
struct WholePhase {
    double instances = 0;    ///< that each process went through, on average
    double seconds = 0;      ///< of all processes together
    double shareOfTime = 0;  ///< in the time of those threads that went through it, from 0 to 1
};

/// Of the regions of that name. Without instances where the profile has none.
WholePhase wholePhase(const algebra::Experiment& profile, const std::string& name);

/// Estimates a sum over all instances from those of some. `waits` and `lengths`: of each of them.
///
/// The ratio estimator (Cochran: Sampling Techniques, 3rd edition, 1977, chapter 6): waits per time of the
/// instances that are known, times the time of all. Its error is that of a random choice: how much the waits
/// differ from what the lengths of their instances let expect, times the quantile of Student's distribution
/// for 95 %.
algebra::WaitEstimate estimateWait(const std::string& metric, const std::vector<double>& waits,
                                   const std::vector<double>& lengths, const WholePhase& whole);

/// All wait states of the instances that were traced. Nothing in `waits` where there is nothing to estimate.
algebra::WaitEstimates estimateWaits(const algebra::PeriodWaits& traced, const WholePhase& whole,
                                     const std::string& phase);

/// As lines for users; empty without waits. `displayName`s come from the experiment, at most `top` waits.
std::string estimatesText(const algebra::Experiment& experiment, const algebra::WaitEstimates& estimates,
                          AtMost top);

}  // namespace holos::tables
