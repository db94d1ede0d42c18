// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "algebra/model/experiment.h"
#include "base/run_profile.h"

namespace holos::analyzer {

/// Turns what a run added up into an experiment. `archive` has the definitions of the run, and need have no
/// events. Call paths, times, visits, counters and communication are those that `analyze` finds in a trace of
/// the same run; metrics for which events of several locations have to be compared are left out, but for
/// computational imbalance and idle threads. In addition it has how long the shortest and the longest visit
/// of each call path was (`visit_time_min`, `visit_time_max`), and the sum of the squares
/// (`visit_time_squares`), and how many visits directly follow one of the same path (`visits_repeated`).
///
/// Throws `holos::Error` where the definitions cannot be read.
algebra::Experiment experimentOf(const RunProfile& profile, const std::filesystem::path& archive);

}  // namespace holos::analyzer
