// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "algebra/files/experiment_file.h"
#include "analyzer/analyze.h"
#include "base/chosen.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/function_name.h"
#include "base/json.h"
#include "base/output_file.h"
#include "base/printable.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "cli/analyze/recordings.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"
#include "report/score/score.h"
#include "tracing/recordings/archive/conversion.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"

namespace holos::cli {

namespace {

/// What `holos score` says.
struct ScoreReport {
    std::string file;
    score::Score score;
    std::size_t counters = 0;  ///< that were asked for
    AtMost top = kAll;         ///< regions to list
    double mostBytes = 0;      ///< that the trace may have; 0: not said
    std::optional<score::FilterChoice> filter{};
    std::string filterFile;  ///< where the filter is; empty: it is part of the report
};

/// `123.4 MB`, in powers of 1024 as options take them.
std::string sizeText(double bytes);

/// What a filter leaves, and what else there is where it is not enough.
std::string filterComment(const ScoreReport& report);

using score::RegionScore;
using score::Totals;

std::string largestAndMean(const std::vector<score::ProcessScore>& processes, double all) {
    if (processes.empty()) return {};
    const auto largest = std::ranges::max_element(
        processes, [](const auto& a, const auto& b) { return a.bytes.trace < b.bytes.trace; });
    return fmt::format("; largest process {} ({}), mean {}", sizeText(largest->bytes.trace), largest->name,
                       sizeText(all / static_cast<double>(processes.size())));
}

double largestThread(const std::vector<score::ProcessScore>& processes) {
    double largest = 0;
    for (const score::ProcessScore& process : processes) largest = std::max(largest, process.largestThread);
    return largest;
}

double percentOf(double part, double whole) {
    return whole > 0 ? 100 * part / whole : 0;
}

std::string line(const std::string& name, const std::string& kind, const Totals& totals, const Totals& all) {
    const double perVisit = totals.visits > 0 ? totals.time / totals.visits * 1e6 : 0;
    const double bytesPerVisit = totals.visits > 0 ? totals.bytes.trace / totals.visits : 0;
    return fmt::format("{:<12}{:>12} {:>6.1f}{:>15.0f} {:>9.1f} {:>12.3f} {:>6.1f} {:>14.2f}  {}\n", kind,
                       sizeText(totals.bytes.trace), percentOf(totals.bytes.trace, all.bytes.trace),
                       totals.visits, bytesPerVisit, totals.time, percentOf(totals.time, all.time), perVisit,
                       name);
}

std::string heading(const char* last) {
    return fmt::format("{:<12}{:>12} {:>6}{:>15} {:>9} {:>12} {:>6} {:>14}  {}\n", "kind", "trace", "%",
                       "visits", "B/visit", "time in s", "%", "time/visit us", last);
}

/// Where calls that may find nothing have much of the events.
std::string pollsLine(const score::Score& score, bool areThinned) {
    constexpr double kMuch = 5;
    constexpr std::size_t kNamed = 3;
    Totals polls;
    std::string names;
    std::size_t kinds = 0;
    for (const RegionScore& region : score.regions) {
        if (!score::isPoll(region.name)) continue;
        polls += region.totals;
        if (kinds++ < kNamed) names += (names.empty() ? "" : ", ") + region.name;
    }
    const double percent = percentOf(polls.visits, score.all.visits);
    if (percent < kMuch) return {};
    if (kinds > kNamed) names += fmt::format(" and {} more", kinds - kNamed);
    return fmt::format(
        "Polls       {:.1f} % of the visits and {} of the trace are calls that may find nothing: {}. {}\n",
        percent, sizeText(polls.bytes.trace), names,
        areThinned ? "Those in a row are one record, unless --polls each is given"
                   : "With counters each is recorded for itself");
}

std::string summaryLines(const ScoreReport& report) {
    const score::Score& score = report.score;
    const Totals& all = score.all;
    std::string text =
        fmt::format("{}: {}, {} with events\n", report.file, counted(score.processes.size(), "process"),
                    counted(score.regions.size(), "region"));
    text += fmt::format("Trace       {} of events ({}){}\n", sizeText(all.bytes.trace),
                        score.isMeasured ? "size of its files" : "estimate",
                        largestAndMean(score.processes, all.bytes.trace));
    text += fmt::format("Recording   {}; largest thread {}, which is what --buffer has to hold\n",
                        sizeText(all.bytes.recording), sizeText(largestThread(score.processes)));
    const double overhead = score.overhead + score.startAndEnd;
    text += fmt::format(
        "Overhead    {:.3g} s of {:.3g} s ({:.2g} %): {:.3g} s in the visits, {:.3g} s to start, to end and "
        "to make the\n            trace; an estimate from measured costs, without that of deep stacks and of caches "
        "(docs/long-runs.md)\n",
        overhead, all.time, percentOf(overhead, all.time), score.overhead, score.startAndEnd);
    if (report.counters > 0)
        text += fmt::format(
            "Counters    {} add at most {:.0f} bytes to each visit of the trace; they are included\n",
            report.counters, score.ofCounters.trace);
    text +=
        fmt::format("Call paths  add {:.0f} bytes to a visit that comes from another place than expected\n",
                    score.ofCallPath);
    return text + pollsLine(score, report.counters == 0);
}

std::string kindTable(const score::Score& score) {
    std::string text = heading("what") + line("everything", "ALL", score.all, score.all);
    for (std::size_t i = 0; i < score::kRegionKinds; ++i)
        if (score.kinds[i].visits > 0 || score.kinds[i].bytes.trace > 0)
            text += line(score::meaningOf(static_cast<score::RegionKind>(i)),
                         score::kindName(static_cast<score::RegionKind>(i)), score.kinds[i], score.all);
    return text;
}

std::size_t shownRegions(const ScoreReport& report) {
    return report.top.of(report.score.regions.size());
}

std::string regionTable(const ScoreReport& report) {
    const std::vector<RegionScore>& regions = report.score.regions;
    std::vector<std::string> names;
    for (const RegionScore& region : regions) names.push_back(region.name);
    const ShortNames shortNames(names);
    const std::size_t shown = shownRegions(report);
    std::string text = heading("region");
    for (std::size_t i = 0; i < shown; ++i)
        text += line(printable(shortNames.of(regions[i].name)), score::kindName(regions[i].kind),
                     regions[i].totals, report.score.all);
    if (shown < regions.size())
        text += fmt::format("and {} more; --top 0 lists all\n", regions.size() - shown);
    return text;
}

std::string filterPart(const ScoreReport& report) {
    if (!report.filter) return {};
    std::string text = '\n' + filterComment(report);
    if (report.filter->excluded.empty()) return text;
    if (!report.filterFile.empty()) return text + report.filterFile + '\n';
    return text + score::filterText(*report.filter);
}

std::string sizeText(double bytes) {
    constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB", "PB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1024;
    return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

std::string filterComment(const ScoreReport& report) {
    const score::FilterChoice& choice = *report.filter;
    const std::string most = sizeText(report.mostBytes);
    if (choice.isEnough && choice.excluded.empty())
        return fmt::format("# No filter is needed for {}.\n", most);
    if (choice.isEnough)
        return fmt::format("# Without {} the trace has about {}; --max is {}.\n",
                           counted(choice.excluded.size(), "region"), sizeText(choice.bytesLeft), most);
    return fmt::format(
        "# No filter brings the trace below {0}: {1} of it belong to what filters cannot leave out\n"
        "# (MPI, OpenMP, threads). holos record --first, --phase, --ranks, --mpi and --buffer record less of "
        "them.\n",
        most, sizeText(choice.bytesLeft));
}

std::string scoreText(const ScoreReport& report) {
    return summaryLines(report) + '\n' + kindTable(report.score) + '\n' + regionTable(report) +
           filterPart(report);
}

using Json = nlohmann::ordered_json;

Json jsonOf(const score::Totals& totals) {
    return {{"trace_bytes", totals.bytes.trace},
            {"recording_bytes", totals.bytes.recording},
            {"visits", totals.visits},
            {"time", totals.time}};
}

std::string csvLine(const std::string& name, const char* kind, const score::Totals& totals) {
    return csvField(kind) + ',' + csvField(name) + ',' + csvField(totals.bytes.trace) + ',' +
           csvField(totals.bytes.recording) + ',' + csvField(totals.visits) + ',' + csvField(totals.time) +
           '\n';
}

Json kindsOf(const score::Score& score) {
    Json kinds = Json::object();
    kinds["ALL"] = jsonOf(score.all);
    for (std::size_t i = 0; i < score::kRegionKinds; ++i)
        kinds[score::kindName(static_cast<score::RegionKind>(i))] = jsonOf(score.kinds[i]);
    return kinds;
}

Json regionsOf(const ScoreReport& report) {
    Json regions = Json::array();
    for (std::size_t i = 0; i < shownRegions(report); ++i) {
        const score::RegionScore& region = report.score.regions[i];
        Json entry{{"name", region.name}, {"kind", score::kindName(region.kind)}};
        entry.update(jsonOf(region.totals));
        regions.push_back(std::move(entry));
    }
    return regions;
}

Json processesOf(const score::Score& score) {
    Json processes = Json::array();
    for (const score::ProcessScore& process : score.processes)
        processes.push_back({{"name", process.name},
                             {"trace_bytes", process.bytes.trace},
                             {"recording_bytes", process.bytes.recording},
                             {"largest_thread_bytes", process.largestThread}});
    return processes;
}

Json filterOf(const ScoreReport& report) {
    Json names = Json::array();
    for (const score::RegionScore& region : report.filter->excluded) names.push_back(region.name);
    return {{"max_bytes", report.mostBytes},
            {"is_enough", report.filter->isEnough},
            {"trace_bytes", report.filter->bytesLeft},
            {"excluded", std::move(names)}};
}

std::string scoreCsv(const ScoreReport& report) {
    std::string text = "kind,region,trace_bytes,recording_bytes,visits,time\n";
    text += csvLine("", "ALL", report.score.all);
    for (std::size_t i = 0; i < score::kRegionKinds; ++i)
        text += csvLine("", score::kindName(static_cast<score::RegionKind>(i)), report.score.kinds[i]);
    for (std::size_t i = 0; i < shownRegions(report); ++i) {
        const score::RegionScore& region = report.score.regions[i];
        text += csvLine(region.name, score::kindName(region.kind), region.totals);
    }
    return text;
}

std::string scoreJson(const ScoreReport& report) {
    Json json{{"file", report.file},
              {"is_measured", report.score.isMeasured},
              {"overhead_estimate", report.score.overhead + report.score.startAndEnd},
              {"start_and_end_estimate", report.score.startAndEnd},
              {"kinds", kindsOf(report.score)},
              {"processes", processesOf(report.score)},
              {"regions", regionsOf(report)}};
    if (report.filter) json["filter"] = filterOf(report);
    return jsonText(json, 2) + '\n';
}

namespace fs = std::filesystem;

struct ScoreCommand {
    std::string file;
    std::size_t most = 0;  ///< bytes; 0: not given
    std::string output;
    std::uint32_t counters = 0;
    AtMost top = 20;
    Format format = Format::Text;
    bool progress = false;
};

/// The score of a run, and what it would be without some regions.
struct Scored {
    std::shared_ptr<const algebra::Experiment> experiment;
    score::ScoreOptions options;
    score::Score score;

    Scored(algebra::Experiment of, score::ScoreOptions how)
        : experiment(std::make_shared<const algebra::Experiment>(std::move(of))),
          options(std::move(how)),
          score(score::scoreOf(*experiment, options)) {}

    double bytesWithout(const std::vector<score::RegionScore>& excluded) const {
        score::ScoreOptions without = options;
        for (const score::RegionScore& region : excluded) without.excluded.insert(region.name);
        return score::scoreOf(*experiment, without).all.bytes.trace;
    }
};

Scored scoreOfTrace(const fs::path& trace, const ScoreCommand& options) {
    analyzer::AnalysisOptions analysis;
    analysis.threads = 0;
    analysis.causes = false;
    analysis.progress = progressBar("reading", options.progress);
    analyzer::AnalysisResult result = analyzer::analyze(trace, analysis);
    return {std::move(result.experiment),
            {.counters = options.counters, .measured = score::bytesOfEventFiles(trace)}};
}

/// What a run has recorded until now; nothing where its trace was made meanwhile.
std::optional<Scored> scoreOfRecording(const ScoreCommand& options) {
    const archive::Snapshot snapshot(options.file, placeOfTemporaries());
    if (!snapshot.isWhole()) return std::nullopt;
    complain(options.file + ": is still being recorded, or has no trace yet: sizes are those of a snapshot");
    sayWhatIsIn(snapshot);
    if (!snapshot.result().furtherJobs.empty()) complain("sizes are those of the newest of these MPI jobs");
    return scoreOfTrace(archive::folderOfNewestJob(snapshot.path()), options);
}

Scored scoreOfExperiment(const fs::path& file, const ScoreCommand& options) {
    algebra::Experiment experiment = algebra::readExperiment(file);
    try {
        return {std::move(experiment), {.counters = options.counters}};
    } catch (const Error& error) {
        throw Error(file.string() + ": " + error.what());
    }
}

Scored scoreOf(const ScoreCommand& options) {
    const fs::path path(options.file);
    const bool isFolder = fs::is_directory(path) && !archive::hasOnlyProfile(path);
    if (!isFolder && path.extension() != ".otf2") return scoreOfExperiment(path, options);
    while (fs::is_directory(path) && archive::needsFinish(path))
        if (auto scored = scoreOfRecording(options)) return std::move(*scored);
    if (const std::string others = archive::whereFurtherJobsAre(path); !others.empty()) complain(others);
    return scoreOfTrace(path, options);
}

void writeFilter(const ScoreReport& report) {
    if (report.filterFile.empty()) return;
    writeFile(report.filterFile, filterComment(report) + score::filterText(*report.filter));
}

void requirePlaceForFilter(const ScoreCommand& options) {
    if (options.output.empty()) return;
    if (options.most == 0) throw UsageError("--output: the filter is for a size; --max says which");
    std::error_code error;
    if (fs::equivalent(options.file, options.output, error))
        throw UsageError("--output: " + options.output + " is the input of this command");
}

void scoreRun(const ScoreCommand& options) {
    requirePlaceForFilter(options);
    Scored scored = scoreOf(options);
    ScoreReport report{.file = options.file,
                       .score = std::move(scored.score),
                       .counters = options.counters,
                       .top = options.top,
                       .mostBytes = static_cast<double>(options.most),
                       .filterFile = options.output};
    if (options.most > 0)
        report.filter = score::chooseFilter(report.score, report.mostBytes, [&scored](const auto& excluded) {
            return scored.bytesWithout(excluded);
        });
    writeFilter(report);
    print(inFormat(
        options.format, [&] { return scoreText(report); }, [&] { return scoreCsv(report); },
        [&] { return scoreJson(report); }));
}

}  // namespace

void addScore(Command& app) {
    const auto options = std::make_shared<ScoreCommand>();
    Command command =
        app.command("score", "Estimate the size of a trace, and make a filter for a smaller one");
    command
        .option("file", options->file,
                "Experiment (.cubex) of an earlier run, or folder of a trace or of a recording under way")
        .required()
        .ofFiles();
    command
        .option("--max SIZE", options->most,
                "Choose functions and user regions to leave out, so that the trace has no more than SIZE, "
                "for example 1G")
        .bytes();
    command
        .option("-o,--output FILE", options->output,
                "Write that filter to a file, for 'holos record --filter', instead of printing it")
        .onlyOnCommandLine();
    command.option("--counters N", options->counters,
                   "Include the size of N counters that are read where regions begin and end");
    command.option("--top N", options->top, "How many regions to list (0: all)").showDefault();
    addFormat(command, options->format);
    command.flag("--progress", options->progress, "Show progress even where there is no terminal");
    command.footer(
        "Kinds of regions are USR (functions and user regions of the program), COM (those of them that call\n"
        "MPI, OpenMP or threads), MPI, OMP, PTHREAD, IO (files) and SYSTEM (waiting in the C library). "
        "Filters\n"
        "leave out USR, COM, locks, and calls of MPI that only ask something. For a trace, sizes are those "
        "of\n"
        "its files; for an experiment they are estimated from visits and messages.\n"
        "Examples:\n"
        "  holos score run\n"
        "  holos score profile.cubex --counters 4\n"
        "  holos score run --max 1G -o small.filter\n"
        "  holos record --filter small.filter -o run2 -- ./solver");
    command.action([options] { scoreRun(*options); });
}

}  // namespace holos::cli
