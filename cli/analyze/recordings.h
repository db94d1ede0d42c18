// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "algebra/model/experiment.h"
#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/conversion.h"

namespace holos::cli {

/// Whether a recording is still being made, or may be: processes or commands work on it, or there are some of
/// which this machine cannot tell. Where there are only those, listens for signs of life at most for that
/// time. Says who it is.
bool isBeingRecorded(const std::filesystem::path& directory, std::chrono::milliseconds time);

/// Says when a snapshot was taken, what is in it, and how old that was.
void sayWhatIsIn(const archive::Snapshot& snapshot);

/// Writes `archive::kProfileFile` for a run that only, or also, added up what happened.
void writeProfile(const std::filesystem::path& folder, const archive::Result& result);

/// Where a folder has a profile of a run and a trace of some instances of a phase (`holos record --profile
/// --trace-phase`): keeps with the analysis of that trace what it says of the waits in all instances. Returns
/// it in words; empty where the folder has no such thing.
std::string addEstimates(algebra::Experiment& analysis, const std::filesystem::path& folder);

}  // namespace holos::cli
