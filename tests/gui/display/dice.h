// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QPoint>
#include <QRect>
#include <random>

namespace holos::gui::testing {

/// Throws that are equal with every standard library.
class Dice {
  public:
    explicit Dice(unsigned seed) : engine_(seed) {}
    int below(int end) { return end <= 0 ? 0 : static_cast<int>(engine_() % static_cast<unsigned>(end)); }
    template <typename Container>
    auto& oneOf(Container& all) {
        return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
    }
    QPoint placeIn(const QRect& area) {
        return {area.left() + below(area.width()), area.top() + below(area.height())};
    }

  private:
    std::mt19937 engine_;
};

}  // namespace holos::gui::testing
