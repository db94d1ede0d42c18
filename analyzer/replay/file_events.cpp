// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/recorded_events.h"

namespace holos::analyzer::replay {

void FileEvents::begin(std::uint64_t event, Ticks time, const FileKey& key, FileOperation operation,
                       std::uint64_t bytes, std::uint32_t comm) {
    time = calls_.advance(event, time);
    const bool isInOrder = calls_.currentKind() == trace::CallKind::FileOrdered;
    const trace::RegionClass* const around = calls_.currentClass();
    const bool isMpi = around == nullptr || !around->has(trace::TimeClass::FileIo);
    FileRequest request{
        calls_.current(), operation, isMpi, isInOrder, calls_.counted(bytes), comm, kNone, event, time};
    if (comm != kNone) request.record = records_.openCollective(calls_.currentCall(event), event, time, comm);
    files_.begin(key, request);
}

void FileEvents::complete(std::uint64_t event, Ticks time, const FileKey& key, std::uint64_t bytes) {
    time = calls_.advance(event, time);
    const auto request = files_.complete(key, calls_.counted(bytes));
    if (!request) return completeStray(event, time, key, bytes);
    if (request->record == kNone) return;
    CollectiveRecord together;
    together.comm = request->comm;
    together.operation = operationOf(*request);
    records_.closeCollective(request->record, calls_.currentCall(event), calls_.current(), event, time,
                             together);
}

/// Whether all had a part in it is known to the thread that began it.
void FileEvents::completeStray(std::uint64_t event, Ticks time, const FileKey& key, std::uint64_t bytes) {
    const std::uint32_t call = calls_.currentCall(event);
    const std::uint32_t record = records_.openCollective(call, event, time, kNone);
    records_.closeCollective(record, call, calls_.current(), event, time, {});
    records_.completeStray(
        {RequestKind::File, false, record, key.first, key.second, event, time, calls_.counted(bytes)});
}

FileRecords FileEvents::take() {
    return files_.take([&](std::uint32_t position, const FileKey& key, const FileRequest& request) {
        records_.leaveOpen({RequestKind::File, position, key.first, key.second, request.event, request.time});
    });
}

void FileEvents::collective(std::uint64_t event, Ticks time, std::uint32_t comm, Collective operation) {
    time = calls_.advance(event, time);
    const std::uint32_t call = calls_.currentCall(event);
    const std::uint32_t record = records_.openCollective(call, event, records_.call(call).enter, comm);
    CollectiveRecord together;
    together.comm = comm;
    together.operation = operation;
    records_.closeCollective(record, call, calls_.current(), event, time, together);
}

void FileEvents::seek(std::uint64_t event, Ticks time, std::uint32_t comm) {
    if (calls_.currentKind() == trace::CallKind::FileSeekShared)
        collective(event, time, comm, Collective::FileChange);
}

}  // namespace holos::analyzer::replay
