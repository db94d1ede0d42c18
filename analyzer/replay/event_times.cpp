// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/event_times.h"

#include <algorithm>

namespace holos::analyzer::replay {

Ticks EventTimes::correct(std::uint64_t event, Ticks time) {
    if (clock_ == nullptr) return time;
    const Ticks corrected = clock_->at(event, time, stack_.current());
    if (clock_->counting() != counting_) [[unlikely]]
        setCounting(event, clock_->counting());
    return corrected;
}

/// Calls that are open when counting begins are visits, too.
void EventTimes::setCounting(std::uint64_t event, Counting counting) {
    const bool begins = counting_ == Counting::NotYet;
    counting_ = counting;
    stack_.setCounted(counting == Counting::Now);
    if (counting == Counting::NotYet)
        countedEvents_ = {0, 0};
    else if (counting == Counting::Now)
        countedEvents_ = {event, ~std::uint64_t{0}};
    else
        countedEvents_.to = begins ? 0 : event;
    if (!begins) return;
    LocalTree& tree = stack_.tree();
    for (NodeId open = stack_.current(); open != kOutside; open = tree[open].parent) ++tree[open].visits;
}

Ticks EventTimes::adjust(std::uint64_t event, Ticks time) {
    if (time >= kLatest || time <= -kLatest) {
        log_.add(Trouble::ClockBackwards,
                 "an event lies centuries away; it was moved to its predecessor's time", event);
        time = stack_.now();
    }
    if (!started_) {
        started_ = true;
        flushBegin_ = kLatest;
        first_ = time;
        stack_.startAt(time);
        return time;
    }
    if (time > flushBegin_) runPendingFlush();
    if (time >= stack_.now()) return time;
    log_.add(Trouble::ClockBackwards,
             "an event lies before its predecessor; it was moved to the predecessor's time", event, time);
    return stack_.now();
}

void EventTimes::flush(Ticks time, Ticks stop) {
    runPendingFlush();
    if (clock_ != nullptr) {
        time = clock_->later(time);
        stop = clock_->later(stop);
    }
    // The flush was written before the event that caused it, which is older, or as old by a coarse clock.
    flushBegin_ = std::clamp(time, stack_.now(), kLatest - 1);
    flushEnd_ = std::clamp(stop, flushBegin_, kLatest - 1);
}

void EventTimes::runPendingFlush() {
    if (!started_ || flushBegin_ == kLatest) return;
    const Ticks begin = std::max(flushBegin_, stack_.now());
    const Ticks end = std::max(flushEnd_, begin);
    flushBegin_ = kLatest;
    stack_.passTo(begin);
    const NodeId node = stack_.child(stack_.current(), trace::kFlushRegion);
    stack_.visit(node);
    stack_.passTo(end, node);
    if (begin < end) pauses_.push_back({begin, end});
    paused_ += end - begin;
    if (stays_.isBesideRegionOfFork()) teams_.flushed(end - begin);
}

}  // namespace holos::analyzer::replay
