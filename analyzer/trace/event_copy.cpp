// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/event_copy.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.h"

namespace holos::analyzer::trace {

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

}  // namespace holos::analyzer::trace
