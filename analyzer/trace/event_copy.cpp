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
#pragma GCC diagnostic pop

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
        copies<OTF2_EvtWriter_MeasurementOnOff>(c, OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback);
        copies<OTF2_EvtWriter_Enter>(c, OTF2_EvtReaderCallbacks_SetEnterCallback);
        copies<OTF2_EvtWriter_Leave>(c, OTF2_EvtReaderCallbacks_SetLeaveCallback);
        copies<OTF2_EvtWriter_MpiSend>(c, OTF2_EvtReaderCallbacks_SetMpiSendCallback);
        copies<OTF2_EvtWriter_MpiIsend>(c, OTF2_EvtReaderCallbacks_SetMpiIsendCallback);
        copies<OTF2_EvtWriter_MpiIsendComplete>(c, OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback);
        copies<OTF2_EvtWriter_MpiIrecvRequest>(c, OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback);
        copies<OTF2_EvtWriter_MpiRecv>(c, OTF2_EvtReaderCallbacks_SetMpiRecvCallback);
        copies<OTF2_EvtWriter_MpiIrecv>(c, OTF2_EvtReaderCallbacks_SetMpiIrecvCallback);
        copies<OTF2_EvtWriter_MpiRequestTest>(c, OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback);
        copies<OTF2_EvtWriter_MpiRequestCancelled>(c, OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback);
        copies<OTF2_EvtWriter_MpiCollectiveBegin>(c, OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback);
        copies<OTF2_EvtWriter_MpiCollectiveEnd>(c, OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback);
        copies<OTF2_EvtWriter_OmpFork>(c, OTF2_EvtReaderCallbacks_SetOmpForkCallback);
        copies<OTF2_EvtWriter_OmpJoin>(c, OTF2_EvtReaderCallbacks_SetOmpJoinCallback);
        copies<OTF2_EvtWriter_OmpAcquireLock>(c, OTF2_EvtReaderCallbacks_SetOmpAcquireLockCallback);
        copies<OTF2_EvtWriter_OmpReleaseLock>(c, OTF2_EvtReaderCallbacks_SetOmpReleaseLockCallback);
        copies<OTF2_EvtWriter_OmpTaskCreate>(c, OTF2_EvtReaderCallbacks_SetOmpTaskCreateCallback);
        copies<OTF2_EvtWriter_OmpTaskSwitch>(c, OTF2_EvtReaderCallbacks_SetOmpTaskSwitchCallback);
        copies<OTF2_EvtWriter_OmpTaskComplete>(c, OTF2_EvtReaderCallbacks_SetOmpTaskCompleteCallback);
        copies<OTF2_EvtWriter_Metric>(c, OTF2_EvtReaderCallbacks_SetMetricCallback);
        copies<OTF2_EvtWriter_ParameterString>(c, OTF2_EvtReaderCallbacks_SetParameterStringCallback);
        copies<OTF2_EvtWriter_ParameterInt>(c, OTF2_EvtReaderCallbacks_SetParameterIntCallback);
        copies<OTF2_EvtWriter_ParameterUnsignedInt>(c,
                                                    OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback);
        copies<OTF2_EvtWriter_RmaWinCreate>(c, OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback);
        copies<OTF2_EvtWriter_RmaWinDestroy>(c, OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback);
        copies<OTF2_EvtWriter_RmaCollectiveBegin>(c, OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback);
        copies<OTF2_EvtWriter_RmaCollectiveEnd>(c, OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback);
        copies<OTF2_EvtWriter_RmaGroupSync>(c, OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback);
        copies<OTF2_EvtWriter_RmaRequestLock>(c, OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback);
        copies<OTF2_EvtWriter_RmaAcquireLock>(c, OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback);
        copies<OTF2_EvtWriter_RmaTryLock>(c, OTF2_EvtReaderCallbacks_SetRmaTryLockCallback);
        copies<OTF2_EvtWriter_RmaReleaseLock>(c, OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback);
        copies<OTF2_EvtWriter_RmaSync>(c, OTF2_EvtReaderCallbacks_SetRmaSyncCallback);
        copies<OTF2_EvtWriter_RmaWaitChange>(c, OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback);
        copies<OTF2_EvtWriter_RmaPut>(c, OTF2_EvtReaderCallbacks_SetRmaPutCallback);
        copies<OTF2_EvtWriter_RmaGet>(c, OTF2_EvtReaderCallbacks_SetRmaGetCallback);
        copies<OTF2_EvtWriter_RmaAtomic>(c, OTF2_EvtReaderCallbacks_SetRmaAtomicCallback);
        copies<OTF2_EvtWriter_RmaOpCompleteBlocking>(
            c, OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback);
        copies<OTF2_EvtWriter_RmaOpCompleteNonBlocking>(
            c, OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback);
        copies<OTF2_EvtWriter_RmaOpTest>(c, OTF2_EvtReaderCallbacks_SetRmaOpTestCallback);
        copies<OTF2_EvtWriter_RmaOpCompleteRemote>(c, OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback);
        copies<OTF2_EvtWriter_ThreadFork>(c, OTF2_EvtReaderCallbacks_SetThreadForkCallback);
        copies<OTF2_EvtWriter_ThreadJoin>(c, OTF2_EvtReaderCallbacks_SetThreadJoinCallback);
        copies<OTF2_EvtWriter_ThreadTeamBegin>(c, OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback);
        copies<OTF2_EvtWriter_ThreadTeamEnd>(c, OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback);
        copies<OTF2_EvtWriter_ThreadAcquireLock>(c, OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback);
        copies<OTF2_EvtWriter_ThreadReleaseLock>(c, OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback);
        copies<OTF2_EvtWriter_ThreadTaskCreate>(c, OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback);
        copies<OTF2_EvtWriter_ThreadTaskSwitch>(c, OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback);
        copies<OTF2_EvtWriter_ThreadTaskComplete>(c, OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback);
        copies<OTF2_EvtWriter_ThreadCreate>(c, OTF2_EvtReaderCallbacks_SetThreadCreateCallback);
        copies<OTF2_EvtWriter_ThreadBegin>(c, OTF2_EvtReaderCallbacks_SetThreadBeginCallback);
        copies<OTF2_EvtWriter_ThreadWait>(c, OTF2_EvtReaderCallbacks_SetThreadWaitCallback);
        copies<OTF2_EvtWriter_ThreadEnd>(c, OTF2_EvtReaderCallbacks_SetThreadEndCallback);
        copies<OTF2_EvtWriter_CallingContextEnter>(c, OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback);
        copies<OTF2_EvtWriter_CallingContextLeave>(c, OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback);
        copies<OTF2_EvtWriter_CallingContextSample>(c,
                                                    OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback);
        copies<OTF2_EvtWriter_IoCreateHandle>(c, OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback);
        copies<OTF2_EvtWriter_IoDestroyHandle>(c, OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback);
        copies<OTF2_EvtWriter_IoDuplicateHandle>(c, OTF2_EvtReaderCallbacks_SetIoDuplicateHandleCallback);
        copies<OTF2_EvtWriter_IoSeek>(c, OTF2_EvtReaderCallbacks_SetIoSeekCallback);
        copies<OTF2_EvtWriter_IoChangeStatusFlags>(c, OTF2_EvtReaderCallbacks_SetIoChangeStatusFlagsCallback);
        copies<OTF2_EvtWriter_IoDeleteFile>(c, OTF2_EvtReaderCallbacks_SetIoDeleteFileCallback);
        copies<OTF2_EvtWriter_IoOperationBegin>(c, OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback);
        copies<OTF2_EvtWriter_IoOperationTest>(c, OTF2_EvtReaderCallbacks_SetIoOperationTestCallback);
        copies<OTF2_EvtWriter_IoOperationIssued>(c, OTF2_EvtReaderCallbacks_SetIoOperationIssuedCallback);
        copies<OTF2_EvtWriter_IoOperationComplete>(c, OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback);
        copies<OTF2_EvtWriter_IoOperationCancelled>(c,
                                                    OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback);
        copies<OTF2_EvtWriter_IoAcquireLock>(c, OTF2_EvtReaderCallbacks_SetIoAcquireLockCallback);
        copies<OTF2_EvtWriter_IoReleaseLock>(c, OTF2_EvtReaderCallbacks_SetIoReleaseLockCallback);
        copies<OTF2_EvtWriter_IoTryLock>(c, OTF2_EvtReaderCallbacks_SetIoTryLockCallback);
        copies<OTF2_EvtWriter_ProgramBegin>(c, OTF2_EvtReaderCallbacks_SetProgramBeginCallback);
        copies<OTF2_EvtWriter_ProgramEnd>(c, OTF2_EvtReaderCallbacks_SetProgramEndCallback);
        copies<OTF2_EvtWriter_NonBlockingCollectiveRequest>(
            c, OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback);
        copies<OTF2_EvtWriter_NonBlockingCollectiveComplete>(
            c, OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback);
        copies<OTF2_EvtWriter_CommCreate>(c, OTF2_EvtReaderCallbacks_SetCommCreateCallback);
        copies<OTF2_EvtWriter_CommDestroy>(c, OTF2_EvtReaderCallbacks_SetCommDestroyCallback);
    }
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
