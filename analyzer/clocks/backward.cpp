// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/clocks/backward.h"

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

namespace {

//
//   shift                     ╱│          The clock jumps by d. Back to d / slope before the jump events are
//                          ╱·  │ d        moved by what the line says; the send must not be moved by more
//                          than
//                     s ╱      │          its limit s, so that the line has a corner there.
//              ___──·▔         │
//      ───────┴─────Send──────Recv────
//
class Stretch {
  public:
    Stretch(ShiftedTime& time, std::span<const Limit> limits, Ticks begin, double slope)
        : time_(time), limits_(limits), begin_(begin), slope_(slope) {}

    /// `before`: how many limits lie before the jump.
    void before(const Jump& jump, std::size_t before) {
        if (jump.before <= begin_) return;
        const auto shift = static_cast<double>(jump.after - jump.before);
        const double reach = std::min(shift / slope_, static_cast<double>(jump.before - begin_));
        left_ = jump.before - static_cast<Ticks>(std::llround(reach));
        corners_ = {{jump.before, jump.after - jump.before}};
        while (corners_.back().shift > 0 && turn(before)) {
        }
        if (corners_.back().shift > 0) corners_.push_back({left_, 0});
        std::ranges::reverse(corners_);
        time_.change(corners_);
    }

  private:
    /// The next corner to the left: the limited event for which the line has to be steepest. False when there
    /// is none.
    bool turn(std::size_t& before) {
        const ShiftedTime::Corner right = corners_.back();
        double steepest = static_cast<double>(right.shift) / static_cast<double>(right.at - left_);
        std::size_t found = before;
        ShiftedTime::Corner corner;
        for (std::size_t i = before; i-- > 0;) {
            const Ticks at = time_.of(limits_[i].time);
            if (at <= left_) break;
            if (at >= right.at) continue;
            const Ticks room = std::max<Ticks>(0, limits_[i].latest - at);
            const double needed =
                static_cast<double>(right.shift - room) / static_cast<double>(right.at - at);
            if (needed <= steepest) continue;
            steepest = needed;
            found = i;
            corner = {at, room};
        }
        if (found == before) return false;
        corners_.push_back(corner);
        before = found;
        return true;
    }

    ShiftedTime& time_;
    std::span<const Limit> limits_;
    Ticks begin_;
    double slope_;
    Ticks left_ = 0;
    std::vector<ShiftedTime::Corner> corners_;
};

}  // namespace

ShiftedTime amortizeBackward(std::span<const Limit> limits, std::span<const Jump> jumps, Ticks begin,
                             double slope) {
    ShiftedTime time;
    Stretch stretch(time, limits, begin, slope);
    std::size_t passed = 0;
    for (const Jump& jump : jumps) {
        while (passed < limits.size() && limits[passed].point < jump.point) ++passed;
        stretch.before(jump, passed);
    }
    return time;
}

}  // namespace holos::analyzer::clocks
