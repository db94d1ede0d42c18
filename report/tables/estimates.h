// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algebra/model/wait_files.h"
#include "base/chosen.h"

namespace holos::tables {

/// All instances of a phase, as the profile of a run has them.
struct WholePhase {
    double instances = 0;    ///< that each process went through, on average
    double seconds = 0;      ///< of all processes together
    double shareOfTime = 0;  ///< in the time of those threads that went through it, from 0 to 1
};

/// Of the regions of that name. Without instances where the profile has none.
WholePhase wholePhase(const algebra::Experiment& profile, const std::string& name);

/// Seconds in those calls, within the phase, in which a wait state was found: in the instances that were
/// traced, and in all, which the profile knows exactly.
struct CallTimes {
    double traced = 0;
    double whole = 0;
};

/// Of each wait state of a trace, by unique name: all calls of the regions in which it has waits.
std::map<std::string, CallTimes> callTimesOf(const algebra::Experiment& analysis,
                                             const algebra::Experiment& profile, const std::string& phase);

/// Estimates a sum over all instances from those of some. `waits` and `lengths`: of each of them.
///
/// The ratio estimator (Cochran: Sampling Techniques, 3rd edition, 1977, chapter 6): waits per time of the
/// instances that are known, times the time of all. Its error is that of a random choice: how much the waits
/// differ from what the lengths of their instances let expect, times the quantile of Student's distribution
/// for 95 %.
///
/// With `calls`, the time of the calls that may wait is a control variate: what waits of it where it was
/// traced waits of the rest. Where more of it is left than instances like those that were traced would have,
/// nobody knows which part of the excess is waiting, and the error contains all of it. So it also holds where
/// the choice missed a few instances that have most of the waits.
algebra::WaitEstimate estimateWait(const std::string& metric, const std::vector<double>& waits,
                                   const std::vector<double>& lengths, const WholePhase& whole,
                                   const std::optional<CallTimes>& calls = {});

/// All wait states of the instances that were traced. Nothing in `waits` where there is nothing to estimate.
algebra::WaitEstimates estimateWaits(const algebra::PeriodWaits& traced, const WholePhase& whole,
                                     const std::string& phase,
                                     const std::map<std::string, CallTimes>& calls = {});

/// As lines for users; empty without waits. `displayName`s come from the experiment, at most `top` waits.
std::string estimatesText(const algebra::Experiment& experiment, const algebra::WaitEstimates& estimates,
                          AtMost top);

}  // namespace holos::tables
