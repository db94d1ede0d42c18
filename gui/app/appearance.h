// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QPalette>

namespace holos::gui {

enum class Theme : unsigned char { System, Light, Dark };

/// The browser's colours: calm grounds, and a selection that does not hide the colours of values.
QPalette paletteOf(Theme theme, const QPalette& systemPalette);

/// Sets style and palette of the application. Nothing is animated.
void applyTheme(Theme theme);

}  // namespace holos::gui
