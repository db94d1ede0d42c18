// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/conversion.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "tracing/recordings/archive/account/measurement_writer.h"
#include "tracing/recordings/archive/account/missed_parts.h"
#include "tracing/recordings/archive/account/recording_laws.h"
#include "tracing/recordings/archive/events/recorded_extent.h"
#include "tracing/recordings/archive/facts/command_file.h"
#include "tracing/recordings/archive/facts/host_facts.h"
#include "tracing/recordings/archive/folder/commit.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/archive/folder/local_events.h"
#include "tracing/recordings/archive/folder/many_files.h"
#include "tracing/recordings/archive/folder/ownership.h"
#include "tracing/recordings/archive/helpers.h"
#include "tracing/recordings/archive/run/jobs.h"
#include "tracing/recordings/archive/trace_writer.h"
#include "tracing/recordings/format/definition_kinds.h"

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

void addAge(const std::vector<RecordedProcess>& processes, const Timeline& timeline, const Moment& moment,
            std::optional<Age>& age) {
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
}

/// The program said that it went on as a profile; whether that came to the disk is known now.
void sayWhereTheRestIs(Result& result) {
    for (std::string& note : result.notes)
        if (note.find(tracing::kAddedUpInstead) != std::string::npos)
            note += result.profile ? "; profile.cubex has that part" : "; that part was lost, too";
}

/// The jobs in words: `the recording has 2 MPI jobs, each a trace of its own: ./a, 4 processes; job-2: ./b, 1
/// process`.
std::string describeAll(const std::vector<std::vector<RecordedProcess>>& jobs) {
    constexpr std::size_t kMost = 8;
    std::string text = "the recording has " + counted(jobs.size(), "MPI job") + ", each a trace of its own: ";
    for (std::size_t i = 0; i < std::min(jobs.size(), kMost); ++i)
        text += (i == 0 ? "" : "; " + folderOfJob("", i + 1).string() + ": ") + describeJob(jobs[i]);
    return text + (jobs.size() > kMost ? "; …" : "");
}

using Jobs = std::vector<std::vector<RecordedProcess>>;

/// How one job of a recording becomes a trace.
class JobConversion {
  public:
    JobConversion(const fs::path& recording, const Conversion& how, RecordedJobs& recorded)
        : recording_(recording), how_(how), recorded_(recorded) {}

    /// The job of that number, which counts from 1. `notes`: what is to be said of it before anything else.
    Result run(std::size_t number, const fs::path& to, const std::vector<std::string>& notes) const {
        Jobs& jobs = recorded_.all();
        auto& processes = jobs[number - 1];
        TracePlan plan = recorded_.plan(number);
        plan.notes.insert(plan.notes.end(), notes.begin(), notes.end());
        const Here place = here();
        const Timeline timeline = recorded_.timeline(number, place);
        if (!timeline.allMeasured())
            plan.notes.push_back(
                "the length of a clock tick is unknown, as the program was killed at once: times are "
                "in ticks, not nanoseconds");
        if (how_.moment) requireEvents(to, plan);
        Order order;
        order.job = number;
        order.here = place;
        Result result =
            writeTrace(to, plan, timeline, {how_.beforeEach, how_.helpers, order, recording_.parent_path()});
        sayWhereTheRestIs(result);
        for (auto& one : processes)
            one.lossIsUnknown |=
                std::ranges::find(result.incomplete, one.directory) != result.incomplete.end();
        for (auto& missed : missedParts(recording_, plan)) result.notes.push_back(std::move(missed));
        if (std::string missed = missedPeaks(recording_); !missed.empty())
            result.notes.push_back(std::move(missed));
        for (const auto& process : processes) {
            result.lostEvents += process.status.lostEvents;
            result.lossIsUnknown |= process.lossIsUnknown;
        }
        addLostSamples(processes, result);
        result.moves = describeMoves(plan);
        if (number == 1) result.numberOfFurtherJobs = jobs.size() - 1;
        addEndsAndLaws(plan, jobs, number, result);
        writeMeasurement(to, recording_, plan, processes, result);
        return result;
    }

  private:
    /// What was started is told of the whole run, and so it is compared once.
    void addEndsAndLaws(const TracePlan& plan, const Jobs& jobs, std::size_t number, Result& result) const {
        const auto& processes = jobs[number - 1];
        const bool isFirst = number == 1;
        const LifeRecords records = isFirst ? LifeRecords(recording_) : LifeRecords();
        const auto others = isFirst ? std::span(jobs).subspan(1) : std::span(jobs).first(0);
        result.ends = endsOf(plan, processes, records, others);
        result.endedWell = endedWell(plan, processes, records, others);
        result.laws = how_.moment ? lawsOfSnapshot(plan) : lawsOf(plan, processes, records, others);
        if (how_.moment) result.notChecked = kNotChecked;
        if (std::string note = noteOfForked(processes, records, others); !note.empty() && !how_.moment)
            result.notes.push_back(std::move(note));
    }

    void requireEvents(const fs::path& to, const TracePlan& plan) const {
        if (!plan.keepsEvents)
            throw Error(
                "is a profile that is still being added up: its numbers are there when the program has "
                "ended; until then holos watch shows what it does",
                {.file = recording_.parent_path().string()});
        requireRoom(to, plan);
    }

    const fs::path& recording_;
    const Conversion& how_;
    RecordedJobs& recorded_;
};

std::optional<Age> ageOf(RecordedJobs& recorded, const Moment& moment) {
    std::optional<Age> age;
    const Here place = here();
    for (std::size_t number = 1; number <= recorded.all().size(); ++number)
        addAge(recorded.all()[number - 1], recorded.timeline(number, place), moment, age);
    return age;
}

std::vector<std::string> notesOf(const RecordedJobs& recorded, const Conversion& how) {
    std::vector<std::string> notes = how.notes;
    notes.insert(notes.end(), recorded.notes().begin(), recorded.notes().end());
    return notes;
}

}  // namespace

Converted convert(const fs::path& recording, const fs::path& to, const Conversion& how) {
    const SharedReading reading(how.helpers, recording);
    RecordedJobs recorded(recording, how.moment, readPacked(reading.packed()));
    const Jobs& jobs = recorded.all();
    if (jobs.empty()) throwThatNothingWasRecorded(recording, how.moment.has_value());
    std::vector<std::string> notes = notesOf(recorded, how);
    if (jobs.size() > 1) notes.insert(notes.begin(), describeAll(jobs));
    const JobConversion conversion(recording, how, recorded);
    Converted converted{conversion.run(1, to, notes), std::nullopt};
    for (std::size_t number = 2; number <= jobs.size(); ++number) {
        const fs::path folder = folderOfJob(to, number);
        fs::create_directory(folder);
        const std::string which = "this is MPI job " + std::to_string(number) + " of " +
                                  std::to_string(jobs.size()) + " of one recording";
        converted.result.furtherJobs.push_back(conversion.run(number, folder, {which}));
    }
    if (how.moment) converted.age = ageOf(recorded, *how.moment);
    return converted;
}

namespace {

Moment now(const fs::path& scratch) {
    tracing::chooseClock();
    return {tracing::synchronizeClocks(), tracing::clockName(), bootId(), scratch};
}

std::string runIn(const fs::path& recording) {
    const auto run = readRun(recording);
    return run ? run->id : "";
}

}  // namespace

/// A recording is taken away by one rename: where it is still there in the end, it was there all the time.
Snapshot::Snapshot(const fs::path& directory, const fs::path& place, std::function<void()> beforeEach) try
    : folder_(place), moment_(now(folder_.path())) {
    const fs::path recording = recordingOf(directory);
    const std::string run = runIn(recording);
    const auto isThere = [&] { return needsFinish(directory) && runIn(recording) == run; };
    fs::create_directory(path());
    try {
        converted_ = convert(recording, path(), {.moment = moment_, .beforeEach = std::move(beforeEach)});
        isWhole_ = isThere();
    } catch (const std::exception&) {
        isWhole_ = isThere();
        if (isWhole_) throw;
    }
} catch (const fs::filesystem_error& error) {
    throw Error(error.code().message(), {.file = error.path1().string()});
}

namespace {

void checkOwners(const fs::path& directory, const Owners& owners, Check check) {
    const bool any = check == Check::Everybody ? owners.any() : !owners.living.empty();
    if (any && check != Check::Nobody)
        throw StillRecorded("is still being recorded: " + ownersText(owners), {.file = directory.string()});
}

/// Of those whose end was taken for granted.
std::vector<std::string> describeUncertain(const Owners& owners) {
    std::vector<ProcessNote> all = owners.living;
    all.insert(all.end(), owners.unknown.begin(), owners.unknown.end());
    if (all.empty()) return {};
    return {"it was not known whether these had ended; what they record later is lost: " +
            processesText(all)};
}

void letHelpersBringHome(Helpers& helpers) {
    Order order;
    order.kind = Order::Kind::BringHome;
    for (std::size_t i = 0; i < helpers.count(); ++i) helpers.send(i, orderText(order));
    for (std::size_t i = 0; i < helpers.count(); ++i) helpers.receive(i);
}

/// Events that nodes kept on disks of their own (`--local`).
void requireEvents(const fs::path& directory, Check check, Helpers* helpers) {
    const fs::path recording = recordingOf(directory);
    bringEventsHome(recording, check == Check::Nobody);
    DistantEvents distant = distantEvents(recording);
    if (distant.processes != 0 && helpers != nullptr) {
        letHelpersBringHome(*helpers);
        distant = distantEvents(recording);
    }
    if (distant.processes != 0 && check != Check::Nobody)
        throw Error("misses events of " + counted(distant.processes, "process") + ", which were kept on " +
                        distant.example +
                        ": as long as they are there, 'holos analyze' on that machine moves them here; "
                        "'holos analyze --finish' makes the trace without them",
                    {.file = directory.string()});
}

/// A process may begin while the others are converted.
Result convertAll(const fs::path& directory, const fs::path& to, Check check, Helpers* helpers) {
    const fs::path recording = recordingOf(directory);
    for (;;) {
        const Owners owners = ownersOf(recording);
        checkOwners(directory, owners, check);
        requireEvents(directory, check, helpers);
        const auto folders = processFolders(recording);
        Result result =
            convert(recording, to, {.notes = describeUncertain(owners), .helpers = helpers}).result;
        if (processFolders(recording) == folders) return result;
        removeAll(to);
        fs::create_directory(to);
    }
}

/// Where events were recorded, too, the trace stays beside the profile.
void makeProfileOfJob(const fs::path& directory, const fs::path& folder, const Result& result,
                      const MakeProfile& makeProfile) {
    if (!makeProfile)
        throw Error("holds a profile, of which no trace can be made", {.file = folder.string()});
    makeProfile(folder, result);
    if (keepsEvents(recordingOf(directory))) return;
    for (const char* name : {"traces.otf2", "traces.def", "traces"}) removeAll(folder / name);
}

void makeProfiles(const fs::path& directory, const fs::path& folder, const Result& result,
                  const MakeProfile& makeProfile) {
    if (result.profile) makeProfileOfJob(directory, folder, result, makeProfile);
    for (std::size_t i = 0; i < result.furtherJobs.size(); ++i)
        if (const Result& job = result.furtherJobs[i]; job.profile)
            makeProfileOfJob(directory, folderOfJob(folder, i + 2), job, makeProfile);
}

Result makeTrace(const fs::path& directory, const std::string& run, Check check,
                 const MakeProfile& makeProfile, Helpers* helpers) {
    requireRoomForTrace(directory);
    const Scratch trace = scratchForTrace(directory, run);
    Result result = convertAll(directory, trace.path(), check, helpers);
    makeProfiles(directory, trace.path(), result, makeProfile);
    publishTrace(trace.path(), directory);
    return result;
}

/// Of a folder where nothing can be written, the trace can be read all the same.
void clearAway(const fs::path& directory, const Tell& tell) noexcept try {
    const FolderLock lock(directory, tell);
    settleLeftovers(directory);
} catch (const std::exception&) {
}

}  // namespace

Result finish(const fs::path& directory, Check check, const MakeProfile& makeProfile, const Tell& tell,
              Helpers* helpers) try {
    if (!needsFinish(directory)) {
        clearAway(directory, tell);
        return {};
    }
    tracing::chooseClock();
    const FolderLock lock(directory, tell);
    settleLeftovers(directory);
    if (!needsFinish(directory)) return {};  // another process finished it in the meantime
    const auto run = readRun(recordingOf(directory));
    Result result;
    if (!run || !hasTraceOf(directory, run->id))
        result = makeTrace(directory, run ? run->id : "", check, makeProfile, helpers);
    removeRecording(directory);
    return result;
} catch (const fs::filesystem_error& error) {
    throw Error(error.code().message(), {.file = error.path1().string()});
}

bool removeEmpty(const fs::path& directory) {
    {
        const FolderLock lock(directory);
        if (!processFolders(recordingOf(directory)).empty()) return false;
        removeRecording(directory);
    }
    std::error_code isNotEmpty;
    fs::remove(directory, isNotEmpty);
    return true;
}

}  // namespace holos::archive
