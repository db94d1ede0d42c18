// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "gui/models/timeline/calls_in_part.h"
#include "gui/models/timeline/timeline_lines.h"
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
        /// When the innermost call belongs to it: begins and ends, ascending.
        std::vector<std::pair<trace::Ticks, trace::Ticks>> times;
    };
    /// Of a row of the picture; found when it is asked for first.
    const Calls& calls(std::size_t row) const;
    /// Whether the innermost call at a time belongs to the part of the program that is shown, as far as calls
    /// were read one by one.
    bool belongs(std::size_t row, trace::Ticks time) const;
    /// The pieces of a stretch of time in which that is so; all of it where calls were not read one by one.
    std::vector<std::pair<trace::Ticks, trace::Ticks>> piecesOf(std::size_t row, trace::Ticks begin,
                                                                trace::Ticks end) const;
    /// Whether a call that begins at `begin`, or ends at `end`, belongs to it; nothing where there is none.
    std::optional<bool> callBelongs(std::size_t row, trace::Ticks begin, trace::Ticks end) const;
    /// Only a part of the program is shown, and what is drawn of some row is of all of it.
    bool isOfMoreThanPart() const;

  private:
    TimelinePtr picture_;
    CallsInPart part_;
    mutable std::vector<std::optional<Calls>> calls_;
};

/// Which lines a timeline has, and how high they are. All locations fit into the view at first: where there
/// are more than pixels, several share a line. Groups are folded where their members do not fit.
class TimelineLayout {
  public:
    void setTrace(DefinitionsPtr definitions);
    /// Only these locations have lines.
    void setShown(ShownLocations shown);
    /// Opens the line of a location to what is on its call stack, or closes it.
    void toggleStack(trace::LocationId location);
    bool hasStack(trace::LocationId location) const { return open_.contains(location.index()); }
    /// Ascending.
    std::vector<std::size_t> openStacks() const;
    /// How deep it is. False where nothing changes.
    bool setStackDepth(trace::LocationId location, std::uint32_t depth);
    /// Lines above all others, which stay where they are when these are scrolled.
    void setPinned(PinnedLocations pinned);
    bool isPinned(trace::LocationId location) const;
    const PinnedLocations& pinned() const { return pinned_; }
    /// The pixels that there are for lines.
    void setHeight(int pixels);
    void setGrouping(TimelineGrouping grouping);
    TimelineGrouping grouping() const { return grouping_; }
    void toggleFold(std::size_t group);
    /// Makes lines higher or lower. False where they stay as they are.
    bool zoom(double factor);
    /// Makes lines so high that calls within calls can be seen. False where they are already.
    bool makeReadable();

    /// Another object when they change.
    const std::shared_ptr<const TimelineLines>& lines() const { return lines_; }
    int count() const { return lines_->count(); }
    double lineHeight() const { return lineHeight_; }
    /// How many locations share a line.
    std::size_t together() const { return std::size_t{1} << together_; }
    /// How many lines at the top are not scrolled: those that are pinned, as far as half of the view has
    /// room.
    int frozen() const { return frozen_; }
    int frozenHeight() const { return top(frozen_); }
    /// Below each line that is scrolled.
    int gap() const { return gapOf(lineHeight_); }
    int gap(int line) const { return gapOf(heightOf(line)); }
    bool showsCalls() const { return lineHeight_ >= kLowestWithCalls; }
    bool showsCalls(int line) const { return heightOf(line) >= kLowestWithCalls; }
    double heightOf(int line) const { return line < frozen_ ? frozenLine_ : lineHeight_; }
    /// Pixels of all lines.
    int total() const;
    int top(int line) const;
    /// The line at a place from the top of the first one.
    std::optional<int> lineAt(int pixel) const;

  private:
    static constexpr double kLowestWithCalls = 6.0;

    static int gapOf(double height) { return height > 10.0 ? 3 : height >= kLowestWithCalls ? 1 : 0; }
    void makeLines();
    void setLines(TimelineLines lines);
    void freeze();
    double fitting() const;
    PinnedLocations pinnedHere() const;

    DefinitionsPtr definitions_;
    ShownLocations shown_;
    OpenStacks open_;
    PinnedLocations pinned_;
    int frozen_ = 0;
    double frozenLine_ = 1;
    int height_ = 1;
    TimelineGrouping grouping_ = TimelineGrouping::Threads;
    std::set<std::size_t> folded_;
    std::optional<double> chosen_;  ///< pixels of a location, or of a line of groups
    unsigned together_ = 0;
    double lineHeight_ = 1;
    std::shared_ptr<const TimelineLines> lines_ = std::make_shared<const TimelineLines>();
};

}  // namespace holos::gui
