// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/parts/colors.h"

namespace holos::gui {

namespace {
constexpr int kDarkGround = 128;
}

void Colors::setMap(ColorMap map) {
    if (map == map_) return;
    map_ = map;
    Q_EMIT changed();
}

ColorScale Colors::on(const QPalette& palette) const {
    return {palette.color(QPalette::Base).lightness() < kDarkGround, map_};
}

}  // namespace holos::gui
