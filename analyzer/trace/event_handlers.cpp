// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/event_handlers.h"

#include <memory>

namespace holos::analyzer::trace {

/// OTF2's callbacks. All of its events have the same form.
class LibraryEvents::Callbacks {
  public:
    static void registerAt(OTF2_Reader* reader, OTF2_EvtReader* events, LibraryEvents& target) {
        const std::unique_ptr<OTF2_EvtReaderCallbacks, decltype(&OTF2_EvtReaderCallbacks_Delete)> callbacks(
            OTF2_EvtReaderCallbacks_New(), &OTF2_EvtReaderCallbacks_Delete);
        set(callbacks.get());
        OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks.get(), &target);
    }

  private:
    template <class... Values>
    using Callback = OTF2_CallbackCode (*)(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*,
                                           OTF2_AttributeList*, Values...);

    template <auto handler, class... Values>
    static OTF2_CallbackCode tell(OTF2_LocationRef location, OTF2_TimeStamp time, std::uint64_t event,
                                  void* user, OTF2_AttributeList* attributes, Values... values) {
        const auto& target = *static_cast<const LibraryEvents*>(user);
        const auto function = target.handlers_.*handler;
        return function != nullptr ? function(location, time, event, target.user_, attributes, values...)
                                   : OTF2_CALLBACK_SUCCESS;
    }
    template <auto handler, class... Values>
    static void hand(OTF2_EvtReaderCallbacks* callbacks,
                     OTF2_ErrorCode (*set)(OTF2_EvtReaderCallbacks*, Callback<Values...>)) {
        set(callbacks, &tell<handler, Values...>);
    }

    static void set(OTF2_EvtReaderCallbacks* c) {
        hand<&EventHandlers::enter>(c, OTF2_EvtReaderCallbacks_SetEnterCallback);
        hand<&EventHandlers::leave>(c, OTF2_EvtReaderCallbacks_SetLeaveCallback);
        hand<&EventHandlers::callingContextEnter>(c, OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback);
        hand<&EventHandlers::callingContextLeave>(c, OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback);
        hand<&EventHandlers::callingContextSample>(c,
                                                   OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback);
        hand<&EventHandlers::bufferFlush>(c, OTF2_EvtReaderCallbacks_SetBufferFlushCallback);
        hand<&EventHandlers::measurementOnOff>(c, OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback);
        hand<&EventHandlers::metric>(c, OTF2_EvtReaderCallbacks_SetMetricCallback);
        hand<&EventHandlers::programBegin>(c, OTF2_EvtReaderCallbacks_SetProgramBeginCallback);
        hand<&EventHandlers::programEnd>(c, OTF2_EvtReaderCallbacks_SetProgramEndCallback);
        hand<&EventHandlers::parameterInt>(c, OTF2_EvtReaderCallbacks_SetParameterIntCallback);
        hand<&EventHandlers::parameterUnsignedInt>(c,
                                                   OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback);
        hand<&EventHandlers::parameterString>(c, OTF2_EvtReaderCallbacks_SetParameterStringCallback);
        hand<&EventHandlers::unknown>(c, OTF2_EvtReaderCallbacks_SetUnknownCallback);
        hand<&EventHandlers::mpiSend>(c, OTF2_EvtReaderCallbacks_SetMpiSendCallback);
        hand<&EventHandlers::mpiIsend>(c, OTF2_EvtReaderCallbacks_SetMpiIsendCallback);
        hand<&EventHandlers::mpiIsendComplete>(c, OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback);
        hand<&EventHandlers::mpiIrecvRequest>(c, OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback);
        hand<&EventHandlers::mpiRecv>(c, OTF2_EvtReaderCallbacks_SetMpiRecvCallback);
        hand<&EventHandlers::mpiIrecv>(c, OTF2_EvtReaderCallbacks_SetMpiIrecvCallback);
        hand<&EventHandlers::mpiRequestCancelled>(c, OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback);
        hand<&EventHandlers::mpiCollectiveBegin>(c, OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback);
        hand<&EventHandlers::mpiCollectiveEnd>(c, OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback);
        hand<&EventHandlers::nonBlockingCollectiveRequest>(
            c, OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback);
        hand<&EventHandlers::nonBlockingCollectiveComplete>(
            c, OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback);
        hand<&EventHandlers::rmaCollectiveBegin>(c, OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback);
        hand<&EventHandlers::rmaCollectiveEnd>(c, OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback);
        hand<&EventHandlers::rmaGroupSync>(c, OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback);
        hand<&EventHandlers::rmaRequestLock>(c, OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback);
        hand<&EventHandlers::rmaReleaseLock>(c, OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback);
        hand<&EventHandlers::rmaPut>(c, OTF2_EvtReaderCallbacks_SetRmaPutCallback);
        hand<&EventHandlers::rmaGet>(c, OTF2_EvtReaderCallbacks_SetRmaGetCallback);
        hand<&EventHandlers::rmaAtomic>(c, OTF2_EvtReaderCallbacks_SetRmaAtomicCallback);
        hand<&EventHandlers::rmaOpCompleteNonBlocking>(
            c, OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback);
        hand<&EventHandlers::rmaOpCompleteRemote>(c, OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback);
        hand<&EventHandlers::threadFork>(c, OTF2_EvtReaderCallbacks_SetThreadForkCallback);
        hand<&EventHandlers::threadJoin>(c, OTF2_EvtReaderCallbacks_SetThreadJoinCallback);
        hand<&EventHandlers::threadTeamBegin>(c, OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback);
        hand<&EventHandlers::threadTeamEnd>(c, OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback);
        hand<&EventHandlers::threadCreate>(c, OTF2_EvtReaderCallbacks_SetThreadCreateCallback);
        hand<&EventHandlers::threadBegin>(c, OTF2_EvtReaderCallbacks_SetThreadBeginCallback);
        hand<&EventHandlers::threadWait>(c, OTF2_EvtReaderCallbacks_SetThreadWaitCallback);
        hand<&EventHandlers::threadEnd>(c, OTF2_EvtReaderCallbacks_SetThreadEndCallback);
        hand<&EventHandlers::threadAcquireLock>(c, OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback);
        hand<&EventHandlers::threadReleaseLock>(c, OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback);
        hand<&EventHandlers::threadTaskSwitch>(c, OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback);
        hand<&EventHandlers::threadTaskComplete>(c, OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback);
        hand<&EventHandlers::ioCreateHandle>(c, OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback);
        hand<&EventHandlers::ioDestroyHandle>(c, OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback);
        hand<&EventHandlers::ioSeek>(c, OTF2_EvtReaderCallbacks_SetIoSeekCallback);
        hand<&EventHandlers::ioOperationBegin>(c, OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback);
        hand<&EventHandlers::ioOperationComplete>(c, OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback);
        hand<&EventHandlers::ioOperationCancelled>(c,
                                                   OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback);
        setFound(c);
    }

#if HOLOS_OTF2_KNOWS_FOUND_MESSAGES
    static FoundMessages& foundOf(void* user) {
        return static_cast<LibraryEvents*>(user)->found_;
    }

    static OTF2_CallbackCode probe(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* user,
                                   OTF2_AttributeList*, std::uint32_t sender, OTF2_CommRef comm,
                                   std::uint32_t tag, std::uint64_t message) {
        foundOf(user).probe(message, {sender, comm, tag});
        return OTF2_CALLBACK_SUCCESS;
    }
    static OTF2_CallbackCode receive(OTF2_LocationRef location, OTF2_TimeStamp time, std::uint64_t event,
                                     void* user, OTF2_AttributeList* attributes, std::uint64_t message,
                                     std::uint64_t length) {
        const auto from = foundOf(user).receive(message);
        return from ? tell<&EventHandlers::mpiRecv>(location, time, event, user, attributes, from->sender,
                                                    from->comm, from->tag, length)
                    : OTF2_CALLBACK_SUCCESS;
    }
    static OTF2_CallbackCode request(OTF2_LocationRef location, OTF2_TimeStamp time, std::uint64_t event,
                                     void* user, OTF2_AttributeList* attributes, std::uint64_t message,
                                     std::uint64_t request) {
        return foundOf(user).request(message, request)
                   ? tell<&EventHandlers::mpiIrecvRequest>(location, time, event, user, attributes, request)
                   : OTF2_CALLBACK_SUCCESS;
    }
    static OTF2_CallbackCode complete(OTF2_LocationRef location, OTF2_TimeStamp time, std::uint64_t event,
                                      void* user, OTF2_AttributeList* attributes, std::uint64_t request,
                                      std::uint64_t length) {
        const auto from = foundOf(user).complete(request);
        return from ? tell<&EventHandlers::mpiIrecv>(location, time, event, user, attributes, from->sender,
                                                     from->comm, from->tag, length, request)
                    : OTF2_CALLBACK_SUCCESS;
    }
    static void setFound(OTF2_EvtReaderCallbacks* c) {
        OTF2_EvtReaderCallbacks_SetMpiProbeCallback(c, probe);
        OTF2_EvtReaderCallbacks_SetMpiMrecvCallback(c, receive);
        OTF2_EvtReaderCallbacks_SetMpiImrecvRequestCallback(c, request);
        OTF2_EvtReaderCallbacks_SetMpiImrecvCallback(c, complete);
    }
#else
    static void setFound(OTF2_EvtReaderCallbacks*) {}
#endif
};

void LibraryEvents::registerAt(OTF2_Reader* reader, OTF2_EvtReader* events, const EventHandlers& handlers,
                               void* user) {
    handlers_ = handlers;
    user_ = user;
    Callbacks::registerAt(reader, events, *this);
}

}  // namespace holos::analyzer::trace
