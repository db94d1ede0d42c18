// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>

#include "base/error.h"
#include "tracing/recordings/measurement/measurement.h"

/// The folder of a measurement, whatever state it is in.
namespace holos::archive {

namespace fs = std::filesystem;

using measurement::recordedRun;
using measurement::recordingOf;

/// True when `directory` holds a recording that is not yet a trace, or whose trace is there while the
/// recording was not yet removed.
bool needsFinish(const fs::path& directory);

/// True when there is nothing to do for `finish`, nor left to clear away by a process that was killed.
bool isFinished(const fs::path& directory);

/// A recording that somebody still works on.
class StillRecorded : public Error {
  public:
    using Error::Error;
};

/// Programs that are never recorded ran, and no others.
class NeverRecorded : public Error {
  public:
    using Error::Error;
};

/// What a run that added up leaves.
inline constexpr const char* kProfileFile = "profile.cubex";

/// Whether the run in this folder was added up and left no trace.
bool hasOnlyProfile(const fs::path& directory);

/// How many further MPI jobs the run had, by the `measurement.json` of the first; 0 where it says nothing.
std::size_t recordedFurtherJobs(const fs::path& folder);

}  // namespace holos::archive
