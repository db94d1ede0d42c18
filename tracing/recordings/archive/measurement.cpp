// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/measurement.h"

#include <otf2/otf2.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/json.h"
#include "base/secrets.h"
#include "base/utc_time.h"
#include "tracing/code/debug/compiler_facts.h"
#include "tracing/recordings/archive/counter_shares.h"
#include "tracing/recordings/archive/hardware.h"
#include "tracing/recordings/archive/host_facts.h"
#include "tracing/recordings/archive/loading.h"
#include "tracing/recordings/archive/other_threads.h"
#include "tracing/recordings/archive/plain_file.h"
#include "tracing/recordings/archive/run_identity.h"
#include "tracing/recordings/archive/settings_json.h"

namespace holos::archive {
namespace {

using nlohmann::json;

void writeJson(const fs::path& path, const json& value) {
    writePlainFile(path, jsonText(value, 2) + '\n');
}

/// Where a thread could run and was found (docs/recording.md). Empty where nothing is known.
json describeThread(const TraceLocation& location) {
    const Placement& placement = location.placement;
    if (placement.allowed.empty()) return {};
    json one = {{"name", location.name},
                {"mayUse", placement.allowed},
                {"processorsSeen", placement.processorsSeen},
                {"changesSeen", placement.changesSeen}};
    if (placement.allowedAtEnd != placement.allowed) one["mayUseAtEnd"] = placement.allowedAtEnd;
    if (placement.processor) one["processor"] = *placement.processor;
    if (placement.migrations) one["migrations"] = *placement.migrations;
    if (const auto& time = location.processorTime) {
        one["nanosecondsOnProcessors"] = time->on;
        if (time->waiting) one["nanosecondsWaitingForProcessors"] = *time->waiting;
    }
    if (!placement.place) return one;
    one["socket"] = placement.place->socket;
    one["numaNode"] = placement.place->numaNode;
    one["core"] = placement.place->core;
    one["unit"] = placement.place->unit;
    one["coresSeen"] = placement.coresSeen;
    one["numaNodesSeen"] = placement.numaNodesSeen;
    return one;
}

json describeHardware(const Hardware& hardware) {
    json caches = json::array();
    for (const auto& cache : hardware.caches)
        caches.push_back({{"name", cache.name}, {"bytes", cache.bytes}, {"number", cache.number}});
    return {{"processor", hardware.processor},      {"sockets", hardware.sockets},
            {"numaNodes", hardware.numaNodes},      {"cores", hardware.cores},
            {"processors", hardware.places.size()}, {"coresOfSocket", hardware.coresOfSocket},
            {"unitsOfCore", hardware.unitsOfCore},  {"caches", std::move(caches)}};
}

/// How the process ended, and how long nothing is known of it before.
json describeEnd(const TraceProcess& process) {
    constexpr double kSecond = 1e9;
    const ProcessEnd& end = process.recorded->end;
    json one = {{"how", wordOf(end.how)}};
    if (end.code) one["exitCode"] = *end.code;
    if (end.how == ProcessEnd::How::Signal) {
        one["signal"] = end.signal;
        one["signalName"] = signalName(end.signal);
    }
    if (process.calledAbort) one["calledMpiAbort"] = true;
    if (process.unknownTime > 0)
        one["secondsAfterLastEvent"] = static_cast<double>(process.unknownTime) / kSecond;
    return one;
}

json describeProcess(const TraceProcess& planned, bool withSecrets) {
    const RecordedProcess& process = *planned.recorded;
    json one = {{"pid", process.pid},
                {"host", process.host},
                {"program", process.executable},
                {"arguments", withSecrets ? process.arguments : withoutSecrets(process.arguments)},
                {"endedInOrder", process.status.ended != 0},
                {"end", describeEnd(planned)},
                {"lostEvents", process.lossIsUnknown ? json() : json(process.status.lostEvents)}};
    if (process.world) one["rank"] = process.world->rank;
    for (const auto& location : planned.locations)
        if (json thread = describeThread(location); !thread.empty())
            one["threads"].push_back(std::move(thread));
    if (json others = describeOtherThreads(process); !others.empty()) one["otherThreads"] = std::move(others);
    return one;
}

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

/// By the counter's name the smallest and the mean share of all threads, and the error of an estimate.
json describeShares(const std::map<std::string, CounterShares>& shares) {
    json described = json::object();
    for (const auto& [name, all] : shares) {
        described[name] = {{"least", all.least}, {"mean", all.mean()}};
        if (const auto error = all.error()) described[name]["error"] = *error;
    }
    return described;
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
    writeJson(own, {{"settings", settingsJson(asked)},
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
                    {"clockOffsetsEveryNanoseconds",
                     static_cast<std::int64_t>(asked.clockOffsetsEvery.value_or(0))},
                    {"recordedPart", describePart(command)},
                    {"attached", command.attached},
                    {"workingDirectory", command.workingDirectory},
                    {"host", describeHost()},
                    {"environment", describeEnvironment()}});
    fs::create_hard_link(own, recording / "command.json", error);  // fails where another wrapper was first
    if (error && !fs::exists(recording / "command.json"))
        fs::copy_file(own, recording / "command.json", error);
    fs::remove(own, error);
}

std::string recordedRun(const fs::path& folder) {
    return textIn(readObject(folder / "measurement.json"), "run");
}

std::size_t recordedFurtherJobs(const fs::path& folder) {
    const json facts = readObject(folder / "measurement.json");
    const auto found = facts.find("furtherJobs");
    return found != facts.end() && found->is_number_unsigned() ? found->get<std::size_t>() : 0;
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

std::vector<std::string> missedParts(const fs::path& recording, const TracePlan& plan) {
    const RecordSettings asked = settingsOf(recording);
    std::vector<std::string> missed;
    const auto isWanted = [](const TraceProcess& one) {
        return one.recorded != nullptr && one.recorded->isWanted;
    };
    if (std::ranges::none_of(plan.processes, isWanted))
        missed.push_back("--ranks " + asked.ranks + ": none of them was recorded; the program has 0 to " +
                         std::to_string(plan.processes.size() - 1));
    const auto isMissed = [&plan](const std::string& phase) {
        return !phase.empty() && std::ranges::none_of(plan.regions, [&phase](const RecordedRegion& region) {
            return region.name == phase;
        });
    };
    constexpr const char* kNoSuchRegion =
        ": the program entered no user region of that name (holos/holos.h), so ";
    if (isMissed(asked.phase))
        missed.push_back("--phase " + asked.phase + kNoSuchRegion + "nothing of it was recorded");
    if (const std::string traced = asked.tracedPhaseName(); isMissed(traced))
        missed.push_back("--trace-phase " + traced + kNoSuchRegion + "nothing of it was traced");
    if (std::string openMp = unseenOpenMp(plan); !openMp.empty()) missed.push_back(std::move(openMp));
    return missed;
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

void writeMeasurement(const fs::path& folder, const fs::path& recording, const TracePlan& plan,
                      const Result& result) {
    json all = readObject(recording / "command.json");
    json list = json::array();
    const bool withSecrets = keepsSecrets(recording);
    for (const auto& process : plan.processes)
        if (process.recorded != nullptr) list.push_back(describeProcess(process, withSecrets));
    const auto isRecorded = [](const TraceProcess& process) { return process.recorded != nullptr; };
    const auto& first = *std::ranges::find_if(plan.processes, isRecorded)->recorded;
    all["format"] = 1;
    if (const auto run = readRun(recording)) all["run"] = run->id;
    all["holos"] = HOLOS_VERSION;
    all["begin"] = first.syncs.empty() ? "" : isoTime(first.syncs.front().realtime);
    all["clock"] = first.clock;
    all["libraries"] = {{"otf2", OTF2_VERSION}};
    if (!first.mpi.empty()) all["libraries"]["mpi"] = first.mpi;
    if (const code::Compiler compiler = code::compilerOf(first.executable); !compiler.name.empty())
        all["compiler"] = {{"name", compiler.name}, {"options", compiler.options}};
    all["processes"] = std::move(list);
    if (json shares = describeShares(activeSharesOf(plan.processes)); !shares.empty())
        all["activeShares"] = std::move(shares);
    if (json shares = describeShares(userSpaceSharesOf(plan.processes)); !shares.empty())
        all["readInUserSpace"] = std::move(shares);
    for (const auto& [host, hardware] : plan.hardware) all["hardware"][host] = describeHardware(hardware);
    if (!result.moves.empty()) all["moves"] = result.moves;
    if (result.numberOfFurtherJobs != 0) all["furtherJobs"] = result.numberOfFurtherJobs;
    all["ends"] = result.ends;
    for (const Law& law : result.laws)
        all["laws"].push_back({{"law", law.name}, {"holds", law.holds}, {"says", law.says}});
    if (!result.notChecked.empty()) all["notChecked"] = result.notChecked;
    all["locations"] = result.locations;
    all["events"] = result.events;
    all["lostEvents"] = result.lossIsUnknown ? json() : json(result.lostEvents);
    all["notes"] = result.notes;
    writeJson(folder / "measurement.json", all);
}

}  // namespace holos::archive
