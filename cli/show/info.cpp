// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "algebra/files/experiment_file.h"
#include "algebra/files/stored_values.h"
#include "algebra/model/experiment.h"
#include "algebra/model/queries.h"
#include "algebra/operators/history/provenance.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"
#include "report/tables/value_tree.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::cli {

namespace fs = std::filesystem;
namespace trace = analyzer::trace;

using namespace algebra;

namespace {

std::string heading(const Style& style, const std::string& text) {
    return '\n' + style.strong(text) + '\n';
}

std::string attributeLines(const Attributes& attributes) {
    std::string text;
    for (const auto& [key, value] : attributes)
        if (key != kProvenanceAttribute) text += "  " + printable(key) + ": " + printable(value) + '\n';
    return text;
}

/// One line per operator, its inputs indented below it.
std::string historyLines(const Provenance& step, std::size_t level) {
    std::string text = std::string(2 * level, ' ') + printable(step.operation);
    for (const auto& [name, value] : step.options) text += " --" + printable(name) + ' ' + printable(value);
    text += "  (Holos " + printable(step.version) + ")\n";
    for (const Provenance::Input& input : step.inputs) {
        text += std::string(2 * level + 2, ' ') + printable(input.name) + '\n';
        for (const Provenance& origin : input.origin) text += historyLines(origin, level + 2);
    }
    return text;
}

std::string history(const Experiment& experiment, const Style& style) {
    const auto provenance = provenanceOf(experiment);
    return provenance ? heading(style, "Made by") + historyLines(*provenance, 1) : std::string();
}

/// How a metric comes by its values, for readers who know CUBE.
std::string kindOf(const Metric& metric) {
    std::string kind =
        metric.hasValues() ? "stored as " + typeNameOf(metric) : "derived: " + printable(metric.expression);
    if (metric.storage == Storage::Inclusive) kind += ", inclusive";
    if (metric.ghost) kind += ", hidden";
    if (metric.isVoid) kind += ", without value";
    if (metric.incomplete) kind += ", incomplete";
    return kind;
}

std::string metricList(const Experiment& experiment, const Style& style) {
    std::vector<std::size_t> levels;
    for (const MetricId root : experiment.metrics.roots())
        for (const MetricId id : experiment.metrics.subtree(root))
            levels.push_back(experiment.metrics.depth(id));
    const auto branches = tables::treeBranches(levels);
    auto branch = branches.begin();
    std::string text = heading(style, fmt::format("Metrics: {}", experiment.metrics.size()));
    for (const MetricId root : experiment.metrics.roots())
        for (const MetricId id : experiment.metrics.subtree(root)) {
            const Metric& metric = experiment.metrics[id];
            text += "  " + *branch++ + printable(metric.displayName) + "  [" + printable(metric.uniqueName) +
                    "]" + (metric.unit.empty() ? "" : " in " + printable(metric.unit)) +
                    style.faint("  " + keepBegin(kindOf(metric), 60)) + '\n';
        }
    return text;
}

std::string callTreeSummary(const Experiment& experiment, const Style& style) {
    std::size_t deepest = 0;
    std::vector<std::size_t> depths(experiment.callTree.size(), 1);
    std::map<std::string, std::size_t> paradigms;
    for (const CallPathId path : experiment.callTree.ids()) {
        if (const auto parent = experiment.callTree.parent(path))
            depths[path.index()] = depths[parent->index()] + 1;
        deepest = std::max(deepest, depths[path.index()]);
        ++paradigms[experiment.regionOf(path).paradigm];
    }
    std::string text = heading(style, fmt::format("Call paths: {}", experiment.callTree.size()));
    text += fmt::format("  {} regions, {} levels\n", experiment.regions.size(), deepest);
    for (const auto& [paradigm, number] : paradigms)
        text += fmt::format("  {} of paradigm {}\n", number, printable(paradigm));
    return text;
}

std::string systemSummary(const Experiment& experiment, const Style& style) {
    const SystemTree& system = experiment.system;
    std::string text = heading(style, fmt::format("Locations: {}", system.locations.size()));
    if (const std::size_t threads = numberOfThreads(system); threads != system.locations.size())
        text += fmt::format("  {} threads; the others carry counters or samples, or are of accelerators\n",
                            threads);
    std::map<std::string, std::size_t> classes;
    for (const SystemNodeId node : system.nodes.ids()) ++classes[system.nodes[node].className];
    for (const auto& [name, number] : classes)
        text += fmt::format("  {} of class {}\n", number, printable(name));
    text += fmt::format("  {} processes\n", system.processes.size());
    for (const Topology& topology : experiment.topologies) {
        std::string sizes;
        for (const auto& dimension : topology.dimensions)
            sizes += (sizes.empty() ? "" : " x ") + std::to_string(dimension.size);
        text += "  topology " + printable(topology.name) + ": " + sizes + '\n';
    }
    return text;
}

/// What an experiment consists of: attributes, metrics, call tree, system, topologies, additional files.
std::string describeExperiment(const Experiment& experiment, const std::string& file, const Style& style) {
    std::string text =
        style.strong(printable(file)) + ": experiment\n" + attributeLines(experiment.attributes);
    for (const std::string& mirror : experiment.mirrors) text += "  mirror: " + printable(mirror) + '\n';
    text += history(experiment, style);
    text +=
        metricList(experiment, style) + callTreeSummary(experiment, style) + systemSummary(experiment, style);
    if (!experiment.files.empty()) text += heading(style, "Additional files");
    for (const auto& [name, content] : experiment.files)
        text += fmt::format("  {} ({} bytes)\n", printable(name), content.size());
    return text;
}

using Json = nlohmann::ordered_json;

/// Keys of `measurement.json` that its summary leaves out.
constexpr std::array<std::string_view, 7> kElsewhere{"ends", "events",    "format",   "hardware",
                                                     "laws", "locations", "processes"};

std::string settingText(const Json& value) {
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
            for (const Json& inside : value) text += ' ' + printable(settingText(inside));
            text += '\n';
        } else {
            text += ' ' + printable(settingText(value)) + '\n';
        }
    }
    return text;
}

bool isEmpty(const Json& value) {
    return value.empty() || value == "";  // `null` is empty, too
}

/// Options of the recording that were given, or have a usual value.
Json settingsOf(const Json& settings) {
    Json given = Json::object();
    for (const auto& item : settings.items())
        if (!isEmpty(item.value())) given[item.key()] = item.value();
    return given;
}

/// Without what is empty, what the definitions say, and what has an entry for each process or machine.
Json summaryOf(const Json& measurement) {
    Json summary = Json::object();
    for (const auto& item : measurement.items()) {
        const bool isElsewhere = std::ranges::find(kElsewhere, item.key()) != kElsewhere.end();
        if (isElsewhere || (isEmpty(item.value()) && !item.value().is_null())) continue;
        summary[item.key()] = item.key() == "settings" ? settingsOf(item.value()) : item.value();
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

/// What cannot be read, laws of recordings that are broken, how the run ended, and the laws that hold.
std::string firstLines(const measurement::Measurement& run) {
    const std::string damage = measurement::damageText(run);
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
    return (damage.empty() ? "" : "  " + printable(damage) + '\n') + broken + ends + holding;
}

std::string lengthLine(const trace::Definitions& definitions) {
    std::uint64_t events = 0;
    for (const trace::Location& location : definitions.locations) events += location.events;
    const double length =
        static_cast<double>(definitions.clock.length) / static_cast<double>(definitions.clock.ticksPerSecond);
    return fmt::format("  {} in {:.6g} s, a clock of {:.4g} ticks per second\n", counted(events, "event"),
                       length, static_cast<double>(definitions.clock.ticksPerSecond));
}

std::string systemLine(const trace::Definitions& definitions) {
    const auto ofKind = [&](trace::Location::Kind kind) {
        return static_cast<std::uint64_t>(
            std::ranges::count(definitions.locations, kind, &trace::Location::kind));
    };
    const auto nodes = static_cast<std::uint64_t>(std::ranges::count_if(
        definitions.systemNodes, [](const trace::SystemNode& node) { return node.className == "node"; }));
    std::string text = "  " + counted(definitions.processes.size(), "process") + ", " +
                       counted(ofKind(trace::Location::Kind::Thread), "thread");
    if (const auto streams = ofKind(trace::Location::Kind::Accelerator); streams > 0)
        text += ", " + counted(streams, "accelerator stream");
    if (const auto series = ofKind(trace::Location::Kind::Metric); series > 0)
        text += ", " + counted(series, "metric location");
    return text + (nodes > 0 ? " on " + counted(nodes, "node") : "") + '\n';
}

std::string regionLine(const trace::Definitions& definitions) {
    std::map<std::string, std::size_t> paradigms;
    for (std::size_t i = trace::kOffRegion.index() + 1; i < definitions.regions.size(); ++i)
        ++paradigms[definitions.regions[i].paradigmName];
    std::string text;
    for (const auto& [paradigm, number] : paradigms)
        text += fmt::format("{} {} of {}", text.empty() ? "" : ",", number, printable(paradigm));
    return "  " + counted(definitions.regions.size() - trace::kOffRegion.index() - 1, "region") +
           (text.empty() ? "" : ":" + text) + '\n';
}

std::string groupLines(const trace::Definitions& definitions) {
    std::map<trace::Paradigm, std::uint64_t> groups;
    for (const trace::Comm& comm : definitions.comms) ++groups[comm.paradigm];
    std::string text;
    if (const auto comms = groups[trace::Paradigm::Mpi]; comms > 0)
        text += fmt::format("  communicators, windows, shared files: {}\n", comms);
    for (const trace::Grid& grid : definitions.grids) {
        std::string sizes;
        for (const trace::Grid::Dimension& dimension : grid.dimensions)
            sizes += (sizes.empty() ? "" : " x ") + std::to_string(dimension.size);
        text += "  topology " + printable(grid.name) + ": " + sizes + '\n';
    }
    return text;
}

std::string metricLines(const trace::Definitions& definitions) {
    std::string text;
    for (const trace::MetricMember& metric : definitions.metricMembers)
        text += "  metric " + printable(metric.name) +
                (metric.unit.empty() ? "" : " in " + printable(metric.unit)) + '\n';
    return text;
}

/// Lines on what the global definitions of an archive say: events, processes, regions, metrics, or that they
/// are damaged.
std::string describeDefinitions(const std::filesystem::path& anchor) try {
    const trace::Definitions definitions = trace::readDefinitions(anchor);
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

/// What an OTF2 archive (its folder, or its `.otf2` file) holds: its files, who wrote it, what its
/// definitions and `measurement.json` say; of the latter also each process, thread and machine where
/// `inDetail`. Throws `holos::Error` where there is no archive, or a damaged `measurement.json`.
std::string describeTrace(const fs::path& archiveOrDirectory, bool inDetail, const Style& style) {
    const fs::path anchor = trace::findAnchor(archiveOrDirectory);
    const fs::path folder = anchor.has_parent_path() ? anchor.parent_path() : fs::path(".");
    const Size size = sizeOf(folder);
    const std::string writer = trace::writerOf(anchor);
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

struct InfoOptions {
    std::string file;
    bool inDetail = false;
};

/// Whether a folder is the profile of another tool, which has no trace.
bool isOfAnotherTool(const fs::path& folder) try {
    return algebra::formatOf(algebra::experimentAt(folder)) == algebra::FileFormat::Other;
} catch (const Error&) {
    return false;
}

void info(const InfoOptions& options) {
    const fs::path path(options.file);
    const bool isFolder = fs::is_directory(path) && !archive::hasOnlyProfile(path) && !isOfAnotherTool(path);
    if (isFolder || path.extension() == ".otf2")
        print(describeTrace(path, options.inDetail, styleOfOutput()));
    else
        print(describeExperiment(algebra::readExperiment(path), options.file, styleOfOutput()));
}

}  // namespace

void addInfo(Command& app) {
    auto options = std::make_shared<InfoOptions>();
    Command command = app.command("info", "Describe a trace or an experiment");
    command
        .option("file", options->file,
                "Experiment (.cubex, .cube), folder of a trace, or profile of another tool")
        .required()
        .ofFiles();
    command.flag("--all", options->inDetail, "For a trace, also list each process, thread and machine");
    command.footer("Examples:\n  holos info run\n  holos info run/analysis.cubex");
    command.action([options] { info(*options); });
}

}  // namespace holos::cli
