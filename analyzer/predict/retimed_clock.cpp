// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/predict/retimed_clock.h"

#include <cmath>

namespace holos::analyzer::predict {

RetimedClock::RetimedClock(const LocationGraph& graph, const PackedTicks& shifts,
                           const LocationScales& scales)
    : next_(graph.marks), shifts_(shifts), scales_(scales) {
    if (!next_.isAtEnd()) shift_ = shifts_.next();
}

void RetimedClock::pass() {
    last_ = next_->time;
    now_ = static_cast<double>(timeOfNext());
    next_.next();
    if (next_.isAtEnd()) return;
    shift_ += shifts_.next();
    scales_.moveTo(next_->slice);
}

/// A call that took no time may wait now: its end is passed only by an event within it, or behind it.
bool RetimedClock::isPassed(const Mark& mark, Ticks recorded, NodeId node) const {
    if (mark.time != recorded) return mark.time < recorded;
    return mark.piece == Piece::Work || mark.node == replay::kOutside || mark.node == node;
}

Ticks RetimedClock::at(std::uint64_t, Ticks recorded, NodeId node) {
    while (!next_.isAtEnd() && isPassed(*next_, recorded, node)) pass();
    const auto passed = static_cast<double>(std::max<Ticks>(0, recorded - last_));
    if (next_.isAtEnd()) {
        now_ += passed;
    } else if (next_.position() == 0) {
        now_ = static_cast<double>(recorded + shift_);
    } else {
        const Mark& next = *next_;
        const auto end = static_cast<double>(timeOfNext());
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
