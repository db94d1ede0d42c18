// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/event_times.h"

#include <algorithm>

namespace holos::analyzer::replay {

namespace {

/// Recorders that tell a wrong length miss it by less than this; a damaged byte of a time, one of the high
/// ones, misses it by more.
Ticks farFrom(const trace::Clock& recorder) {
    constexpr std::uint64_t kHour = 3600, kTimes = 16, kMost = EventTimes::kLatest;
    if (recorder.length == 0 || recorder.length >= kMost) return EventTimes::kLatest;
    const std::uint64_t hour = std::min(recorder.ticksPerSecond, kMost / kHour) * kHour;
    return static_cast<Ticks>(std::min(kMost, std::max(hour, kTimes * recorder.length) + recorder.length));
}

}  // namespace

EventTimes::EventTimes(Clock* clock, const trace::Clock& recorder, CallStack& stack, const TeamStays& stays,
                       TeamRecorder& teams, DiagnosisLog& log)
    : clock_(clock), stack_(stack), stays_(stays), teams_(teams), log_(log), far_(farFrom(recorder)) {
    if (clock != nullptr || far_ == kLatest) return;
    // Some recorders miss the length by a little.
    constexpr Ticks kPart = 8;
    const auto length = static_cast<Ticks>(recorder.length);
    start_ = -(length / kPart);
    end_ = length + length / kPart;
}

void EventTimes::complainOfFar(std::uint64_t event) {
    log_.add(Trouble::ClockBackwards,
             "an event lies far outside of the run; it was moved to its predecessor's time", event);
}

void EventTimes::complainOfOutside(std::uint64_t event, Ticks time) {
    log_.add(Trouble::ClockBackwards,
             time < 0 ? "an event lies before the start of the run, by what the trace says of that"
                      : "an event lies behind the end of the run, by what the trace says of its length",
             event, time);
    end_ = kLatest;
}

Ticks EventTimes::correct(std::uint64_t event, Ticks time) {
    if (clock_ == nullptr) return time;
    if (isFar(time)) {
        complainOfFar(event);
        time = lastRecorded_;
    }
    lastRecorded_ = time;
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
    if (isFar(time)) {
        complainOfFar(event);
        time = stack_.now();
    }
    const bool isFirst = !started_;
    if (isFirst) {
        started_ = true;
        first_ = time;
        stack_.startAt(time);
    }
    if (time > end_ || (isFirst && time < start_)) complainOfOutside(event, time);
    if (flush_ && time > flush_->begin) runPendingFlush();
    latest_ = flush_ ? std::min(flush_->begin, end_) : end_;
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
    const Ticks begin = std::clamp(time, stack_.now(), std::max(stack_.now(), far_ - 1));
    flush_ = Period{begin, std::clamp(stop, begin, std::max(begin, far_ - 1))};
    latest_ = std::min(begin, end_);
}

void EventTimes::runPendingFlush() {
    if (!started_ || !flush_) return;
    const Ticks begin = std::max(flush_->begin, stack_.now());
    const Ticks end = std::max(flush_->end, begin);
    flush_.reset();
    latest_ = end_;
    stack_.passTo(begin);
    const NodeId node = stack_.child(stack_.current(), trace::kFlushRegion);
    stack_.visit(node);
    stack_.passTo(end, node);
    if (begin < end) pauses_.push_back({begin, end});
    paused_ += end - begin;
    if (stays_.isBesideRegionOfFork()) teams_.flushed(end - begin);
}

}  // namespace holos::analyzer::replay
