// SPDX-License-Identifier: BSD-3-Clause

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/followed_folder.h"
#include "cli/launch.h"
#include "cli/openmp_runtime.h"
#include "cli/preload.h"
#include "cli/recording_directory.h"
#include "cli/recording_end.h"
#include "cli/waiting.h"
#include "metric-specs/error.h"
#include "metric-specs/library.h"
#include "tracing/archive/archive.h"
#include "tracing/archive/measurement.h"
#include "tracing/core/rank_list.h"
#include "tracing/counters/interrupts.h"
#include "tracing/counters/selection.h"
#include "tracing/filter/filter.h"
#include "tracing/mpi/groups.h"
#include "tracing/stacks/availability.h"

namespace holos::cli {
namespace {

namespace fs = std::filesystem;
using Environment = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kOwnRuntime = "own";
constexpr const char* kUsualWhenFull = "stop";
constexpr const char* kAllCallPaths = "full";

struct RecordOptions {
    std::string directory;
    bool force = false;
    std::string counters;
    double sampleInterval = 0;  ///< nanoseconds; 0: not given
    std::string set;
    std::string specification = "linux-software";
    std::string filter;
    std::uint32_t throttle = 100'000;
    double throttleBelow = 1;
    bool compensate = false;
    bool multiplex = false;
    std::string sample;
    std::string callPaths = kAllCallPaths;
    std::string openMpRuntime = kOwnRuntime;
    std::string ranks;
    double first = 0;              ///< nanoseconds; 0: not given
    double clockOffsetsEvery = 0;  ///< nanoseconds; 0: not given
    double writeBack = 0;          ///< nanoseconds; 0: not given
    std::string phase;
    std::string mpi;
    double buffer = 0;  ///< MB; 0: no limit
    std::string whenFull = kUsualWhenFull;
    std::vector<std::string> command;
};

/// The events of a set, each by the first of its names that can be counted here, or else by its own.
std::vector<std::string> eventsOfSet(const specs::Specification& specification, const std::string& set) {
    std::vector<std::string> events = specification.set(set).events;
    for (std::string& event : events) {
        const auto others = specification.otherNames.find(event);
        if (others == specification.otherNames.end() || counters::canCount(event)) continue;
        const auto known = std::find_if(others->second.begin(), others->second.end(), counters::canCount);
        if (known != others->second.end()) event = *known;
    }
    return events;
}

struct ChosenCounters {
    std::vector<std::string> all;
    std::vector<std::string> ofThreads;  ///< read at region boundaries
    std::vector<std::string> sampled;    ///< of processes and nodes
};

/// The counters to record, which can be counted here. Throws `Error` otherwise, before anything is started.
ChosenCounters chooseCounters(const RecordOptions& options) {
    ChosenCounters chosen{counters::splitNames(options.counters), {}, {}};
    if (!options.set.empty()) chosen.all = eventsOfSet(specs::find(options.specification), options.set);
    if (!options.counters.empty() && chosen.all.empty())
        throw UsageError("--counters: no name in '" + options.counters + "'");
    if (options.multiplex && chosen.all.empty())
        throw UsageError("--multiplex: no counters are chosen; --counters or --set say which take turns");
    const counters::Selection selection(chosen.all, options.multiplex);
    selection.open();
    chosen.ofThreads = selection.namesOf(counters::Scope::Thread);
    chosen.sampled = selection.namesOf(counters::Scope::Process);
    for (const auto& name : selection.namesOf(counters::Scope::Node)) chosen.sampled.push_back(name);
    if (options.sampleInterval > 0 && chosen.sampled.empty())
        throw UsageError(
            "--counters-async: no chosen counter is of the process or the node; 'holos counters "
            "list' says which are");
    return chosen;
}

/// What is to interrupt the program's threads; nothing when that was not asked for.
std::optional<counters::Interrupts> callStackSamples(const RecordOptions& options) {
    if (options.sample.empty()) return std::nullopt;
    auto interrupts = counters::parseInterrupts(options.sample);
    if (!interrupts)
        throw UsageError(
            "--sample: expected a time with its unit, such as 10ms, or an event and a period, such as "
            "cycles:1000000, not '" +
            options.sample + "'");
    if (const char* reason = tracing::stacks::whyNoSamples()) throw Error("--sample: " + std::string(reason));
    return interrupts;
}

std::string join(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ",") + name;
    return text;
}

/// Nanoseconds from one reading of the counters of process and node to the next.
std::int64_t sampleInterval(const RecordOptions& options) {
    constexpr double kUsual = 100e6;
    return static_cast<std::int64_t>(options.sampleInterval > 0 ? options.sampleInterval : kUsual);
}

/// Where the program has AddressSanitizer, it shall not insist on being the first library.
std::string addressSanitizerOptions() {
    const char* others = std::getenv("ASAN_OPTIONS");
    return (others != nullptr && *others != '\0' ? std::string(others) + ':' : "") +
           "verify_asan_link_order=0";
}

/// A folder that is searched for libraries before all others.
std::string libraryPath(const fs::path& folder) {
    const char* others = std::getenv("LD_LIBRARY_PATH");
    return fs::absolute(folder).string() +
           (others != nullptr && *others != '\0' ? std::string(":") + others : "");
}

std::uint64_t bufferBytes(const RecordOptions& options) {
    constexpr double kMegabyte = 1e6;
    return static_cast<std::uint64_t>(options.buffer * kMegabyte);
}

Environment environmentFor(const PreparedRecording& prepared, const FollowedFolder& folder,
                           const Preload& preload, const ChosenCounters& counters,
                           const RecordOptions& options) {
    const fs::path recording = fs::absolute(archive::recordingOf(prepared.directory));
    Environment environment{{"LD_PRELOAD", preload.value()},
                            {"ASAN_OPTIONS", addressSanitizerOptions()},
                            {"HOLOS_RECORDING", recording},
                            {"HOLOS_RECORDING_LINK", archive::recordingOf(folder.link())},
                            {"HOLOS_RUN", prepared.run},
                            {"HOLOS_COUNTERS", join(counters.ofThreads)},
                            {"HOLOS_SAMPLED", join(counters.sampled)},
                            {"HOLOS_SAMPLE_INTERVAL", std::to_string(sampleInterval(options))},
                            {"HOLOS_THROTTLE", std::to_string(options.throttle)},
                            {"HOLOS_THROTTLE_BELOW", std::to_string(options.throttleBelow)}};
    if (options.compensate) environment.emplace_back("HOLOS_COMPENSATE", "1");
    if (!options.sample.empty())
        environment.emplace_back("HOLOS_STACK_SAMPLES", callStackSamples(options)->text());
    if (options.callPaths != kAllCallPaths) environment.emplace_back("HOLOS_CALL_PATHS", options.callPaths);
    if (options.openMpRuntime != kOwnRuntime)
        environment.emplace_back("LD_LIBRARY_PATH", libraryPath(recording));
    if (options.multiplex) environment.emplace_back("HOLOS_MULTIPLEX", "1");
    if (!options.ranks.empty()) environment.emplace_back("HOLOS_RANKS", options.ranks);
    if (options.first > 0)
        environment.emplace_back("HOLOS_FIRST", std::to_string(static_cast<std::int64_t>(options.first)));
    if (options.clockOffsetsEvery > 0)
        environment.emplace_back("HOLOS_CLOCK_OFFSETS_EVERY",
                                 std::to_string(static_cast<std::int64_t>(options.clockOffsetsEvery)));
    if (options.writeBack > 0)
        environment.emplace_back("HOLOS_WRITE_BACK",
                                 std::to_string(static_cast<std::int64_t>(options.writeBack)));
    if (!options.phase.empty()) environment.emplace_back("HOLOS_PHASE", options.phase);
    if (!options.mpi.empty()) environment.emplace_back("HOLOS_MPI", options.mpi);
    if (options.buffer > 0) {
        environment.emplace_back("HOLOS_BUFFER", std::to_string(bufferBytes(options)));
        environment.emplace_back("HOLOS_WHEN_FULL", options.whenFull);
    }
    return environment;
}

/// Throws `UsageError` where the part of the run that is asked for cannot be understood.
void checkSelection(const RecordOptions& options) {
    if (!options.ranks.empty() && !tracing::listHasRank(options.ranks, 0))
        throw UsageError("--ranks: expected numbers and ranges such as 0,4-7, not '" + options.ranks + "'");
    if (options.mpi.empty() || tracing::mpi::groupsOf(options.mpi)) return;
    std::string names;
    for (const auto& [name, group] : tracing::mpi::kGroupNames)
        if (group != 0) names += (names.empty() ? "" : ", ") + std::string(name);
    throw UsageError("--mpi: expected some of " + names + ", separated by commas, or none, not '" +
                     options.mpi + "'");
}

void checkBuffer(const RecordOptions& options) {
    constexpr double kMost = 1e9;  // more than any thread has, and still a number of bytes
    if (options.buffer > kMost) throw UsageError("--buffer: expected at most 1000000000 MB");
    if (options.buffer > 0 && bufferBytes(options) == 0)
        throw UsageError("--buffer: expected a byte at least, or 0 for no limit");
    if (options.buffer == 0 && options.whenFull != kUsualWhenFull)
        throw UsageError("--when-full: without a limit (--buffer) nothing is full");
}

/// An option that lacks its value takes the next one, or --.
void checkOutput(const RecordOptions& options) {
    if (options.directory.starts_with('-'))
        throw UsageError("--output: expected a folder, not '" + options.directory + "' (write ./" +
                         options.directory + " for one of that name)");
}

archive::Command commandOf(const RecordOptions& options, const ChosenCounters& counters,
                           const std::optional<counters::Interrupts>& samples, const fs::path& openMp) {
    return {options.command,
            counters.all,
            fs::current_path(),
            options.set,
            options.set.empty() ? "" : options.specification,
            options.filter,
            counters.sampled,
            sampleInterval(options),
            options.compensate,
            samples ? samples->text() : "",
            openMp,
            static_cast<std::int64_t>(options.clockOffsetsEvery),
            {options.ranks, static_cast<std::int64_t>(options.first), options.phase, options.mpi,
             bufferBytes(options), options.buffer > 0 ? options.whenFull : ""}};
}

/// After a program that could not begin. Other ranks may be using theirs.
void removeFolder(const fs::path& directory) noexcept try {
    if (!launchedRank()) archive::removeEmpty(directory);
} catch (const std::exception&) {  // the reason why it could not begin is what counts
}

Ending run(const fs::path& directory, const fs::path& program, const RecordOptions& options,
           const archive::Command& command, const Environment& environment) try {
    archive::saveCommand(directory, command);
    if (!command.openMpRuntime.empty())
        offerAsLibgomp(command.openMpRuntime, archive::recordingOf(directory));
    adoptOrphans();
    return runProgram(program, options.command, environment);
} catch (const Error&) {
    removeFolder(directory);
    throw;
}

/// Of a folder that is gone, `endRecording` says so.
bool isLastOf(const FollowedFolder& folder, const std::optional<LaunchedRank>& rank) try {
    return isLastRank(folder.now(), rank);
} catch (const Error&) {
    return true;
}

void record(const RecordOptions& options) {
    checkOutput(options);
    checkSelection(options);
    checkBuffer(options);
    const auto samples = callStackSamples(options);
    const fs::path program = findProgram(options.command.front());
    const auto counters = chooseCounters(options);
    if (samples) counters::checkInterrupts(*samples);
    const fs::path openMp = options.openMpRuntime == kOwnRuntime ? fs::path() : llvmOpenMpRuntime();
    if (!options.filter.empty()) filter::readFilter(options.filter);  // says what is wrong with it
    const auto rank = launchedRank();
    const auto prepared = prepareRecording(options.directory, program, rank, options.force);
    const fs::path& directory = prepared.directory;
    const FollowedFolder folder(directory);
    std::optional<Preload> preload(archive::recordingOf(directory));
    Ending ending = run(directory, program, options, commandOf(options, counters, samples, openMp),
                        environmentFor(prepared, folder, *preload, counters, options));
    if (!waitForDescendants())
        std::fputs(whatStays(folder.now()).c_str(), stderr);
    else if (isLastOf(folder, rank))
        ending = endRecording(folder, ending);
    preload.reset();
    endLike(ending);
}

void addSelection(Command& command, RecordOptions& options) {
    command.option("--ranks", options.ranks, "Record only these ranks").placeholder("0,4-7");
    command.option("--first", options.first, "Record only the first TIME of the run")
        .placeholder("TIME")
        .duration();
    command
        .option("--phase", options.phase,
                "Record only while a user region of this name is open (holos/holos.h), in all threads of the "
                "process")
        .placeholder("NAME");
    command
        .option("--mpi", options.mpi,
                "Record only these groups of MPI functions: p2p, coll, rma, io, comm, other; or none of them")
        .placeholder("GROUPS");
    const Option buffer =
        command.option("--buffer", options.buffer, "Keep at most MB of events per thread (0: no limit)")
            .placeholder("MB")
            .notNegative();
    command
        .option("--when-full", options.whenFull,
                "When a thread has more events than that: stop recording them, or keep the newest")
        .oneOf({kUsualWhenFull, "newest"})
        .showDefault()
        .needs(buffer);
}

}  // namespace

void addRecord(Command& app) {
    const auto options = std::make_shared<RecordOptions>();
    Command command = app.command("record", "Run a program and record it as a trace");
    command.option("-o,--output", options->directory, "Folder for the trace (default: holos-PROGRAM-TIME)")
        .placeholder("DIR");
    command.flag("--force", options->force, "Replace what an earlier recording left in the folder");
    const Option counters = command
                                .option("-c,--counters", options->counters,
                                        "Counters to read, separated by commas: at region boundaries, or "
                                        "periodically if they count for a whole process or node")
                                .placeholder("A,B");
    command
        .option("--counters-async", options->sampleInterval,
                "How often to read the counters of a process or node")
        .placeholder("INTERVAL")
        .duration()
        .showDefault("100ms");
    const Option set =
        command.option("--set", options->set, "Name of the specification's measurement set to count")
            .placeholder("NAME")
            .excludes(counters);
    command.option("--spec", options->specification, "Platform specification: a name or a file")
        .placeholder("SPEC")
        .showDefault()
        .needs(set);
    command
        .option("--filter", options->filter,
                "File that says which functions and user regions to leave out, in Score-P's format "
                "(docs/recording.md)")
        .placeholder("FILE");
    command.flag(
        "--compensate", options->compensate,
        "Subtract what reading the counters adds to them (measured as by 'holos counters validate')");
    command.flag("--multiplex", options->multiplex,
                 "Multiplex when there are more perf events than hardware counters (values are estimates)");
    command
        .option("--sample", options->sample,
                "Sample the call stack of each thread: whenever it has run for TIME, or after every PERIOD "
                "occurrences of a perf event")
        .placeholder("TIME|EVENT:PERIOD");
    command
        .option("--call-paths", options->callPaths,
                "Record which calls led to each event: all of them (full), only the function and line that "
                "called MPI, OpenMP or the like (sites), or none")
        .oneOf({kAllCallPaths, "sites", "none"})
        .showDefault();
    command
        .option("--openmp-runtime", options->openMpRuntime,
                "OpenMP runtime for programs compiled by gcc: gcc's own, or llvm's, which reports more of "
                "what it does")
        .oneOf({kOwnRuntime, "llvm"})
        .showDefault();
    command
        .option("--clock-offsets-every", options->clockOffsetsEvery,
                "Compare the clocks of all processes about this often during the run, in collective "
                "operations on MPI_COMM_WORLD")
        .placeholder("TIME")
        .duration();
    command
        .option("--write-back", options->writeBack,
                "Write recorded events to the disk or file server about this often; a node that is lost "
                "loses no more than that")
        .placeholder("TIME")
        .duration();
    command
        .option("--throttle", options->throttle,
                "Stop recording a short function compiled by `holos cc` after this many calls (0: never)")
        .placeholder("CALLS")
        .showDefault();
    command
        .option("--throttle-below", options->throttleBelow,
                "A function is short if it takes less than this on average")
        .placeholder("MICROSECONDS")
        .notNegative()
        .showDefault();
    addSelection(command, *options);
    command.option("command", options->command, "The program and its arguments, behind --").required();
    command.endWithArguments();
    command.footer(
        "Examples:\n"
        "  holos record -- ./solver input.txt\n"
        "  mpirun -n 4 holos record -o run1 -- ./solver\n"
        "  holos record -o run1 -- mpirun -n 4 ./solver\n"
        "  holos record --counters page-faults,ru_nvcsw -- ./solver\n"
        "  holos record --counters proc_rss,mem_available --counters-async 10ms -- ./solver\n"
        "  holos record --set FAULTS -- ./solver\n"
        "  holos record --sample 10ms -- ./solver\n"
        "  holos record --sample page-faults:100 -- ./solver\n"
        "  mpirun -n 64 holos record --clock-offsets-every 60s -- ./solver\n"
        "  mpirun -n 64 holos record --ranks 0-7,32 --first 30s --mpi p2p,coll -- ./solver\n"
        "Then: holos analyze run1");
    command.action([options] { record(*options); });
}

}  // namespace holos::cli
