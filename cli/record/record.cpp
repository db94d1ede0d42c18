// SPDX-License-Identifier: BSD-3-Clause

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "base/output_file.h"
#include "cli/commands.h"
#include "cli/end_like.h"
#include "cli/record/record_parts.h"
#include "cli/terminal/terminal.h"
#include "cli/watch/watch_beside.h"
#include "tracing/counters/interrupts.h"
#include "tracing/counters/selection.h"
#include "tracing/filter/filter.h"
#include "tracing/recordings/archive/facts/command_file.h"
#include "tracing/recordings/archive/finish.h"
#include "tracing/recordings/archive/folder/local_events.h"
#include "tracing/recordings/archive/process/process_ends.h"
#include "tracing/recordings/launch/followed_folder.h"
#include "tracing/recordings/launch/growth_watch.h"
#include "tracing/recordings/launch/installation.h"
#include "tracing/recordings/launch/node_helpers.h"
#include "tracing/recordings/launch/program.h"
#include "tracing/recordings/launch/recorder_settings.h"
#include "tracing/recordings/launch/recording_directory.h"
#include "tracing/recordings/launch/waiting.h"

namespace holos::cli {

using namespace launch;

namespace {

namespace fs = std::filesystem;

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

Ending run(const fs::path& directory, const fs::path& program, const RecordRequest& request,
           const measurement::Command& command, const Environment& environment, const Ended& ended) {
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
    Ending ending = run(
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
