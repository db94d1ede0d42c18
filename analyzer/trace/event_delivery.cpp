// SPDX-License-Identifier: BSD-3-Clause
// Which function of the handlers gets which kind of event.
#include <utility>

#include "analyzer/trace/event_decoder.h"
#include "analyzer/trace/event_layouts.h"

namespace holos::analyzer::trace {

/// The function's parameters are the event's fields, in their order.
template <class... Fields>
OTF2_CallbackCode EventDecoder::tell(Handler<Fields...> function, const Target& target,
                                     const Values& values) {
    if (function == nullptr) return OTF2_CALLBACK_SUCCESS;
    static_assert(sizeof...(Fields) <= std::tuple_size_v<Values>);
    return [&]<std::size_t... at>(std::index_sequence<at...>) {
        return function(location_, eventTime_, events_, target.user, attributes_.get(),
                        static_cast<Fields>(values[at])...);
    }
    (std::index_sequence_for<Fields...>());
}

OTF2_CallbackCode EventDecoder::deliver(std::uint8_t type, const Target& target, const Values& values) {
    const EventHandlers& to = target.handlers;
    switch (type) {
        case kEnter:
            return tell(to.enter, target, values);
        case kLeave:
            return tell(to.leave, target, values);
        case kMetric:
            return deliverMetric(target, values);
        case kCallingContextEnter:
            return tell(to.callingContextEnter, target, values);
        case kCallingContextLeave:
            return tell(to.callingContextLeave, target, values);
        case kCallingContextSample:
            return tell(to.callingContextSample, target, values);
        case kBufferFlush:
            return tell(to.bufferFlush, target, values);
        case kMeasurementOnOff:
            return tell(to.measurementOnOff, target, values);
        case kProgramBegin:
            return deliverProgram(target, values);
        case kProgramEnd:
            return tell(to.programEnd, target, values);
        case kParameterInt:
            return tell(to.parameterInt, target, values);
        case kParameterUnsignedInt:
            return tell(to.parameterUnsignedInt, target, values);
        case kParameterString:
            return tell(to.parameterString, target, values);
        default:
            return isKnown(type) ? deliverMessage(type, target, values) : tell(to.unknown, target, values);
    }
}

OTF2_CallbackCode EventDecoder::deliverMessage(std::uint8_t type, const Target& target,
                                               const Values& values) {
    const EventHandlers& to = target.handlers;
    switch (type) {
        case kMpiSend:
            return tell(to.mpiSend, target, values);
        case kMpiIsend:
            return tell(to.mpiIsend, target, values);
        case kMpiIsendComplete:
            return tell(to.mpiIsendComplete, target, values);
        case kMpiIrecvRequest:
            return tell(to.mpiIrecvRequest, target, values);
        case kMpiRecv:
            return tell(to.mpiRecv, target, values);
        case kMpiIrecv:
            return tell(to.mpiIrecv, target, values);
        case kMpiRequestCancelled:
            return tell(to.mpiRequestCancelled, target, values);
        case kMpiCollectiveBegin:
            return tell(to.mpiCollectiveBegin, target, values);
        case kMpiCollectiveEnd:
            return tell(to.mpiCollectiveEnd, target, values);
        case kNonBlockingCollectiveRequest:
            return tell(to.nonBlockingCollectiveRequest, target, values);
        case kNonBlockingCollectiveComplete:
            return tell(to.nonBlockingCollectiveComplete, target, values);
        default:
            return deliverThread(type, target, values);
    }
}

OTF2_CallbackCode EventDecoder::deliverThread(std::uint8_t type, const Target& target, const Values& values) {
    const EventHandlers& to = target.handlers;
    switch (type) {
        case kThreadFork:
            return tell(to.threadFork, target, values);
        case kThreadJoin:
            return tell(to.threadJoin, target, values);
        case kThreadTeamBegin:
            return tell(to.threadTeamBegin, target, values);
        case kThreadTeamEnd:
            return tell(to.threadTeamEnd, target, values);
        case kThreadAcquireLock:
            return tell(to.threadAcquireLock, target, values);
        case kThreadReleaseLock:
            return tell(to.threadReleaseLock, target, values);
        case kThreadTaskSwitch:
            return tell(to.threadTaskSwitch, target, values);
        case kThreadTaskComplete:
            return tell(to.threadTaskComplete, target, values);
        case kThreadCreate:
            return tell(to.threadCreate, target, values);
        case kThreadBegin:
            return tell(to.threadBegin, target, values);
        case kThreadWait:
            return tell(to.threadWait, target, values);
        case kThreadEnd:
            return tell(to.threadEnd, target, values);
        default:
            return deliverAccess(type, target, values);
    }
}

OTF2_CallbackCode EventDecoder::deliverAccess(std::uint8_t type, const Target& target, const Values& values) {
    const EventHandlers& to = target.handlers;
    switch (type) {
        case kRmaCollectiveBegin:
            return tell(to.rmaCollectiveBegin, target, values);
        case kRmaCollectiveEnd:
            return tell(to.rmaCollectiveEnd, target, values);
        case kRmaGroupSync:
            return tell(to.rmaGroupSync, target, values);
        case kRmaRequestLock:
            return tell(to.rmaRequestLock, target, values);
        case kRmaReleaseLock:
            return tell(to.rmaReleaseLock, target, values);
        case kRmaPut:
            return tell(to.rmaPut, target, values);
        case kRmaGet:
            return tell(to.rmaGet, target, values);
        case kRmaAtomic:
            return tell(to.rmaAtomic, target, values);
        case kRmaOpCompleteNonBlocking:
            return tell(to.rmaOpCompleteNonBlocking, target, values);
        case kRmaOpCompleteRemote:
            return tell(to.rmaOpCompleteRemote, target, values);
        default:
            return deliverFile(type, target, values);
    }
}

OTF2_CallbackCode EventDecoder::deliverFile(std::uint8_t type, const Target& target, const Values& values) {
    const EventHandlers& to = target.handlers;
    switch (type) {
        case kIoCreateHandle:
            return tell(to.ioCreateHandle, target, values);
        case kIoDestroyHandle:
            return tell(to.ioDestroyHandle, target, values);
        case kIoSeek:
            return tell(to.ioSeek, target, values);
        case kIoOperationBegin:
            return tell(to.ioOperationBegin, target, values);
        case kIoOperationComplete:
            return tell(to.ioOperationComplete, target, values);
        case kIoOperationCancelled:
            return tell(to.ioOperationCancelled, target, values);
        default:
            return OTF2_CALLBACK_SUCCESS;
    }
}

OTF2_CallbackCode EventDecoder::deliverMetric(const Target& target, const Values& values) {
    if (target.handlers.metric == nullptr) return OTF2_CALLBACK_SUCCESS;
    return target.handlers.metric(location_, eventTime_, events_, target.user, attributes_.get(),
                                  static_cast<OTF2_MetricRef>(values[0]),
                                  static_cast<std::uint8_t>(values[1]), metricTypes_.data(),
                                  metricValues_.data());
}

OTF2_CallbackCode EventDecoder::deliverProgram(const Target& target, const Values& values) {
    if (target.handlers.programBegin == nullptr) return OTF2_CALLBACK_SUCCESS;
    return target.handlers.programBegin(location_, eventTime_, events_, target.user, attributes_.get(),
                                        static_cast<OTF2_StringRef>(values[0]),
                                        static_cast<std::uint32_t>(values[1]), arguments_.data());
}

}  // namespace holos::analyzer::trace
