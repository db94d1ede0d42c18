// SPDX-License-Identifier: BSD-3-Clause
// The replay's half for one-sided communication and files.
#include "analyzer/replay/location_replay.h"

namespace holos::analyzer::replay {

void LocationReplay::rmaCollectiveEnd(std::uint64_t event, Ticks time, std::uint32_t window,
                                      Collective operation) {
    time = advance(event, time);
    CollectiveRecord record;
    record.comm = window;
    record.operation = operation;
    note(ClockRole::CollectiveEnd, messages_.endCollective(currentCall(), current_, event, time, record));
}

/// The same record stands for four calls.
void LocationReplay::rmaGroupSync(std::uint64_t event, Ticks time, std::uint32_t window,
                                  std::uint32_t group) {
    time = advance(event, time);
    RmaRecord record;
    record.window = window;
    record.group = group;
    record.time = time;
    record.call = currentCall();
    switch (messages_.call(record.call).kind) {
        case trace::CallKind::RmaStart:
            record.kind = RmaRecord::Kind::Start;
            break;
        case trace::CallKind::RmaComplete:
            record.kind = RmaRecord::Kind::Complete;
            break;
        case trace::CallKind::RmaPost:
            record.kind = RmaRecord::Kind::Post;
            break;
        case trace::CallKind::RmaWait:
        case trace::CallKind::RmaTest:
            record.kind = RmaRecord::Kind::Wait;
            break;
        default:
            return;
    }
    rma_.push_back(record);
}

void LocationReplay::rmaLock(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target,
                             bool exclusive) {
    time = advance(event, time);
    RmaRecord record;
    record.kind = RmaRecord::Kind::Lock;
    record.exclusive = exclusive;
    record.window = window;
    record.target = target;
    record.time = time;
    record.call = currentCall();
    rma_.push_back(record);
}

void LocationReplay::rmaUnlock(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target) {
    time = advance(event, time);
    RmaRecord record;
    record.kind = RmaRecord::Kind::Unlock;
    record.window = window;
    record.target = target;
    record.time = time;
    record.call = currentCall();
    rma_.push_back(record);
}

void LocationReplay::rmaAccess(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target,
                               std::uint64_t put, std::uint64_t got) {
    time = advance(event, time);
    RmaRecord record;
    record.window = window;
    record.target = target;
    record.time = time;
    record.put = put;
    record.got = got;
    record.call = currentCall();
    rma_.push_back(record);
}

/// Of interest where a call does nothing but complete operations, and there once.
void LocationReplay::rmaOperationComplete(std::uint64_t event, Ticks time, std::uint32_t window) {
    time = advance(event, time);
    const std::uint32_t call = currentCall();
    if (messages_.call(call).kind != trace::CallKind::RmaFlush) return;
    if (!rma_.empty() && rma_.back().call == call) return;
    RmaRecord record;
    record.kind = RmaRecord::Kind::Flush;
    record.window = window;
    record.time = time;
    record.call = call;
    rma_.push_back(record);
}

void LocationReplay::fileBegin(std::uint64_t event, Ticks time, const FileKey& key, FileOperation operation,
                               std::uint64_t bytes) {
    advance(event, time);
    files_.begin(current_, key, operation, bytes);
}

void LocationReplay::fileComplete(std::uint64_t event, Ticks time, const FileKey& key, std::uint64_t bytes) {
    advance(event, time);
    files_.complete(key, bytes);
}

}  // namespace holos::analyzer::replay
