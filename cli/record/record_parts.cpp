// SPDX-License-Identifier: BSD-3-Clause
#include "cli/record/record_parts.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/number.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/analyze/recordings.h"
#include "cli/choice.h"
#include "cli/end_like.h"
#include "cli/terminal/terminal.h"
#include "tracing/recordings/archive/facts/command_file.h"
#include "tracing/recordings/archive/finish.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/attach/attachment.h"
#include "tracing/recordings/launch/program.h"
#include "tracing/recordings/launch/recorder_settings.h"
#include "tracing/recordings/launch/recording_directory.h"
#include "tracing/recordings/launch/recording_end.h"
#include "tracing/recordings/launch/waiting.h"

namespace holos::cli {
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

}  // namespace

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

void addOptions(Command& command, launch::RecordRequest& request) {
#define HOLOS_COMMAND_OPTION(names, Kind, member, usual, attach, parser, help)     \
    {                                                                              \
        const Option option = declare<Kind>(command, names, request.member, help); \
        static_cast<void>(parser);                                                 \
    }
#define HOLOS_RECORDING_OPTION(names, Kind, member, usual, attach, profile, parser, help) \
    HOLOS_COMMAND_OPTION(names, Kind, member, usual, attach, parser, help)
#include "tracing/recordings/format/record_options.def"
#include "tracing/recordings/measurement/measurement.h"
}

namespace {

namespace fs = std::filesystem;
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

}  // namespace

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

using namespace launch;

namespace {

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

}  // namespace

std::string whatStays(const fs::path& directory) {
    return "holos: the recording stays there; 'holos analyze " + shellLine({directory.string()}) +
           "' makes the trace later\n";
}

Ending endRecording(const FollowedFolder& folder, const Ending& ofProgram) {
    const RecordingEnd end = finishRecording(folder, ofProgram, {complain, writeProfile, whatStays});
    if (end.trace) report(end.folder, *end.trace);
    if (!end.trouble.empty()) complain(end.trouble);
    if (end.stays) std::fputs(whatStays(end.folder).c_str(), stderr);
    return end.command;
}

}  // namespace holos::cli
