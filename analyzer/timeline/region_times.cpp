// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/timeline/region_times.h"

#include <algorithm>

namespace holos::analyzer::timeline {

void RegionTimes::append(std::vector<RegionTime>& bin) {
    std::ranges::sort(bin, {}, &RegionTime::region);
    times_.insert(times_.end(), bin.begin(), bin.end());
    starts_.push_back(times_.size());
}

RegionTimes RegionTimes::coarser() const {
    RegionTimes result;
    for (std::size_t at = 0; at + 1 < bins(); at += 2) result.appendSum(bin(at), bin(at + 1));
    return result;
}

RegionTimes RegionTimes::together(const RegionTimes& other) const {
    RegionTimes result;
    for (std::size_t at = 0; at < bins(); ++at) result.appendSum(bin(at), other.bin(at));
    return result;
}

void RegionTimes::appendSum(std::span<const RegionTime> a, std::span<const RegionTime> b) {
    auto left = a.begin();
    auto right = b.begin();
    while (left != a.end() || right != b.end()) {
        const bool takesLeft = right == b.end() || (left != a.end() && left->region <= right->region);
        const bool takesRight = left == a.end() || (right != b.end() && right->region <= left->region);
        RegionTime sum = takesLeft ? *left++ : *right;
        if (takesRight) {
            if (takesLeft) sum.time += right->time;
            ++right;
        }
        times_.push_back(sum);
    }
    starts_.push_back(times_.size());
}

void RegionTimer::pass(std::uint32_t region, Ticks until) {
    until = std::min(until, grid_.length());
    while (now_ < until) {
        const Ticks end = grid_.edge(0, times_.bins() + 1);
        const Ticks stop = std::min(until, end);
        const auto known = std::ranges::find(inBin_, region, &RegionTime::region);
        if (known == inBin_.end())
            inBin_.push_back({region, stop - now_});
        else
            known->time += stop - now_;
        now_ = stop;
        if (stop == end) endBin();
    }
}

void RegionTimer::skip(Ticks until) {
    until = std::min(until, grid_.length());
    while (now_ < until) {
        const Ticks end = grid_.edge(0, times_.bins() + 1);
        now_ = std::min(until, end);
        if (now_ == end) endBin();
    }
}

void RegionTimer::endBin() {
    // Bins of runs with fewer ticks than bins may be empty: they end where they begin.
    do {
        times_.append(inBin_);
        inBin_.clear();
    } while (times_.bins() < grid_.bins(0) && grid_.edge(0, times_.bins() + 1) == now_);
}

RegionTimes RegionTimer::finish() {
    while (times_.bins() < grid_.bins(0)) {
        times_.append(inBin_);
        inBin_.clear();
    }
    return std::move(times_);
}

Activity activityOf(const trace::Region& region) {
    using trace::Paradigm;
    using trace::Role;
    switch (region.paradigm) {
        case Paradigm::Mpi:
            return Activity::Mpi;
        case Paradigm::OpenMp: {
            const bool waits = region.role == Role::Barrier || region.role == Role::ImplicitBarrier ||
                               region.role == Role::TaskWait || region.role == Role::Critical ||
                               region.role == Role::Ordered;
            return waits ? Activity::OpenMpWaiting : Activity::OpenMp;
        }
        case Paradigm::User:
        case Paradigm::Compiler:
        case Paradigm::Unknown:
            return Activity::User;
        default:
            return Activity::Other;
    }
}

std::vector<Activity> activitiesOf(const trace::Definitions& definitions) {
    std::vector<Activity> activities;
    activities.reserve(definitions.regions.size());
    for (const trace::Region& region : definitions.regions) activities.push_back(activityOf(region));
    return activities;
}

namespace {

std::uint8_t shareOf(Ticks part, Ticks whole) {
    const auto share = (static_cast<__int128>(part) * 255 + whole - 1) / whole;
    return static_cast<std::uint8_t>(std::min<__int128>(share, 255));
}

}  // namespace

Summary summarize(std::span<const RegionTime> bin, Ticks ticks, std::size_t locations,
                  const std::vector<Activity>& activities) {
    Summary summary;
    RegionTime most, lost;
    for (const RegionTime& time : bin) {
        const Activity activity =
            time.region < activities.size() ? activities[time.region] : Activity::Nothing;
        summary.times[static_cast<std::size_t>(activity)] += time.time;
        const bool isBeside = locations > 1 && time.region == kOutside && most.time > 0;
        if (time.time > most.time && !isBeside) most = time;
        if (isLoss(activity) && time.time > lost.time) lost = time;
    }
    ticks = std::max<Ticks>(ticks * static_cast<Ticks>(locations), 1);
    if (most.time > 0) summary.most = {most.region, shareOf(most.time, ticks)};
    if (lost.time > 0) summary.lost = {lost.region, shareOf(lost.time, ticks)};
    return summary;
}

}  // namespace holos::analyzer::timeline
