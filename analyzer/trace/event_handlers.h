// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "analyzer/trace/found_messages.h"

namespace holos::analyzer::trace {

/// An enter or a leave that says nothing but its region.
struct PlainCall {
    OTF2_TimeStamp time;
    OTF2_RegionRef region;
    bool isEnter;
};

/// Of several events, how many came, the last of them included that said to stop.
struct CallsTaken {
    std::size_t events;
    OTF2_CallbackCode code;
};

/// What is done for each kind of event, by functions as OTF2's reader calls them. Nothing where there is no
/// function. Both ways to read call the same functions with the same values.
struct EventHandlers {
    /// Enters and leaves one directly after the other, of which the first has this number. Without this
    /// function each of them goes to `enter` or `leave`, as do those with attributes.
    CallsTaken (*calls)(void* user, std::uint64_t first, std::span<const PlainCall> calls) = nullptr;

    OTF2_EvtReaderCallback_Enter enter = nullptr;
    OTF2_EvtReaderCallback_Leave leave = nullptr;
    OTF2_EvtReaderCallback_CallingContextEnter callingContextEnter = nullptr;
    OTF2_EvtReaderCallback_CallingContextLeave callingContextLeave = nullptr;
    OTF2_EvtReaderCallback_CallingContextSample callingContextSample = nullptr;
    OTF2_EvtReaderCallback_BufferFlush bufferFlush = nullptr;
    OTF2_EvtReaderCallback_MeasurementOnOff measurementOnOff = nullptr;
    OTF2_EvtReaderCallback_Metric metric = nullptr;
    OTF2_EvtReaderCallback_ProgramBegin programBegin = nullptr;
    OTF2_EvtReaderCallback_ProgramEnd programEnd = nullptr;
    OTF2_EvtReaderCallback_ParameterInt parameterInt = nullptr;
    OTF2_EvtReaderCallback_ParameterUnsignedInt parameterUnsignedInt = nullptr;
    OTF2_EvtReaderCallback_ParameterString parameterString = nullptr;
    OTF2_EvtReaderCallback_Unknown unknown = nullptr;

    OTF2_EvtReaderCallback_MpiSend mpiSend = nullptr;
    OTF2_EvtReaderCallback_MpiIsend mpiIsend = nullptr;
    OTF2_EvtReaderCallback_MpiIsendComplete mpiIsendComplete = nullptr;
    OTF2_EvtReaderCallback_MpiIrecvRequest mpiIrecvRequest = nullptr;
    OTF2_EvtReaderCallback_MpiRecv mpiRecv = nullptr;
    OTF2_EvtReaderCallback_MpiIrecv mpiIrecv = nullptr;
    OTF2_EvtReaderCallback_MpiRequestCancelled mpiRequestCancelled = nullptr;
    OTF2_EvtReaderCallback_MpiCollectiveBegin mpiCollectiveBegin = nullptr;
    OTF2_EvtReaderCallback_MpiCollectiveEnd mpiCollectiveEnd = nullptr;
    OTF2_EvtReaderCallback_NonBlockingCollectiveRequest nonBlockingCollectiveRequest = nullptr;
    OTF2_EvtReaderCallback_NonBlockingCollectiveComplete nonBlockingCollectiveComplete = nullptr;

    OTF2_EvtReaderCallback_RmaCollectiveBegin rmaCollectiveBegin = nullptr;
    OTF2_EvtReaderCallback_RmaCollectiveEnd rmaCollectiveEnd = nullptr;
    OTF2_EvtReaderCallback_RmaGroupSync rmaGroupSync = nullptr;
    OTF2_EvtReaderCallback_RmaRequestLock rmaRequestLock = nullptr;
    OTF2_EvtReaderCallback_RmaReleaseLock rmaReleaseLock = nullptr;
    OTF2_EvtReaderCallback_RmaPut rmaPut = nullptr;
    OTF2_EvtReaderCallback_RmaGet rmaGet = nullptr;
    OTF2_EvtReaderCallback_RmaAtomic rmaAtomic = nullptr;
    OTF2_EvtReaderCallback_RmaOpCompleteNonBlocking rmaOpCompleteNonBlocking = nullptr;
    OTF2_EvtReaderCallback_RmaOpCompleteRemote rmaOpCompleteRemote = nullptr;

    OTF2_EvtReaderCallback_ThreadFork threadFork = nullptr;
    OTF2_EvtReaderCallback_ThreadJoin threadJoin = nullptr;
    OTF2_EvtReaderCallback_ThreadTeamBegin threadTeamBegin = nullptr;
    OTF2_EvtReaderCallback_ThreadTeamEnd threadTeamEnd = nullptr;
    OTF2_EvtReaderCallback_ThreadCreate threadCreate = nullptr;
    OTF2_EvtReaderCallback_ThreadBegin threadBegin = nullptr;
    OTF2_EvtReaderCallback_ThreadWait threadWait = nullptr;
    OTF2_EvtReaderCallback_ThreadEnd threadEnd = nullptr;
    OTF2_EvtReaderCallback_ThreadAcquireLock threadAcquireLock = nullptr;
    OTF2_EvtReaderCallback_ThreadReleaseLock threadReleaseLock = nullptr;
    OTF2_EvtReaderCallback_ThreadTaskSwitch threadTaskSwitch = nullptr;
    OTF2_EvtReaderCallback_ThreadTaskComplete threadTaskComplete = nullptr;

    OTF2_EvtReaderCallback_IoCreateHandle ioCreateHandle = nullptr;
    OTF2_EvtReaderCallback_IoDestroyHandle ioDestroyHandle = nullptr;
    OTF2_EvtReaderCallback_IoSeek ioSeek = nullptr;
    OTF2_EvtReaderCallback_IoOperationBegin ioOperationBegin = nullptr;
    OTF2_EvtReaderCallback_IoOperationComplete ioOperationComplete = nullptr;
    OTF2_EvtReaderCallback_IoOperationCancelled ioOperationCancelled = nullptr;
};

/// Has OTF2's reader call the functions of handlers, as the decoder does.
class LibraryEvents {
  public:
    /// From now on.
    void registerAt(OTF2_Reader* reader, OTF2_EvtReader* events, const EventHandlers& handlers, void* user);

  private:
    class Callbacks;

    EventHandlers handlers_;
    void* user_ = nullptr;
    FoundMessages found_;
};

}  // namespace holos::analyzer::trace
