// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/host_name.h"
#include "base/json.h"
#include "base/number.h"
#include "base/output_file.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/analyze/recordings.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"
#include "cli/watch/watch.h"
#include "tracing/counters/interrupts.h"
#include "tracing/counters/selection.h"
#include "tracing/filter/filter.h"
#include "tracing/recordings/archive/conversion.h"
#include "tracing/recordings/archive/facts/command_file.h"
#include "tracing/recordings/archive/folder/local_events.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/process/process_ends.h"
#include "tracing/recordings/attach/attachment.h"
#include "tracing/recordings/launch/installation.h"
#include "tracing/recordings/launch/node_helpers.h"
#include "tracing/recordings/launch/program.h"
#include "tracing/recordings/launch/recorder_settings.h"
#include "tracing/recordings/launch/recording_directory.h"
#include "tracing/recordings/launch/recording_end.h"
#include "tracing/recordings/launch/waiting.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::cli {

namespace fs = std::filesystem;

namespace {

using namespace tracing::core;

/// Declares an option for a value that is kept as its kind says, in the units of which people write.
template <class Kind>
Option declare(Command& command, const std::string& names, typename OptionKind<Kind>::Kept& value,
               const std::string& help) {
    if constexpr (NamedChoice<Kind>)
        return addChoice(command, names, value, help);
    else if constexpr (std::is_same_v<Kind, FlagOption>)
        return command.flag(names, value, help);
    else {
        const Option option = command.option(names, value, help);
        if constexpr (std::is_same_v<Kind, TimeOption>) return option.duration();
        if constexpr (std::is_same_v<Kind, PercentOption>) return option.percent();
        if constexpr (std::is_same_v<Kind, SizeOption>) return option.bytes();
        if constexpr (std::is_same_v<Kind, MegabytesOption>) return option.megabytes();
        return option;
    }
}

/// Takes what `--like` names as it was recorded, where no option says otherwise. Throws `Error` where that is
/// not known.
void repeatSettings(launch::RecordRequest& request, const Command& command) {
    if (request.like.empty()) return;
    const measurement::RecordSettings known = measurement::readSettings(request.like);
    std::set<std::string> given;
    for (const auto& [name, value] : command.given()) given.insert(name);
    // Which counters are read is decided by one of the two.
    if (given.contains("counters")) given.insert("set");
    if (given.contains("set")) given.insert("counters");
    measurement::RecordSettings& own = request;
    measurement::forEachRecordSetting([&](const std::string& name, auto member) {
        if (!given.contains(name)) own.*member = known.*member;
    });
}

/// Adds all but the program and its arguments to the command.
void addOptions(Command& command, launch::RecordRequest& request) {
#define HOLOS_COMMAND_OPTION(names, Kind, member, usual, attach, parser, help)     \
    {                                                                              \
        const Option option = declare<Kind>(command, names, request.member, help); \
        static_cast<void>(parser);                                                 \
    }
#define HOLOS_RECORDING_OPTION(names, Kind, member, usual, attach, profile, parser, help) \
    HOLOS_COMMAND_OPTION(names, Kind, member, usual, attach, parser, help)
#include "tracing/recordings/format/record_options.def"
}

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kRound = 20ms;

void checkOptions(const Command& command) {
    for (const auto& [name, value] : command.given())
        if (launch::useOf(name) == launch::OptionUse::InProgram)
            throw UsageError("--attach with --" + name +
                             ": needs the recorder in the program from its start on; only samples and "
                             "counters can be recorded from outside");
}

std::vector<pid_t> processesIn(const std::string& list) {
    std::vector<pid_t> all;
    std::istringstream parts(list);
    for (std::string part; std::getline(parts, part, ',');) {
        const auto process = asNumber<pid_t>(part);
        if (!process || *process <= 0)
            throw UsageError("--attach: expected numbers of processes such as 4711,4712, not '" + list + "'");
        all.push_back(*process);
    }
    return all;
}

/// SIGUSR1 stops the recording for a while, SIGUSR2 lets it go on.
class SwitchSignals {
  public:
    SwitchSignals() {
        isOn_ = true;
        std::signal(SIGUSR1, [](int) { isOn_ = false; });
        std::signal(SIGUSR2, [](int) { isOn_ = true; });
    }
    ~SwitchSignals() {
        std::signal(SIGUSR1, SIG_DFL);
        std::signal(SIGUSR2, SIG_DFL);
    }
    static bool isOn() { return isOn_; }

  private:
    static inline std::atomic<bool> isOn_{true};
};

/// Nothing where the kernel's time for it does not matter.
class Deadline {
  public:
    explicit Deadline(std::optional<double> nanoseconds) {
        if (nanoseconds)
            end_ = Clock::now() + std::chrono::nanoseconds(static_cast<std::int64_t>(*nanoseconds));
    }
    bool isOver() const { return end_ && Clock::now() >= *end_; }

  private:
    std::optional<Clock::time_point> end_;
};

void recordUntilSignal(attach::Attachment& attachment, const Deadline& deadline) {
    const launch::Interruption interruption;
    const SwitchSignals signals;
    while (attachment.goOn() && !deadline.isOver()) {
        attachment.enable(SwitchSignals::isOn());
        if (!interruption.sleep(kRound) && !interruption.sleep(0ms)) break;
    }
    attachment.finish();
}

/// The command has the terminal's signals.
launch::Ending recordBeside(attach::Attachment& attachment, const Deadline& deadline,
                            const std::vector<std::string>& command) {
    const fs::path program = launch::findProgram(command.front());
    launch::Ending ending;
    std::exception_ptr failure;
    std::atomic<bool> hasEnded{false};
    std::thread runner([&] {
        try {
            ending = launch::runProgram(program, command, {});
        } catch (...) {
            failure = std::current_exception();
        }
        hasEnded = true;
    });
    try {
        while (!hasEnded && attachment.goOn() && !deadline.isOver()) std::this_thread::sleep_for(kRound);
        attachment.finish();
    } catch (...) {
        runner.join();
        throw;
    }
    runner.join();
    if (failure) std::rethrow_exception(failure);
    return ending;
}

attach::Request requestOf(const launch::RecordRequest& asked) {
    attach::Request request;
    request.processes = processesIn(asked.attach);
    request.counters = launch::wantedCounters(asked);
    request.samples = launch::callStackSamples(asked);
    if (!request.samples && request.counters.empty()) request.samples = counters::parseInterrupts("10ms");
    request.interval = asked.sampledEvery();
    return request;
}

measurement::Command commandOfAttached(const attach::Request& request, const launch::RecordRequest& asked) {
    measurement::Command command;
    command.settings = asked;
    command.arguments = attach::programOf(request.processes.front()).arguments;
    command.counters = request.counters;
    command.workingDirectory = fs::current_path();
    command.sampled = attach::ChosenCounters(request.counters).sampledNames();
    command.callStacks = request.samples ? request.samples->text() : "";
    command.attached.assign(request.processes.begin(), request.processes.end());
    return command;
}

using namespace launch;

void reportJob(const fs::path& directory, const archive::Result& result) {
    if (result.processes == 0) return;  // another rank's command made the trace
    if (result.profile)
        std::fprintf(stderr, "holos: %s: added up\n", (directory / archive::kProfileFile).c_str());
    const std::string events =
        archive::hasOnlyProfile(directory) ? "" : ", " + counted(result.events, "event");
    std::fprintf(stderr, "holos: %s: %s, %s%s\n", directory.c_str(),
                 counted(result.processes, "process").c_str(), counted(result.locations, "location").c_str(),
                 events.c_str());
    for (const archive::Law& law : result.laws)
        if (!law.holds)
            complain("the recording is not complete or not consistent: " + law.name + ": " + law.says);
    if (!result.endedWell) complain(result.ends);
    constexpr std::size_t kMostNotes = 10;
    for (std::size_t i = 0; i < result.notes.size() && i < kMostNotes; ++i) complain(result.notes[i]);
    if (result.notes.size() > kMostNotes)
        std::fprintf(stderr, "holos: %zu more notes in %s\n", result.notes.size() - kMostNotes,
                     (directory / measurement::kMeasurementFile).c_str());
    if (!result.moves.empty()) complain(result.moves);
}

void report(const fs::path& directory, const archive::Result& result) {
    reportJob(directory, result);
    for (std::size_t i = 0; i < result.furtherJobs.size(); ++i)
        reportJob(archive::folderOfJob(directory, i + 2), result.furtherJobs[i]);
}

/// A line that says what becomes of a recording without a trace.
std::string whatStays(const fs::path& directory) {
    return "holos: the recording stays there; 'holos analyze " + shellLine({directory.string()}) +
           "' makes the trace later\n";
}

/// Makes the trace of a recording whose program ended, once no recorded process lives any more, and says what
/// is in it. SIGINT and the like end that and leave the recording. Returns how the command shall end: as the
/// program, but for a trace that cannot be made, which is a failure where the program itself had none.
Ending endRecording(const FollowedFolder& folder, const Ending& ofProgram) {
    const RecordingEnd end = finishRecording(folder, ofProgram, {complain, writeProfile, whatStays});
    if (end.trace) report(end.folder, *end.trace);
    if (!end.trouble.empty()) complain(end.trouble);
    if (end.stays) std::fputs(whatStays(end.folder).c_str(), stderr);
    return end.command;
}

/// Records processes that run already (`--attach`), until they end, a signal comes, the time is over or the
/// given command ends, and makes the trace. Throws `UsageError` for options that need the recorder in the
/// program, and `Error` where the kernel does not allow it.
void recordAttached(const launch::RecordRequest& asked, const Command& command) {
    checkOptions(command);
    launch::check(asked);
    const attach::Request request = requestOf(asked);
    if (request.samples && request.samples->isTime()) counters::checkInterrupts(*request.samples);
    const measurement::Command described = commandOfAttached(request, asked);
    const fs::path program = attach::programOf(request.processes.front()).executable;
    std::optional prepared(launch::prepareRecording(asked.directory,
                                                    program.empty() ? fs::path("program") : program,
                                                    std::nullopt, asked.force, complain));
    const launch::FollowedFolder folder(prepared->directory);
    launch::Ending ending;
    try {
        archive::saveCommand(prepared->directory, described);
        attach::Attachment attachment(request, archive::recordingOf(prepared->directory), prepared->run);
        const Deadline deadline(asked.first);
        if (asked.command.empty())
            recordUntilSignal(attachment, deadline);
        else
            ending = recordBeside(attachment, deadline, asked.command);
    } catch (const Error&) {
        archive::removeEmpty(prepared->directory);
        throw;
    }
    endLike(endRecording(folder, ending));
}

/// What is refused is written down for whoever started this command.
ChosenCounters chooseCountersOrSay(const RecordRequest& request) try {
    return chooseCounters(request);
} catch (const counters::Refusal& refusal) {
    const nlohmann::json refused{{refusal.counter(), refusal.reason()}};
    if (!request.refused.empty()) writeFile(request.refused, jsonText(refused, 2) + '\n');
    throw;
}

/// Takes the folder of a recording away again where the program cannot begin. Other ranks may be using
/// theirs.
class FolderWhileNothingRuns {
  public:
    explicit FolderWhileNothingRuns(fs::path directory) : directory_(std::move(directory)) {}
    ~FolderWhileNothingRuns() {
        if (!directory_.empty() && !launchedRank()) remove();
    }
    FolderWhileNothingRuns(FolderWhileNothingRuns&&) = delete;

    void keep() { directory_.clear(); }

  private:
    void remove() const noexcept try {
        archive::removeEmpty(directory_);
    } catch (const std::exception&) {  // the reason why it could not begin is what counts
    }

    fs::path directory_;
};

Ending recordProgram(const fs::path& directory, const fs::path& program, const RecordRequest& request,
                     const measurement::Command& command, const Environment& environment,
                     const Ended& ended) {
    const auto started = [&](pid_t process) {
        archive::keepCommand(archive::recordingOf(directory), process, program);
    };
    archive::saveCommand(directory, command);
    if (!command.openMpRuntime.empty()) {
        offerAsLibgomp(command.openMpRuntime, archive::recordingOf(directory));
        checkRuntimeSuits(program, archive::recordingOf(directory));
    }
    adoptOrphans();
    return runProgram(program, request.command, environment, ended, started);
}

/// Of a folder that is gone, `endRecording` says so.
bool isLastOf(const FollowedFolder& folder, const std::optional<LaunchedRank>& rank) try {
    return isLastRank(folder.now(), rank);
} catch (const Error&) {
    return true;
}

/// Nothing where nobody will need it, or it cannot be offered: the trace is made all the same. A launcher
/// must hear of a program that failed at once.
std::unique_ptr<NodeHelper> offerHelp(const FollowedFolder& folder, const std::optional<LaunchedRank>& rank,
                                      const Ending& ending) try {
    const bool hasFailed = ending.signal != 0 || ending.status != 0;
    return rank && !hasFailed ? NodeHelper::offer(folder.now(), hostName()) : nullptr;
} catch (const std::exception&) {
    return nullptr;
}

/// The last command of a job makes the trace, and one of each other node helps. It offers that before the
/// last one can take it for ended. `self`: while it only waits to be asked for help, nobody has to wait for
/// it.
Ending endOrHelp(const FollowedFolder& folder, const std::optional<LaunchedRank>& rank, const Ending& ending,
                 archive::LivingCommand& self) {
    std::unique_ptr<NodeHelper> helper = offerHelp(folder, rank, ending);
    if (isLastOf(folder, rank)) {
        helper.reset();
        return endRecording(folder, ending);
    }
    self.end();
    if (helper) helper->serve();
    return ending;
}

/// What the processes that have ended kept on a disk of this node (`--local`): whoever makes the trace may be
/// on another one. Where it cannot be moved now, who makes the trace says so, too.
void bringEventsHome(const FollowedFolder& folder) try {
    archive::bringEventsHome(archive::recordingOf(folder.now()));
} catch (const std::exception& error) {
    complain(error.what());
}

/// Says that a recording becomes large, unless that was thought of; one command for all ranks of a job.
void watchGrowth(const FollowedFolder& folder, const RecordRequest& request,
                 std::optional<GrowthWatch>& watch) {
    const auto rank = launchedRank();
    if (request.buffer == kAll && (!rank || rank->rank == 0))
        watch.emplace([&folder] { return folder.now(); }, complain);
}

void record(const RecordRequest& request) {
    check(request);
    keepOwnersRights();
    const auto samples = callStackSamples(request);
    const fs::path program = findProgram(request.command.front());
    launch::checkLaunchedPrograms(request.command);
    const auto counters = chooseCountersOrSay(request);
    if (samples) counters::checkInterrupts(*samples);
    const fs::path openMp = request.hasOwnOpenMpRuntime() ? fs::path() : llvmOpenMpRuntime();
    if (!request.filter.empty()) filter::readFilter(request.filter);  // says what is wrong with it
    requirePreloads();
    const auto rank = launchedRank();
    std::optional<WatchBeside> watching;
    if (request.watch) watching.emplace();
    auto prepared = prepareRecording(request.directory, program, rank, request.force, complain);
    const fs::path& directory = prepared.directory;
    FolderWhileNothingRuns unused(directory);
    const FollowedFolder folder(directory);
    if (watching) watching->recordsTo(directory);
    std::optional<Preload> preload(std::in_place, archive::recordingOf(directory),
                                   samples && samples->isMemory());
    std::optional<GrowthWatch> growth;
    watchGrowth(folder, request, growth);
    const auto keepEnd = [recording = archive::recordingOf(folder.link())](pid_t process, int status) {
        archive::keepEnd(recording, process, status);
    };
    Ending ending = recordProgram(
        directory, program, request, commandOf(request, counters, openMp, prepared.run),
        environmentFor(directory, folder.link(), prepared.run, preload->value(), counters, request), keepEnd);
    unused.keep();
    growth.reset();
    const bool haveEnded = waitForDescendants(complain, keepEnd);
    if (!request.local.empty()) bringEventsHome(folder);
    if (!haveEnded)
        std::fputs(whatStays(folder.now()).c_str(), stderr);
    else
        ending = endOrHelp(folder, rank, ending, prepared.command);
    preload.reset();
    endLike(ending);
}

}  // namespace

void addRecord(Command& app) {
    const auto request = std::make_shared<RecordRequest>();
    Command command = app.command("record", "Run a program and record it as a trace");
    addOptions(command, *request);
    command.option("command", request->command, "The program and its arguments, after --");
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
        "  holos record --attach 4711 --sample 10ms --first 60s\n"
        "  mpirun -n 64 holos record --clock-offsets-every 60s -- ./solver\n"
        "  holos record --like run1 -o run2 -- ./solver\n"
        "  mpirun -n 64 holos record --ranks 0-7,32 --first 30s --mpi p2p,coll -- ./solver\n"
        "Then: holos analyze run1");
    command.action([request, command] {
        repeatSettings(*request, command);
        if (!request->attach.empty()) return recordAttached(*request, command);
        if (request->command.empty())
            throw UsageError(
                "the program to record is missing; it stands behind --, as in 'holos record -- ./solver'");
        record(*request);
    });
}

}  // namespace holos::cli
