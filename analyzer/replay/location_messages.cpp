// SPDX-License-Identifier: BSD-3-Clause
// The replay's half that hands MPI's events to their recorder.
#include "analyzer/replay/location_replay.h"

namespace holos::analyzer::replay {

void LocationReplay::mpiSend(std::uint64_t event, Ticks time, const Message& message) {
    time = advance(event, time);
    note(ClockRole::Send, messages_.send(currentCall(event), event, time, message));
}

void LocationReplay::mpiIsend(std::uint64_t event, Ticks time, const Message& message,
                              std::uint64_t request) {
    time = advance(event, time);
    note(ClockRole::Send, messages_.startSend(currentCall(event), event, time, message, request));
}

void LocationReplay::mpiIsendComplete(std::uint64_t event, Ticks time, std::uint64_t request) {
    time = advance(event, time);
    messages_.completeSend(currentCall(event), request, event, time);
}

void LocationReplay::mpiIrecvRequest(std::uint64_t event, Ticks time, std::uint64_t request) {
    time = advance(event, time);
    messages_.postReceive(currentCall(event), event, time, request);
}

void LocationReplay::mpiRecv(std::uint64_t event, Ticks time, const Message& message) {
    time = advance(event, time);
    noteReceive(time, messages_.receive(currentCall(event), event, time, message));
}

void LocationReplay::mpiIrecv(std::uint64_t event, Ticks time, const Message& message,
                              std::uint64_t request) {
    time = advance(event, time);
    noteReceive(time, messages_.completeReceive(currentCall(event), event, time, message, request));
}

/// Recorders that give a receive its call's start for a time do not say when it happened.
void LocationReplay::noteReceive(Ticks time, std::uint32_t record) {
    if (stack_.empty() || time != stack_.back().enter) note(ClockRole::Receive, record);
}

void LocationReplay::mpiRequestCancelled(std::uint64_t event, Ticks time, std::uint64_t request) {
    time = advance(event, time);
    messages_.cancel(request, event, time);
}

void LocationReplay::mpiCollectiveBegin(std::uint64_t event, Ticks time) {
    messages_.beginCollective(advance(event, time));
    note(ClockRole::CollectiveBegin);
}

void LocationReplay::mpiCollectiveEnd(std::uint64_t event, Ticks time, const CollectiveRecord& collective) {
    time = advance(event, time);
    note(ClockRole::CollectiveEnd,
         messages_.endCollective(currentCall(event), current_, event, time, collective));
}

void LocationReplay::mpiCollectiveRequest(std::uint64_t event, Ticks time, std::uint64_t request) {
    time = advance(event, time);
    note(ClockRole::CollectiveBegin, messages_.startCollective(currentCall(event), event, time, request));
}

void LocationReplay::mpiCollectiveComplete(std::uint64_t event, Ticks time,
                                           const CollectiveRecord& collective, std::uint64_t request) {
    time = advance(event, time);
    note(ClockRole::CollectiveComplete,
         messages_.completeCollective(currentCall(event), current_, event, time, collective, request));
}

}  // namespace holos::analyzer::replay
