// SPDX-License-Identifier: BSD-3-Clause
#include "report/score/score.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "algebra/files/experiment_file.h"
#include "analyzer/analyze.h"
#include "base/error.h"
#include "base/output_file.h"
#include "cli/analyze/recordings.h"
#include "cli/commands.h"
#include "cli/format.h"
#include "cli/predict/score_formats.h"
#include "cli/terminal/progress_bar.h"
#include "cli/terminal/terminal.h"
#include "report/score/filter_choice.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/snapshot.h"

namespace holos::cli {
namespace {

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
    const archive::Snapshot snapshot(options.file, snapshotPlace());
    if (!snapshot.isWhole()) return std::nullopt;
    complain(options.file + ": is still being recorded, or has no trace yet: sizes are those of a snapshot");
    report(snapshot);
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
    switch (options.format) {
        case Format::Text:
            return print(scoreText(report));
        case Format::Csv:
            return print(scoreCsv(report));
        case Format::Json:
            return print(scoreJson(report));
    }
}

}  // namespace

void addScore(Command& app) {
    const auto options = std::make_shared<ScoreCommand>();
    Command command =
        app.command("score", "Estimate the size of a trace, and make a filter for a smaller one");
    command
        .option("file", options->file,
                "Experiment (.cubex) of an earlier run, or folder of a trace or of a recording under way")
        .required();
    command
        .option("--max SIZE", options->most,
                "Choose functions and user regions to leave out, so that the trace has "
                "no more than SIZE, for example 1G")
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
