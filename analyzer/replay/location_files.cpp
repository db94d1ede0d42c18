// SPDX-License-Identifier: BSD-3-Clause
// The replay's half for files.
#include "analyzer/replay/location_replay.h"

namespace holos::analyzer::replay {

namespace {

Collective operationOf(const FileRequest& request) {
    if (request.operation == FileOperation::Flush) return Collective::FileSync;
    return request.isInOrder ? Collective::FileTransferInOrder : Collective::FileTransfer;
}

}  // namespace

trace::CallKind LocationReplay::currentKind() const {
    return context_.classes[tree_[current_].region.index()].call;
}

void LocationReplay::fileBegin(std::uint64_t event, Ticks time, const FileKey& key, FileOperation operation,
                               std::uint64_t bytes, std::uint32_t comm) {
    time = advance(event, time);
    const bool isInOrder = currentKind() == trace::CallKind::FileOrdered;
    FileRequest request{current_, operation, isInOrder, bytes, comm, kNone};
    if (comm != kNone) request.record = messages_.openCollective(currentCall(event), event, time, comm);
    files_.begin(key, request);
}

void LocationReplay::fileComplete(std::uint64_t event, Ticks time, const FileKey& key, std::uint64_t bytes) {
    time = advance(event, time);
    const auto request = files_.complete(key, bytes);
    if (!request || request->record == kNone) return;
    CollectiveRecord together;
    together.comm = request->comm;
    together.operation = operationOf(*request);
    messages_.closeCollective(request->record, currentCall(event), current_, event, time, together);
}

void LocationReplay::fileTogether(std::uint64_t event, Ticks time, std::uint32_t comm, Collective operation) {
    time = advance(event, time);
    const std::uint32_t call = currentCall(event);
    const std::uint32_t record = messages_.openCollective(call, event, messages_.call(call).enter, comm);
    CollectiveRecord together;
    together.comm = comm;
    together.operation = operation;
    messages_.closeCollective(record, call, current_, event, time, together);
}

void LocationReplay::fileSeek(std::uint64_t event, Ticks time, std::uint32_t comm) {
    if (currentKind() == trace::CallKind::FileSeekShared)
        fileTogether(event, time, comm, Collective::FileChange);
}

}  // namespace holos::analyzer::replay
