// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

/// The member of `Experiment::files` that says what was waited in each period of a trace that was not
/// recorded as a whole: the text of `periodWaitsText`.
inline constexpr const char* kPeriodsFile = "holos.periods";

/// The periods in which all processes were recorded, such as chosen instances of a phase, by their number.
struct PeriodWaits {
    std::vector<double> lengths;                       ///< seconds of all processes together
    std::map<std::string, std::vector<double>> waits;  ///< by unique name of a wait state: seconds of all
                                                       ///< locations in calls that begin in each period
};

/// A line of lengths, and one for each wait state, of numbers between tabulators.
std::string periodWaitsText(const PeriodWaits& periods);

/// Without periods where the experiment has none, or what is there is none.
PeriodWaits periodWaitsOf(const Experiment& experiment);

}  // namespace holos::algebra
