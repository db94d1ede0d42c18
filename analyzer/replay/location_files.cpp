// SPDX-License-Identifier: BSD-3-Clause
// The replay's half for files.
#include "analyzer/replay/location_replay.h"

namespace holos::analyzer::replay {

trace::CallKind LocationReplay::currentKind() const {
    return context_.classes[tree_[current_].region.index()].call;
}

void LocationReplay::fileBegin(std::uint64_t event, Ticks time, const FileKey& key, FileOperation operation,
                               std::uint64_t bytes, std::uint32_t comm) {
    time = advance(event, time);
    const bool isInOrder = currentKind() == trace::CallKind::FileOrdered;
    const bool isMpi = current_ == kOutside ||
                       !context_.classes[tree_[current_].region.index()].has(trace::TimeClass::FileIo);
    FileRequest request{current_, operation, isMpi, isInOrder, counted_ * bytes, comm, kNone, event, time};
    if (comm != kNone) request.record = messages_.openCollective(currentCall(event), event, time, comm);
    files_.begin(key, request);
}

void LocationReplay::fileComplete(std::uint64_t event, Ticks time, const FileKey& key, std::uint64_t bytes) {
    time = advance(event, time);
    const auto request = files_.complete(key, counted_ * bytes);
    if (!request) return completeStrayFile(event, time, key, bytes);
    if (request->record == kNone) return;
    CollectiveRecord together;
    together.comm = request->comm;
    together.operation = operationOf(*request);
    messages_.closeCollective(request->record, currentCall(event), current_, event, time, together);
}

/// Whether all had a part in it is known to the thread that began it.
void LocationReplay::completeStrayFile(std::uint64_t event, Ticks time, const FileKey& key,
                                       std::uint64_t bytes) {
    const std::uint32_t call = currentCall(event);
    const std::uint32_t record = messages_.openCollective(call, event, time, kNone);
    messages_.closeCollective(record, call, current_, event, time, {});
    messages_.completeStray(
        {RequestKind::File, false, record, key.first, key.second, event, time, counted_ * bytes});
}

FileRecords LocationReplay::takeFiles() {
    return files_.take([&](std::uint32_t position, const FileKey& key, const FileRequest& request) {
        messages_.leaveOpen(
            {RequestKind::File, position, key.first, key.second, request.event, request.time});
    });
}

void LocationReplay::fileCollective(std::uint64_t event, Ticks time, std::uint32_t comm,
                                    Collective operation) {
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
        fileCollective(event, time, comm, Collective::FileChange);
}

}  // namespace holos::analyzer::replay
