// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/show/describe.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Keys of `measurement.json` that its summary leaves out.
constexpr std::array<std::string_view, 7> kElsewhere{"ends", "events",    "format",   "hardware",
                                                     "laws", "locations", "processes"};

std::string textOf(const Json& value) {
    if (value.is_null()) return "not known";
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// `key: value`, with nested objects indented. Lists of plain values stay on one line.
std::string linesOf(const Json& json, std::size_t indent) {
    std::string text;
    for (const auto& item : json.items()) {
        const Json& value = item.value();
        text += std::string(indent, ' ') + (json.is_array() ? "-" : printable(item.key()) + ':');
        const bool nested = value.is_structured() && std::ranges::any_of(value, [&](const Json& inside) {
                                return value.is_object() || inside.is_structured();
                            });
        if (nested) {
            text += '\n' + linesOf(value, indent + 2);
        } else if (value.is_array()) {
            for (const Json& inside : value) text += ' ' + printable(textOf(inside));
            text += '\n';
        } else {
            text += ' ' + printable(textOf(value)) + '\n';
        }
    }
    return text;
}

/// Without what is empty, what the definitions say, and what has an entry for each process or machine.
Json summaryOf(const Json& measurement) {
    Json summary = Json::object();
    for (const auto& item : measurement.items()) {
        const bool isElsewhere = std::ranges::find(kElsewhere, item.key()) != kElsewhere.end();
        const bool isEmpty = (item.value().empty() && !item.value().is_null()) || item.value() == "";
        if (!isElsewhere && !isEmpty) summary[item.key()] = item.value();
    }
    return summary;
}

struct Size {
    std::size_t files = 0;
    std::uintmax_t bytes = 0;
    std::uintmax_t ofEvents = 0;
};

Size sizeOf(const fs::path& folder) {
    const auto jobs = archive::foldersOfFurtherJobs(folder);
    const auto isOfAnotherJob = [&jobs](const fs::path& file) {
        return std::ranges::any_of(jobs, [&file](const fs::path& job) {
            return std::mismatch(job.begin(), job.end(), file.begin(), file.end()).first == job.end();
        });
    };
    Size size;
    std::error_code ignored;
    for (const auto& entry :
         fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, ignored)) {
        if (!entry.is_regular_file(ignored) || isOfAnotherJob(entry.path())) continue;
        const std::uintmax_t bytes = entry.file_size(ignored);
        if (entry.path().extension() == ".evt") size.ofEvents += bytes;
        size.bytes += bytes;
        ++size.files;
    }
    return size;
}

std::string perEvent(const Size& size, std::uint64_t events) {
    if (events == 0) return {};
    return fmt::format(", {:.1f} bytes per event",
                       static_cast<double>(size.ofEvents) / static_cast<double>(events));
}

/// Laws of recordings that are broken, how the run ended, and the laws that hold.
std::string firstLines(const measurement::Measurement& run) {
    std::string ends = run.ends.empty() ? "" : "  " + printable(run.ends) + '\n';
    std::string holding;
    std::string broken;
    for (const measurement::Law& law : run.laws) {
        const std::string line = printable(law.name + ": " + law.says) + '\n';
        if (law.holds)
            holding += "  " + line;
        else
            broken += "  NOT COMPLETE OR NOT CONSISTENT, so the run is not judged: " + line;
    }
    return broken + ends + holding;
}

}  // namespace

std::string describeTrace(const fs::path& archiveOrDirectory, bool inDetail, const Style& style) {
    const fs::path anchor = analyzer::trace::findAnchor(archiveOrDirectory);
    const fs::path folder = anchor.has_parent_path() ? anchor.parent_path() : fs::path(".");
    const Size size = sizeOf(folder);
    const std::string writer = analyzer::trace::writerOf(anchor);
    const std::string title = style.strong(printable(folder.string())) +
                              fmt::format(": OTF2 trace, {} files, {} bytes", size.files, size.bytes);
    const std::string contents =
        fmt::format("  recorded by {}\n", writer.empty() ? "another tool" : printable(writer)) +
        describeDefinitions(anchor);
    const fs::path description = folder / measurement::kMeasurementFile;
    if (!fs::exists(description))
        return title + '\n' + contents + "  nothing on the run: there is no measurement.json\n";
    const auto all = readJson<Json>(description);
    const measurement::Measurement run = measurement::measurementIn(all);
    return title + perEvent(size, run.events) + '\n' + firstLines(run) + contents + '\n' +
           style.strong("Run") + '\n' + linesOf(inDetail ? all : summaryOf(all), 2) +
           (inDetail ? "" : style.faint("--all shows each process, thread and machine") + '\n');
}

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
