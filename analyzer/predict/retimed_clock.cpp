// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/retimed_clock.h"

#include <cmath>

namespace holos::analyzer::predict {

void RetimedClock::pass(std::uint32_t mark) {
    last_ = graph_.marks[mark].time;
    now_ = static_cast<double>(times_[mark]);
    next_ = mark + 1;
    if (next_ < graph_.marks.size()) scales_.moveTo(graph_.marks[next_].slice);
}

/// A call that took no time may wait now: its end is passed only by an event within it, or behind it.
bool RetimedClock::isPassed(const Mark& mark, Ticks recorded, NodeId node) const {
    if (mark.time != recorded) return mark.time < recorded;
    return mark.piece == Piece::Work || mark.node == replay::kOutside || mark.node == node;
}

Ticks RetimedClock::at(std::uint64_t, Ticks recorded, NodeId node) {
    const auto& marks = graph_.marks;
    while (next_ < marks.size() && isPassed(marks[next_], recorded, node)) pass(next_);
    const auto passed = static_cast<double>(std::max<Ticks>(0, recorded - last_));
    if (next_ == 0 && !marks.empty()) {
        now_ = static_cast<double>(recorded + times_[0] - marks[0].time);
    } else if (next_ == marks.size()) {
        now_ += passed;
    } else {
        const Mark& next = marks[next_];
        const auto end = static_cast<double>(times_[next_]);
        const auto left = static_cast<double>(std::max<Ticks>(1, next.time - last_));
        now_ += next.piece == Piece::Work ? passed * scales_.of(node.index()) : (end - now_) * passed / left;
        now_ = std::min(now_, end);
    }
    last_ = std::max(last_, recorded);
    return static_cast<Ticks>(std::llround(now_));
}

Ticks RetimedClock::later(Ticks recorded) const {
    return static_cast<Ticks>(std::llround(now_)) + std::max<Ticks>(0, recorded - last_);
}

}  // namespace holos::analyzer::predict
