// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/replay/call_replay.h"

namespace holos::analyzer::replay {

/// What a location's events say of files: bytes by call path, and records of what all who have a file open do
/// together. Thread safety: one thread for each location.
class FileEvents {
  public:
    explicit FileEvents(CallReplay& calls) : calls_(calls), records_(calls.records()) {}

    /// `comm`, of an operation of all who have the file open: the file among the communicators.
    void begin(std::uint64_t event, Ticks time, const FileKey& key, FileOperation operation,
               std::uint64_t bytes, std::uint32_t comm);
    void complete(std::uint64_t event, Ticks time, const FileKey& key, std::uint64_t bytes);
    /// A file was opened, closed or changed by all, in the call around the event.
    void collective(std::uint64_t event, Ticks time, std::uint32_t comm, Collective operation);
    /// A pointer into the file was moved: all have one in common, and each has its own.
    void seek(std::uint64_t event, Ticks time, std::uint32_t comm);

    /// Operations that are not complete are left to matching.
    FileRecords take();

  private:
    /// The end of an operation that this location did not begin.
    void completeStray(std::uint64_t event, Ticks time, const FileKey& key, std::uint64_t bytes);

    CallReplay& calls_;
    MessageRecorder& records_;
    FileRecorder files_;
};

}  // namespace holos::analyzer::replay
