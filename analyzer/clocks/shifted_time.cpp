// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clocks/shifted_time.h"

#include <algorithm>
#include <cmath>

namespace holos::analyzer::clocks {

namespace {

/// On the straight line through two points, between them.
Ticks onLine(Ticks x, Ticks x0, Ticks y0, Ticks x1, Ticks y1) {
    if (x1 <= x0) return y1;
    const double slope = static_cast<double>(y1 - y0) / static_cast<double>(x1 - x0);
    return std::clamp(y0 + static_cast<Ticks>(std::llround(slope * static_cast<double>(x - x0))),
                      std::min(y0, y1), std::max(y0, y1));
}

Ticks shiftAt(const std::vector<ShiftedTime::Corner>& corners, Ticks time) {
    const auto right = std::ranges::lower_bound(corners, time, {}, &ShiftedTime::Corner::at);
    if (right == corners.begin()) return right->shift;
    const auto left = right - 1;
    return onLine(time, left->at, left->shift, right->at, right->shift);
}

}  // namespace

Ticks ShiftedTime::of(Ticks time) const {
    if (knots_.empty() || time >= knots_.back().from || time <= knots_.front().from) return time;
    const auto right = std::ranges::upper_bound(knots_, time, {}, &Knot::from);
    const auto left = right - 1;
    return onLine(time, left->from, left->to, right->from, right->to);
}

Ticks ShiftedTime::originOf(Ticks changed) const {
    if (knots_.empty() || changed >= knots_.back().to || changed <= knots_.front().to) return changed;
    const auto right = std::ranges::upper_bound(knots_, changed, {}, &Knot::to);
    const auto left = right - 1;
    return onLine(changed, left->to, left->from, right->to, right->from);
}

void ShiftedTime::change(const std::vector<Corner>& corners) {
    const Corner& end = corners.back();
    std::vector<Knot> fresh;
    for (const Corner& corner : corners) fresh.push_back({originOf(corner.at), corner.at});
    const auto first = std::ranges::lower_bound(knots_, corners.front().at, {}, &Knot::to);
    fresh.insert(fresh.end(), first, knots_.end());
    knots_.erase(first, knots_.end());
    std::ranges::stable_sort(
        fresh, [](const Knot& a, const Knot& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
    for (Knot& knot : fresh) knot.to += shiftAt(corners, knot.to);
    knots_.insert(knots_.end(), fresh.begin(), fresh.end());
    knots_.push_back({end.at + end.shift, end.at + end.shift});
}

}  // namespace holos::analyzer::clocks
