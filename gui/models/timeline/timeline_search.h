// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>

#include "gui/models/timeline/timeline_levels.h"

namespace holos::gui {

/// What is looked for in a timeline: calls of regions that last long enough, or messages.
struct TimelineQuery {
    bool isMessage = false;
    QString region;  ///< a regular expression, without regard to case
    double leastSeconds = 0;
    std::optional<std::size_t> from, to;  ///< processes of a message
    std::uint64_t leastBytes = 0;
    QString problem;  ///< why the text is no query; empty when it is one
    friend bool operator==(const TimelineQuery&, const TimelineQuery&) = default;
};

/// `MPI_Recv`, `MPI_Recv > 2 ms`, `message`, `message from 3 to 5 > 64k`.
TimelineQuery timelineQuery(const QString& text);

/// A call, or a message from its send to its receive.
struct TimelineFind {
    trace::LocationId location;
    trace::Ticks begin = 0;
    trace::Ticks end = 0;
    std::optional<trace::LocationId> peer;  ///< who sent the message
    std::optional<trace::RegionId> region;  ///< none: a message
    bool isInStack = false;                 ///< no event tells of it: only the stack of its line shows it
};

/// Where it is looked for.
struct TimelineSearch {
    std::filesystem::path anchor;
    DefinitionsPtr definitions;
    LevelsPtr levels;  ///< null: calls are read from the start, and no message is known
    TimelineQuery query;
    trace::Ticks after = -1;  ///< what begins later is looked for
};

/// The first one, or nothing; of equal times that of the first location. Throws `holos::Error` for damaged
/// levels. Gives up when `stopped` becomes true.
std::optional<TimelineFind> findInTimeline(const TimelineSearch& search, const std::atomic<bool>& stopped);

}  // namespace holos::gui
