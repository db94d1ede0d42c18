// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/file_recorder.h"

namespace holos::analyzer::replay {

void FileRecorder::begin(const FileKey& key, const FileRequest& request) {
    pending_[key] = request;
}

std::optional<FileRequest> FileRecorder::complete(const FileKey& key, std::uint64_t bytes) {
    const auto found = pending_.extract(key);
    if (found.empty()) return std::nullopt;
    book(found.mapped(), bytes);
    return found.mapped();
}

void FileRecorder::book(const FileRequest& done, std::uint64_t bytes) {
    if (done.operation == FileOperation::Read) moved_[done.node].read += bytes;
    if (done.operation == FileOperation::Write) moved_[done.node].written += bytes;
}

std::map<NodeId, FileBytes> FileRecorder::take() {
    for (const auto& [key, request] : pending_) book(request, request.bytes);
    pending_.clear();
    return std::move(moved_);
}

}  // namespace holos::analyzer::replay
