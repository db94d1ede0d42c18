// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/trace_writer.h"

#include <otf2/OTF2_Pthread_Locks.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "tracing/counters/memory_samples.h"
#include "tracing/recordings/archive/code_names/sampled_functions.h"
#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/archive/definitions/otf2_names.h"
#include "tracing/recordings/archive/events/event_translation.h"
#include "tracing/recordings/archive/events/location_parts.h"
#include "tracing/recordings/archive/events/partners.h"
#include "tracing/recordings/archive/events/profile_translation.h"
#include "tracing/recordings/archive/events/recorded_extent.h"
#include "tracing/recordings/archive/folder/many_files.h"
#include "tracing/recordings/archive/folder/ownership.h"
#include "tracing/recordings/archive/process/profile_cells.h"

namespace holos::archive {

OTF2_ErrorCode Otf2Complaints::receive(void* self, const char* /*file*/, std::uint64_t /*line*/,
                                       const char* function, OTF2_ErrorCode code, const char* /*format*/,
                                       va_list /*values*/) {
    if (code == OTF2_WARNING || code == OTF2_DEPRECATED) return code;
    auto& complaints = *static_cast<Otf2Complaints*>(self);
    const std::lock_guard lock(complaints.mutex_);
    if (complaints.first_ == OTF2_SUCCESS) complaints.first_ = code;
    // What is returned here is what the function that complains returns.
    const bool isWrite = function != nullptr && std::string_view(function) == "otf2_file_posix_write";
    return isWrite ? OTF2_SUCCESS : code;
}

namespace {

/// The longest event has the values of 255 counters, of 10 bytes each.
constexpr std::uint64_t kEventChunk = 1024 * 1024;

/// Nothing more is written once something failed.
OTF2_FlushType flush(void* complaints, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    const bool isWhole = static_cast<const Otf2Complaints*>(complaints)->first() == OTF2_SUCCESS;
    return isWhole ? OTF2_FLUSH : OTF2_NO_FLUSH;
}
constexpr OTF2_FlushCallbacks kFlush{flush, nullptr};

}  // namespace

WrittenArchive::WrittenArchive(const fs::path& folder, Otf2Complaints& complaints)
    : archive_(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, kEventChunk,
                                 OTF2_UNDEFINED_UINT64, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)) {
    if (archive_ == nullptr) throw Error("no trace can be made there", {.file = folder.string()});
    try {
        check(OTF2_Archive_SetFlushCallbacks(archive_, &kFlush, &complaints), "the archive");
        check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_), "the archive");
        check(OTF2_Pthread_Archive_SetLockingCallbacks(archive_, nullptr), "the archive");
        check(OTF2_Archive_SetCreator(archive_, "Holos"), "the archive");
    } catch (const Error&) {
        OTF2_Archive_Close(archive_);
        throw;
    }
}

WrittenArchive::~WrittenArchive() {
    if (archive_ != nullptr) OTF2_Archive_Close(archive_);
}

void WrittenArchive::writeEvents(const std::function<void()>& write) {
    check(OTF2_Archive_OpenEvtFiles(archive_), "the events");
    write();
    check(OTF2_Archive_CloseEvtFiles(archive_), "the events");
}

void WrittenArchive::close() {
    check(OTF2_Archive_Close(std::exchange(archive_, nullptr)), "the archive");
}

namespace {

std::string megabytes(std::uintmax_t bytes) {
    constexpr std::uintmax_t kTenth = 100'000;
    const std::uintmax_t tenths = (bytes + kTenth - 1) / kTenth;
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " MB";
}

class TraceWriter {
  public:
    TraceWriter(const fs::path& folder, TracePlan& plan, const Timeline& timeline, const TraceWriting& how,
                Otf2Complaints& complaints)
        : folder_(folder),
          plan_(plan),
          timeline_(timeline),
          how_(how),
          code_(static_cast<std::uint32_t>(plan.regions.size()), plan.bodies),
          written_(folder, complaints),
          archive_(written_.get()) {
        if (!plan.run.empty())
            check(OTF2_Archive_SetProperty(archive_, kRunProperty, plan.run.c_str(), true), "the archive");
    }

    Result write() {
        writeEvents();
        definitionChunk_ = definitionChunk(plan_, code_, mostContexts());  // samples bring texts
        check(OTF2_Archive_SetDefChunkSize(archive_, definitionChunk_), "the definitions");
        writeLocalDefinitions();
        writeGlobalDefinitions();
        written_.close();
        if (!plan_.run.empty()) writePlainFile(folder_ / "traces" / kRunOfEvents, plan_.run + '\n');
        writeSamples();
        result_.processes = plan_.processes.size();
        result_.notes = stops_.notes(plan_, code_);  // first: it is what is looked for after a crash
        result_.notes.insert(result_.notes.end(), plan_.notes.begin(), plan_.notes.end());
        return result_;
    }

  private:
    void writeEvents() {
        parts_ = partsOf(plan_);
        PartsTranslation translation(plan_, timeline_, code_, how_.beforeEach);
        written_.writeEvents([&] { translate(translation); });
        numberContexts();
        for (LocationPart& part : parts_) add(part);
        noteLost();
        if (std::string note = translation.noteOfPartners(); !note.empty())
            plan_.notes.push_back(std::move(note));
    }

    void translate(PartsTranslation& translation) {
        std::vector<LocationPart*> all;
        for (LocationPart& part : parts_) all.push_back(&part);
        if (how_.helpers == nullptr || how_.helpers->count() == 0) return translation.write(archive_, all);
        Order order = how_.order;
        order.plan = digestOf(plan_, timeline_);
        SharedTranslation shared(*how_.helpers, order, how_.directory, folder_, plan_, parts_);
        translation.write(archive_, shared.own());
        translation.write(archive_, shared.collect(code_));
    }

    /// In the order in which the locations met them, one location after the other.
    void numberContexts() {
        std::vector<std::uint32_t> order;
        for (const LocationPart& part : parts_)
            for (const MetContext& met : part.contexts) order.push_back(met.context);
        const std::vector<std::uint32_t> numbers = code_.renumber(order);
        for (LocationPart& part : parts_) {
            for (MetContext& met : part.contexts) met.context = numbers[met.context];
            const auto translate = [&part](std::uint32_t& context) {
                if (context != SampledContext::kNone) context = part.contexts[context].context;
            };
            if (part.done.lastRegion) translate(part.done.lastRegion->context);
            for (ProfiledPath& path : part.profile.paths) translate(path.context);
        }
    }

    std::size_t mostContexts() const {
        std::size_t most = 0;
        for (const LocationPart& part : parts_) most = std::max(most, part.contexts.size());
        return most;
    }

    void add(LocationPart& part) {
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

    /// By instruction: contexts have lines only.
    void writeSamples() const {
        std::map<std::string, SampledFile> files;
        for (const LocationPart& part : parts_)
            for (const auto& [address, known, samples] : part.instructions) {
                const RecordedProcess& process = *part.process->recorded;
                const RecordedFile* const file = SampledCode::fileAt(process, address, known);
                if (file == nullptr) continue;
                const std::string& path = file->path.empty() ? process.executable : file->path;
                SampledFile& one = files.try_emplace(path, SampledFile{path, file->buildId}).first->second;
                one.samples[address - file->begin] += samples;
            }
        if (files.empty()) return;
        SampledInstructions all;
        for (auto& [path, file] : files) all.push_back(std::move(file));
        writePlainFile(folder_ / "traces" / kSamplesOfEvents, instructionsText(all));
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

    /// The regions that were left by something else than their own end, the most frequent ones first.
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

    /// Local definitions have what the location's times and calling contexts are in the trace; other
    /// references are global already. Readers want to open those of all locations.
    void writeLocalDefinitions() {
        check(OTF2_Archive_OpenDefFiles(archive_), "local definitions");
        for (const LocationPart& part : parts_) {
            OTF2_DefWriter* out = OTF2_Archive_GetDefWriter(archive_, part.location->id);
            writeContextNumbers(out, part.contexts);
            if (const RecordedProcess* const recorded = part.process->recorded)
                for (const auto& offset : timeline_.offsets(*recorded))
                    check(OTF2_DefWriter_WriteClockOffset(out, static_cast<OTF2_TimeStamp>(offset.time),
                                                          offset.offset, offset.deviation),
                          "a clock offset");
            check(OTF2_Archive_CloseDefWriter(archive_, out), "local definitions");
        }
        check(OTF2_Archive_CloseDefFiles(archive_), "local definitions");
    }

    /// Nothing where they are the location's own.
    static void writeContextNumbers(OTF2_DefWriter* out, const std::vector<MetContext>& contexts) {
        std::vector<std::uint32_t> numbers;
        bool areOwn = true;
        for (const MetContext& met : contexts) {
            areOwn = areOwn && met.context == numbers.size();
            numbers.push_back(met.context);
        }
        if (areOwn) return;
        const std::unique_ptr<OTF2_IdMap, decltype(&OTF2_IdMap_Free)> map(
            OTF2_IdMap_CreateFromUint32Array(numbers.size(), numbers.data(), false), &OTF2_IdMap_Free);
        check(OTF2_DefWriter_WriteMappingTable(out, OTF2_MAPPING_CALLING_CONTEXT, map.get()),
              "the calling contexts of a location");
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
    const TraceWriting& how_;
    SampledCode code_;
    std::vector<LocationPart> parts_;
    WrittenArchive written_;
    OTF2_Archive* const archive_;
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
std::string complaintText(OTF2_ErrorCode code, const fs::path& folder, const TracePlan& plan) {
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
                  const TraceWriting& how) {
    Otf2Complaints complaints;
    try {
        Result result = TraceWriter(folder, plan, timeline, how, complaints).write();
        if (complaints.first() == OTF2_SUCCESS) return result;
    } catch (const Error&) {
        if (complaints.first() == OTF2_SUCCESS) throw;
    }
    throw Error("the trace cannot be written: " + complaintText(complaints.first(), folder, plan),
                {.file = folder.string()});
}

}  // namespace holos::archive
