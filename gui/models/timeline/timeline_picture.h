// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "analyzer/trace/excerpt.h"
#include "gui/models/timeline/timeline_course.h"
#include "gui/models/timeline/timeline_lines.h"

namespace holos::gui {

/// What colours of a timeline mean: what each line did, or how much of each moment one kind of time took.
/// `Metric`: one that the course of the run has.
enum class TimelineColors { Calls, Lost, Mpi, OpenMpWaiting, Program, Metric };

/// What of the course of the run is drawn over the lines.
struct TimelineMarks {
    bool path = false;
    bool operations = true;
    bool waits = true;
    bool messages = true;
    friend bool operator==(const TimelineMarks&, const TimelineMarks&) = default;
};

using TimelineMark = bool TimelineMarks::*;

/// What a line did in a window.
struct TimelineRow {
    trace::Excerpt excerpt;     ///< calls of one location, or only bins
    std::vector<float> shares;  ///< by bin, where colours are those of a heat map; −1: nothing is known
    std::shared_ptr<const trace::StackExcerpt> stack;  ///< of a line of a stack
    std::vector<float> onPath;  ///< by bin: how much of it is on the critical path; empty: nothing
};

/// Messages that look alike at this size.
struct MessageBundle {
    trace::LocationId sender;
    trace::LocationId receiver;
    trace::Ticks sent = 0;
    trace::Ticks received = 0;
    std::uint64_t bytes = 0;  ///< of all
    std::uint64_t count = 1;
};

/// Collective operations that look alike at this size.
struct OperationBundle {
    analyzer::timeline::CourseMark operation;  ///< the first of them, as long as all
    std::uint64_t count = 1;
};

/// What is drawn over the lines of a picture.
struct CoursePicture {
    CoursePtr course;  ///< null: nothing is known
    std::vector<analyzer::timeline::CourseMark> path;
    std::vector<OperationBundle> operations;
    std::vector<analyzer::timeline::CourseMark> parts;  ///< operation by operation, by location
    std::vector<analyzer::timeline::CourseMark> waits;
    bool longestWaits = false;  ///< there are shorter ones that could be told apart
};

/// Some lines of a timeline in a part of the run.
struct TimelinePicture {
    trace::Window window;
    std::shared_ptr<const TimelineLines> lines;
    int pinned = 0;  ///< so many lines at the top stand before the first one
    int firstLine = 0;
    std::vector<TimelineRow> rows;
    TimelineColors colors = TimelineColors::Calls;
    std::vector<MessageBundle> messages;
    std::uint64_t messageCount = 0;
    std::uint64_t oneOf = 1;  ///< messages of so many pairs of processes only one is shown
    bool tooManyMessages = false;
    CoursePicture marks;
    bool isHeatOfPart = false;    ///< shares are of the calls that are shown alone, where these are not all
    bool isRelative = false;      ///< shares are of the largest value, not of time
    bool areMarksOfPart = false;  ///< waits and the critical path are of the calls that are shown alone
    double largest = 0;
    QString unit;           ///< of that
    bool isCoarse = false;  ///< another one with calls follows
    QString problem;

    /// A picture has a row for each line that was read: the number of the line among all of them.
    int lineOf(std::size_t row) const {
        const int at = static_cast<int>(row);
        return at < pinned ? at : firstLine + at - pinned;
    }
    /// Which row a line has; nothing where none was read.
    std::optional<std::size_t> rowOf(int line) const {
        const int at = line < pinned ? line : pinned + line - firstLine;
        const bool isRead = line >= 0 && (line < pinned || line >= firstLine) && at < std::ssize(rows);
        return isRead ? std::optional(static_cast<std::size_t>(at)) : std::nullopt;
    }
    /// What was read of a line; null: nothing.
    const TimelineRow* contentOf(int line) const {
        const auto row = rowOf(line);
        return row ? &rows[*row] : nullptr;
    }
};
using TimelinePtr = std::shared_ptr<const TimelinePicture>;

/// What is asked for.
struct TimelineQuestion {
    trace::Window window;
    std::shared_ptr<const TimelineLines> lines;
    int pinned = 0;  ///< so many lines at the top, and
    int firstLine = 0;
    int endLine = 0;         ///< the one behind the last
    bool showsCalls = true;  ///< lines are high enough for calls within calls
    TimelineColors colors = TimelineColors::Calls;
    std::string metric;  ///< of the colours, by its unique name
    TimelineMarks marks;

    bool has(int line) const { return (line >= 0 && line < pinned) || (line >= firstLine && line < endLine); }
};

}  // namespace holos::gui
