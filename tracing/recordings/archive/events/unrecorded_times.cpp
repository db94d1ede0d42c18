// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/unrecorded_times.h"

#include <limits>

namespace holos::archive {
namespace {

constexpr std::uint64_t kEnd = std::numeric_limits<std::uint64_t>::max();

}  // namespace

/// All threads were switched off and on together. What a thread recorded while it was switched off belongs
/// before that: so a switch off is written with the one that follows it, or at the end of the program.
void UnrecordedTimes::switchOn(std::uint64_t ticks) {
    const auto& all = process_.switches;
    for (std::size_t i = next_; i < all.size() && all[i].ticks <= ticks; ++i) {
        if (!all[i].isOn && ticks != kEnd) continue;
        if (!all[i].isOn) {  // what was open then ended unrecorded
            out_.passTo(all[i].ticks);
            open_.leaveAll();
        }
        for (; next_ <= i; ++next_) {
            out_.passTo(all[next_].ticks);
            switchOwn(all[next_].isOn);
        }
    }
}

void UnrecordedTimes::switchToEnd() {
    switchUpTo(kEnd);
}

void UnrecordedTimes::passSwitches(std::uint64_t ticks) {
    const auto& all = process_.switches;
    for (std::size_t i = 0; i < all.size() && all[i].ticks <= ticks; ++i)
        if (all[i].isOn) next_ = i + 1;
}

void UnrecordedTimes::mark(std::uint64_t ticks) {
    write(OTF2_MEASUREMENT_OFF);
    out_.passTo(ticks);
    write(OTF2_MEASUREMENT_ON);
}

}  // namespace holos::archive
