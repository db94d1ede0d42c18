// SPDX-License-Identifier: BSD-3-Clause
#include "cli/record/record_parts.h"

#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>

#include "cli/end_like.h"
#include "cli/terminal/terminal.h"
#include "tracing/recordings/archive/command_file.h"
#include "tracing/recordings/attach/attachment.h"
#include "tracing/recordings/launch/chosen_counters.h"
#include "tracing/recordings/launch/find_program.h"
#include "tracing/recordings/launch/interruption.h"
#include "tracing/recordings/launch/program.h"
#include "tracing/recordings/launch/recording_directory.h"

namespace holos::cli {
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
        pid_t process = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), process);
        if (error != std::errc{} || end != part.data() + part.size() || process <= 0)
            throw UsageError("--attach: expected numbers of processes such as 4711,4712, not '" + list + "'");
        all.push_back(process);
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

archive::Command describe(const attach::Request& request, const launch::RecordRequest& asked) {
    archive::Command command;
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
    const archive::Command described = describe(request, asked);
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

}  // namespace holos::cli
