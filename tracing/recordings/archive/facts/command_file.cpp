// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/facts/command_file.h"

#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/secrets.h"
#include "tracing/recordings/archive/facts/hardware.h"
#include "tracing/recordings/archive/facts/host_facts.h"
#include "tracing/recordings/archive/facts/record_settings.h"
#include "tracing/recordings/archive/folder/files.h"
#include "tracing/recordings/archive/process/loading.h"

namespace holos::archive {
namespace {

using nlohmann::json;

/// The part of the run that was asked for.
json describePart(const Command& command) {
    const RecordSettings& asked = command.settings;
    json described = json::object();
    if (!asked.ranks.empty()) described["ranks"] = asked.ranks;
    if (asked.first) described["firstNanoseconds"] = static_cast<std::int64_t>(*asked.first);
    if (!asked.phase.empty()) described["phase"] = asked.phase;
    if (!asked.tracePhase.empty())
        described["tracePhase"] = {{"name", asked.tracedPhaseName()},
                                   {"first", command.traced.first},
                                   {"count", command.traced.count.value_or(0)},
                                   {"every", command.traced.every.value_or(0)},
                                   {"atRandom", command.traced.areAtRandom()}};
    if (!asked.mpi.empty()) described["mpi"] = asked.mpi;
    if (const auto bytes = asked.buffer.limit()) {
        described["bufferBytes"] = *bytes;
        described["whenFull"] = holos::wordOf(asked.whenFull);
    }
    return described;
}

/// Several wrappers of one run may do so at the same time.
void saveFilter(const fs::path& filter, const fs::path& recording) {
    const fs::path own = recording / ("filter." + std::to_string(::getpid()) + ".tmp");
    std::error_code error;
    fs::copy_file(filter, own, error);
    if (!error) fs::rename(own, recording / "filter", error);
    if (error) throw Error("cannot be copied: " + error.message(), {.file = filter.string()});
}

}  // namespace

filter::Filter savedFilter(const fs::path& recording) {
    const fs::path path = recording / "filter";
    return fs::exists(path) ? filter::readFilter(path) : filter::Filter();
}

void saveCommand(const fs::path& directory, const Command& command) {
    const fs::path recording = recordingOf(directory);
    std::error_code error;
    fs::create_directories(recording, error);
    if (error) throw Error("cannot be made: " + error.message(), {.file = recording.string()});
    if (!command.settings.filter.empty()) saveFilter(command.settings.filter, recording);
    saveHardware(recording);
    const fs::path own = recording / ("command." + std::to_string(::getpid()) + ".tmp");
    const RecordSettings& asked = command.settings;
    const json all{
        {"settings", settingsJson(asked)},
        {"command", asked.keepCommand ? command.arguments : withoutSecrets(command.arguments)},
        {"counters", command.counters},
        {"sampledCounters", command.sampled},
        {"sampleNanoseconds", asked.sampledEvery()},
        {"profile", asked.profile},
        {"trace", asked.makesTrace()},
        {"countersCompensated", asked.compensate},
        {"callStackSamples", command.callStacks},
        {"counterSet", asked.set},
        {"specification", asked.set.empty() ? "" : asked.specification},
        {"filter", asked.filter},
        {"openmpRuntime", command.openMpRuntime.string()},
        {"clockOffsetsEveryNanoseconds", static_cast<std::int64_t>(asked.clockOffsetsEvery.value_or(0))},
        {"recordedPart", describePart(command)},
        {"attached", command.attached},
        {"workingDirectory", command.workingDirectory},
        {"host", describeHost()},
        {"environment", describeEnvironment()}};
    writePlainFile(own, jsonText(all, 2) + '\n');
    fs::create_hard_link(own, recording / "command.json", error);  // fails where another wrapper was first
    if (error && !fs::exists(recording / "command.json"))
        fs::copy_file(own, recording / "command.json", error);
    fs::remove(own, error);
}

bool keepsNewest(const fs::path& recording) {
    const RecordSettings asked = settingsOf(recording);
    return asked.buffer != kAll && asked.whenFull == WhenFull::KeepNewest;
}

bool keepsEvents(const fs::path& recording) {
    return settingsOf(recording).makesTrace();
}

bool keepsSecrets(const fs::path& recording) {
    return settingsOf(recording).keepCommand;
}

void throwThatNothingWasRecorded(const fs::path& recording) {
    const json all = readObject(recording / "command.json");
    std::vector<std::string> words;
    if (const auto command = all.find("command"); command != all.end() && command->is_array())
        for (const json& word : *command)
            if (word.is_string()) words.push_back(word.get<std::string>());
    if (std::string reason = firstNotRecorded(words, textIn(all, "workingDirectory")); !reason.empty())
        throw NeverRecorded("nothing was recorded: " + reason);
    throw Error(
        "nothing was recorded: the command ended before a program began (shells, launchers and the like are "
        "not recorded themselves, only what they start), or the program did not load the recorder");
}

std::string missedPeaks(const fs::path& recording) {
    const json host = readObject(recording / "command.json").value("host", json::object());
    const std::string why = host.is_object() ? textIn(host, "peaksMissing") : std::string();
    return why.empty() ? why : "the measured peaks of this machine are not known to the recording: " + why;
}

}  // namespace holos::archive
