// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <optional>

#include "gui/models/timeline/timeline_lines.h"
#include "gui/models/timeline/timeline_picture.h"

namespace holos::gui {

/// What of a trace is looked at.
struct TimelineState {
    QString archive;
    trace::Ticks from = 0;
    trace::Ticks to = 0;
    bool range = false;  ///< one is selected:
    double fromSeconds = 0;
    double toSeconds = 0;
    TimelineGrouping grouping = TimelineGrouping::Threads;
    TimelineColors colors = TimelineColors::Calls;
    std::string metric{};  ///< of the colours
    TimelineMarks marks{};
    std::vector<std::size_t> stacks{};  ///< locations that are opened
    PinnedLocations pinned{};
    QString other{};   ///< archive of the run below; empty: none
    double shift = 0;  ///< seconds that it is looked at later
};

/// How a timeline looks, apart from the time in sight, for links: `lines:processes;marks:waits.path`. Empty
/// where that is as usual.
QString lookOf(const TimelineState& state);

/// The state with this look; what the text does not name is as usual. Nothing for a text that is none.
std::optional<TimelineState> withLook(TimelineState state, const QString& look);

}  // namespace holos::gui
