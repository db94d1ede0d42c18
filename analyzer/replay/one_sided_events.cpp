// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/recorded_events.h"

#include <optional>

namespace holos::analyzer::replay {

RmaRecord& OneSidedEvents::add(RmaRecord::Kind kind, std::uint64_t event, std::uint32_t window) {
    RmaRecord record;
    record.kind = kind;
    record.window = window;
    record.time = calls_.now();
    record.event = event;
    record.call = calls_.currentCall(event);
    records_.push_back(record);
    return records_.back();
}

namespace {

/// One event stands for four calls; nothing when it is in another one.
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

void OneSidedEvents::groupSync(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t group) {
    calls_.advance(event, time);
    const auto kind = groupSyncOf(kindOf(calls_.currentCall(event)));
    if (kind) add(*kind, event, window).group = group;
}

void OneSidedEvents::lock(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target,
                          bool exclusive) {
    calls_.advance(event, time);
    RmaRecord& record = add(RmaRecord::Kind::Lock, event, window);
    record.target = target;
    record.exclusive = exclusive;
}

void OneSidedEvents::unlock(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target) {
    calls_.advance(event, time);
    RmaRecord& record = add(RmaRecord::Kind::Unlock, event, window);
    record.target = target;
    record.slice = calls_.beginSlice(calls_.current(), 0);
}

void OneSidedEvents::access(std::uint64_t event, Ticks time, const RmaKey& key, std::uint32_t target,
                            std::uint64_t put, std::uint64_t got) {
    calls_.advance(event, time);
    RmaRecord& access = add(RmaRecord::Kind::Access, event, key.first);
    access.target = target;
    access.put = put;
    access.got = got;
    if (kindOf(access.call) == trace::CallKind::RmaRequest) {
        const auto record = static_cast<std::uint32_t>(records_.size() - 1);
        const auto [known, isNew] = requested_.try_emplace(key, record);
        if (!isNew) leaveOpen(key, std::exchange(known->second, record));  // its number was given out again
    }
}

void OneSidedEvents::leaveOpen(const RmaKey& key, std::uint32_t record) {
    calls_.records().leaveOpen(
        {RequestKind::Access, record, key.first, key.second, records_[record].event, records_[record].time});
}

Records<RmaRecord> OneSidedEvents::take() {
    for (const auto& [key, record] : requested_) leaveOpen(key, record);
    return std::move(records_);
}

/// Of interest where a call does nothing but complete operations: once in a flush, which is for all of them,
/// and where a request is waited for. What another thread requested has its target from matching.
void OneSidedEvents::complete(std::uint64_t event, Ticks time, const RmaKey& key) {
    time = calls_.advance(event, time);
    const std::uint32_t call = calls_.currentCall(event);
    const auto requested = requested_.extract(key);
    if (kindOf(call) == trace::CallKind::RmaFlush) {
        if (records_.empty() || records_.back().call != call) add(RmaRecord::Kind::Flush, event, key.first);
    } else if (trace::isWait(kindOf(call))) {
        RmaRecord& completion = add(RmaRecord::Kind::Completion, event, key.first);
        const auto record = static_cast<std::uint32_t>(records_.size() - 1);
        if (requested)
            completion.target = records_[requested.mapped()].target;
        else
            calls_.records().completeStray(
                {RequestKind::Access, false, record, key.first, key.second, event, time});
    }
}

}  // namespace holos::analyzer::replay
