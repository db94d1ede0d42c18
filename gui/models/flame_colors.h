// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/named_choice.h"

namespace holos::gui {

/// What the colours of a flame graph say of a call path.
enum class FlameColors : unsigned char {
    Own,         ///< what it has without what is below it
    Folders,     ///< where its code is
    Difference,  ///< how much more or less it has, with what is below it, than in another experiment
};

std::span<const NamedChoice<FlameColors>> flameColors();

}  // namespace holos::gui
