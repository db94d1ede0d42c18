// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/trace_writer.h"

#include <otf2/OTF2_Pthread_Locks.h>
#include <otf2/otf2.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "base/text.h"
#include "tracing/counters/memory_events.h"
#include "tracing/recordings/archive/definitions/definition_sizes.h"
#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/archive/definitions/otf2_check.h"
#include "tracing/recordings/archive/events/event_translation.h"
#include "tracing/recordings/archive/events/partners.h"
#include "tracing/recordings/archive/events/profile_translation.h"
#include "tracing/recordings/archive/events/recorded_extent.h"
#include "tracing/recordings/archive/events/stop_places.h"
#include "tracing/recordings/archive/folder/files.h"
#include "tracing/recordings/archive/folder/ownership.h"
#include "tracing/recordings/archive/otf2_complaints.h"
#include "tracing/recordings/archive/process/profile_cells.h"

namespace holos::archive {
namespace {

/// The longest event has the values of 255 counters, of 10 bytes each.
constexpr std::uint64_t kEventChunk = 1024 * 1024;

/// Nothing more is written once something failed.
OTF2_FlushType flush(void* complaints, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    const bool isWhole = static_cast<const Otf2Complaints*>(complaints)->first() == OTF2_SUCCESS;
    return isWhole ? OTF2_FLUSH : OTF2_NO_FLUSH;
}
constexpr OTF2_FlushCallbacks kFlush{flush, nullptr};

std::string megabytes(std::uintmax_t bytes) {
    constexpr std::uintmax_t kTenth = 100'000;
    const std::uintmax_t tenths = (bytes + kTenth - 1) / kTenth;
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " MB";
}

class TraceWriter {
  public:
    TraceWriter(const fs::path& folder, TracePlan& plan, const Timeline& timeline,
                const std::function<void()>& beforeEach, Otf2Complaints& complaints)
        : folder_(folder),
          plan_(plan),
          timeline_(timeline),
          beforeEach_(beforeEach),
          code_(static_cast<std::uint32_t>(plan.regions.size()), plan.bodies) {
        archive_ = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, kEventChunk,
                                     OTF2_UNDEFINED_UINT64, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
        if (archive_ == nullptr) throw Error("no trace can be made there", {.file = folder.string()});
        check(OTF2_Archive_SetFlushCallbacks(archive_, &kFlush, &complaints), "the archive");
        check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_), "the archive");
        check(OTF2_Pthread_Archive_SetLockingCallbacks(archive_, nullptr), "the archive");
        check(OTF2_Archive_SetCreator(archive_, "Holos"), "the archive");
        if (!plan.run.empty())
            check(OTF2_Archive_SetProperty(archive_, kRunProperty, plan.run.c_str(), true), "the archive");
    }
    ~TraceWriter() {
        if (archive_ != nullptr) OTF2_Archive_Close(archive_);
    }
    TraceWriter(TraceWriter&&) = delete;

    Result write() {
        writeEvents();
        definitionChunk_ = definitionChunk(plan_, code_);  // samples bring texts
        check(OTF2_Archive_SetDefChunkSize(archive_, definitionChunk_), "the definitions");
        writeLocalDefinitions();
        writeGlobalDefinitions();
        OTF2_Archive* archive = std::exchange(archive_, nullptr);
        check(OTF2_Archive_Close(archive), "the archive");
        if (!plan_.run.empty()) writePlainFile(folder_ / "traces" / kRunOfEvents, plan_.run + '\n');
        result_.processes = plan_.processes.size();
        result_.notes = stops_.notes(plan_, code_);  // first: it is what is looked for after a crash
        result_.notes.insert(result_.notes.end(), plan_.notes.begin(), plan_.notes.end());
        return result_;
    }

  private:
    struct Part {
        TraceProcess* process;
        TraceLocation* location;
        RecordedExtent extent;
        std::uint64_t lastAdded;  ///< ticks of the last event that the process has added up
        LocationResult done;
        LocationProfile profile = {};
        bool isProfileDamaged = false;
    };

    /// Locations have nothing to do with each other: as many at a time as there are processors.
    void writeEvents() {
        std::vector<Part> parts;
        findSharedLines();
        for (auto& process : plan_.processes) {
            const RecordedExtent extent = extentOf(process);
            const std::uint64_t last = lastAdded(process);
            for (auto& location : process.locations) parts.push_back({&process, &location, extent, last, {}});
        }
        if (plan_.keepsEvents && plan_.keepsNewest) alone_ = findWithoutPartner(plan_, timeline_);
        check(OTF2_Archive_OpenEvtFiles(archive_), "the events");
        tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t i) { translate(parts[i]); });
        check(OTF2_Archive_CloseEvtFiles(archive_), "the events");
        for (Part& part : parts) add(part);
        noteLost();
        if (std::string note = alone_.note(); !note.empty()) plan_.notes.push_back(std::move(note));
    }

    /// Of all threads of a process, before the accesses of each are written.
    void findSharedLines() {
        if (!plan_.interrupts || plan_.interrupts->name != counters::kMemoryAccesses) return;
        tbb::parallel_for(std::size_t{0}, plan_.processes.size(), [&](std::size_t i) {
            TraceProcess& process = plan_.processes[i];
            if (process.recorded == nullptr || !process.recorded->isWanted) return;
            const auto lines = std::make_shared<SharedLines>();
            for (const TraceLocation& location : process.locations) addLines(process, location, *lines);
            process.sharedLines = lines;
        });
    }

    /// Stacks are used anew by threads that come later.
    static void addLines(const TraceProcess& process, const TraceLocation& location, SharedLines& lines) {
        EventFile events = eventsOf(process, location);
        while (const auto record = events.next()) {
            if (record->kind != tracing::RecordKind::MemoryAccess) continue;
            const SampledAccess access = accessIn(*record);
            if (access.address != 0 && access.kind.part != counters::MemoryPart::Stack)
                lines.add(location.ref, access.address, access.block, access.kind.isStore);
        }
    }

    /// Asked for of processes that did not end in order.
    static std::uint64_t lastAdded(const TraceProcess& process) {
        std::uint64_t last = 0;
        if (process.recorded == nullptr || process.recorded->status.ended != 0) return last;
        for (const TraceLocation& location : process.locations) {
            const auto cells =
                readProfileCells(*process.recorded, location.ref, process.recorded->counters.size());
            if (cells.state) last = std::max(last, cells.state->last);
        }
        return last;
    }

    void translateProfile(Part& part) {
        const RecordedProcess& recorded = *part.process->recorded;
        ProfileTranslation translation(plan_, *part.process, *part.location, timeline_.clock(recorded),
                                       code_);
        part.profile = translation.run(part.lastAdded);
        part.isProfileDamaged = translation.result().damaged;
        if (!plan_.keepsEvents) part.done = translation.result();
        part.done.damaged = false;
    }

    void translate(Part& part) {
        if (beforeEach_) beforeEach_();
        OTF2_EvtWriter* out = OTF2_Archive_GetEvtWriter(archive_, part.location->id);
        if (out == nullptr) throw Error("cannot write the events of the trace");
        const RecordedProcess* const recorded = part.process->recorded;
        const bool isProfiled = recorded != nullptr && hasProfile(*recorded);
        if (isProfiled && recorded->isWanted && !part.location->isSamples) translateProfile(part);
        if (plan_.keepsEvents && recorded != nullptr && recorded->isWanted) {
            EventTranslation translation(out, plan_, *part.process, *part.location,
                                         timeline_.clock(*recorded), part.extent, code_);
            const auto alone = alone_.byLocation.find(part.location->id);
            part.done =
                translation.run(part.location->id == part.process->rank,
                                DefinitionsWriter::kFirstProgram + part.process->program,
                                alone != alone_.byLocation.end() ? alone->second : RecordsWithoutPartner());
        }
        check(OTF2_Archive_CloseEvtWriter(archive_, out), "the events");
    }

    void add(Part& part) {
        if (!part.profile.paths.empty()) {
            if (!result_.profile) result_.profile.emplace();
            result_.profile->locations.push_back(std::move(part.profile));
        }
        if (part.process->recorded != nullptr && part.process->recorded->isWanted) {
            extend(part.done, timeline_.offsets(*part.process->recorded));
            note(*part.process, *part.location, part.done);
            if (part.isProfileDamaged) result_.incomplete.push_back(part.process->recorded->directory);
            if (part.isProfileDamaged)
                plan_.notes.push_back(part.location->name + " of " + part.process->name +
                                      ": a damaged part of what it added up was left out");
            place(*part.process, *part.location, part.done);
            part.location->totals = {part.done.first,    part.done.last,      part.done.sent,
                                     part.done.received, part.done.cancelled, part.done.outside,
                                     part.done.isCut};
        }
        events_[part.location->id] = part.done.events;
        result_.events += part.done.events;
        hasPolls_ |= part.done.hasPolls;
        ++result_.locations;
    }

    void extend(const LocationResult& done, const std::vector<HostOffset>& offsets) {
        if (done.events == 0 && done.first == done.last) return;
        begin_ = std::min(begin_, globalTime(done.first, offsets));
        end_ = std::max(end_, globalTime(done.last, offsets));
    }

    void note(TraceProcess& process, const TraceLocation& location, const LocationResult& done) {
        const std::string where = location.name + " of " + process.name;
        if (done.lostBytes != 0) {
            lost_[process.recorded].bytes += done.lostBytes;
            ++lost_[process.recorded].locations;
        }
        if (done.damaged) plan_.notes.push_back(where + ": a damaged part of its events was left out");
        if (done.isCut)
            plan_.notes.push_back(where + ": only its newest events were kept, as was asked for");
        else if (done.dropped != 0 && done.lostBytes == 0)
            plan_.notes.push_back(where + ": " + std::to_string(done.dropped) +
                                  " events were left out: what they refer to was not recorded");
        if (process.recorded->status.hasJumped != 0 && !done.unended.empty())
            plan_.notes.push_back(where + ": " + sayUnended(done));
        const bool isMaster = location.id == process.rank;
        const bool aborts = !done.open.empty() && plan_.regions[done.open.back()].name == "MPI_Abort";
        process.calledAbort |= aborts;
        if (isMaster) process.unknownTime = done.unknownTime;
        const bool isUnfinished = process.recorded->status.ended == 0 && !process.recorded->replaced &&
                                  (isMaster || !done.open.empty());
        if (aborts || isUnfinished)
            stops_.add(isMaster ? process.name : where, done, process.recorded->seenAlive.has_value());
    }

    /// Those with most of them first.
    std::string sayUnended(const LocationResult& done) const {
        constexpr std::size_t kMostNames = 5;
        std::vector<std::pair<std::uint32_t, std::uint64_t>> all(done.unended.begin(), done.unended.end());
        std::ranges::stable_sort(all, std::greater(), &std::pair<std::uint32_t, std::uint64_t>::second);
        std::string names;
        for (std::size_t i = 0; i < std::min(kMostNames, all.size()); ++i)
            names += (i == 0 ? "" : ", ") + plan_.regions[all[i].first].name + " (" +
                     (all[i].second == 1 ? "once" : counted(all[i].second, "time")) + ')';
        if (all.size() > kMostNames) names += " and " + counted(all.size() - kMostNames, "more region");
        return "regions were begun and not ended, as the program left functions by jumps (longjmp): " +
               names + "; what followed counts to them, until a region around them or the run ended";
    }

    /// What is not in the file of events although it was written.
    void noteLost() {
        for (const auto& process : plan_.processes) {
            const auto found = lost_.find(process.recorded);
            if (found == lost_.end()) continue;
            const std::uint64_t late = process.recorded->status.lateFailure;
            const std::string reason =
                late != 0 ? std::strerror(static_cast<int>(late)) : "the file system reported no error";
            plan_.notes.push_back(process.name + ": " + megabytes(found->second.bytes) + " of events of " +
                                  counted(found->second.locations, "thread") +
                                  " were written, and lost on the way to the disk or on it (" + reason +
                                  "); the time without them is not the program's (MEASUREMENT OFF)");
            result_.incomplete.push_back(process.recorded->directory);
        }
    }

    void place(const TraceProcess& process, TraceLocation& location, const LocationResult& done) const {
        const auto recorded = process.recorded->locations.find(location.ref);
        if (location.isSamples || recorded == process.recorded->locations.end()) return;
        const auto hardware = plan_.hardware.find(process.recorded->host);
        location.placement = placementOf(recorded->second.bindings, done.processors,
                                         hardware != plan_.hardware.end() ? &hardware->second : nullptr);
        location.processorTime = processorTimeOf(recorded->second.processorTimes,
                                                 recorded->second.kind == tracing::LocationKind::Main);
        if (location.processorTime && process.recorded->watchesShortage)
            location.processorTime->betweenEvents = done.shortage;
    }

    /// They are empty but for clock offsets, as references are global already; readers want to open them.
    void writeLocalDefinitions() {
        check(OTF2_Archive_OpenDefFiles(archive_), "local definitions");
        for (const auto& process : plan_.processes)
            for (const auto& location : process.locations) {
                OTF2_DefWriter* out = OTF2_Archive_GetDefWriter(archive_, location.id);
                if (process.recorded != nullptr)
                    for (const auto& offset : timeline_.offsets(*process.recorded))
                        check(OTF2_DefWriter_WriteClockOffset(out, static_cast<OTF2_TimeStamp>(offset.time),
                                                              offset.offset, offset.deviation),
                              "a clock offset");
                check(OTF2_Archive_CloseDefWriter(archive_, out), "local definitions");
            }
        check(OTF2_Archive_CloseDefFiles(archive_), "local definitions");
    }

    void writeGlobalDefinitions() {
        const auto first = std::ranges::find_if(
            plan_.processes, [](const auto& process) { return process.recorded != nullptr; });
        const auto& origin = timeline_.clock(*first->recorded).origin();
        ClockRange clock{static_cast<std::uint64_t>(begin_), static_cast<std::uint64_t>(end_ - begin_) + 1,
                         static_cast<std::uint64_t>(origin.realtime + (begin_ - origin.monotonic))};
        OTF2_GlobalDefWriter* out = OTF2_Archive_GetGlobalDefWriter(archive_);
        DefinitionsWriter writer(out, plan_, code_, longestText(definitionChunk_));
        writer.write(clock, events_, hasPolls_);
        for (const auto& note : writer.notes()) plan_.notes.push_back(note);
        if (std::string note = code_.howToName(); !note.empty()) plan_.notes.push_back(std::move(note));
        check(OTF2_Archive_CloseGlobalDefWriter(archive_, out), "the definitions");
    }

    const fs::path& folder_;
    TracePlan& plan_;
    const Timeline& timeline_;
    const std::function<void()>& beforeEach_;
    SampledCode code_;
    OTF2_Archive* archive_ = nullptr;
    std::uint64_t definitionChunk_ = 0;
    std::map<std::uint64_t, std::uint64_t> events_;
    bool hasPolls_ = false;
    std::int64_t begin_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t end_ = 0;
    struct Lost {
        std::uint64_t bytes = 0;
        std::size_t locations = 0;
    };
    std::map<const RecordedProcess*, Lost> lost_;
    WithoutPartner alone_;
    StopPlaces stops_;
    Result result_;
};

/// A trace takes about as much as what was recorded.
std::uintmax_t bytesOfEvents(const TracePlan& plan) {
    std::uintmax_t sum = 0;
    for (const auto& process : plan.processes)
        for (const auto& location : process.locations)
            if (process.recorded != nullptr)
                for (const auto& chunk : process.recorded->chunksOf(location.ref))
                    sum += std::min(chunk.bytes, chunk.settled);
    return sum;
}

/// What an incomplete trace took is free again, once it is removed.
std::uintmax_t roomFor(const fs::path& folder) {
    std::error_code error;
    std::uintmax_t room = fs::space(folder, error).available;
    if (error) return 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder, error))
        if (const auto bytes = entry.file_size(error); !error) room += bytes;
    return room;
}

/// OTF2 has no words for some.
std::string reasonOf(OTF2_ErrorCode code) {
    if (code == OTF2_ERROR_EDQUOT) return std::strerror(EDQUOT);
    if (code == OTF2_ERROR_EIO) return std::strerror(EIO);
    return OTF2_Error_GetDescription(code);
}

/// The reason, and what to do where the disk is full.
std::string describe(OTF2_ErrorCode code, const fs::path& folder, const TracePlan& plan) {
    const std::string reason = reasonOf(code);
    if (code == OTF2_ERROR_EDQUOT)
        return reason + "; it needs about " + megabytes(bytesOfEvents(plan)) +
               " of your quota: make room, or move the folder to a disk that has it";
    if (code != OTF2_ERROR_ENOSPC) return reason;
    return reason + "; it needs about " + megabytes(bytesOfEvents(plan)) + ", and " +
           megabytes(roomFor(folder)) + " are free: make room, or move the folder to a disk that has it";
}

}  // namespace

void requireRoom(const fs::path& folder, const TracePlan& plan) {
    const std::uintmax_t bytes = bytesOfEvents(plan);
    const std::uintmax_t room = roomFor(folder);
    if (room / 2 < bytes)
        throw Error("has no room for a snapshot: it needs about " + megabytes(bytes) + ", and " +
                        megabytes(room) +
                        " are free, of which the recording may need some (TMPDIR names another place)",
                    {.file = folder.string()});
}

Result writeTrace(const fs::path& folder, TracePlan& plan, const Timeline& timeline,
                  const std::function<void()>& beforeEach) {
    Otf2Complaints complaints;
    try {
        Result result = TraceWriter(folder, plan, timeline, beforeEach, complaints).write();
        if (complaints.first() == OTF2_SUCCESS) return result;
    } catch (const Error&) {
        if (complaints.first() == OTF2_SUCCESS) throw;
    }
    throw Error("the trace cannot be written: " + describe(complaints.first(), folder, plan),
                {.file = folder.string()});
}

}  // namespace holos::archive
