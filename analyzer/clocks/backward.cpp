// SPDX-License-Identifier: BSD-3-Clause
//
//   shift                     ╱│          The clock jumps by d. Back to d / slope before the jump events are
//                          ╱·  │ d        moved by what the line says; the send must not be moved by more
//                          than
//                     s ╱      │          its limit s, so that the line has a corner there.
//              ___──·▔         │
//      ───────┴─────Send──────Recv────
//
#include "analyzer/clocks/backward.h"

#include <algorithm>
#include <cmath>

namespace holos::analyzer::clocks {

namespace {

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
