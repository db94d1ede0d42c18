// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/location_script.h"

#include <cassert>
#include <utility>

#include "tests/support/known_regions.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {

OTF2_TimeStamp LocationScript::stamp(Tick tick) {
    return trace_.timestamp(tick) + tick / kMillion * gain_;
}

LocationScript& LocationScript::clockGains(unsigned perMillion) {
    gain_ = perMillion;
    return *this;
}

LocationScript& LocationScript::record(Record record) {
    records_.push_back(std::move(record));
    return *this;
}

LocationScript& LocationScript::enter(Tick tick, std::string_view region) {
    const auto time = stamp(tick);
    const auto ref = trace_.region(region);
    open_.push_back(ref);
    return record([=](auto* out) { return OTF2_EvtWriter_Enter(out, nullptr, time, ref); });
}

LocationScript& LocationScript::enterFrom(Tick tick, std::string_view region, OTF2_CallingContextRef from) {
    const auto time = stamp(tick);
    const auto ref = trace_.region(region);
    open_.push_back(ref);
    return record([=](auto* out) {
        OTF2_AttributeList* const attributes = OTF2_AttributeList_New();
        OTF2_AttributeList_AddCallingContextRef(attributes, kCallPath, from);
        const OTF2_ErrorCode result = OTF2_EvtWriter_Enter(out, attributes, time, ref);
        OTF2_AttributeList_Delete(attributes);
        return result;
    });
}

namespace {

/// In nanoseconds; what is 0 is left out.
OTF2_AttributeList* timesOff(std::uint64_t without, std::uint64_t asleepOrWithout) {
    OTF2_AttributeList* const attributes = OTF2_AttributeList_New();
    if (without != 0) OTF2_AttributeList_AddUint64(attributes, kShortage, without);
    if (asleepOrWithout != 0) OTF2_AttributeList_AddUint64(attributes, kTimeOff, asleepOrWithout);
    return attributes;
}

}  // namespace

LocationScript& LocationScript::enterStarved(Tick tick, std::string_view region, Tick without) {
    const auto time = stamp(tick);
    const auto ref = trace_.region(region);
    const std::uint64_t nanoseconds = trace_.shortageOf(without);
    open_.push_back(ref);
    return record([=](auto* out) {
        OTF2_AttributeList* const attributes = OTF2_AttributeList_New();
        OTF2_AttributeList_AddUint64(attributes, kShortage, nanoseconds);
        const OTF2_ErrorCode result = OTF2_EvtWriter_Enter(out, attributes, time, ref);
        OTF2_AttributeList_Delete(attributes);
        return result;
    });
}

LocationScript& LocationScript::leaveStarved(Tick tick, Tick without, Tick asleepOrWithout) {
    assert(!open_.empty());
    const auto time = stamp(tick);
    const auto ref = open_.back();
    const std::uint64_t nanoseconds = trace_.shortageOf(without), off = trace_.shortageOf(asleepOrWithout);
    open_.pop_back();
    return record([=](auto* out) {
        OTF2_AttributeList* const attributes = timesOff(nanoseconds, off);
        const OTF2_ErrorCode result = OTF2_EvtWriter_Leave(out, attributes, time, ref);
        OTF2_AttributeList_Delete(attributes);
        return result;
    });
}

LocationScript& LocationScript::teamBeginStarved(Tick tick, Tick without, Tick asleepOrWithout) {
    const auto time = stamp(tick);
    const std::uint64_t nanoseconds = trace_.shortageOf(without), off = trace_.shortageOf(asleepOrWithout);
    return record([=, team = team_](auto* out) {
        OTF2_AttributeList* const attributes = timesOff(nanoseconds, off);
        const OTF2_ErrorCode result = OTF2_EvtWriter_ThreadTeamBegin(out, attributes, time, team);
        OTF2_AttributeList_Delete(attributes);
        return result;
    });
}

LocationScript& LocationScript::enterTask(Tick tick, std::string_view region, std::uint64_t number) {
    const auto time = stamp(tick);
    const auto ref = trace_.region(region);
    trace_.tasksMove();
    return record([=](auto* out) {
        OTF2_AttributeList* const attributes = OTF2_AttributeList_New();
        OTF2_AttributeList_AddUint64(attributes, kTaskNumber, number);
        const OTF2_ErrorCode result = OTF2_EvtWriter_Enter(out, attributes, time, ref);
        OTF2_AttributeList_Delete(attributes);
        return result;
    });
}

LocationScript& LocationScript::leaveTask(Tick tick, std::string_view region, std::uint64_t number) {
    const auto time = stamp(tick);
    const auto ref = trace_.region(region);
    return record([=](auto* out) {
        OTF2_AttributeList* const attributes = OTF2_AttributeList_New();
        OTF2_AttributeList_AddUint64(attributes, kTaskNumber, number);
        const OTF2_ErrorCode result = OTF2_EvtWriter_Leave(out, attributes, time, ref);
        OTF2_AttributeList_Delete(attributes);
        return result;
    });
}

LocationScript& LocationScript::callFrom(Tick begin, Tick end, std::string_view region,
                                         OTF2_CallingContextRef from) {
    return enterFrom(begin, region, from).leave(end);
}

LocationScript& LocationScript::severalCalls(Tick begin, Tick end, std::string_view region,
                                             std::uint64_t calls, Tick span, OTF2_CallingContextRef from) {
    const auto time = stamp(begin);
    const auto ref = trace_.region(region);
    open_.push_back(ref);
    record([=](auto* out) {
        OTF2_AttributeList* const attributes = OTF2_AttributeList_New();
        if (from != OTF2_UNDEFINED_CALLING_CONTEXT)
            OTF2_AttributeList_AddCallingContextRef(attributes, kCallPath, from);
        OTF2_AttributeList_AddUint64(attributes, kCalls, calls);
        OTF2_AttributeList_AddUint64(attributes, kCallsSpan, span);
        const OTF2_ErrorCode result = OTF2_EvtWriter_Enter(out, attributes, time, ref);
        OTF2_AttributeList_Delete(attributes);
        return result;
    });
    return leave(end);
}

LocationScript& LocationScript::sampleAt(Tick tick, OTF2_MetricRef metric, OTF2_CallingContextRef where,
                                         std::uint64_t samples) {
    const auto time = stamp(tick);
    return record([=](auto* out) {
        OTF2_AttributeList* const attributes = OTF2_AttributeList_New();
        OTF2_AttributeList_AddCallingContextRef(attributes, kSampledContext, where);
        const OTF2_Type type = OTF2_TYPE_UINT64;
        OTF2_MetricValue value;
        value.unsigned_int = samples;
        const OTF2_ErrorCode result = OTF2_EvtWriter_Metric(out, attributes, time, metric, 1, &type, &value);
        OTF2_AttributeList_Delete(attributes);
        return result;
    });
}

LocationScript& LocationScript::leave(Tick tick) {
    assert(!open_.empty());
    const auto time = stamp(tick);
    const auto ref = open_.back();
    open_.pop_back();
    return record([=](auto* out) { return OTF2_EvtWriter_Leave(out, nullptr, time, ref); });
}

LocationScript& LocationScript::leaveNaming(Tick tick, OTF2_IoHandleRef file, OTF2_AttributeRef attribute) {
    assert(!open_.empty());
    const auto time = stamp(tick);
    const auto ref = open_.back();
    open_.pop_back();
    return record([=](auto* out) {
        OTF2_AttributeList* const attributes = OTF2_AttributeList_New();
        OTF2_AttributeList_AddIoHandleRef(attributes, attribute, file);
        const OTF2_ErrorCode result = OTF2_EvtWriter_Leave(out, attributes, time, ref);
        OTF2_AttributeList_Delete(attributes);
        return result;
    });
}

LocationScript& LocationScript::leave(Tick tick, std::string_view region) {
    const auto time = stamp(tick);
    const auto ref = trace_.region(region);
    if (!open_.empty() && open_.back() == ref) open_.pop_back();
    return record([=](auto* out) { return OTF2_EvtWriter_Leave(out, nullptr, time, ref); });
}

LocationScript& LocationScript::call(Tick begin, Tick end, std::string_view region) {
    return enter(begin, region).leave(end);
}

LocationScript& LocationScript::send(Tick begin, Tick end, Message message, std::string_view region) {
    return enter(begin, region).sent(begin, message).leave(end);
}

LocationScript& LocationScript::recv(Tick begin, Tick end, Message message, std::string_view region) {
    return enter(begin, region).received(end, message).leave(end);
}

LocationScript& LocationScript::sendrecv(Tick begin, Tick end, Message to, Message from) {
    return enter(begin, "MPI_Sendrecv").sent(begin, to).received(end, from).leave(end);
}

LocationScript& LocationScript::isend(Tick begin, Tick end, Message message, std::uint64_t request) {
    return enter(begin, "MPI_Isend").sendPosted(begin, message, request).leave(end);
}

LocationScript& LocationScript::irecv(Tick begin, Tick end, std::uint64_t request, std::string_view region) {
    return enter(begin, region).receivePosted(begin, request).leave(end);
}

LocationScript& LocationScript::waitSend(Tick begin, Tick end, std::uint64_t request,
                                         std::string_view region) {
    return enter(begin, region).sendCompleted(end, request).leave(end);
}

LocationScript& LocationScript::waitRecv(Tick begin, Tick end, Message message, std::uint64_t request,
                                         std::string_view region) {
    return enter(begin, region).receiveCompleted(end, message, request).leave(end);
}

LocationScript& LocationScript::collectiveFromAll(Tick begin, Tick end, OTF2_CollectiveOp operation,
                                                  Share share) {
    enter(begin, functionOf(operation)).collectiveBegin(begin);
    trace_.tellsOfExchanges();
    const auto time = stamp(end);
    record([=](auto* out) {
        OTF2_AttributeList* const attributes = OTF2_AttributeList_New();
        OTF2_AttributeList_AddUint8(attributes, kReceivesFromAll, 1);
        const OTF2_ErrorCode result = OTF2_EvtWriter_MpiCollectiveEnd(
            out, attributes, time, operation, share.comm, share.root, share.sent, share.received);
        OTF2_AttributeList_Delete(attributes);
        return result;
    });
    return leave(end);
}

LocationScript& LocationScript::collective(Tick begin, Tick end, OTF2_CollectiveOp operation, Share share) {
    return enter(begin, functionOf(operation))
        .collectiveBegin(begin)
        .collectiveEnd(end, operation, share)
        .leave(end);
}

LocationScript& LocationScript::barrier(Tick begin, Tick end, OTF2_CommRef comm) {
    return collective(begin, end, OTF2_COLLECTIVE_OP_BARRIER, {.sent = 0, .received = 0, .comm = comm});
}

LocationScript& LocationScript::sent(Tick tick, Message message) {
    const auto time = stamp(tick);
    return record([=](auto* out) {
        return OTF2_EvtWriter_MpiSend(out, nullptr, time, message.peer, message.comm, message.tag,
                                      message.bytes);
    });
}

LocationScript& LocationScript::received(Tick tick, Message message) {
    const auto time = stamp(tick);
    return record([=](auto* out) {
        return OTF2_EvtWriter_MpiRecv(out, nullptr, time, message.peer, message.comm, message.tag,
                                      message.bytes);
    });
}

LocationScript& LocationScript::sendPosted(Tick tick, Message message, std::uint64_t request) {
    const auto time = stamp(tick);
    return record([=](auto* out) {
        return OTF2_EvtWriter_MpiIsend(out, nullptr, time, message.peer, message.comm, message.tag,
                                       message.bytes, request);
    });
}

LocationScript& LocationScript::receivePosted(Tick tick, std::uint64_t request) {
    const auto time = stamp(tick);
    return record([=](auto* out) { return OTF2_EvtWriter_MpiIrecvRequest(out, nullptr, time, request); });
}

LocationScript& LocationScript::sendCompleted(Tick tick, std::uint64_t request) {
    const auto time = stamp(tick);
    return record([=](auto* out) { return OTF2_EvtWriter_MpiIsendComplete(out, nullptr, time, request); });
}

LocationScript& LocationScript::receiveCompleted(Tick tick, Message message, std::uint64_t request) {
    const auto time = stamp(tick);
    return record([=](auto* out) {
        return OTF2_EvtWriter_MpiIrecv(out, nullptr, time, message.peer, message.comm, message.tag,
                                       message.bytes, request);
    });
}

LocationScript& LocationScript::requestTested(Tick tick, std::uint64_t request) {
    const auto time = stamp(tick);
    return record([=](auto* out) { return OTF2_EvtWriter_MpiRequestTest(out, nullptr, time, request); });
}

LocationScript& LocationScript::requestCancelled(Tick tick, std::uint64_t request) {
    const auto time = stamp(tick);
    return record([=](auto* out) { return OTF2_EvtWriter_MpiRequestCancelled(out, nullptr, time, request); });
}

LocationScript& LocationScript::collectiveBegin(Tick tick) {
    const auto time = stamp(tick);
    return record([=](auto* out) { return OTF2_EvtWriter_MpiCollectiveBegin(out, nullptr, time); });
}

LocationScript& LocationScript::collectiveEnd(Tick tick, OTF2_CollectiveOp operation, Share share) {
    const auto time = stamp(tick);
    return record([=](auto* out) {
        return OTF2_EvtWriter_MpiCollectiveEnd(out, nullptr, time, operation, share.comm, share.root,
                                               share.sent, share.received);
    });
}

LocationScript& LocationScript::startCollective(Tick begin, Tick end, std::uint64_t request,
                                                std::string_view region) {
    const auto time = stamp(begin);
    enter(begin, region).record([=](auto* out) {
        return OTF2_EvtWriter_NonBlockingCollectiveRequest(out, nullptr, time, request);
    });
    return leave(end);
}

LocationScript& LocationScript::waitCollective(Tick begin, Tick end, OTF2_CollectiveOp operation, Share share,
                                               std::uint64_t request, std::string_view region) {
    return enter(begin, region).collectiveCompleted(end, operation, share, request).leave(end);
}

LocationScript& LocationScript::collectiveCompleted(Tick tick, OTF2_CollectiveOp operation, Share share,
                                                    std::uint64_t request) {
    const auto time = stamp(tick);
    return record([=](auto* out) {
        return OTF2_EvtWriter_NonBlockingCollectiveComplete(out, nullptr, time, operation, share.comm,
                                                            share.root, share.sent, share.received, request);
    });
}

LocationScript& LocationScript::fence(Tick begin, Tick end, OTF2_RmaWinRef window) {
    const auto from = stamp(begin);
    const auto to = stamp(end);
    record([=](auto* out) { return OTF2_EvtWriter_RmaCollectiveBegin(out, nullptr, from); });
    return record([=](auto* out) {
        return OTF2_EvtWriter_RmaCollectiveEnd(out, nullptr, to, OTF2_COLLECTIVE_OP_BARRIER,
                                               OTF2_RMA_SYNC_LEVEL_PROCESS, window, OTF2_UNDEFINED_UINT32, 0,
                                               0);
    });
}

LocationScript& LocationScript::writeTogether(Tick begin, Tick end, OTF2_IoHandleRef file,
                                              std::uint64_t bytes) {
    constexpr std::uint64_t kOperation = 0;
    const auto from = stamp(begin);
    const auto to = stamp(end);
    record([=](auto* out) {
        return OTF2_EvtWriter_IoOperationBegin(out, nullptr, from, file, OTF2_IO_OPERATION_MODE_WRITE,
                                               OTF2_IO_OPERATION_FLAG_COLLECTIVE, bytes, kOperation);
    });
    return record([=](auto* out) {
        return OTF2_EvtWriter_IoOperationComplete(out, nullptr, to, file, bytes, kOperation);
    });
}

LocationScript& LocationScript::fork(Tick tick, std::uint32_t threads) {
    const auto time = stamp(tick);
    return record([=](auto* out) {
        return OTF2_EvtWriter_ThreadFork(out, nullptr, time, OTF2_PARADIGM_OPENMP, threads);
    });
}

LocationScript& LocationScript::join(Tick tick) {
    const auto time = stamp(tick);
    return record(
        [=](auto* out) { return OTF2_EvtWriter_ThreadJoin(out, nullptr, time, OTF2_PARADIGM_OPENMP); });
}

LocationScript& LocationScript::teamBegin(Tick tick) {
    return teamBegin(tick, team_);
}

LocationScript& LocationScript::teamEnd(Tick tick) {
    return teamEnd(tick, team_);
}

LocationScript& LocationScript::teamBegin(Tick tick, OTF2_CommRef team) {
    const auto time = stamp(tick);
    return record([=](auto* out) { return OTF2_EvtWriter_ThreadTeamBegin(out, nullptr, time, team); });
}

LocationScript& LocationScript::teamEnd(Tick tick, OTF2_CommRef team) {
    const auto time = stamp(tick);
    return record([=](auto* out) { return OTF2_EvtWriter_ThreadTeamEnd(out, nullptr, time, team); });
}

LocationScript& LocationScript::switchTask(Tick tick, std::uint32_t task) {
    return switchTask(tick, task, team_);
}

LocationScript& LocationScript::completeTask(Tick tick, std::uint32_t task) {
    return completeTask(tick, task, team_);
}

LocationScript& LocationScript::switchTask(Tick tick, std::uint32_t task, OTF2_CommRef team) {
    const auto time = stamp(tick);
    return record(
        [=](auto* out) { return OTF2_EvtWriter_ThreadTaskSwitch(out, nullptr, time, team, 0, task); });
}

LocationScript& LocationScript::completeTask(Tick tick, std::uint32_t task, OTF2_CommRef team) {
    const auto time = stamp(tick);
    return record(
        [=](auto* out) { return OTF2_EvtWriter_ThreadTaskComplete(out, nullptr, time, team, 0, task); });
}

template <class Writer>
LocationScript& LocationScript::useLock(Writer writer, Tick tick, OTF2_Paradigm paradigm, std::uint32_t lock,
                                        std::uint32_t order) {
    const auto time = stamp(tick);
    return record([=](auto* out) { return writer(out, nullptr, time, paradigm, lock, order); });
}

LocationScript& LocationScript::acquire(Tick tick, std::uint32_t lock, std::uint32_t order) {
    return useLock(OTF2_EvtWriter_ThreadAcquireLock, tick, OTF2_PARADIGM_OPENMP, lock, order);
}

LocationScript& LocationScript::release(Tick tick, std::uint32_t lock, std::uint32_t order) {
    return useLock(OTF2_EvtWriter_ThreadReleaseLock, tick, OTF2_PARADIGM_OPENMP, lock, order);
}

LocationScript& LocationScript::releaseStarved(Tick tick, std::uint32_t lock, std::uint32_t order,
                                               Tick without) {
    const auto time = stamp(tick);
    const std::uint64_t nanoseconds = trace_.shortageOf(without);
    return record([=](auto* out) {
        OTF2_AttributeList* const attributes = timesOff(nanoseconds, 0);
        const OTF2_ErrorCode result =
            OTF2_EvtWriter_ThreadReleaseLock(out, attributes, time, OTF2_PARADIGM_OPENMP, lock, order);
        OTF2_AttributeList_Delete(attributes);
        return result;
    });
}

LocationScript& LocationScript::wakes(Tick tick, std::uint32_t place, std::uint32_t order) {
    return useLock(OTF2_EvtWriter_ThreadReleaseLock, tick, OTF2_PARADIGM_NONE, place, order);
}

LocationScript& LocationScript::isWoken(Tick tick, std::uint32_t place, std::uint32_t order) {
    return useLock(OTF2_EvtWriter_ThreadAcquireLock, tick, OTF2_PARADIGM_NONE, place, order);
}

LocationScript& LocationScript::leaveTimedOut(Tick tick, Tick since) {
    assert(!open_.empty());
    const auto time = stamp(tick);
    const auto ref = open_.back();
    const std::uint64_t nanoseconds = trace_.timeoutSince(since);
    open_.pop_back();
    return record([=](auto* out) {
        OTF2_AttributeList* const attributes = OTF2_AttributeList_New();
        OTF2_AttributeList_AddUint64(attributes, kTimedOut, nanoseconds);
        const OTF2_ErrorCode result = OTF2_EvtWriter_Leave(out, attributes, time, ref);
        OTF2_AttributeList_Delete(attributes);
        return result;
    });
}

LocationScript& LocationScript::counters(Tick tick, OTF2_MetricRef metric,
                                         std::vector<std::uint64_t> values) {
    const auto time = stamp(tick);
    return record([time, metric, values = std::move(values)](auto* out) {
        const std::vector<OTF2_Type> types(values.size(), OTF2_TYPE_UINT64);
        std::vector<OTF2_MetricValue> typed(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) typed[i].unsigned_int = values[i];
        return OTF2_EvtWriter_Metric(out, nullptr, time, metric, static_cast<std::uint8_t>(values.size()),
                                     types.data(), typed.data());
    });
}

}  // namespace holos::testing
