// SPDX-License-Identifier: BSD-3-Clause
// The replay's half for one-sided communication.
#include "analyzer/replay/location_replay.h"

#include <optional>
#include <utility>

namespace holos::analyzer::replay {

RmaRecord& LocationReplay::addRma(RmaRecord::Kind kind, std::uint64_t event, std::uint32_t window) {
    RmaRecord record;
    record.kind = kind;
    record.window = window;
    record.time = last_;
    record.event = event;
    record.call = currentCall(event);
    rma_.push_back(record);
    return rma_.back();
}

void LocationReplay::rmaCollectiveEnd(std::uint64_t event, Ticks time, std::uint32_t window,
                                      Collective operation) {
    time = advance(event, time);
    CollectiveRecord record;
    record.comm = window;
    record.operation = operation;
    note(ClockRole::CollectiveEnd,
         messages_.endCollective(currentCall(event), current_, event, time, record));
}

namespace {

/// The same event stands for four calls; nothing when it is in another one.
std::optional<RmaRecord::Kind> groupSyncOf(trace::CallKind call) {
    switch (call) {
        case trace::CallKind::RmaStart:
            return RmaRecord::Kind::Start;
        case trace::CallKind::RmaComplete:
            return RmaRecord::Kind::Complete;
        case trace::CallKind::RmaPost:
            return RmaRecord::Kind::Post;
        case trace::CallKind::RmaWait:
        case trace::CallKind::RmaTest:
            return RmaRecord::Kind::Wait;
        default:
            return {};
    }
}

}  // namespace

void LocationReplay::rmaGroupSync(std::uint64_t event, Ticks time, std::uint32_t window,
                                  std::uint32_t group) {
    advance(event, time);
    const auto kind = groupSyncOf(messages_.call(currentCall(event)).kind);
    if (kind) addRma(*kind, event, window).group = group;
}

void LocationReplay::rmaLock(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target,
                             bool exclusive) {
    advance(event, time);
    RmaRecord& lock = addRma(RmaRecord::Kind::Lock, event, window);
    lock.target = target;
    lock.exclusive = exclusive;
}

void LocationReplay::rmaUnlock(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target) {
    advance(event, time);
    RmaRecord& unlock = addRma(RmaRecord::Kind::Unlock, event, window);
    unlock.target = target;
    unlock.slice = profile_.begin(current_, 0);
}

void LocationReplay::rmaAccess(std::uint64_t event, Ticks time, const RmaKey& key, std::uint32_t target,
                               std::uint64_t put, std::uint64_t got) {
    advance(event, time);
    RmaRecord& access = addRma(RmaRecord::Kind::Access, event, key.first);
    access.target = target;
    access.put = put;
    access.got = got;
    if (messages_.call(access.call).kind == trace::CallKind::RmaRequest) {
        const auto record = static_cast<std::uint32_t>(rma_.size() - 1);
        const auto [known, isNew] = requested_.try_emplace(key, record);
        if (!isNew) leaveOpen(key, std::exchange(known->second, record));  // its number was given out again
    }
}

void LocationReplay::leaveOpen(const RmaKey& key, std::uint32_t record) {
    messages_.leaveOpen(
        {RequestKind::Access, record, key.first, key.second, rma_[record].event, rma_[record].time});
}

Records<RmaRecord> LocationReplay::takeRma() {
    for (const auto& [key, record] : requested_) leaveOpen(key, record);
    return std::move(rma_);
}

/// Of interest where a call does nothing but complete operations: once in a flush, which is for all of them,
/// and where a request is waited for. What another thread requested has its target from matching.
void LocationReplay::rmaOperationComplete(std::uint64_t event, Ticks time, const RmaKey& key) {
    time = advance(event, time);
    const std::uint32_t call = currentCall(event);
    const auto requested = requested_.extract(key);
    if (messages_.call(call).kind == trace::CallKind::RmaFlush) {
        if (rma_.empty() || rma_.back().call != call) addRma(RmaRecord::Kind::Flush, event, key.first);
    } else if (trace::isWait(messages_.call(call).kind)) {
        RmaRecord& completion = addRma(RmaRecord::Kind::Completion, event, key.first);
        const auto record = static_cast<std::uint32_t>(rma_.size() - 1);
        if (requested)
            completion.target = rma_[requested.mapped()].target;
        else
            messages_.completeStray({RequestKind::Access, false, record, key.first, key.second, event, time});
    }
}

}  // namespace holos::analyzer::replay
