// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/process/settled_events.h"

namespace holos::archive {
namespace {

using tracing::isOfMpi;
using tracing::RecordKind;

constexpr std::size_t kMostWaiting = std::size_t{1} << 16;  ///< in a call that calls much of the program

}  // namespace

std::optional<Record> SettledEvents::next() {
    for (;;) {
        if (isSettled_ && taken_ < waiting_.size()) return nextWaiting();
        const auto record = file_.next();
        if (!record && isSettled_) return std::nullopt;
        if (!record) {
            isSettled_ = true;
        } else if (!isSettled_) {
            wait(*record);
        } else if (isOfMpi(record->kind)) {
            waiting_.clear();
            words_.clear();
            taken_ = 0;
            depth_ = 0;
            isSettled_ = false;
            wait(*record);
        } else if (record->kind != RecordKind::MpiFailed) {
            return record;
        }
    }
}

std::optional<Record> SettledEvents::nextWaiting() {
    const Waiting& one = waiting_[taken_++];
    const std::size_t end = taken_ < waiting_.size() ? waiting_[taken_].words : words_.size();
    return Record{one.kind,  one.ticks,      words_.data() + one.words, end - one.words, one.began,
                  one.ended, one.isAfterLoss};
}

void SettledEvents::wait(const Record& record) {
    if (record.kind == RecordKind::MpiFailed) {
        if (depth_ == 0) dropFailed();
        return;
    }
    waiting_.push_back(
        {record.kind, record.ticks, words_.size(), depth_, record.began, record.ended, record.isAfterLoss});
    words_.insert(words_.end(), record.words, record.words + record.size);
    if (record.kind == RecordKind::Enter) ++depth_;
    if (record.kind == RecordKind::Leave) --depth_;
    isSettled_ = depth_ < 0 || waiting_.size() == kMostWaiting;
}

void SettledEvents::dropFailed() {
    std::erase_if(waiting_, [](const Waiting& one) { return one.depth == 0 && isOfMpi(one.kind); });
}

}  // namespace holos::archive
