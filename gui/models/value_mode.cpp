// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/value_mode.h"

#include <array>

namespace holos::gui {

namespace {

constexpr std::array kModes{
    ValueModeText{ValueMode::Absolute, "absolute", "Absolute", "Values in their units"},
    ValueModeText{
        ValueMode::Percent, "percent", "Percent",
        "Metrics: of the root of their hierarchy; call paths: of the metric; system: of the call paths"},
    ValueModeText{ValueMode::OfRoot, "root", "Percent of the root",
                  "Of the root of the metric's hierarchy, over the whole program"},
    ValueModeText{ValueMode::OfMetric, "metric", "Percent of the metric",
                  "Of the selected metric, over the whole program"},
    ValueModeText{ValueMode::OfSelection, "selection", "Percent of the selected row",
                  "Of the selected row of the same pane"},
    ValueModeText{ValueMode::OfPeers, "peers", "Percent of the largest peer",
                  "Of the largest visible value on the same level"},
    ValueModeText{ValueMode::PeerRange, "distribution", "Peer distribution",
                  "From 0 for the smallest to 100 for the largest value on the same level"},
    ValueModeText{ValueMode::External, "external", "Percent of another experiment",
                  "Of the root of the metric's hierarchy in another experiment"},
};

}  // namespace

std::span<const ValueModeText> valueModes() {
    return kModes;
}

}  // namespace holos::gui
