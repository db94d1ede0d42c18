// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/events/event_spread.h"

#include <algorithm>
#include <cmath>

namespace holos::gui {

namespace {

constexpr std::size_t kMostBars = 64;
constexpr double kRatio = 1.1;  ///< from class to class, of which several may make a bar
/// The bar of what is zero, or has no logarithm; others are numbered by theirs, upwards from here.
constexpr std::int64_t kZero = -2000;

}  // namespace

double EventSpread::startOf(std::int64_t bar) const {
    if (!isLogarithmic_) return static_cast<double>(bar) * width_;
    // Millions of values need those of nanoseconds to gigabytes.
    constexpr std::int64_t kKnown = 512;
    static const std::vector<double> known = [] {
        std::vector<double> starts;
        for (std::int64_t each = -kKnown; each <= kKnown; ++each)
            starts.push_back(std::pow(kRatio, static_cast<double>(each)));
        return starts;
    }();
    if (std::abs(bar) <= kKnown) return known[static_cast<std::size_t>(bar + kKnown)];
    return bar <= kZero ? 0.0 : std::pow(kRatio, static_cast<double>(bar));
}

std::int64_t EventSpread::barOf(double value) const {
    if (!isLogarithmic_) return static_cast<std::int64_t>(std::floor(value / width_));
    if (value <= 0.0) return kZero;
    auto bar = static_cast<std::int64_t>(std::floor(std::log(value) / std::log(kRatio)));
    // Logarithms are not exact, but a bar that is clicked has to have what it says.
    while (startOf(bar) > value) --bar;
    while (startOf(bar + 1) <= value) ++bar;
    return bar;
}

/// Two bars become one, as often as it takes.
void EventSpread::widen(double value) {
    const double least = values_ == 0 ? value : std::min(least_, value);
    const double most = values_ == 0 ? value : std::max(most_, value);
    // Numbers of bars stay numbers, also far from zero.
    const double needed = std::max((most - least) / static_cast<double>(kMostBars - 2),
                                   std::max(std::abs(least), std::abs(most)) * 1e-15);
    if (values_ == 0) {
        width_ = value == std::floor(value) ? 1.0 : std::max(1e-9, std::abs(value) * 1e-9);
        while (width_ < needed) width_ *= 2.0;
        return;
    }
    while (width_ < needed) {
        width_ *= 2.0;
        std::map<std::int64_t, std::uint64_t> merged;
        for (const auto& [bar, rows] : bars_)
            merged[static_cast<std::int64_t>(std::floor(static_cast<double>(bar) / 2.0))] += rows;
        bars_ = std::move(merged);
    }
}

void EventSpread::add(double value) {
    ++rows_;
    if (!std::isfinite(value)) return;
    if (!isLogarithmic_) widen(value);
    least_ = values_ == 0 ? value : std::min(least_, value);
    most_ = values_ == 0 ? value : std::max(most_, value);
    ++values_;
    sum_ += value;
    ++bars_[barOf(value)];
}

std::vector<EventSpread::Bar> EventSpread::bars() const {
    std::vector<Bar> bars;
    if (bars_.empty()) return bars;
    std::int64_t first = bars_.begin()->first;
    if (isLogarithmic_ && first == kZero) {
        const std::int64_t next = bars_.size() == 1 ? 0 : std::next(bars_.begin())->first;
        bars.push_back(
            {std::min(0.0, least_), bars_.size() == 1 ? 0.0 : startOf(next), bars_.begin()->second});
        if (bars_.size() == 1) return bars;
        first = next;
    }
    const std::int64_t last = bars_.rbegin()->first;
    const auto together =
        std::max<std::int64_t>(1, (last - first) / static_cast<std::int64_t>(kMostBars) + 1);
    for (std::int64_t bar = first; bar <= last; bar += together) {
        Bar next{startOf(bar), startOf(bar + together), 0};
        for (auto known = bars_.lower_bound(bar); known != bars_.end() && known->first < bar + together;
             ++known)
            next.rows += known->second;
        bars.push_back(next);
    }
    return bars;
}

}  // namespace holos::gui
