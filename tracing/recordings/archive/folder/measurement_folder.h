// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::archive {

/// The folder of a measurement, whatever state it is in.
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

/// A command may start several MPI jobs, one after the other or at the same time, whose ranks have nothing to
/// do with each other. Each is a trace of its own: the first in the folder of the measurement, `DIR`, the
/// others in `DIR/job-2`, `DIR/job-3` and so on.

/// The folder of a job in that of the first; `number` counts from 1.
std::filesystem::path folderOfJob(const std::filesystem::path& directory, std::size_t number);

/// The folders in `directory` whose names are those of further jobs, in the order of their numbers, whoever
/// made them.
std::vector<std::filesystem::path> foldersNamedAsJobs(const std::filesystem::path& directory);

/// Folders of the further jobs of the run whose trace is in `directory`, in their order.
std::vector<std::filesystem::path> foldersOfFurtherJobs(const std::filesystem::path& directory);

/// The folder of the job that began last: of a run that goes on, the one that most likely does.
std::filesystem::path folderOfNewestJob(const std::filesystem::path& directory);

/// Says that folders of the run's further jobs are missing, or are not known to be of it; empty where all are
/// there.
std::string missingFurtherJobs(const std::filesystem::path& directory);

/// Says of the folder of a run with several MPI jobs, or of a file in it, that it has the first one, and
/// where the others are; empty for others.
std::string whereFurtherJobsAre(const std::filesystem::path& path);

}  // namespace holos::archive
