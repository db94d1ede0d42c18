// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/account/measurement_writer.h"

#include <otf2/otf2.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/secrets.h"
#include "base/utc_time.h"
#include "tracing/code/debug/compiler_facts.h"
#include "tracing/recordings/archive/definitions/counter_shares.h"
#include "tracing/recordings/archive/facts/command_file.h"
#include "tracing/recordings/archive/facts/host_facts.h"
#include "tracing/recordings/archive/folder/many_files.h"
#include "tracing/recordings/archive/folder/run_identity.h"
#include "tracing/recordings/archive/plan/other_threads.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::archive {
namespace {

using measurement::Measurement;

/// Nothing where nothing is known of the thread.
std::optional<measurement::Thread> threadOf(const TraceLocation& location) {
    const Placement& placement = location.placement;
    if (placement.allowed.empty()) return std::nullopt;
    measurement::Thread thread{.name = location.name,
                               .mayUse = placement.allowed,
                               .processorsSeen = placement.processorsSeen,
                               .changesSeen = placement.changesSeen,
                               .processor = placement.processor,
                               .migrations = placement.migrations};
    if (placement.allowedAtEnd != placement.allowed) thread.mayUseAtEnd = placement.allowedAtEnd;
    if (const auto& time = location.processorTime) {
        thread.nanosecondsOnProcessors = time->on;
        thread.nanosecondsWaitingForProcessors = time->waiting;
    }
    if (const auto& place = placement.place)
        thread.place = {place->socket, place->numaNode,     place->core,
                        place->unit,   placement.coresSeen, placement.numaNodesSeen};
    return thread;
}

/// How the process ended, and how long nothing is known of it before.
measurement::End endOf(const TraceProcess& process) {
    constexpr double kSecond = 1e9;
    const ProcessEnd& end = process.recorded->end;
    measurement::End known{
        .how = wordOf(end.how), .exitCode = end.code, .calledMpiAbort = process.calledAbort};
    if (end.how == ProcessEnd::How::Signal) {
        known.signal = end.signal;
        known.signalName = signalName(end.signal);
    }
    if (process.unknownTime > 0)
        known.secondsAfterLastEvent = static_cast<double>(process.unknownTime) / kSecond;
    return known;
}

constexpr double kNanosecond = 1e-9;

measurement::Process processOf(const TraceProcess& planned, bool withSecrets) {
    const RecordedProcess& recorded = *planned.recorded;
    measurement::Process process{
        .pid = recorded.pid,
        .host = recorded.host,
        .program = recorded.executable,
        .arguments = withSecrets ? recorded.arguments : withoutSecrets(recorded.arguments),
        .endedInOrder = recorded.status.ended != 0,
        .end = endOf(planned),
        .otherThreads = otherThreadsOf(recorded)};
    constexpr double kThousandth = 1e-3;
    if (const auto& limits = recorded.processorLimits; !limits.empty()) {
        const std::uint64_t stopped =
            limits.back().stopped - std::min(limits.front().stopped, limits.back().stopped);
        process.processorLimit =
            measurement::ProcessorLimit{static_cast<double>(limits.back().thousandths) * kThousandth,
                                        static_cast<double>(stopped) * kNanosecond};
    }
    if (const auto& inUse = recorded.machineUse; inUse.size() == 2)
        process.machineUse = measurement::MachineUse{static_cast<double>(inUse.front()) * kNanosecond,
                                                     static_cast<double>(inUse.back()) * kNanosecond};
    if (recorded.world) process.rank = recorded.world->rank;
    if (!recorded.lossIsUnknown) process.lostEvents = recorded.status.lostEvents;
    for (const auto& location : planned.locations)
        if (auto thread = threadOf(location)) process.threads.push_back(std::move(*thread));
    return process;
}

bool isRecorded(const TraceProcess& process) {
    return process.recorded != nullptr;
}

/// Nanoseconds of children that had been waited for at the end of the recording, and not at its begin.
std::int64_t timeOfChildren(const RecordedProcess& process) {
    const auto& times = process.childrenTimes;
    return times.size() == 2
               ? static_cast<std::int64_t>(times.back()) - static_cast<std::int64_t>(times.front())
               : 0;
}

/// Without children that are recorded themselves: these count for themselves.
void addTimesOfChildren(const TracePlan& plan, std::vector<measurement::Process>& processes) {
    std::map<std::pair<std::string, std::uint64_t>, std::int64_t> ofRecorded;  // by their parent
    for (const TraceProcess& process : plan.processes) {
        if (!isRecorded(process)) continue;
        const RecordedProcess& child = *process.recorded;
        const auto& times = child.processTimes;
        const std::int64_t own =
            times.size() == 2 ? times.back().onProcessors - times.front().onProcessors : 0;
        ofRecorded[{child.host, child.parent}] += own + timeOfChildren(child);
    }
    std::size_t position = 0;
    for (const TraceProcess& process : plan.processes) {
        if (!isRecorded(process)) continue;
        const RecordedProcess& parent = *process.recorded;
        const auto known = ofRecorded.find({parent.host, parent.pid});
        const std::int64_t unrecorded =
            timeOfChildren(parent) - (known != ofRecorded.end() ? known->second : 0);
        if (unrecorded > 0) processes[position].childSeconds = static_cast<double>(unrecorded) * kNanosecond;
        ++position;
    }
}

std::map<std::string, measurement::Share> sharesOf(const std::map<std::string, CounterShares>& counters) {
    std::map<std::string, measurement::Share> shares;
    for (const auto& [name, all] : counters) shares[name] = {all.least, all.mean(), all.error()};
    return shares;
}

std::map<std::string, measurement::Hardware> hardwareOf(const TracePlan& plan) {
    std::map<std::string, measurement::Hardware> machines;
    for (const auto& [host, hardware] : plan.hardware) {
        machines[host] = hardware;
        machines[host].processors = hardware.places.size();
    }
    return machines;
}

void addPrograms(const TracePlan& plan, bool withSecrets, Measurement& known) {
    const auto& first = *std::ranges::find_if(plan.processes, isRecorded)->recorded;
    known.begin = first.syncs.empty() ? "" : isoTime(first.syncs.front().realtime);
    known.clock = first.clock;
    known.libraries = {OTF2_VERSION, first.mpi};
    if (const code::Compiler compiler = code::compilerOf(first.executable); !compiler.name.empty())
        known.compiler = {compiler.name, compiler.options};
    std::set<std::string> annotations;
    for (const auto& process : plan.processes) {
        if (!isRecorded(process)) continue;
        known.processes.push_back(processOf(process, withSecrets));
        annotations.insert(process.recorded->annotations.begin(), process.recorded->annotations.end());
    }
    addTimesOfChildren(plan, known.processes);
    known.annotations.assign(annotations.begin(), annotations.end());
}

}  // namespace

std::vector<std::string> missedParts(const fs::path& recording, const TracePlan& plan) {
    const measurement::RecordSettings asked = measurement::settingsOf(recording);
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
    Measurement known{.holos = HOLOS_VERSION,
                      .activeShares = sharesOf(activeSharesOf(plan.processes)),
                      .readInUserSpace = sharesOf(userSpaceSharesOf(plan.processes)),
                      .hardware = hardwareOf(plan),
                      .moves = result.moves,
                      .furtherJobs = result.numberOfFurtherJobs,
                      .ends = result.ends,
                      .laws = result.laws,
                      .notChecked = result.notChecked,
                      .locations = result.locations,
                      .events = result.events,
                      .notes = result.notes};
    if (const auto run = readRun(recording)) known.run = run->id;
    if (!result.lossIsUnknown) known.lostEvents = result.lostEvents;
    addPrograms(plan, keepsSecrets(recording), known);
    writePlainFile(folder / measurement::kMeasurementFile, textOf(known, recording));
}

}  // namespace holos::archive
