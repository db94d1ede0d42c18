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

}  // namespace holos::analyzer::timeline
