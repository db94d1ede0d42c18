// SPDX-License-Identifier: BSD-3-Clause

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <memory>
#include <optional>

#include "base/json.h"
#include "base/output_file.h"
#include "cli/commands.h"
#include "cli/end_like.h"
#include "cli/record_options.h"
#include "cli/recording_end.h"
#include "cli/terminal.h"
#include "cli/traced_phase.h"
#include "cli/watch_beside.h"
#include "metric-specs/error.h"
#include "metric-specs/library.h"
#include "tracing/archive/archive.h"
#include "tracing/archive/measurement.h"
#include "tracing/core/settings.h"
#include "tracing/counters/interrupts.h"
#include "tracing/counters/selection.h"
#include "tracing/filter/filter.h"
#include "tracing/launch/find_program.h"
#include "tracing/launch/followed_folder.h"
#include "tracing/launch/growth.h"
#include "tracing/launch/openmp_runtime.h"
#include "tracing/launch/preload.h"
#include "tracing/launch/program.h"
#include "tracing/launch/recording_directory.h"
#include "tracing/launch/waiting.h"
#include "tracing/stacks/availability.h"

namespace holos::cli {

using namespace launch;

namespace {

namespace fs = std::filesystem;
using Environment = std::vector<std::pair<std::string, std::string>>;

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
    if (options.profile && !chosen.sampled.empty())
        throw UsageError("--profile: counters of a process or a node, such as " + chosen.sampled.front() +
                         ", are read by time, which only a trace keeps");
    return chosen;
}

/// The same; what is refused is written down for whoever started this command.
ChosenCounters chooseCountersOrSay(const RecordOptions& options) try {
    return chooseCounters(options);
} catch (const counters::Refusal& refusal) {
    const nlohmann::json refused{{refusal.counter(), refusal.reason()}};
    if (!options.refused.empty()) writeFile(options.refused, jsonText(refused, 2) + '\n');
    throw;
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

std::int64_t whole(double nanoseconds) {
    return static_cast<std::int64_t>(nanoseconds);
}

const std::map<std::string, tracing::core::CallPathExtent> kCallPaths{
    {"full", tracing::core::CallPathExtent::Full},
    {"sites", tracing::core::CallPathExtent::Site},
    {"none", tracing::core::CallPathExtent::None}};

/// What the recorder has to know.
std::string settingsFor(const ChosenCounters& counters, const RecordOptions& options,
                        const TracedPhase& traced, const fs::path& folder) {
    const std::string ofThreads = join(counters.ofThreads);
    const std::string sampled = join(counters.sampled);
    const auto samples = callStackSamples(options);
    const std::string stackSamples = samples ? samples->text() : "";
    return tracing::core::encode({.writesEvents = options.makesTrace(),
                                  .addsUp = options.profile,
                                  .counters = ofThreads,
                                  .sampledCounters = sampled,
                                  .sampleInterval = options.sampledEvery(),
                                  .compensates = options.compensate,
                                  .multiplexes = options.multiplex,
                                  .stackSamples = stackSamples,
                                  .callPaths = kCallPaths.at(options.callPaths),
                                  .throttle = options.throttle,
                                  .throttleBelow = options.throttleBelow,
                                  .ranks = options.ranks,
                                  .first = whole(options.first),
                                  .phase = options.phase,
                                  .tracePhase = traced.name,
                                  .traced = traced.chosen,
                                  .mpiGroups = options.mpi,
                                  .clockOffsetsEvery = whole(options.clockOffsetsEvery),
                                  .writeBack = whole(options.writeBack),
                                  .buffer = options.bufferBytes(),
                                  .whenFull = options.stopsWhenFull() ? tracing::core::WhenFull::Stop
                                                                      : tracing::core::WhenFull::KeepNewest,
                                  .diskReserve = options.reserveOn(folder),
                                  .stopsWhenDiskLow = options.whenDiskLow == "stop",
                                  .eachPoll = options.polls == "each",
                                  .eachLock = options.locks == "each"});
}

Environment environmentFor(const PreparedRecording& prepared, const FollowedFolder& folder,
                           const Preload& preload, const ChosenCounters& counters,
                           const RecordOptions& options) {
    const TracedPhase traced = tracedPhase(options.tracePhase, options.traceShare, prepared.run);
    const fs::path recording = fs::absolute(archive::recordingOf(prepared.directory));
    Environment environment{
        {"LD_PRELOAD", preload.value()},
        {"ASAN_OPTIONS", addressSanitizerOptions()},
        {"HOLOS_RECORDING", recording},
        {"HOLOS_RECORDING_LINK", archive::recordingOf(folder.link())},
        {"HOLOS_RUN", prepared.run},
        {tracing::core::kSettingsVariable, settingsFor(counters, options, traced, prepared.directory)}};
    if (!options.hasOwnOpenMpRuntime()) environment.emplace_back("LD_LIBRARY_PATH", libraryPath(recording));
    return environment;
}

archive::Command commandOf(const RecordOptions& options, const ChosenCounters& counters,
                           const std::optional<counters::Interrupts>& samples, const fs::path& openMp,
                           const std::string& run) {
    const TracedPhase traced = tracedPhase(options.tracePhase, options.traceShare, run);
    return {.arguments = options.command,
            .counters = counters.all,
            .workingDirectory = fs::current_path(),
            .counterSet = options.set,
            .specification = options.set.empty() ? "" : options.specification,
            .filter = options.filter,
            .sampled = counters.sampled,
            .sampleInterval = options.sampledEvery(),
            .profile = options.profile,
            .trace = options.makesTrace(),
            .compensated = options.compensate,
            .callStacks = samples ? samples->text() : "",
            .openMpRuntime = openMp,
            .clockInterval = whole(options.clockOffsetsEvery),
            .part = {.ranks = options.ranks,
                     .first = whole(options.first),
                     .phase = options.phase,
                     .tracePhase = traced.name,
                     .traced = traced.chosen,
                     .mpi = options.mpi,
                     .buffer = options.bufferBytes(),
                     .whenFull = options.buffer > 0 ? options.whenFull : ""}};
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

/// Says that a recording becomes large, unless that was thought of; one command for all ranks of a job.
void watchGrowth(const FollowedFolder& folder, const RecordOptions& options,
                 std::optional<GrowthWatch>& watch) {
    const auto rank = launchedRank();
    if (options.buffer == 0 && (!rank || rank->rank == 0))
        watch.emplace([&folder] { return folder.now(); }, complain);
}

void record(const RecordOptions& options) {
    check(options);
    const auto samples = callStackSamples(options);
    const fs::path program = findProgram(options.command.front());
    launch::checkLaunchedPrograms(options.command);
    const auto counters = chooseCountersOrSay(options);
    if (samples) counters::checkInterrupts(*samples);
    const fs::path openMp = options.hasOwnOpenMpRuntime() ? fs::path() : llvmOpenMpRuntime();
    if (!options.filter.empty()) filter::readFilter(options.filter);  // says what is wrong with it
    const auto rank = launchedRank();
    std::optional<WatchBeside> watching;
    if (options.watch) watching.emplace();
    const auto prepared = prepareRecording(options.directory, program, rank, options.force);
    const fs::path& directory = prepared.directory;
    const FollowedFolder folder(directory);
    if (watching) watching->recordsTo(directory);
    std::optional<Preload> preload(archive::recordingOf(directory));
    std::optional<GrowthWatch> growth;
    watchGrowth(folder, options, growth);
    Ending ending =
        run(directory, program, options, commandOf(options, counters, samples, openMp, prepared.run),
            environmentFor(prepared, folder, *preload, counters, options));
    growth.reset();
    if (!waitForDescendants(complain))
        std::fputs(whatStays(folder.now()).c_str(), stderr);
    else if (isLastOf(folder, rank))
        ending = endRecording(folder, ending);
    preload.reset();
    endLike(ending);
}

}  // namespace

void addRecord(Command& app) {
    const auto options = std::make_shared<RecordOptions>();
    Command command = app.command("record", "Run a program and record it as a trace");
    addOptions(command, *options);
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
        "  holos record --profile -o run1 -- mpirun -n 4 ./solver\n"
        "  holos record --profile --trace-phase step:10+2/100 -o run1 -- mpirun -n 4 ./solver\n"
        "  holos record --watch -- mpirun -n 4 ./solver\n"
        "  holos record --sample 10ms -- ./solver\n"
        "  holos record --sample page-faults:100 -- ./solver\n"
        "  mpirun -n 64 holos record --clock-offsets-every 60s -- ./solver\n"
        "  mpirun -n 64 holos record --ranks 0-7,32 --first 30s --mpi p2p,coll -- ./solver\n"
        "Then: holos analyze run1");
    command.action([options] { record(*options); });
}

}  // namespace holos::cli
