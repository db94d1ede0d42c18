// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/file_recorder.h"

namespace holos::analyzer::replay {

Collective operationOf(const FileRequest& request) {
    if (request.operation == FileOperation::Flush) return Collective::FileSync;
    return request.isInOrder ? Collective::FileTransferInOrder : Collective::FileTransfer;
}

void book(const FileRequest& done, BytesByPath& moved) {
    if (done.operation != FileOperation::Read && done.operation != FileOperation::Write) return;
    FileBytes& bytes = moved[done.node];
    bytes.isMpi = done.isMpi;
    (done.operation == FileOperation::Read ? bytes.read : bytes.written) += done.bytes;
}

void FileRecorder::begin(const FileKey& key, const FileRequest& request) {
    const auto [known, isNew] = pending_.try_emplace(key, request);
    if (isNew) return;
    replaced_.emplace_back(key, known->second);
    known->second = request;
}

std::optional<FileRequest> FileRecorder::complete(const FileKey& key, std::uint64_t bytes) {
    auto found = pending_.extract(key);
    if (found.empty()) return std::nullopt;
    found.mapped().bytes = bytes;
    book(found.mapped(), records_.moved);
    return found.mapped();
}

}  // namespace holos::analyzer::replay
