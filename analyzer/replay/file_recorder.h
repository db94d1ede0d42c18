// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/replay/records.h"

namespace holos::analyzer::replay {

enum class FileOperation : std::uint8_t { Read, Write, Flush, Other };

/// The file's handle, and the number that is the operation's own there.
using FileKey = std::pair<std::uint32_t, std::uint64_t>;

/// An operation under way.
struct FileRequest {
    NodeId node;  ///< that asked for it
    FileOperation operation = FileOperation::Other;
    bool isMpi = true;
    bool isInOrder = false;  ///< of a collective one: rank after rank
    std::uint64_t bytes = 0;
    std::uint32_t comm = kNone;    ///< of a collective one: position of the file among the communicators
    std::uint32_t record = kNone;  ///< of a collective one: position of its record
    std::uint64_t event = 0;       ///< number in the location
    Ticks time = 0;
};

/// What a collective one is for all who take part.
Collective operationOf(const FileRequest& request);

/// Moved from and to files, by MPI or by other functions.
struct FileBytes {
    bool isMpi = true;
    std::uint64_t read = 0;
    std::uint64_t written = 0;
};

using BytesByPath = std::map<NodeId, FileBytes>;

/// Adds what it moved.
void book(const FileRequest& done, BytesByPath& moved);

/// What a location moved.
struct FileRecords {
    BytesByPath moved;  ///< by the call path that asked for it
    /// Not completed in their location. What another thread completed moved the bytes that are known there
    /// (`joinRequests`); the others moved what was asked for.
    std::vector<FileRequest> open;

    bool empty() const { return moved.empty() && open.empty(); }
};

/// Bytes by the call path that asked for them. What a call path moved is known when its operations complete.
/// Memory grows with the operations under way.
class FileRecorder {
  public:
    void begin(const FileKey& key, const FileRequest& request);
    /// Returns what had been asked for; nothing when it had not begun.
    std::optional<FileRequest> complete(const FileKey& key, std::uint64_t bytes);
    /// `leftOpen(position, key)` is called for those that are open at the end.
    template <class LeftOpen>
    FileRecords take(LeftOpen&& leftOpen) {
        for (const auto& [key, request] : pending_) replaced_.emplace_back(key, request);
        for (const auto& [key, request] : replaced_) {
            leftOpen(static_cast<std::uint32_t>(records_.open.size()), key, request);
            records_.open.push_back(request);
        }
        return std::move(records_);
    }

  private:
    std::map<FileKey, FileRequest> pending_;
    std::vector<std::pair<FileKey, FileRequest>> replaced_;  ///< their number was given out again
    FileRecords records_;
};

}  // namespace holos::analyzer::replay
