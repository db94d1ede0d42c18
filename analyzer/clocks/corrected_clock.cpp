// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clocks/corrected_clock.h"

namespace holos::analyzer::clocks {

Ticks CorrectedClock::at(std::uint64_t event, Ticks recorded, replay::NodeId) {
    const bool isBack = steps_.started() && steps_.fine().of(recorded) < steps_.now();
    const Ticks step = steps_.next(recorded);
    clock_ = std::max(clock_ + step, steps_.now());
    const auto& jumps = correction_.jumps;
    if (nextJump_ < jumps.size() && jumps[nextJump_].event == event)
        clock_ = std::max(clock_, jumps[nextJump_++].after);
    const Ticks time = correction_.shift.of(clock_);
    // The replay reports what runs backwards and takes the last time instead.
    return isBack ? time - 2 * step : time;
}

Ticks CorrectedClock::later(Ticks recorded) const {
    const Ticks now = steps_.fine().of(recorded);
    if (!steps_.started() || now <= steps_.now()) return correction_.shift.of(std::max(clock_, now));
    return correction_.shift.of(std::max(clock_ + steps_.stepTo(now), now));
}

}  // namespace holos::analyzer::clocks
