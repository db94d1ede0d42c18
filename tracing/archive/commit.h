// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "tracing/archive/archive.h"
#include "tracing/archive/run_identity.h"

/// How a folder comes from one state to the next. A process that does so can be killed at any moment:
///
///     nothing ─▶ recording/ ─▶ recording/ and a complete trace of the same run ─▶ the trace
///
/// A recording is taken away by one rename, so that it is never there in parts; a trace is there when
/// `traces.otf2` is, which comes last. All of it is done under a `FolderLock`.
namespace holos::archive {

/// Makes an empty `DIR/recording` that says whose it is. Throws `Error`.
RunIdentity beginRecording(const fs::path& directory, const Job& job);

/// True when `directory` has the trace of that run, complete.
bool hasTraceOf(const fs::path& directory, const std::string& run);

/// Has the new files written to the disk and moves them to `directory`, `traces.otf2` last.
void publishTrace(const fs::path& from, const fs::path& directory);

/// Removes `DIR/recording`, where there is one.
void removeRecording(const fs::path& directory);

/// Removes the trace, and what was made of it and of snapshots before: the analyses.
void removeTrace(const fs::path& directory);

/// What was being made or removed when its process was killed.
bool hasLeftovers(const fs::path& directory);
void removeLeftovers(const fs::path& directory);

/// A folder for something that is being made. What is left there is removed with the object, or by
/// `removeLeftovers`.
class Scratch {
  public:
    explicit Scratch(fs::path path);
    ~Scratch();
    Scratch(Scratch&&) = delete;
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

/// For a trace until it is published.
Scratch scratchForTrace(const fs::path& directory);

}  // namespace holos::archive
