// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clocks/controlled_clock.h"

namespace holos::analyzer::clocks {

using replay::ClockRole;

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

void ClockSurvey::note(const replay::ClockEvent& event) {
    if (event.role == ClockRole::CollectiveEnd) close(openCollectives_, event.record);
    if (event.role == ClockRole::BarrierLeave) close(openBarriers_, event.record);
    if (event.role == ClockRole::EpochEnd) close(openEpochCalls_, event.record);
    if (event.role == ClockRole::CollectiveBegin && event.record == replay::kNone)
        openCollectives_.push_back(points_.list.size());
    if (event.role == ClockRole::BarrierEnter) openBarriers_.push_back(points_.list.size());
    if (event.role == ClockRole::EpochBegin) openEpochCalls_.push_back(points_.list.size());
    points_.list.push_back({event_, steps_.now(), rise_, floor_, event});
    rise_ = 0;
    floor_ = kNever;
}

void ClockSurvey::close(std::vector<std::size_t>& open, std::uint32_t record) {
    if (open.empty()) return;
    points_.list[open.back()].part.record = record;
    open.pop_back();
}

}  // namespace holos::analyzer::clocks
