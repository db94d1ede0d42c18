// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {

/// What was asked for of the run and did not occur in it, in sentences: ranks that there are not, a phase
/// that was not entered.
std::vector<std::string> missedParts(const fs::path& recording, const TracePlan& plan);

/// Writes `measurement.json` into `folder`: hosts, processors, clock, command, environment, counters,
/// versions, where threads ran, lost events, and what is missing.
void writeMeasurement(const fs::path& folder, const fs::path& recording, const TracePlan& plan,
                      const Result& result);

}  // namespace holos::archive
