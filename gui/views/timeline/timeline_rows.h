// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "gui/models/timeline/calls_in_part.h"
#include "gui/models/timeline/timeline_picture.h"

namespace holos::gui {

/// What stays the same while one picture of a trace is painted again and again.
class TimelineRows {
  public:
    TimelineRows() = default;
    /// `part`: which calls belong to what is shown.
    explicit TimelineRows(TimelinePtr picture, const CallsInPart& part = {});

    /// In which order the calls of a row are painted, and which of them contain no others.
    struct Calls {
        std::vector<std::size_t> fromOutside;  ///< positions of the spans, the outermost first
        std::vector<bool> leaves;              ///< by position
        std::vector<bool> belongs;             ///< by position: to the part of the program that is shown
    };
    /// Of a row of the picture; found when it is asked for first.
    const Calls& calls(std::size_t row) const;

  private:
    TimelinePtr picture_;
    CallsInPart part_;
    mutable std::vector<std::optional<Calls>> calls_;
};

}  // namespace holos::gui
