// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

namespace holos::gui {

/// What one of those who take part does.
struct PatternLane {
    const char* who;
    const char* call;  ///< where it waits or lets wait
    /// A letter for each step of time: `-` computes, `d` computes for longer than others, `=` is in the call,
    /// `#` waits in it, ` ` is not there.
    const char* time;
};

/// From a step in a lane to a step in another one: a message, or what ends the waiting.
struct PatternArrow {
    int fromLane, from, toLane, to;
};

/// How a wait state arises, to be drawn: what each participant does in time.
struct PatternPicture {
    std::string_view metrics;  ///< unique names between blanks
    std::span<const PatternLane> lanes;
    std::span<const PatternArrow> arrows;
};

/// The picture of a metric; null when there is none.
const PatternPicture* pictureOf(std::string_view uniqueName);
/// All of them.
std::span<const PatternPicture> patternPictures();

}  // namespace holos::gui
