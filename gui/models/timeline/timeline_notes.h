// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <vector>

namespace holos::gui {

/// What somebody wrote down at a moment of a location of a trace. The location has its name, so that the note
/// stays where it is when the run is analyzed anew.
struct TimelineNote {
    QString location;  ///< as `traceLocationName` has it
    double seconds = 0.0;
    QString text;
    friend bool operator==(const TimelineNote&, const TimelineNote&) = default;
};

using TimelineNotes = std::vector<TimelineNote>;

}  // namespace holos::gui
