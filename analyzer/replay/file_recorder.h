// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "analyzer/replay/records.h"

namespace holos::analyzer::replay {

enum class FileOperation : std::uint8_t { Read, Write, Flush, Other };

/// The file's handle, and the number that is the operation's own there.
using FileKey = std::pair<std::uint32_t, std::uint64_t>;

/// An operation under way.
struct FileRequest {
    NodeId node;  ///< that asked for it
    FileOperation operation = FileOperation::Other;
    bool isInOrder = false;  ///< of a collective one: rank after rank
    std::uint64_t bytes = 0;
    std::uint32_t comm = kNone;    ///< of a collective one: position of the file among the communicators
    std::uint32_t record = kNone;  ///< of a collective one: position of its record
};

/// Moved from and to files.
struct FileBytes {
    std::uint64_t read = 0;
    std::uint64_t written = 0;
};

/// Bytes by the call path that asked for them. What a call path moved is known when its operations complete;
/// one that never completes in its location moved what was asked for. Memory grows with the operations under
/// way.
class FileRecorder {
  public:
    void begin(const FileKey& key, const FileRequest& request);
    /// Returns what had been asked for; nothing when it had not begun.
    std::optional<FileRequest> complete(const FileKey& key, std::uint64_t bytes);
    std::map<NodeId, FileBytes> take();

  private:
    void book(const FileRequest& done, std::uint64_t bytes);

    std::map<FileKey, FileRequest> pending_;
    std::map<NodeId, FileBytes> moved_;
};

}  // namespace holos::analyzer::replay
