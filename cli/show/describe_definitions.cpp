// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/trace/definitions_reader.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/show/describe.h"

namespace holos::cli {
namespace {

using namespace analyzer::trace;

std::string lengthLine(const Definitions& definitions) {
    std::uint64_t events = 0;
    for (const Location& location : definitions.locations) events += location.events;
    const double length =
        static_cast<double>(definitions.clock.length) / static_cast<double>(definitions.clock.ticksPerSecond);
    return fmt::format("  {} in {:.6g} s, a clock of {:.4g} ticks per second\n", counted(events, "event"),
                       length, static_cast<double>(definitions.clock.ticksPerSecond));
}

std::string systemLine(const Definitions& definitions) {
    const auto ofKind = [&](Location::Kind kind) {
        return static_cast<std::uint64_t>(std::ranges::count(definitions.locations, kind, &Location::kind));
    };
    const auto nodes = static_cast<std::uint64_t>(std::ranges::count_if(
        definitions.systemNodes, [](const SystemNode& node) { return node.className == "node"; }));
    std::string text = "  " + counted(definitions.processes.size(), "process") + ", " +
                       counted(ofKind(Location::Kind::Thread), "thread");
    if (const auto streams = ofKind(Location::Kind::Accelerator); streams > 0)
        text += ", " + counted(streams, "accelerator stream");
    if (const auto series = ofKind(Location::Kind::Metric); series > 0)
        text += ", " + counted(series, "metric location");
    return text + (nodes > 0 ? " on " + counted(nodes, "node") : "") + '\n';
}

std::string regionLine(const Definitions& definitions) {
    std::map<std::string, std::size_t> paradigms;
    for (std::size_t i = kOffRegion.index() + 1; i < definitions.regions.size(); ++i)
        ++paradigms[definitions.regions[i].paradigmName];
    std::string text;
    for (const auto& [paradigm, number] : paradigms)
        text += fmt::format("{} {} of {}", text.empty() ? "" : ",", number, printable(paradigm));
    return "  " + counted(definitions.regions.size() - kOffRegion.index() - 1, "region") +
           (text.empty() ? "" : ":" + text) + '\n';
}

std::string groupLines(const Definitions& definitions) {
    std::map<Paradigm, std::uint64_t> groups;
    for (const Comm& comm : definitions.comms) ++groups[comm.paradigm];
    std::string text;
    if (const auto comms = groups[Paradigm::Mpi]; comms > 0)
        text += fmt::format("  communicators, windows, shared files: {}\n", comms);
    for (const Grid& grid : definitions.grids) {
        std::string sizes;
        for (const Grid::Dimension& dimension : grid.dimensions)
            sizes += (sizes.empty() ? "" : " x ") + std::to_string(dimension.size);
        text += "  topology " + printable(grid.name) + ": " + sizes + '\n';
    }
    return text;
}

std::string metricLines(const Definitions& definitions) {
    std::string text;
    for (const MetricMember& metric : definitions.metricMembers)
        text += "  metric " + printable(metric.name) +
                (metric.unit.empty() ? "" : " in " + printable(metric.unit)) + '\n';
    return text;
}

}  // namespace

std::string describeDefinitions(const std::filesystem::path& anchor) try {
    const Definitions definitions = readDefinitions(anchor);
    std::string text = lengthLine(definitions) + systemLine(definitions) + regionLine(definitions) +
                       groupLines(definitions) + metricLines(definitions);
    constexpr std::size_t kMostProblems = 5;
    const auto& problems = definitions.problems;
    for (std::size_t i = 0; i < std::min(problems.size(), kMostProblems); ++i)
        text += "  damaged: " + printable(problems[i]) + '\n';
    if (problems.size() > kMostProblems)
        text += fmt::format("  damaged: {} more\n", problems.size() - kMostProblems);
    return text;
} catch (const Error& error) {
    return "  damaged: " + printable(error.what()) + '\n';
}

}  // namespace holos::cli
