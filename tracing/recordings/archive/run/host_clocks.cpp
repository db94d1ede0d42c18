// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/run/host_clocks.h"

#include <algorithm>

namespace holos::archive {

using tracing::ClockSync;

HostClock::HostClock(const std::vector<ClockSync>& syncs) {
    const auto byTicks = [](const ClockSync& a, const ClockSync& b) { return a.ticks < b.ticks; };
    const auto [first, last] = std::ranges::minmax_element(syncs, byTicks);
    origin_ = *first;
    if (last->ticks == first->ticks || last->monotonic <= first->monotonic) return;
    ticks_ = last->ticks - first->ticks;
    const auto nanoseconds = static_cast<std::uint64_t>(last->monotonic - first->monotonic);
    whole_ = nanoseconds / ticks_;
    rest_ = nanoseconds % ticks_;
    inverse_ = static_cast<std::uint64_t>((static_cast<unsigned __int128>(rest_) << 64U) / ticks_);
    measured_ = true;
}

std::int64_t HostClock::nanoseconds(std::uint64_t ticks) const {
    const auto since = static_cast<std::int64_t>(ticks - origin_.ticks);
    const std::uint64_t passed =
        since < 0 ? -static_cast<std::uint64_t>(since) : static_cast<std::uint64_t>(since);
    // By the inverse the quotient is right, or too small by 1; then the remainder is too large.
    auto quotient = static_cast<std::uint64_t>((static_cast<unsigned __int128>(passed) * inverse_) >> 64U);
    if (passed * rest_ - quotient * ticks_ >= ticks_) ++quotient;
    const std::uint64_t nanoseconds = passed * whole_ + quotient;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(origin_.monotonic) +
                                     (since < 0 ? -nanoseconds : nanoseconds));
}

namespace {

/// One offset for a host from those that its processes measured at about the same time.
HostOffset average(const std::vector<HostOffset>& all) {
    HostOffset result;
    const auto n = static_cast<__int128>(all.size());
    __int128 time = 0;
    __int128 offset = 0;
    for (const auto& one : all) {
        time += one.time;
        offset += one.offset;
        result.deviation = std::max(result.deviation, one.deviation);
    }
    result.time = static_cast<std::int64_t>(time / n);
    result.offset = static_cast<std::int64_t>(offset / n);
    return result;
}

/// The n-th measurements of all processes of a host, averaged. OTF2 needs two for a line: where there is only
/// one, the offset stays what it was then.
std::vector<HostOffset> hostOffsets(const std::vector<const RecordedProcess*>& processes,
                                    const HostClock& clock) {
    std::vector<std::vector<HostOffset>> measurements;
    for (const auto* process : processes)
        for (std::size_t i = 0; i < process->offsets.size(); ++i) {
            const auto& one = process->offsets[i];
            if (i == measurements.size()) measurements.emplace_back();
            measurements[i].push_back({clock.nanoseconds(one.ticks), one.nanoseconds, one.deviation});
        }
    std::vector<HostOffset> result;
    for (const auto& all : measurements)
        if (const HostOffset next = average(all); result.empty() || next.time > result.back().time)
            result.push_back(next);
    if (result.size() == 1) result.push_back({result[0].time + 1, result[0].offset, result[0].deviation});
    return result;
}

/// A line goes on behind its last pair by as much as lies between its pairs without becoming less exact than
/// they are. Whether the process ended by then, as far as anybody knows.
bool endsOnLine(const RecordedProcess& process, const std::vector<ClockSync>& pairs) {
    if (!process.end.at || pairs.empty()) return false;
    const auto [first, last] = std::ranges::minmax_element(pairs, {}, &ClockSync::monotonic);
    return *process.end.at - last->monotonic <= last->monotonic - first->monotonic;
}

/// What was killed took no last pair. Its times are to be the same whenever somebody asks for them, and a
/// line of this length, between pairs of some ten nanoseconds' exactness, is good enough for that.
bool isOnLineForGood(const RecordedProcess& process, const std::vector<ClockSync>& pairs) {
    constexpr std::int64_t kLongEnough = 100'000;
    if (process.seenAlive || process.syncs.size() < 2) return false;
    const auto [first, last] = std::ranges::minmax_element(pairs, {}, &ClockSync::monotonic);
    return last->monotonic - first->monotonic >= kLongEnough;
}

/// A line through the pairs that were recorded tells all times of the process.
bool isMeasuredBy(const RecordedProcess& process, const std::vector<ClockSync>& pairs) {
    if (process.replaced || (process.status.ended != 0 && process.syncs.size() > 1)) return true;
    return endsOnLine(process, pairs) || isOnLineForGood(process, pairs);
}

}  // namespace

Timeline::Timeline(const std::vector<RecordedProcess>& processes, const std::string& hereBoot,
                   const ClockSync& here) {
    std::map<std::string, std::vector<ClockSync>> syncs;
    std::map<std::string, std::vector<const RecordedProcess*>> members;
    std::string rootBoot;
    for (const auto& process : processes) {
        auto& all = syncs[process.boot];
        all.insert(all.end(), process.syncs.begin(), process.syncs.end());
        members[process.boot].push_back(&process);
        if (process.world && process.world->rank == 0) rootBoot = process.boot;
    }
    if (const auto at = syncs.find(hereBoot); at != syncs.end() && !hereBoot.empty()) {
        const auto isMeasured = [&pairs = at->second](const RecordedProcess* process) {
            return isMeasuredBy(*process, pairs);
        };
        if (!std::ranges::all_of(members[hereBoot], isMeasured)) at->second.push_back(here);
    }
    for (const auto& [boot, all] : syncs)
        if (!all.empty()) clocks_[boot] = HostClock(all);
    for (const auto& [boot, group] : members)
        if (const auto clock = clocks_.find(boot); boot != rootBoot && clock != clocks_.end())
            offsets_[boot] = hostOffsets(group, clock->second);
}

std::int64_t globalTime(std::int64_t time, const std::vector<HostOffset>& offsets) {
    if (offsets.empty()) return time;
    const auto next = std::find_if(offsets.begin() + 1, offsets.end() - 1,
                                   [time](const HostOffset& one) { return time <= one.time; });
    const HostOffset& from = *(next - 1);
    const double slope =
        static_cast<double>(next->offset - from.offset) / static_cast<double>(next->time - from.time);
    return time + from.offset + static_cast<std::int64_t>(slope * static_cast<double>(time - from.time));
}

const HostClock& Timeline::clock(const RecordedProcess& process) const {
    return clocks_.at(process.boot);
}

std::vector<HostOffset> Timeline::offsets(const RecordedProcess& process) const {
    const auto at = offsets_.find(process.boot);
    return at != offsets_.end() ? at->second : std::vector<HostOffset>{};
}

bool Timeline::allMeasured() const {
    return std::ranges::all_of(clocks_, [](const auto& one) { return one.second.isMeasured(); });
}

}  // namespace holos::archive
