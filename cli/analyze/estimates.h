// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "algebra/model/experiment.h"

namespace holos::cli {

/// Where a folder has a profile of a run and a trace of some instances of a phase (`holos record --profile
/// --trace-phase`): keeps with the analysis of that trace what it says of the waits in all instances. Returns
/// it in words; empty where the folder has no such thing.
std::string addEstimates(algebra::Experiment& analysis, const std::filesystem::path& folder);

}  // namespace holos::cli
