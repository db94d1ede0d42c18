// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/account/measurement.h"

#include <otf2/otf2.h>

#include <algorithm>

#include "base/json.h"
#include "base/secrets.h"
#include "base/utc_time.h"
#include "tracing/code/debug/compiler_facts.h"
#include "tracing/recordings/archive/definitions/counter_shares.h"
#include "tracing/recordings/archive/facts/command_file.h"
#include "tracing/recordings/archive/facts/hardware.h"
#include "tracing/recordings/archive/facts/record_settings.h"
#include "tracing/recordings/archive/folder/files.h"
#include "tracing/recordings/archive/folder/run_identity.h"
#include "tracing/recordings/archive/plan/other_threads.h"

namespace holos::archive {
namespace {

using nlohmann::json;

/// Where a thread could run and was found (docs/processors.md). Empty where nothing is known.
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
    writePlainFile(folder / "measurement.json", jsonText(all, 2) + '\n');
}

}  // namespace holos::archive
