// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "analyzer/replay/local_tree.h"

namespace holos::analyzer::replay {

enum class FileOperation : std::uint8_t { Read, Write, Other };

/// The file's handle, and the number that is the operation's own there.
using FileKey = std::pair<std::uint32_t, std::uint64_t>;

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
    void begin(NodeId node, const FileKey& key, FileOperation operation, std::uint64_t bytes);
    void complete(const FileKey& key, std::uint64_t bytes);
    std::map<NodeId, FileBytes> take();

  private:
    struct Pending {
        NodeId node;
        FileOperation operation;
        std::uint64_t bytes;
    };
    void book(const Pending& done);

    std::map<FileKey, Pending> pending_;
    std::map<NodeId, FileBytes> moved_;
};

}  // namespace holos::analyzer::replay
