// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/named_choice.h"

namespace holos::gui {

/// How values are written in all panes: as they are, or as a percentage of something.
enum class ValueMode : unsigned char {
    Absolute,
    Percent,      ///< each pane of what is chosen in the pane before it (the KOJAK paper, section 3.1)
    OfRoot,       ///< of the root of the metric's hierarchy, over the whole program
    OfMetric,     ///< of the selected metric, over the whole program
    OfSelection,  ///< of the selected row of the same pane
    OfPeers,      ///< of the largest visible value on the same level
    PeerRange,    ///< between the smallest and the largest visible value on the same level
    External,     ///< of the root of the metric's hierarchy in another experiment
};

using ValueModeText = NamedChoice<ValueMode>;

/// All modes, in the order of their declaration.
std::span<const ValueModeText> valueModes();

}  // namespace holos::gui
