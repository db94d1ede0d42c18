// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/file_recorder.h"

namespace holos::analyzer::replay {

void FileRecorder::begin(NodeId node, const FileKey& key, FileOperation operation, std::uint64_t bytes) {
    if (operation != FileOperation::Other) pending_[key] = {node, operation, bytes};
}

void FileRecorder::complete(const FileKey& key, std::uint64_t bytes) {
    const auto found = pending_.find(key);
    if (found == pending_.end()) return;
    found->second.bytes = bytes;
    book(found->second);
    pending_.erase(found);
}

void FileRecorder::book(const Pending& done) {
    FileBytes& moved = moved_[done.node];
    (done.operation == FileOperation::Read ? moved.read : moved.written) += done.bytes;
}

std::map<NodeId, FileBytes> FileRecorder::take() {
    for (const auto& [key, operation] : pending_) book(operation);
    pending_.clear();
    return std::move(moved_);
}

}  // namespace holos::analyzer::replay
