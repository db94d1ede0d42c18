// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/poll_recorder.h"

#include <algorithm>

namespace holos::analyzer::replay {

/// Calls that block wait each for a message of its own.
PollRecord* PollRecorder::sameAs(NodeId node, bool blocks) {
    if (!isWaiting()) return nullptr;
    PollRecord& last = records_[waiting_.back()];
    if (follows_ && last.node == node && !blocks) return &last;
    if (waiting_.size() < kMostWaiting) return nullptr;
    const auto same = std::find_if(waiting_.rbegin(), waiting_.rend(),
                                   [&](std::uint32_t position) { return records_[position].node == node; });
    return same != waiting_.rend() ? &records_[*same] : nullptr;
}

bool PollRecorder::leaveInVain(NodeId node, trace::CallKind kind, Ticks enter, Ticks leave) {
    const Ticks inside = leave - enter;
    const bool blocks = kind == trace::CallKind::BlockingProbe || kind == trace::CallKind::BufferDetach;
    if (PollRecord* const same = sameAs(node, blocks)) {
        same->end = same->next = leave;
        same->inside += inside;
        added_ = static_cast<std::uint32_t>(same - records_.data());
        return false;
    }
    PollRecord record;
    record.node = node;
    record.kind = kind;
    record.event = event_;
    record.begin = leave - std::max(span_, inside);
    record.end = record.next = leave;
    record.inside = inside;
    added_ = static_cast<std::uint32_t>(records_.size());
    if (kind != trace::CallKind::BufferDetach) waiting_.push_back(added_);
    records_.push_back(record);
    return true;
}

void PollRecorder::found(std::uint32_t position, trace::CallKind kind, std::optional<Ticks> enter) {
    hasFound_ = true;
    if (enter && follows_ && isWaiting()) records_[waiting_.back()].next = *enter;
    std::erase_if(waiting_, [&](std::uint32_t waiting) {
        PollRecord& record = records_[waiting];
        if (record.kind != kind && !(trace::isProbe(record.kind) && trace::isProbe(kind))) return false;
        record.found = position;
        return true;
    });
}

}  // namespace holos::analyzer::replay
