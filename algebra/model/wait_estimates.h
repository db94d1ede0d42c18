// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The member of `Experiment::files` with waits of a whole run that were estimated from a part of it: the
/// text of `waitEstimatesText`.
inline constexpr const char* kEstimatesFile = "holos.estimates";

struct WaitEstimate {
    std::string metric;  ///< unique name of a wait state
    double traced = 0;   ///< seconds in the instances that were traced
    double whole = 0;    ///< in all of them
    std::optional<double>
        error;  ///< so much more or less, in 95 of 100 runs; nothing where that is not known
};

/// Waits in all instances of a phase.
struct WaitEstimates {
    std::string phase;
    double instances = 0;             ///< that each process went through, on average
    std::size_t traced = 0;           ///< of these
    double shareOfTime = 0;           ///< of the phase in the time of its threads, from 0 to 1
    std::vector<WaitEstimate> waits;  ///< the largest first
};

std::string waitEstimatesText(const WaitEstimates& estimates);

/// Nothing where the experiment has none.
std::optional<WaitEstimates> waitEstimatesOf(const Experiment& experiment);

}  // namespace holos::algebra
