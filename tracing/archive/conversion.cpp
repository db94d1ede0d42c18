// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/conversion.h"

#include <algorithm>
#include <utility>

#include "base/counted.h"
#include "tracing/archive/ends_text.h"
#include "tracing/archive/host_facts.h"
#include "tracing/archive/laws.h"
#include "tracing/archive/measurement.h"
#include "tracing/archive/moves.h"
#include "tracing/archive/recorded_extent.h"
#include "tracing/archive/run_identity.h"
#include "tracing/archive/trace_writer.h"
#include "tracing/archive/unification.h"
#include "tracing/core/low_disk.h"

namespace holos::archive {
namespace {

void addLostSamples(const std::vector<RecordedProcess>& processes, Result& result) {
    std::uint64_t lost = 0;
    for (const auto& process : processes) lost += process.status.lostSamples;
    if (lost != 0)
        result.notes.push_back(counted(lost, "sample") + " of the call stack " + (lost == 1 ? "is" : "are") +
                               " missing: taken while an event was being written, on a stack that is not the "
                               "thread's own, or faster than they "
                               "could be stored");
}

/// Nanoseconds since the newest event of a process.
std::int64_t ageOf(const RecordedProcess& process, const Timeline& timeline, const Moment& moment) {
    const HostClock& clock = timeline.clock(process);
    const tracing::ClockSync& begin = process.syncs.front();
    const std::int64_t since = clock.nanoseconds(*process.newest) - clock.nanoseconds(begin.ticks);
    return std::max<std::int64_t>(0, moment.time.realtime - begin.realtime - since);
}

std::optional<Age> ageOf(const std::vector<RecordedProcess>& processes, const Timeline& timeline,
                         const Moment& moment) {
    std::optional<Age> age;
    for (const auto& one : processes) {
        if (!one.newest || !timeline.clock(one).isMeasured()) continue;
        const std::int64_t own = ageOf(one, timeline, moment);
        if (!age) age = Age{own, 0, 0, ""};
        age->newest = std::min(age->newest, own);
        const bool isElsewhere = one.boot != moment.boot && one.status.ended == 0 && !one.replaced;
        const bool goesOn = one.seenAlive || isElsewhere;
        if (goesOn && own >= age->oldest) {
            age->oldest = own;
            age->process = one.pid;
            age->host = one.host;
        }
    }
    return age;
}

/// Where a process was ended by others.
void addUnknownTime(TracePlan& plan) {
    const auto wasSeen = [](const TraceProcess& process) { return extentOf(process).seenEnd.has_value(); };
    if (std::ranges::none_of(plan.processes, wasSeen)) return;
    plan.noMoreEvents = static_cast<std::uint32_t>(plan.regions.size());
    RecordedRegion& region = plan.regions.emplace_back();
    region.name = "NO MORE EVENTS";
    region.paradigm = tracing::Paradigm::Measurement;
    region.role = tracing::Role::Artificial;
}

/// The program said that it went on as a profile; whether that came to the disk is known now.
void sayWhereTheRestIs(Result& result) {
    for (std::string& note : result.notes)
        if (note.find(tracing::core::kAddedUpInstead) != std::string::npos)
            note += result.profile ? "; profile.cubex has that part" : "; that part was lost, too";
}

Recording read(const fs::path& recording, const std::optional<Moment>& moment) {
    return moment ? readRecording(recording, *moment) : readRecording(recording);
}

}  // namespace

Converted convert(const fs::path& recording, const fs::path& to, const Conversion& how) {
    Recording recorded = read(recording, how.moment);
    auto& processes = recorded.processes;
    if (processes.empty()) throw Error("nothing was recorded: " + whyNothingWasRecorded(recording));
    TracePlan plan = planTrace(recorded, savedFilter(recording));
    plan.notes.insert(plan.notes.end(), how.notes.begin(), how.notes.end());
    plan.notes.insert(plan.notes.end(), recorded.notes.begin(), recorded.notes.end());
    const bool sameClock = processes.front().clock == tracing::clockName();
    const Timeline timeline(processes, sameClock ? bootId() : "", tracing::synchronizeClocks());
    if (!timeline.allMeasured())
        plan.notes.push_back(
            "the length of a clock tick is unknown, as the program was killed at once: times are "
            "in ticks, not nanoseconds");
    for (const auto& stranger : recorded.strangers)
        plan.notes.push_back(stranger.stem().string() + " is a process of another run and was left out");
    if (const auto run = readRun(recording)) plan.run = run->id;
    addUnknownTime(plan);
    plan.hardware = savedHardware(recording);
    plan.keepsEvents = keepsEvents(recording);
    if (how.moment && !plan.keepsEvents)
        throw Error(
            "is a profile that is still being added up: its numbers are there when the program has ended; "
            "until then holos watch shows what it does",
            {.file = recording.parent_path().string()});
    if (how.moment) requireRoom(to, plan);
    Result result = writeTrace(to, plan, timeline, how.beforeEach);
    sayWhereTheRestIs(result);
    for (auto& one : processes)
        one.lossIsUnknown |= std::ranges::find(result.incomplete, one.directory) != result.incomplete.end();
    for (auto& missed : missedParts(recording, plan)) result.notes.push_back(std::move(missed));
    if (std::string missed = missedPeaks(recording); !missed.empty())
        result.notes.push_back(std::move(missed));
    for (const auto& process : processes) {
        result.lostEvents += process.status.lostEvents;
        result.lossIsUnknown |= process.lossIsUnknown;
    }
    addLostSamples(processes, result);
    result.moves = describeMoves(plan);
    result.ends = endsOf(plan, processes);
    result.endedWell = endedWell(plan, processes);
    if (!how.moment) result.laws = lawsOf(plan, processes, LifeRecords(recording));
    writeMeasurement(to, recording, plan, result);
    return {std::move(result), how.moment ? ageOf(processes, timeline, *how.moment) : std::nullopt};
}

}  // namespace holos::archive
