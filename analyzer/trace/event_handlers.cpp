// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/event_handlers.h"

#include <memory>

namespace holos::analyzer::trace {

void EventHandlers::registerAt(OTF2_Reader* reader, OTF2_EvtReader* events, void* user) const {
    const std::unique_ptr<OTF2_EvtReaderCallbacks, decltype(&OTF2_EvtReaderCallbacks_Delete)> callbacks(
        OTF2_EvtReaderCallbacks_New(), &OTF2_EvtReaderCallbacks_Delete);
    OTF2_EvtReaderCallbacks* const c = callbacks.get();
    OTF2_EvtReaderCallbacks_SetEnterCallback(c, enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(c, leave);
    OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(c, callingContextEnter);
    OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(c, callingContextLeave);
    OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(c, callingContextSample);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(c, bufferFlush);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(c, measurementOnOff);
    OTF2_EvtReaderCallbacks_SetMetricCallback(c, metric);
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(c, programBegin);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(c, programEnd);
    OTF2_EvtReaderCallbacks_SetParameterIntCallback(c, parameterInt);
    OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(c, parameterUnsignedInt);
    OTF2_EvtReaderCallbacks_SetParameterStringCallback(c, parameterString);
    OTF2_EvtReaderCallbacks_SetUnknownCallback(c, unknown);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, mpiSend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, mpiIsend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(c, mpiIsendComplete);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(c, mpiIrecvRequest);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, mpiRecv);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, mpiIrecv);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(c, mpiRequestCancelled);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(c, mpiCollectiveBegin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, mpiCollectiveEnd);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(c, nonBlockingCollectiveRequest);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(c, nonBlockingCollectiveComplete);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(c, rmaCollectiveBegin);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(c, rmaCollectiveEnd);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(c, rmaGroupSync);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(c, rmaRequestLock);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(c, rmaReleaseLock);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(c, rmaPut);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(c, rmaGet);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(c, rmaAtomic);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(c, rmaOpCompleteNonBlocking);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(c, rmaOpCompleteRemote);
    OTF2_EvtReaderCallbacks_SetThreadForkCallback(c, threadFork);
    OTF2_EvtReaderCallbacks_SetThreadJoinCallback(c, threadJoin);
    OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(c, threadTeamBegin);
    OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(c, threadTeamEnd);
    OTF2_EvtReaderCallbacks_SetThreadCreateCallback(c, threadCreate);
    OTF2_EvtReaderCallbacks_SetThreadBeginCallback(c, threadBegin);
    OTF2_EvtReaderCallbacks_SetThreadWaitCallback(c, threadWait);
    OTF2_EvtReaderCallbacks_SetThreadEndCallback(c, threadEnd);
    OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(c, threadAcquireLock);
    OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(c, threadReleaseLock);
    OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(c, threadTaskSwitch);
    OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback(c, threadTaskComplete);
    OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(c, ioCreateHandle);
    OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(c, ioDestroyHandle);
    OTF2_EvtReaderCallbacks_SetIoSeekCallback(c, ioSeek);
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(c, ioOperationBegin);
    OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(c, ioOperationComplete);
    OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback(c, ioOperationCancelled);
    OTF2_Reader_RegisterEvtCallbacks(reader, events, c, user);
}

}  // namespace holos::analyzer::trace
