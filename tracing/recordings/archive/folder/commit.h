// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/folder/ownership.h"

/// How a folder comes from one state to the next. A process that does so can be killed at any moment:
///
///     nothing ─▶ recording/ ─▶ recording/ and a complete trace of the same run ─▶ the trace
///
/// A recording is taken away by one rename, so that it is never there in parts; a trace is there when
/// `traces.otf2` is, which comes last, behind those of further MPI jobs (`jobs.h`). All of it is done under a
/// `FolderLock`. Nothing is written over: what is new only takes names that are free. What is made or removed
/// has the random id of its run in its name meanwhile, so that nobody else's folder is taken for a leftover.
namespace holos::archive {

/// Makes an empty `DIR/recording` that says whose it is. Throws `Error`.
RunIdentity beginRecording(const fs::path& directory, const Job& job);

/// True when `directory` has the trace of that run, complete.
bool hasTraceOf(const fs::path& directory, const std::string& run);

/// Throws `Error` where something has the name of a part of the trace already.
void requireRoomForTrace(const fs::path& directory);

/// Has the new files written to the disk and moves them to `directory`, `traces.otf2` last. Throws `Error`
/// where something else has one of their names; the trace is kept then, until `settleLeftovers` finds the
/// name free.
void publishTrace(const fs::path& from, const fs::path& directory);

/// Removes `DIR/recording`, where there is one.
void removeRecording(const fs::path& directory);

/// Removes what `inTheWay` knows to be of Holos.
void removeMeasurement(const fs::path& directory);

/// What was being made or removed when its process was killed.
bool hasLeftovers(const fs::path& directory);
/// Goes on with the publishing of a trace, and removes all else. Throws `Error` as `publishTrace`.
void settleLeftovers(const fs::path& directory);

/// A folder for something that is being made. What is left there is removed with the object, or by
/// `settleLeftovers`.
class Scratch {
  public:
    /// Throws `Error` where there is something of that name.
    explicit Scratch(fs::path path);
    ~Scratch();
    Scratch(Scratch&&) = delete;
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

/// For a trace of that run until it is published.
Scratch scratchForTrace(const fs::path& directory, const std::string& run);

}  // namespace holos::archive
