// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {

/// What was to be recorded of the run and is not there, in sentences, with what to do: ranks that there are
/// not, a phase that was not entered, OpenMP and interfaces for other tools that are linked into the program.
std::vector<std::string> missedParts(const fs::path& recording, const TracePlan& plan);

}  // namespace holos::archive
