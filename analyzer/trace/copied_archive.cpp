// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/copied_archive.h"

#include <otf2/OTF2_Pthread_Locks.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "analyzer/trace/file_end.h"
#include "analyzer/trace/found_messages.h"
#include "base/error.h"

namespace holos::analyzer::trace {

namespace fs = std::filesystem;

/// OTF2's callbacks. All of its events have the same form, for readers and for writers.
class EventCopy::Callbacks {
  public:
    static void registerAt(EventFile& file, EventCopy& copy) {
        const std::unique_ptr<OTF2_EvtReaderCallbacks, decltype(&OTF2_EvtReaderCallbacks_Delete)> callbacks(
            OTF2_EvtReaderCallbacks_New(), &OTF2_EvtReaderCallbacks_Delete);
        set(callbacks.get());
        OTF2_EvtReaderCallbacks_SetBufferFlushCallback(callbacks.get(), flush);
        OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks.get(), leaveOut);
        OTF2_Reader_RegisterEvtCallbacks(file.reader(), file.events(), callbacks.get(), &copy);
    }

  private:
    template <class... Values>
    using Callback = OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*,
                                           OTF2_AttributeList*, Values...);

// Kinds that OTF2 no longer recommends are copied as well.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    template <auto Write, class... Values>
    static void copies(OTF2_EvtReaderCallbacks* callbacks,
                       OTF2_ErrorCode (*set)(OTF2_EvtReaderCallbacks*, Callback<Values...>)) {
        set(callbacks, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                          OTF2_AttributeList* attributes, Values... values) {
            return static_cast<EventCopy*>(user)->copy(event, time, [&](OTF2_EvtWriter* out, auto now) {
                return Write(out, attributes, now, values...);
            });
        });
    }

    /// It is as long as recorded.
    static OTF2_CallbackCode flush(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t event, void* user,
                                   OTF2_AttributeList* attributes, OTF2_TimeStamp stop) {
        return static_cast<EventCopy*>(user)->copy(event, time, [&](OTF2_EvtWriter* out, auto now) {
            return OTF2_EvtWriter_BufferFlush(out, attributes, now, now + (stop - std::min(time, stop)));
        });
    }
    static OTF2_CallbackCode leaveOut(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t event, void* user,
                                      OTF2_AttributeList*) {
        auto& self = *static_cast<EventCopy*>(user);
        self.next_ = event + 1;
        ++self.leftOut_;
        return OTF2_CALLBACK_SUCCESS;
    }

    static void set(OTF2_EvtReaderCallbacks* c) {
        // Records whose callback writes them again, by their names in OTF2.
#define HOLOS_COPY(Record) copies<OTF2_EvtWriter_##Record>(c, OTF2_EvtReaderCallbacks_Set##Record##Callback)
        HOLOS_COPY(MeasurementOnOff);
        HOLOS_COPY(Enter);
        HOLOS_COPY(Leave);
        HOLOS_COPY(MpiSend);
        HOLOS_COPY(MpiIsend);
        HOLOS_COPY(MpiIsendComplete);
        HOLOS_COPY(MpiIrecvRequest);
        HOLOS_COPY(MpiRecv);
        HOLOS_COPY(MpiIrecv);
        HOLOS_COPY(MpiRequestTest);
        HOLOS_COPY(MpiRequestCancelled);
        HOLOS_COPY(MpiCollectiveBegin);
        HOLOS_COPY(MpiCollectiveEnd);
        HOLOS_COPY(OmpFork);
        HOLOS_COPY(OmpJoin);
        HOLOS_COPY(OmpAcquireLock);
        HOLOS_COPY(OmpReleaseLock);
        HOLOS_COPY(OmpTaskCreate);
        HOLOS_COPY(OmpTaskSwitch);
        HOLOS_COPY(OmpTaskComplete);
        HOLOS_COPY(Metric);
        HOLOS_COPY(ParameterString);
        HOLOS_COPY(ParameterInt);
        HOLOS_COPY(ParameterUnsignedInt);
        HOLOS_COPY(RmaWinCreate);
        HOLOS_COPY(RmaWinDestroy);
        HOLOS_COPY(RmaCollectiveBegin);
        HOLOS_COPY(RmaCollectiveEnd);
        HOLOS_COPY(RmaGroupSync);
        HOLOS_COPY(RmaRequestLock);
        HOLOS_COPY(RmaAcquireLock);
        HOLOS_COPY(RmaTryLock);
        HOLOS_COPY(RmaReleaseLock);
        HOLOS_COPY(RmaSync);
        HOLOS_COPY(RmaWaitChange);
        HOLOS_COPY(RmaPut);
        HOLOS_COPY(RmaGet);
        HOLOS_COPY(RmaAtomic);
        HOLOS_COPY(RmaOpCompleteBlocking);
        HOLOS_COPY(RmaOpCompleteNonBlocking);
        HOLOS_COPY(RmaOpTest);
        HOLOS_COPY(RmaOpCompleteRemote);
        HOLOS_COPY(ThreadFork);
        HOLOS_COPY(ThreadJoin);
        HOLOS_COPY(ThreadTeamBegin);
        HOLOS_COPY(ThreadTeamEnd);
        HOLOS_COPY(ThreadAcquireLock);
        HOLOS_COPY(ThreadReleaseLock);
        HOLOS_COPY(ThreadTaskCreate);
        HOLOS_COPY(ThreadTaskSwitch);
        HOLOS_COPY(ThreadTaskComplete);
        HOLOS_COPY(ThreadCreate);
        HOLOS_COPY(ThreadBegin);
        HOLOS_COPY(ThreadWait);
        HOLOS_COPY(ThreadEnd);
        HOLOS_COPY(CallingContextEnter);
        HOLOS_COPY(CallingContextLeave);
        HOLOS_COPY(CallingContextSample);
        HOLOS_COPY(IoCreateHandle);
        HOLOS_COPY(IoDestroyHandle);
        HOLOS_COPY(IoDuplicateHandle);
        HOLOS_COPY(IoSeek);
        HOLOS_COPY(IoChangeStatusFlags);
        HOLOS_COPY(IoDeleteFile);
        HOLOS_COPY(IoOperationBegin);
        HOLOS_COPY(IoOperationTest);
        HOLOS_COPY(IoOperationIssued);
        HOLOS_COPY(IoOperationComplete);
        HOLOS_COPY(IoOperationCancelled);
        HOLOS_COPY(IoAcquireLock);
        HOLOS_COPY(IoReleaseLock);
        HOLOS_COPY(IoTryLock);
        HOLOS_COPY(ProgramBegin);
        HOLOS_COPY(ProgramEnd);
        HOLOS_COPY(NonBlockingCollectiveRequest);
        HOLOS_COPY(NonBlockingCollectiveComplete);
        HOLOS_COPY(CommCreate);
        HOLOS_COPY(CommDestroy);
#if HOLOS_OTF2_KNOWS_FOUND_MESSAGES
        HOLOS_COPY(MpiProbe);
        HOLOS_COPY(MpiMrecv);
        HOLOS_COPY(MpiImrecvRequest);
        HOLOS_COPY(MpiImrecv);
#endif
#undef HOLOS_COPY
    }
#pragma GCC diagnostic pop
};

EventCopy::EventCopy(const std::filesystem::path& anchor, const Definitions& definitions, LocationId location,
                     OTF2_Archive* target)
    : offset_(definitions.clock.globalOffset),
      reference_(definitions[location].reference),
      file_(anchor, definitions, location),
      target_(target),
      out_(OTF2_Archive_GetEvtWriter(target, reference_)) {
    if (out_ == nullptr) failure_ = "no file for them can be made";
    throwFailure();
    if (file_.events() != nullptr) Callbacks::registerAt(file_, *this);
}

void EventCopy::note(OTF2_ErrorCode code, const ErrorCapture& complaints) {
    if (failure_.empty() && (code != OTF2_SUCCESS || !complaints.empty()))
        failure_ = complaints.message(code);
}

void EventCopy::throwFailure() const {
    if (failure_.empty()) return;
    throw Error("the events of location " + std::to_string(reference_) + " cannot be written: " + failure_);
}

template <class Write>
OTF2_CallbackCode EventCopy::copy(std::uint64_t event, OTF2_TimeStamp time, Write&& write) {
    last_ = std::max(last_, (*timeOf_)(static_cast<Ticks>(time - offset_)));
    next_ = event + 1;
    const ErrorCapture complaints(ErrorCapture::Then::GoesOn);
    note(write(out_, offset_ + static_cast<OTF2_TimeStamp>(last_)), complaints);
    if (!failure_.empty()) return OTF2_CALLBACK_INTERRUPT;
    ++events_;
    return OTF2_CALLBACK_SUCCESS;
}

void EventCopy::copyBefore(std::uint64_t event, const TimeOf& timeOf) {
    timeOf_ = &timeOf;
    while (next_ < event && file_.events() != nullptr && file_.step()) {
    }
    throwFailure();
}

std::uint64_t EventCopy::finish(const TimeOf& timeOf) {
    copyBefore(std::numeric_limits<std::uint64_t>::max(), timeOf);
    const ErrorCapture complaints(ErrorCapture::Then::GoesOn);
    note(OTF2_Archive_CloseEvtWriter(target_, std::exchange(out_, nullptr)), complaints);
    throwFailure();
    return events_;
}

EventCopy::~EventCopy() {
    if (out_ != nullptr) OTF2_Archive_CloseEvtWriter(target_, out_);
}

namespace {

/// What the callbacks know.
struct DefinitionCopy {
    OTF2_GlobalDefWriter* out;
    const CopiedEvents& copied;
    OTF2_ErrorCode failure = OTF2_SUCCESS;

    OTF2_CallbackCode wrote(OTF2_ErrorCode code) {
        failure = code;
        return code == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
    }
};

DefinitionCopy& copyOf(void* user) {
    return *static_cast<DefinitionCopy*>(user);
}

// Kinds that OTF2 no longer recommends are copied as well.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
/// All definitions have the same form, for readers and for writers.
template <auto Write, class... Values>
void copies(OTF2_GlobalDefReaderCallbacks* callbacks,
            OTF2_ErrorCode (*set)(OTF2_GlobalDefReaderCallbacks*, OTF2_CallbackCode (*)(void*, Values...))) {
    set(callbacks,
        [](void* user, Values... values) { return copyOf(user).wrote(Write(copyOf(user).out, values...)); });
}
#pragma GCC diagnostic pop

void setCopied(OTF2_GlobalDefReaderCallbacks* c) {
    // Records whose callback writes them again, by their names in OTF2.
#define HOLOS_COPY(Record) \
    copies<OTF2_GlobalDefWriter_Write##Record>(c, OTF2_GlobalDefReaderCallbacks_Set##Record##Callback)
    HOLOS_COPY(Paradigm);
    HOLOS_COPY(ParadigmProperty);
    HOLOS_COPY(IoParadigm);
    HOLOS_COPY(String);
    HOLOS_COPY(Attribute);
    HOLOS_COPY(SystemTreeNode);
    HOLOS_COPY(LocationGroup);
    HOLOS_COPY(Region);
    HOLOS_COPY(Callsite);
    HOLOS_COPY(Callpath);
    HOLOS_COPY(Group);
    HOLOS_COPY(MetricMember);
    HOLOS_COPY(MetricClass);
    HOLOS_COPY(MetricInstance);
    HOLOS_COPY(Comm);
    HOLOS_COPY(Parameter);
    HOLOS_COPY(RmaWin);
    HOLOS_COPY(MetricClassRecorder);
    HOLOS_COPY(SystemTreeNodeProperty);
    HOLOS_COPY(SystemTreeNodeDomain);
    HOLOS_COPY(LocationGroupProperty);
    HOLOS_COPY(LocationProperty);
    HOLOS_COPY(CartDimension);
    HOLOS_COPY(CartTopology);
    HOLOS_COPY(CartCoordinate);
    HOLOS_COPY(SourceCodeLocation);
    HOLOS_COPY(CallingContext);
    HOLOS_COPY(CallingContextProperty);
    HOLOS_COPY(InterruptGenerator);
    HOLOS_COPY(IoFileProperty);
    HOLOS_COPY(IoRegularFile);
    HOLOS_COPY(IoDirectory);
    HOLOS_COPY(IoHandle);
    HOLOS_COPY(IoPreCreatedHandleState);
    HOLOS_COPY(CallpathParameter);
    HOLOS_COPY(InterComm);
#undef HOLOS_COPY
}

void setChanged(OTF2_GlobalDefReaderCallbacks* c) {
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(
        c,
        [](void* user, std::uint64_t resolution, std::uint64_t offset, std::uint64_t, std::uint64_t begin) {
            return copyOf(user).wrote(OTF2_GlobalDefWriter_WriteClockProperties(
                copyOf(user).out, resolution, offset, copyOf(user).copied.length, begin));
        });
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(
        c, [](void* user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, std::uint64_t,
              OTF2_LocationGroupRef group) {
            const auto events = copyOf(user).copied.events.find(self);
            const std::uint64_t count = events != copyOf(user).copied.events.end() ? events->second : 0;
            return copyOf(user).wrote(
                OTF2_GlobalDefWriter_WriteLocation(copyOf(user).out, self, name, type, count, group));
        });
}

}  // namespace

void copyDefinitions(OTF2_Reader* reader, OTF2_GlobalDefWriter* target, const CopiedEvents& copied,
                     const std::string& file) {
    const ErrorCapture capture(ErrorCapture::Then::GoesOn);
    const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, decltype(&OTF2_GlobalDefReaderCallbacks_Delete)>
        callbacks(OTF2_GlobalDefReaderCallbacks_New(), &OTF2_GlobalDefReaderCallbacks_Delete);
    setCopied(callbacks.get());
    setChanged(callbacks.get());
    DefinitionCopy copy{target, copied};
    OTF2_GlobalDefReader* source = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, source, callbacks.get(), &copy);
    std::uint64_t read = 0;
    const OTF2_ErrorCode result = OTF2_Reader_ReadAllGlobalDefinitions(reader, source, &read);
    check(copy.failure, capture, file, "writing the definitions");
    check(result, capture, file, "copying the definitions");
}

namespace {

OTF2_FlushType writeAlways(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    return OTF2_FLUSH;
}
constexpr OTF2_FlushCallbacks kWriteAlways{writeAlways, nullptr};

/// Chunks as those of the archive that is copied, which its longest records fit in.
ChunkSizes chunksFor(OTF2_Reader* reader) {
    constexpr std::uint64_t kUsual = 1024 * 1024;
    ChunkSizes sizes = chunkSizesOf(reader);
    if (sizes.events == 0) sizes.events = kUsual;
    if (sizes.definitions == 0) sizes.definitions = 4 * kUsual;
    return sizes;
}

}  // namespace

RetimedArchive::RetimedArchive(const std::filesystem::path& anchor, const Definitions& definitions,
                               const std::filesystem::path& folder)
    : anchor_(anchor),
      definitions_(definitions),
      reader_(OTF2_Reader_Open(anchor.string().c_str()), &OTF2_Reader_Close) {
    const ErrorCapture capture;
    if (!reader_)
        throw Error("cannot be opened again: " + capture.message(OTF2_ERROR_FILE_INTERACTION),
                    {.file = anchor.string()});
    OTF2_Reader_SetSerialCollectiveCallbacks(reader_.get());
    const ChunkSizes chunks = chunksFor(reader_.get());
    archive_ = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, chunks.events,
                                 chunks.definitions, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive_ == nullptr)
        throw Error("no trace can be made there: " + capture.message(OTF2_ERROR_FILE_CAN_NOT_OPEN),
                    {.file = folder.string()});
    OTF2_Archive_SetFlushCallbacks(archive_, &kWriteAlways, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive_);
    OTF2_Pthread_Archive_SetLockingCallbacks(archive_, nullptr);
    OTF2_Archive_SetCreator(archive_, "Holos, as a prediction");
    copyProperties();
    check(OTF2_Archive_OpenEvtFiles(archive_), capture, folder.string(), "writing the trace");
}

RetimedArchive::~RetimedArchive() {
    const ErrorCapture silence;
    if (archive_ != nullptr) OTF2_Archive_Close(archive_);
}

void RetimedArchive::copyProperties() {
    std::uint32_t count = 0;
    char** names = nullptr;
    if (OTF2_Reader_GetPropertyNames(reader_.get(), &count, &names) != OTF2_SUCCESS) return;
    for (std::uint32_t i = 0; i < count; ++i) {
        char* value = nullptr;
        if (OTF2_Reader_GetProperty(reader_.get(), names[i], &value) != OTF2_SUCCESS) continue;
        OTF2_Archive_SetProperty(archive_, names[i], value, true);
        std::free(value);  // NOLINT(cppcoreguidelines-no-malloc): OTF2 has allocated it
    }
    std::free(names);  // NOLINT(cppcoreguidelines-no-malloc): the same, with all names in it
}

std::unique_ptr<EventCopy> RetimedArchive::copyOf(LocationId location) const {
    return std::make_unique<EventCopy>(anchor_, definitions_, location, archive_);
}

void RetimedArchive::add(const EventCopy& copy, std::uint64_t events) {
    const std::lock_guard lock(mutex_);
    copied_.events[copy.reference()] = events;
    leftOut_ += copy.leftOut();
}

void RetimedArchive::finish(std::uint64_t length) {
    const ErrorCapture capture(ErrorCapture::Then::GoesOn);
    copied_.length = length;
    const auto checked = [&](OTF2_ErrorCode code) {
        check(code, capture, anchor_.string(), "copying the trace");
    };
    checked(OTF2_Archive_CloseEvtFiles(archive_));
    writeLocalDefinitions();
    writeGlobalDefinitions();
    checked(OTF2_Archive_Close(std::exchange(archive_, nullptr)));
    if (!capture.empty()) checked(OTF2_ERROR_FILE_INTERACTION);
}

/// Local definitions are empty, as references are global already; readers want to open their files.
void RetimedArchive::writeLocalDefinitions() {
    OTF2_Archive_OpenDefFiles(archive_);
    for (const Location& location : definitions_.locations)
        OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, location.reference));
    OTF2_Archive_CloseDefFiles(archive_);
}

void RetimedArchive::writeGlobalDefinitions() {
    OTF2_GlobalDefWriter* out = OTF2_Archive_GetGlobalDefWriter(archive_);
    copyDefinitions(reader_.get(), out, copied_, anchor_.string());
    OTF2_Archive_CloseGlobalDefWriter(archive_, out);
}

ShortenedArchive::ShortenedArchive(const fs::path& anchor, const fs::path& folder)
    : original_(fs::absolute(anchor)), folder_(folder), anchor_(folder_.path() / original_.filename()) {
    std::error_code error;
    fs::create_symlink(original_, anchor_, error);
    if (!error) fs::create_directory(folder_.path() / original_.stem(), error);
    if (!error) chunkSize_ = chunkSizesOf(anchor_).events;
}

std::unique_ptr<EventFile> ShortenedArchive::open(const Definitions& definitions, LocationId location,
                                                  const std::vector<QuietCalls>& without) const {
    const std::uint64_t number = definitions[location].reference;
    const fs::path events = locationFile(anchor_, number, ".evt");
    const fs::path local = locationFile(anchor_, number, ".def");
    const fs::path originalLocal = locationFile(original_, number, ".def");
    const bool hasLocal = hasDefinitions(originalLocal);
    std::error_code error;
    if (hasLocal) fs::create_symlink(originalLocal, local, error);
    std::unique_ptr<EventFile> file;
    if (!error && copyWithout(without, locationFile(original_, number, ".evt"), chunkSize_, events))
        file = std::make_unique<EventFile>(anchor_, definitions, location, original_);
    // What is open stays open.
    fs::remove(events, error);
    if (hasLocal) fs::remove(local, error);
    return file && file->events() != nullptr && !file->outcome().problem ? std::move(file) : nullptr;
}

}  // namespace holos::analyzer::trace
