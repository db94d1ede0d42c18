// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/recorded_events.h"

namespace holos::analyzer::replay {

void MessageEvents::send(std::uint64_t event, Ticks time, const Message& message) {
    time = calls_.advance(event, time);
    calls_.note(ClockRole::Send, records_.send(calls_.currentCall(event), event, time, message));
    calls_.moved(message.bytes, 0);
}

void MessageEvents::startSend(std::uint64_t event, Ticks time, const Message& message,
                              std::uint64_t request) {
    time = calls_.advance(event, time);
    calls_.note(ClockRole::Send,
                records_.startSend(calls_.currentCall(event), event, time, message, request));
    calls_.moved(message.bytes, 0);
}

void MessageEvents::completeSend(std::uint64_t event, Ticks time, std::uint64_t request) {
    time = calls_.advance(event, time);
    records_.completeSend(calls_.currentCall(event), request, event, time);
}

void MessageEvents::postReceive(std::uint64_t event, Ticks time, std::uint64_t request) {
    time = calls_.advance(event, time);
    records_.postReceive(calls_.currentCall(event), event, time, request);
}

void MessageEvents::receive(std::uint64_t event, Ticks time, const Message& message) {
    time = calls_.advance(event, time);
    noteReceive(time, records_.receive(calls_.currentCall(event), event, time, message));
    calls_.moved(0, message.bytes);
}

void MessageEvents::completeReceive(std::uint64_t event, Ticks time, const Message& message,
                                    std::uint64_t request) {
    time = calls_.advance(event, time);
    noteReceive(time, records_.completeReceive(calls_.currentCall(event), event, time, message, request));
    calls_.moved(0, message.bytes);
}

/// Recorders that give a receive its call's start for a time do not say when it happened.
void MessageEvents::noteReceive(Ticks time, std::uint32_t record) {
    const Frame* const call = calls_.innermost();
    if (call == nullptr || time != call->enter) calls_.note(ClockRole::Receive, record);
}

void MessageEvents::cancel(std::uint64_t event, Ticks time, std::uint64_t request) {
    time = calls_.advance(event, time);
    records_.cancel(request, event, time);
}

void MessageEvents::beginCollective(std::uint64_t event, Ticks time) {
    records_.beginCollective(calls_.advance(event, time));
    calls_.note(ClockRole::CollectiveBegin);
}

void MessageEvents::endCollective(std::uint64_t event, Ticks time, const CollectiveRecord& collective) {
    time = calls_.advance(event, time);
    CollectiveRecord record = collective;
    // Some recorders write that MPI_Init and MPI_Finalize make and end communicators.
    const trace::RegionClass* const call = calls_.currentClass();
    const bool isOther = call == nullptr || !call->has(trace::TimeClass::MpiCommunicators);
    if (isOfCommunicators(record.operation) && isOther) record.operation = Collective::Other;
    calls_.note(ClockRole::CollectiveEnd,
                records_.endCollective(calls_.currentCall(event), calls_.current(), event, time, record));
    calls_.moved(collective.sent, collective.received);
}

void MessageEvents::startCollective(std::uint64_t event, Ticks time, std::uint64_t request) {
    time = calls_.advance(event, time);
    calls_.note(ClockRole::CollectiveBegin,
                records_.startCollective(calls_.currentCall(event), event, time, request));
}

void MessageEvents::completeCollective(std::uint64_t event, Ticks time, const CollectiveRecord& collective,
                                       std::uint64_t request) {
    time = calls_.advance(event, time);
    calls_.note(ClockRole::CollectiveComplete,
                records_.completeCollective(calls_.currentCall(event), calls_.current(), event, time,
                                            collective, request));
    calls_.moved(collective.sent, collective.received);
}

}  // namespace holos::analyzer::replay
