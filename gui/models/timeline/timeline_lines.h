// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "gui/models/timeline/timeline.h"

namespace holos::gui {

/// What the lines of a timeline are.
enum class TimelineGrouping { Threads, Processes, Nodes };

/// Locations one after the other, the last one not among them.
struct LocationRange {
    std::size_t from = 0;
    std::size_t to = 0;
    friend bool operator==(const LocationRange&, const LocationRange&) = default;
};

/// A line of the timeline: a location, neighbouring ones together, or a process or node with all of its own.
struct TimelineLine {
    QString name;
    std::vector<LocationRange> locations{};
    int indent = 0;
    /// Instead of locations: one depth of what is on the call stack of a location.
    std::optional<trace::LocationId> stackOf{};
    std::uint32_t depth = 0;
    std::optional<std::size_t> group{};  ///< which one can be folded; nothing: none
    bool isFolded = false;
    bool isOpen = false;  ///< its stack stands below it

    /// Nothing where the line stands for several.
    std::optional<trace::LocationId> only() const;
    std::size_t count() const;
    friend bool operator==(const TimelineLine&, const TimelineLine&) = default;
};

/// Which locations of a trace have lines, by location; empty: all.
using ShownLocations = std::vector<bool>;
std::size_t countOf(const ShownLocations& shown, const trace::Definitions& definitions);
/// Neighbours as one range; `count`: how many locations there are.
std::vector<LocationRange> neighboursOf(const ShownLocations& shown, std::size_t count);

/// Locations that are opened to their stacks, with the number of lines for those.
using OpenStacks = std::map<std::size_t, std::uint32_t>;

/// Locations that stand above all others, in this order.
using PinnedLocations = std::vector<std::size_t>;

/// The lines of a timeline, from top to bottom.
class TimelineLines {
  public:
    TimelineLines() = default;
    /// All locations, 2^`together` of them in each line.
    TimelineLines(const trace::Definitions& definitions, unsigned together, const ShownLocations& shown = {},
                  const OpenStacks& open = {}, const PinnedLocations& pinned = {});
    /// Processes, or nodes with their processes, above what they have; not those that are folded.
    TimelineLines(const trace::Definitions& definitions, TimelineGrouping grouping,
                  const std::set<std::size_t>& folded, const ShownLocations& shown = {},
                  const OpenStacks& open = {}, const PinnedLocations& pinned = {});

    int count() const { return static_cast<int>(lines_.size()); }
    const TimelineLine& operator[](int line) const { return lines_[static_cast<std::size_t>(line)]; }
    /// The innermost line that a location has a part in.
    std::optional<int> lineOf(trace::LocationId location) const;
    friend bool operator==(const TimelineLines&, const TimelineLines&) = default;

  private:
    void add(TimelineLine line);
    void addPinned(const trace::Definitions& definitions, const PinnedLocations& pinned);

    OpenStacks open_;

    std::vector<TimelineLine> lines_;
    std::vector<int> lineOf_;  ///< by location
    int pinnedCount_ = 0;
};

/// The groups of a grouping, as `TimelineLine` numbers them.
std::size_t groupsOf(const trace::Definitions& definitions, TimelineGrouping grouping);

}  // namespace holos::gui
