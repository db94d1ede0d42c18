// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/timeline_lines.h"

#include <algorithm>

namespace holos::gui {

namespace {

/// In ascending order, neighbours as one.
std::vector<LocationRange> rangesOf(std::vector<std::size_t> locations) {
    std::sort(locations.begin(), locations.end());
    std::vector<LocationRange> ranges;
    for (const std::size_t location : locations)
        if (!ranges.empty() && ranges.back().to == location)
            ++ranges.back().to;
        else
            ranges.push_back({location, location + 1});
    return ranges;
}

QString threadName(const trace::Definitions& definitions, trace::LocationId thread) {
    const trace::Location& location = definitions[thread];
    return location.name.empty() ? u"Thread %1"_qs.arg(location.rank) : QString::fromStdString(location.name);
}

QString togetherName(const trace::Definitions& definitions, std::size_t first, std::size_t last) {
    const auto process = [&](std::size_t at) { return definitions.locations[at].process.index(); };
    const QString name = traceProcessName(definitions, trace::ProcessId(process(first)));
    if (process(first) == process(last))
        return name + u" / "_qs + threadName(definitions, trace::LocationId(first)) + u" … "_qs +
               threadName(definitions, trace::LocationId(last));
    return name + u" … "_qs + traceProcessName(definitions, trace::ProcessId(process(last)));
}

bool isShown(const ShownLocations& shown, std::size_t location) {
    return shown.empty() || shown[location];
}

std::vector<std::size_t> threadsOf(const trace::Definitions& definitions, std::size_t process,
                                   const ShownLocations& shown) {
    std::vector<std::size_t> threads;
    for (const trace::LocationId thread : definitions.processes[process].threads)
        if (isShown(shown, thread.index())) threads.push_back(thread.index());
    return threads;
}

bool isIn(const PinnedLocations& pinned, std::size_t location) {
    return std::ranges::find(pinned, location) != pinned.end();
}

}  // namespace

std::size_t countOf(const ShownLocations& shown, const trace::Definitions& definitions) {
    return shown.empty() ? definitions.locations.size()
                         : static_cast<std::size_t>(std::ranges::count(shown, true));
}

std::vector<LocationRange> neighboursOf(const ShownLocations& shown, std::size_t count) {
    if (shown.empty()) return {{0, count}};
    std::vector<std::size_t> locations;
    for (std::size_t at = 0; at < shown.size(); ++at)
        if (shown[at]) locations.push_back(at);
    return rangesOf(std::move(locations));
}

std::optional<trace::LocationId> TimelineLine::only() const {
    if (group || stackOf || count() != 1) return std::nullopt;
    return trace::LocationId(locations.front().from);
}

std::size_t TimelineLine::count() const {
    std::size_t count = 0;
    for (const LocationRange& range : locations) count += range.to - range.from;
    return count;
}

void TimelineLines::add(TimelineLine line) {
    const auto isPinned = [this](std::size_t at) { return lineOf_[at] >= 0 && lineOf_[at] < pinnedCount_; };
    for (const LocationRange& range : line.locations)
        for (std::size_t at = range.from; at < range.to && at < lineOf_.size(); ++at)
            if (!isPinned(at)) lineOf_[at] = count();
    const auto open = line.only() ? open_.find(line.only()->index()) : open_.end();
    line.isOpen = open != open_.end();
    const int indent = line.indent;
    lines_.push_back(std::move(line));
    if (open == open_.end()) return;
    for (std::uint32_t depth = 0; depth < open->second; ++depth)
        lines_.push_back(
            {.name = {}, .indent = indent + 1, .stackOf = trace::LocationId(open->first), .depth = depth});
}

void TimelineLines::addPinned(const trace::Definitions& definitions, const PinnedLocations& pinned) {
    for (const std::size_t location : pinned)
        add({.name = traceLocationName(definitions, trace::LocationId(location)),
             .locations = {{location, location + 1}}});
    pinnedCount_ = count();
}

TimelineLines::TimelineLines(const trace::Definitions& definitions, unsigned together,
                             const ShownLocations& shown, const OpenStacks& open,
                             const PinnedLocations& pinned)
    : open_(open), lineOf_(definitions.locations.size(), -1) {
    addPinned(definitions, pinned);
    std::vector<std::size_t> all;
    for (std::size_t at = 0; at < definitions.locations.size(); ++at)
        if (isShown(shown, at) && !isIn(pinned, at)) all.push_back(at);
    const std::size_t step = std::size_t{1} << together;
    for (std::size_t from = 0; from < all.size(); from += step) {
        const std::size_t to = std::min(from + step, all.size());
        const QString name = step == 1 ? traceLocationName(definitions, trace::LocationId(all[from]))
                                       : togetherName(definitions, all[from], all[to - 1]);
        add({.name = name,
             .locations = rangesOf({all.begin() + static_cast<std::ptrdiff_t>(from),
                                    all.begin() + static_cast<std::ptrdiff_t>(to)})});
    }
}

TimelineLines::TimelineLines(const trace::Definitions& definitions, TimelineGrouping grouping,
                             const std::set<std::size_t>& folded, const ShownLocations& shown,
                             const OpenStacks& open, const PinnedLocations& pinned)
    : open_(open), lineOf_(definitions.locations.size(), -1) {
    addPinned(definitions, pinned);
    const auto addThreads = [&](std::size_t process, int indent) {
        for (const std::size_t thread : threadsOf(definitions, process, shown))
            if (!isIn(pinned, thread))
                add({.name = threadName(definitions, trace::LocationId(thread)),
                     .locations = {{thread, thread + 1}},
                     .indent = indent});
    };
    if (grouping == TimelineGrouping::Processes) {
        for (std::size_t process = 0; process < definitions.processes.size(); ++process) {
            const bool isFolded = folded.contains(process);
            const std::vector<std::size_t> threads = threadsOf(definitions, process, shown);
            if (threads.empty() && !shown.empty()) continue;
            add({.name = traceProcessName(definitions, trace::ProcessId(process)),
                 .locations = rangesOf(threads),
                 .group = process,
                 .isFolded = isFolded});
            if (!isFolded) addThreads(process, 1);
        }
        return;
    }
    const auto isOn = [&](std::size_t process, std::size_t node) {
        const auto place = definitions.processes[process].node;
        return place && place->index() == node;
    };
    for (std::size_t node = 0; node < definitions.systemNodes.size(); ++node) {
        std::vector<std::size_t> processes, locations;
        for (std::size_t process = 0; process < definitions.processes.size(); ++process) {
            if (!isOn(process, node)) continue;
            const std::vector<std::size_t> threads = threadsOf(definitions, process, shown);
            if (threads.empty() && !shown.empty()) continue;
            processes.push_back(process);
            locations.insert(locations.end(), threads.begin(), threads.end());
        }
        if (processes.empty()) continue;
        const bool isFolded = folded.contains(node);
        add({.name = QString::fromStdString(definitions.systemNodes[node].name),
             .locations = rangesOf(locations),
             .group = node,
             .isFolded = isFolded});
        if (isFolded) continue;
        for (const std::size_t process : processes)
            for (const std::size_t thread : threadsOf(definitions, process, shown))
                if (!isIn(pinned, thread))
                    add({.name = traceLocationName(definitions, trace::LocationId(thread)),
                         .locations = {{thread, thread + 1}},
                         .indent = 1});
    }
}

std::optional<int> TimelineLines::lineOf(trace::LocationId location) const {
    if (location.index() >= lineOf_.size() || lineOf_[location.index()] < 0) return std::nullopt;
    return lineOf_[location.index()];
}

std::size_t groupsOf(const trace::Definitions& definitions, TimelineGrouping grouping) {
    if (grouping == TimelineGrouping::Threads) return 0;
    return grouping == TimelineGrouping::Processes ? definitions.processes.size()
                                                   : definitions.systemNodes.size();
}

}  // namespace holos::gui
