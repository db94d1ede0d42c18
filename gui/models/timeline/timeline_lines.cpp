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

QString processName(const trace::Definitions& definitions, std::size_t process) {
    const std::string& name = definitions.processes[process].name;
    return name.empty() ? u"Process %1"_qs.arg(process) : QString::fromStdString(name);
}

QString threadName(const trace::Definitions& definitions, trace::LocationId thread) {
    const trace::Location& location = definitions[thread];
    return location.name.empty() ? u"Thread %1"_qs.arg(location.rank) : QString::fromStdString(location.name);
}

QString togetherName(const trace::Definitions& definitions, std::size_t from, std::size_t to) {
    const auto process = [&](std::size_t at) { return definitions.locations[at].process.index(); };
    const QString first = processName(definitions, process(from));
    if (process(from) == process(to - 1))
        return first + u" / "_qs + threadName(definitions, trace::LocationId(from)) + u" … "_qs +
               threadName(definitions, trace::LocationId(to - 1));
    return first + u" … "_qs + processName(definitions, process(to - 1));
}

std::vector<std::size_t> threadsOf(const trace::Definitions& definitions, std::size_t process) {
    std::vector<std::size_t> threads;
    for (const trace::LocationId thread : definitions.processes[process].threads)
        threads.push_back(thread.index());
    return threads;
}

}  // namespace

std::optional<trace::LocationId> TimelineLine::only() const {
    if (group || count() != 1) return std::nullopt;
    return trace::LocationId(locations.front().from);
}

std::size_t TimelineLine::count() const {
    std::size_t count = 0;
    for (const LocationRange& range : locations) count += range.to - range.from;
    return count;
}

void TimelineLines::add(TimelineLine line) {
    for (const LocationRange& range : line.locations)
        for (std::size_t at = range.from; at < range.to && at < lineOf_.size(); ++at) lineOf_[at] = count();
    lines_.push_back(std::move(line));
}

TimelineLines::TimelineLines(const trace::Definitions& definitions, unsigned together)
    : lineOf_(definitions.locations.size(), -1) {
    const std::size_t step = std::size_t{1} << together;
    for (std::size_t from = 0; from < definitions.locations.size(); from += step) {
        const std::size_t to = std::min(from + step, definitions.locations.size());
        const QString name = step == 1 ? traceLocationName(definitions, trace::LocationId(from))
                                       : togetherName(definitions, from, to);
        add({.name = name, .locations = {{from, to}}});
    }
}

TimelineLines::TimelineLines(const trace::Definitions& definitions, TimelineGrouping grouping,
                             const std::set<std::size_t>& folded)
    : lineOf_(definitions.locations.size(), -1) {
    const auto addThreads = [&](std::size_t process, int indent) {
        for (const trace::LocationId thread : definitions.processes[process].threads)
            add({.name = threadName(definitions, thread),
                 .locations = {{thread.index(), thread.index() + 1}},
                 .indent = indent});
    };
    if (grouping == TimelineGrouping::Processes) {
        for (std::size_t process = 0; process < definitions.processes.size(); ++process) {
            const bool isFolded = folded.contains(process);
            add({.name = processName(definitions, process),
                 .locations = rangesOf(threadsOf(definitions, process)),
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
            processes.push_back(process);
            const std::vector<std::size_t> threads = threadsOf(definitions, process);
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
            for (const trace::LocationId thread : definitions.processes[process].threads)
                add({.name = traceLocationName(definitions, thread),
                     .locations = {{thread.index(), thread.index() + 1}},
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
