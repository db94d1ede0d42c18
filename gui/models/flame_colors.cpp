// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/flame_colors.h"

#include <array>

namespace holos::gui {

namespace {

constexpr std::array kFlameColors{
    NamedChoice<FlameColors>{FlameColors::Own, "own", "Own values",
                             "How much a call path has without what is below it"},
    NamedChoice<FlameColors>{FlameColors::Folders, "folders", "Folders of code",
                             "Where the code of a region is: its folder, MPI, or OpenMP"},
    NamedChoice<FlameColors>{FlameColors::Difference, "difference", "Difference",
                             "How much more or less a call path has than in another open experiment"},
};

}  // namespace

std::span<const NamedChoice<FlameColors>> flameColors() {
    return kFlameColors;
}

}  // namespace holos::gui
