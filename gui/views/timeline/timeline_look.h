// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <optional>

#include "gui/views/timeline/timeline_pane.h"

namespace holos::gui {

/// How a timeline looks, apart from the time in sight, for links: `lines:processes;marks:waits.path`. Empty
/// where that is as usual.
QString lookOf(const TimelineState& state);

/// The state with this look; what the text does not name is as usual. Nothing for a text that is none.
std::optional<TimelineState> withLook(TimelineState state, const QString& look);

}  // namespace holos::gui
