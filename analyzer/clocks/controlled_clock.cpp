// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clocks/controlled_clock.h"

#include <algorithm>
#include <cmath>

namespace holos::analyzer::clocks {
namespace {

constexpr double kWantedPerSecond = 1e12;
constexpr std::uint64_t kLongest = std::uint64_t{1} << 58U;
constexpr Ticks kFarthest = Ticks{1} << 60U;  // the replay takes such times for damage

}  // namespace

FineTicks::FineTicks(const trace::Clock& clock)
    : coarse_(clock), perSecond_(static_cast<double>(clock.ticksPerSecond)) {
    while (perSecond_ < kWantedPerSecond && coarse_.length < kLongest >> (shift_ + 1)) {
        ++shift_;
        perSecond_ *= 2;
    }
}

Ticks FineTicks::of(Ticks recorded) const {
    const Ticks most = kFarthest >> shift_;
    return std::clamp(recorded, -most, most) * (Ticks{1} << shift_);
}

Ticks FineTicks::ofSeconds(double seconds) const {
    return std::llround(std::clamp(seconds * perSecond_, 0.0, static_cast<double>(kLongest)));
}

trace::Clock FineTicks::clock() const {
    trace::Clock fine = coarse_;
    fine.ticksPerSecond <<= shift_;
    fine.length <<= shift_;
    return fine;
}

}  // namespace holos::analyzer::clocks
