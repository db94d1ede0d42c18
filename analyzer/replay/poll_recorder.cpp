// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/poll_recorder.h"

#include <algorithm>

namespace holos::analyzer::replay {

PollRecord* PollRecorder::sameAs(NodeId node) {
    const auto isSame = [node](const PollRecord& record) {
        return record.node == node && record.call == kNone;
    };
    if (!isWaiting()) return nullptr;
    if (follows_ && isSame(records_.back())) return &records_.back();
    if (records_.size() - first_ < kMostWaiting) return nullptr;
    for (std::size_t i = records_.size(); i-- > first_;)
        if (isSame(records_[i])) return &records_[i];
    return nullptr;
}

bool PollRecorder::leaveInVain(NodeId node, Ticks enter, Ticks leave) {
    const Ticks inside = leave - enter;
    if (PollRecord* const same = sameAs(node)) {
        same->end = leave;
        same->inside += inside;
        return false;
    }
    PollRecord record;
    record.node = node;
    record.event = event_;
    record.begin = leave - std::max(span_, inside);
    record.end = leave;
    record.inside = inside;
    records_.push_back(record);
    return true;
}

void PollRecorder::found(std::uint32_t call, bool byProbe) {
    bool areAll = true;
    for (std::size_t i = first_; i < records_.size(); ++i) {
        PollRecord& record = records_[i];
        if (record.call == kNone && record.isProbe == byProbe) record.call = call;
        areAll = areAll && record.call != kNone;
    }
    if (areAll) first_ = records_.size();
}

}  // namespace holos::analyzer::replay
