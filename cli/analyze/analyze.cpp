// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>
#include <string>
#include <vector>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "algebra/files/experiment_file.h"
#include "algebra/insight/summary/replayed_gains.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/provenance.h"
#include "analyzer/analyze.h"
#include "analyzer/clocks/controlled_clock.h"
#include "analyzer/ideal_network.h"
#include "analyzer/recorded_facts.h"
#include "analyzer/timeline/build_levels.h"
#include "analyzer/timeline/course.h"
#include "analyzer/timeline/levels.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "analyzer/workers/mpi_ranks.h"
#include "base/made_by.h"
#include "base/number.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "cli/analyze/recordings.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"
#include "report/tables/notes.h"
#include "report/tables/summary.h"
#include "report/trials/trials.h"
#include "tracing/recordings/archive/conversion.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/helpers.h"
#include "tracing/recordings/launch/installation.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::cli {

namespace {

using analyzer::clocks::ClockParameters;

struct Parameter {
    const char* name;
    double ClockParameters::*member;
    double lowest;
    double highest;
};
constexpr Parameter kParameters[] = {
    {"control", &ClockParameters::control, 0, 1}, {"step", &ClockParameters::step, 0, 1},
    {"message", &ClockParameters::message, 0, 1}, {"collective", &ClockParameters::collective, 0, 1},
    {"threads", &ClockParameters::threads, 0, 1}, {"slope", &ClockParameters::slope, 1e-6, 1},
};

double valueOf(const std::string& word, const std::string& text, const Parameter& parameter) {
    const auto value = asNumber<double>(text);
    if (!value || *value < parameter.lowest || *value > parameter.highest)
        throw UsageError(fmt::format("--clock-parameters: {}: {} has to be a number from {} to {}", word,
                                     parameter.name, parameter.lowest, parameter.highest));
    return *value;
}

/// From words such as `message=3e-6`; what is not named keeps its default. Throws `UsageError` for other
/// names and values that make no sense.
ClockParameters clockParameters(const std::vector<std::string>& words) {
    ClockParameters parameters;
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        const auto known = std::ranges::find(kParameters, word.substr(0, equals), &Parameter::name);
        if (equals == std::string::npos || known == std::end(kParameters))
            throw UsageError(
                "--clock-parameters: " + word +
                ": expected NAME=VALUE with control, step, message, collective, threads or slope");
        parameters.*(known->member) = valueOf(word, word.substr(equals + 1), *known);
    }
    return parameters;
}

using namespace tables;

struct Options {
    std::string trace;
    std::string output;
    unsigned threads = 0;
    std::string specification = "auto";
    bool withoutCauses = false;
    bool replay = false;
    AtMost memory = kAll;  ///< bytes
    bool correctClocks = false;
    bool snapshot = false;
    bool finish = false;
    double listen = 10e9;  ///< nanoseconds
    std::vector<std::string> clockParameters;
    std::optional<double> from, to;  ///< seconds
    bool timeline = false;
    std::string mpiAdapters;
    bool verbose = false;
    bool progress = false;
};

std::filesystem::path folderOf(const std::filesystem::path& trace) {
    std::error_code ignored;
    return std::filesystem::is_directory(trace, ignored) ? trace : trace.parent_path();
}

constexpr const char* kOfSnapshot = "snapshot.cubex";
constexpr const char* kOfRange = "range.cubex";
constexpr double kEndOfRun = 1e15;

bool isOfRange(const Options& options) {
    return options.from || options.to;
}

std::filesystem::path outputOf(const Options& options, bool isSnapshot) {
    if (!options.output.empty()) return options.output;
    const char* const name = isSnapshot ? kOfSnapshot : isOfRange(options) ? kOfRange : "analysis.cubex";
    return folderOf(options.trace) / name;
}

/// Whether the place of the result is not the user's choice.
bool isDefault(const Options& options) {
    return options.output.empty();
}

bool isOfAnalyze(const std::filesystem::path& file) {
    const auto made = madeBy(file);
    return made && made->operation == "analyze";
}

/// Throws `Error` where what has the name of a result is not an earlier one of the same kind.
void requireOwnResult(const std::filesystem::path& file) {
    std::error_code none;
    const auto type = std::filesystem::symlink_status(file, none).type();
    if (type == std::filesystem::file_type::regular && !isOfAnalyze(file))
        throw Error(
            "was not made by holos analyze, and is not replaced: move it away, or give another file with -o",
            {.file = file.string()});
}

/// What was seen of a run before is of no use once all of it is analyzed.
void removeSnapshot(const Options& options) {
    const std::filesystem::path file = folderOf(options.trace) / kOfSnapshot;
    std::error_code ignored;
    if (isDefault(options) && isOfAnalyze(file)) std::filesystem::remove(file, ignored);
}

void printDiagnoses(const std::vector<analyzer::Diagnosis>& diagnoses, bool all) {
    constexpr std::size_t kFew = 5;
    const std::size_t shown = all ? diagnoses.size() : std::min(kFew, diagnoses.size());
    for (std::size_t i = 0; i < shown; ++i) complain(analyzer::diagnosisText(diagnoses[i]));
    std::uint64_t further = 0;
    for (std::size_t i = shown; i < diagnoses.size(); ++i) further += diagnoses[i].count;
    if (further > 0)
        fmt::print(stderr, "holos: and {} more; --verbose lists them, and the result keeps the list as {}\n",
                   further, analyzer::kDiagnosesName);
}

/// What was read, and what each part of the analysis took.
void printStatistics(const analyzer::AnalysisStatistics& statistics, bool withCauses) {
    fmt::print("{}, {}, {}, {}, {}\n", counted(statistics.locations, "location"),
               counted(statistics.events, "event"), counted(statistics.messages, "message"),
               counted(statistics.collectives, "collective operation"),
               counted(statistics.callPaths, "call path"));
    if (statistics.recordsInFile != 0)
        fmt::print("{:.1f} MiB of records were in a file, and taken out of memory {} times\n",
                   static_cast<double>(statistics.recordsInFile) / (1024 * 1024), statistics.evictions);
    if (statistics.clockViolations != 0)
        fmt::print(
            "{} events came too early after those that they follow; the farthest was moved by {:.9f} s\n",
            statistics.clockViolations, statistics.largestCorrection);
    fmt::print("{:<24}{:>12}{:>14}{:>14}\n", "phase", "seconds", "processor s", "peak MiB");
    for (const analyzer::AnalysisPhase& phase : statistics.phases)
        fmt::print("{:<24}{:>12.3f}{:>14.3f}{:>14.1f}\n", phase.name, phase.elapsed, phase.processor,
                   static_cast<double>(phase.peakMemory) / (1024 * 1024));
    if (withCauses)
        fmt::print(
            "reading and replay keeps times by call path for causes: it takes less with --no-causes\n");
}

/// A program that crashed left a recording that is no trace yet.
bool isFinished(const std::filesystem::path& directory) {
    std::error_code ignored;
    return !std::filesystem::is_directory(directory, ignored) || archive::isFinished(directory);
}

/// Error messages with what can be done.
template <class Function>
auto withAdvice(const Function& function) try {
    return function();
} catch (const archive::StillRecorded& error) {
    throw Error(error.message() +
                    " ('holos analyze' of one process, without mpirun, analyzes a snapshot; --finish makes "
                    "the trace now, and what is recorded later is lost)",
                error.place());
}

/// A run that was only added up has nothing to analyze.
void requireTrace(const Options& options) {
    if (!archive::hasOnlyProfile(options.trace)) return;
    throw Error(
        "this run was added up while it ran: holos show prints its profile; for wait states and their causes "
        "record it without --profile, or with --profile --trace",
        {.file = std::filesystem::path(options.trace).string()});
}

/// The other ranks, as helpers of the first one.
class RankHelpers final : public archive::Helpers {
  public:
    explicit RankHelpers(analyzer::workers::Ranks& ranks) : ranks_(ranks) {}

    std::size_t count() const override { return ranks_.count() - 1; }
    void send(std::size_t helper, const std::string& order) override { ranks_.post(rankOf(helper), order); }
    std::optional<std::string> receive(std::size_t helper) override { return ranks_.receive(rankOf(helper)); }
    std::optional<std::size_t> chosenFor(const std::string&) const override { return std::nullopt; }

  private:
    static unsigned rankOf(std::size_t helper) { return static_cast<unsigned>(helper) + 1; }

    analyzer::workers::Ranks& ranks_;
};

void finishRecording(const Options& options, analyzer::workers::Ranks& ranks) {
    if (isFinished(options.trace)) return;
    const auto check = options.finish ? archive::Check::Nobody : archive::Check::Everybody;
    RankHelpers others(ranks);
    archive::Helpers* const helpers = options.finish ? nullptr : &others;  // else it may change meanwhile
    const archive::Result result =
        withAdvice([&] { return archive::finish(options.trace, check, writeProfile, complain, helpers); });
    if (result.processes == 0) return;  // another command made the trace
    std::fprintf(stderr, "holos: %s: its recording was left unfinished; made a %s of it\n",
                 options.trace.c_str(), archive::hasOnlyProfile(options.trace) ? "profile" : "trace");
    for (const std::string& note : result.notes) complain(note);
    for (const archive::Result& job : result.furtherJobs)
        for (const std::string& note : job.notes) complain(note);
}

/// With what changes the result, which the number of workers does not.
algebra::Provenance provenanceOf(const Options& options, bool isSnapshot, const std::string& run) {
    algebra::Provenance provenance{
        "analyze", HOLOS_VERSION, {{"spec", options.specification}}, {{options.trace, {}}}, run};
    if (options.withoutCauses) provenance.options.emplace_back("no-causes", "true");
    if (options.replay) provenance.options.emplace_back("replay", "true");
    if (options.correctClocks) provenance.options.emplace_back("correct-clocks", "true");
    if (isSnapshot) provenance.options.emplace_back("snapshot", "true");
    if (options.from) provenance.options.emplace_back("from", fmt::format("{}", *options.from));
    if (options.to) provenance.options.emplace_back("to", fmt::format("{}", *options.to));
    for (const std::string& word : options.clockParameters)
        provenance.options.emplace_back("clock-parameters", word);
    return provenance;
}

analyzer::AnalysisOptions analysisOptions(const Options& options) {
    analyzer::AnalysisOptions analysis;
    const analyzer::clocks::ClockParameters clocks = clockParameters(options.clockParameters);
    if (options.correctClocks) analysis.correctClocks = clocks;
    analysis.threads = options.threads;
    if (isOfRange(options)) analysis.range = {options.from.value_or(0), options.to.value_or(kEndOfRun)};
    analysis.causes = !options.withoutCauses;
    analysis.memoryLimit = options.memory;
    analysis.recordFolder = placeOfTemporaries();
    return analysis;
}

/// The run on an ideal network, and without each problem of its summary, where that is wanted.
void addReplay(const Options& options, const std::filesystem::path& trace, analyzer::AnalysisResult& result) {
    if (!options.replay) return;
    analyzer::AnalysisOptions replay = analysisOptions(options);
    replay.progress = progressBar("replaying", options.progress);
    analyzer::PhaseClock clock;
    clock.begin("replay");
    if (replay.range) throw Error("a part of a run cannot be replayed: analyze the whole of it");
    analyzer::AnalysisOptions reading;
    reading.threads = replay.threads;
    reading.progress = replay.progress;
    reading.causes = false;
    const analyzer::Predictor predictor(trace, reading);
    analyzer::addIdealNetwork(result.experiment, predictor, trace, replay);
    algebra::keepReplayedGains(trials::gainsOfProblems(predictor, result.experiment), result.experiment);
    result.statistics.phases.push_back(clock.take().front());
}

/// `snapshot` is what was read, where it was not the trace of the options.
void writeResult(const Options& options, analyzer::AnalysisResult result,
                 const archive::Snapshot* snapshot = nullptr) {
    const std::filesystem::path output = outputOf(options, snapshot != nullptr);
    const std::filesystem::path folder =
        snapshot != nullptr ? archive::folderOfNewestJob(snapshot->path()) : folderOf(options.trace);
    analyzer::addRecordedFacts(result.experiment, folder);
    addReplay(options, snapshot != nullptr ? folder : std::filesystem::path(options.trace), result);
    analyzer::PhaseClock clock;
    clock.begin("specification, writing");
    result.experiment = algebra::applySpecification(std::move(result.experiment), options.specification);
    const bool isWhole = snapshot == nullptr && !isOfRange(options);
    const std::string estimates = isWhole ? addEstimates(result.experiment, folder) : "";
    algebra::setProvenance(result.experiment,
                           provenanceOf(options, snapshot != nullptr, measurement::recordedRun(folder)));
    if (isDefault(options)) requireOwnResult(output);
    algebra::writeExperiment(result.experiment, output,
                             isDefault(options) ? Links::Refused : Links::Followed);
    if (isWhole) removeSnapshot(options);
    result.statistics.phases.push_back(clock.take().front());
    if (const auto unrecorded = unrecordedText(result.experiment))
        std::fprintf(stderr, "holos: %s\n", unrecorded->c_str());
    for (const std::string& sleep : unseenSleepTexts(result.experiment)) complain(sleep);
    if (const auto unsampled = unsampledText(result.experiment)) complain(*unsampled);
    printDiagnoses(result.diagnoses, options.verbose);
    if (!estimates.empty()) std::fprintf(stderr, "holos: %s", estimates.c_str());
    if (options.verbose) printStatistics(result.statistics, !options.withoutCauses);
    std::printf("%s\n", output.string().c_str());
}

bool goesOn(const Options& options) {
    const auto time = std::chrono::nanoseconds(static_cast<std::int64_t>(options.listen));
    return isBeingRecorded(options.trace, std::chrono::ceil<std::chrono::milliseconds>(time));
}

/// Before the work is done.
void requirePlaceForResult(const Options& options) {
    const std::filesystem::path folder = folderOf(options.trace);
    if (options.output.empty() && ::access(folder.c_str(), W_OK) != 0)
        throw Error("no file can be written there: give another place for the result with -o",
                    {.file = folder.string()});
}

/// What a run has recorded until now. Its recording is not touched. False when there was nothing to take a
/// snapshot of: the run has ended, also while this one was taken.
bool analyzeSnapshot(const Options& options, analyzer::AnalysisOptions analysis) {
    while (archive::needsFinish(options.trace) && (options.snapshot || goesOn(options))) {
        if (isOfRange(options))
            throw UsageError("--from, --to: the run goes on; analyze a part of it when it has ended");
        requirePlaceForResult(options);
        const archive::Snapshot snapshot(options.trace, placeOfTemporaries());
        if (!snapshot.isWhole()) continue;
        sayWhatIsIn(snapshot);
        if (!snapshot.result().furtherJobs.empty()) complain("the newest of these MPI jobs is analyzed");
        analysis.progress = progressBar("analyzing", options.progress);
        analyzer::AnalysisResult result =
            analyzer::analyze(archive::folderOfNewestJob(snapshot.path()), analysis);
        markAsSnapshot(result.experiment, snapshot);
        writeResult(options, std::move(result), &snapshot);
        return true;
    }
    return false;
}

/// The levels of detail of the trace, unless they are there already.
void makeTimeline(const Options& options) {
    const std::filesystem::path anchor = analyzer::trace::findAnchor(options.trace);
    const analyzer::trace::Definitions definitions = analyzer::trace::readDefinitions(anchor);
    const std::filesystem::path file = analyzer::timeline::levelsFile(anchor);
    try {
        const analyzer::timeline::Levels known(file, anchor, definitions);
        return;
    } catch (const Error&) {  // there are none, or not of this trace
    }
    analyzer::timeline::BuildOptions build;
    build.threads = options.threads;
    if (const auto bar = progressBar("timeline", options.progress))
        build.progress = [bar](double part) { bar({.part = part}); };
    analyzer::timeline::buildLevels(anchor, definitions, file, build);
}

/// Where the course of the run is told for the browser's timeline; empty: nowhere.
std::filesystem::path courseOf(const Options& options) {
    if (!options.timeline || isOfRange(options) || options.correctClocks) return {};
    try {
        return analyzer::timeline::courseFile(analyzer::trace::findAnchor(options.trace));
    } catch (const Error&) {
        return {};  // the analysis says what there is no trace of
    }
}

/// Where mpirun started several processes, they share the reading, and the first one does the rest.
void analyzeJob(const Options& options) {
    requireTrace(options);
    analyzer::AnalysisOptions analysis = analysisOptions(options);
    const auto ranks = analyzer::workers::launchedRanks(launch::adapterFolders(options.mpiAdapters));
    if (options.snapshot && ranks->count() > 1)
        throw UsageError("--snapshot: one process makes it; start it without mpirun");
    analysis.ranks = ranks.get();
    try {
        if (!options.finish && ranks->count() == 1 && analyzeSnapshot(options, analysis)) return;
        const auto finish = [&] {
            if (isDefault(options)) requireOwnResult(outputOf(options, false));
            finishRecording(options, *ranks);
            requireTrace(options);
        };
        archive::Helper helper(options.trace);
        ranks->attemptFirst(
            finish, [&] { return isFinished(options.trace); },
            [&](const std::string& order) {
                if (const auto answer = helper.obey(order)) ranks->send(0, *answer);
            });
        if (ranks->isFirst()) analysis.course = courseOf(options);
        if (ranks->isFirst()) analysis.progress = progressBar("analyzing", options.progress);
        analyzer::AnalysisResult result = analyzer::analyze(options.trace, analysis);
        if (!ranks->isFirst()) return;
        writeResult(options, std::move(result));
        if (options.timeline) makeTimeline(options);
    } catch (const analyzer::workers::FailureElsewhere&) {
        // A launcher ends all when one fails, before the first rank could say why.
        throw Exit{0};
    }
}

/// Of a folder with several MPI jobs each is analyzed, or only the first, where one result was asked for.
void analyzeTrace(const Options& options) {
    analyzeJob(options);
    const std::vector<std::filesystem::path> jobs = archive::foldersOfFurtherJobs(options.trace);
    if (const std::string missing = archive::missingFurtherJobs(options.trace); !missing.empty())
        complain(options.trace + ": its run had further MPI jobs; " + missing);
    if (jobs.empty()) return;
    if (!options.output.empty()) {
        complain(options.trace + ": has " + std::to_string(jobs.size() + 1) +
                 " MPI jobs, and only the first was analyzed: without -o all are");
        return;
    }
    for (const std::filesystem::path& job : jobs) {
        Options ofJob = options;
        ofJob.trace = job.string();
        analyzeJob(ofJob);
    }
}

}  // namespace

void addAnalyze(Command& app) {
    auto options = std::make_shared<Options>();
    Command command = app.command("analyze", "Find the wait states of a recorded run");
    command.option("trace", options->trace, "Folder of a recording or of an OTF2 archive, or its .otf2 file")
        .required()
        .ofFiles();
    command
        .option(
            "-o,--output", options->output,
            "Result file (default: analysis.cubex beside the trace; snapshot.cubex for a run that goes on, "
            "range.cubex for a part of a run)")
        .onlyOnCommandLine();
    command.option("-j,--threads", options->threads,
                   "Number of threads, per rank under mpirun (default: one per processor; 1 under mpirun)");
    command.option(
        "--spec", options->specification,
        "Specification whose metrics are derived: auto, none, a name or a file (default: auto, the one that "
        "knows the processor or most of the counters)");
    command.flag("--no-causes", options->withoutCauses,
                 "Skip the causes of waiting: delay costs, critical path and the like");
    const Option replay =
        command.flag("--replay", options->replay,
                     "Also replay the run: without each problem of its summary, so that gains are exact, and "
                     "on an ideal network, so that transfer and serialisation efficiencies are; reads the "
                     "trace twice more");
    command
        .option(
            "--memory LIMIT", options->memory,
            "Limit memory, for example to 2G: records beyond it are kept in a file in TMPDIR (or /var/tmp)")
        .bytes();
    const Option correct = command.flag(
        "--correct-clocks", options->correctClocks,
        "Correct clocks that put events in an impossible order, such as a receive before its send");
    replay.excludes(correct);
    command
        .option("--clock-parameters NAME=VALUE,...", options->clockParameters,
                "Parameters of the correction: minimum times in seconds (message, collective, threads, "
                "step), and how fast clocks return to their own time (control, slope)")
        .separatedBy(',')
        .needs(correct);
    const Option snapshot = command.flag(
        "--snapshot", options->snapshot,
        "Analyze what has been recorded so far and make no trace; the default while the run goes on");
    const Option finish = command
                              .flag("--finish", options->finish,
                                    "Make the trace although processes may still be running, for example "
                                    "after a node was lost; whatever they record later is lost")
                              .onlyOnCommandLine();
    finish.excludes(snapshot);
    command
        .option("--listen TIME", options->listen,
                "Listen at most this long for signs of life from processes on other machines (default: 10s)")
        .duration()
        .excludes(snapshot)
        .excludes(finish);
    for (const auto& [name, value, text] :
         {std::tuple{"--from SECONDS", &options->from,
                     "Analyze only what happened from this time on, in seconds since the start of the trace"},
          std::tuple{"--to SECONDS", &options->to, "Analyze only what happened before this time"}})
        command.option(name, *value, text)
            .notNegative()
            .excludes(replay)  // which has no part of the run
            .excludes(correct)
            .excludes(snapshot);
    command
        .flag("--timeline", options->timeline,
              "Also prepare the browser's timeline, so that it opens at once: traces.timeline with levels of "
              "detail, traces.course with waits and the critical path, beside the trace")
        .excludes(snapshot);
    command.option("--mpi-adapters DIR", options->mpiAdapters,
                   "Under mpirun: folder with libraries for MPIs that holos-mpi-adapter made (default: "
                   "~/.local/share/holos/mpi-adapters)");
    command.flag("--verbose", options->verbose,
                 "Show all diagnoses, how much was read, and time and memory of each phase");
    command.flag("--progress", options->progress, "Show progress even where there is no terminal");
    command.footer(
        "Example:\n"
        "  holos analyze measurement\n"
        "  holos analyze -j 4 -o run1.cubex measurement/traces.otf2\n"
        "  holos analyze --correct-clocks --clock-parameters message=3e-6,slope=0.02 measurement\n"
        "  mpirun -n 4 holos analyze measurement\n"
        "\n"
        "Started by mpirun, the ranks share the reading of the trace; the result does not depend on their "
        "number,\n"
        "nor on that of threads.\n"
        "If the run is still being recorded, a snapshot is analyzed: what has been recorded so far. The "
        "recording\n"
        "is not changed; analyze it again when the run has ended.\n"
        "The result is an experiment in CUBE's format: holos show, holos view and CubeGUI open it.");
    command.action([options] { analyzeTrace(*options); });
}

}  // namespace holos::cli
