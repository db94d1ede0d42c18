// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/message_recorder.h"

namespace holos::analyzer::replay {

void MessageRecorder::send(std::uint32_t call, Ticks time, const Message& message) {
    Send record;
    record.call = call;
    record.comm = message.comm;
    record.receiver = message.peer;
    record.tag = message.tag;
    record.bytes = message.bytes;
    record.time = time;
    const auto position = static_cast<std::uint32_t>(records_.sends.size());
    records_.sends.push_back(record);
    records_.completions.push_back({position, call});
}

void MessageRecorder::startSend(std::uint32_t call, Ticks time, const Message& message,
                                std::uint64_t request) {
    send(call, time, message);
    records_.completions.pop_back();  // follows with the request's completion
    open_[request] = {true, static_cast<std::uint32_t>(records_.sends.size() - 1)};
}

void MessageRecorder::completeSend(std::uint32_t call, std::uint64_t request, std::uint64_t event,
                                   Ticks time) {
    const auto found = open_.find(request);
    if (found == open_.end() || !found->second.isSend) {
        log_.add(Trouble::UnmatchedMessage,
                 "a send request was completed that this location had not begun; its "
                 "late receiver is not determined",
                 event, time);
        return;
    }
    records_.completions.push_back({found->second.position, call});
    open_.erase(found);
}

void MessageRecorder::postReceive(std::uint32_t call, std::uint64_t request) {
    open_[request] = {false, call};
}

void MessageRecorder::receive(std::uint32_t call, std::uint64_t event, Ticks time, const Message& message) {
    addReceive(call, call, event, time, message);
}

void MessageRecorder::completeReceive(std::uint32_t call, std::uint64_t event, Ticks time,
                                      const Message& message, std::uint64_t request) {
    const auto found = open_.find(request);
    std::uint32_t requestCall = kNone;
    if (found != open_.end() && !found->second.isSend) {
        requestCall = found->second.position;
        open_.erase(found);
    } else {
        log_.add(Trouble::UnmatchedMessage,
                 "a receive request was completed that this location had not posted; its "
                 "late receiver is not determined",
                 event, time);
    }
    addReceive(call, requestCall, event, time, message);
}

void MessageRecorder::addReceive(std::uint32_t call, std::uint32_t requestCall, std::uint64_t event,
                                 Ticks time, const Message& message) {
    Receive record;
    record.call = call;
    record.requestCall = requestCall;
    record.comm = message.comm;
    record.sender = message.peer;
    record.tag = message.tag;
    record.time = time;
    record.event = event;
    records_.receives.push_back(record);
}

void MessageRecorder::cancel(std::uint64_t request) {
    const auto found = open_.find(request);
    if (found == open_.end()) return;
    if (found->second.isSend) records_.sends[found->second.position].cancelled = true;
    open_.erase(found);
}

void MessageRecorder::endCollective(NodeId node, std::uint64_t event, Ticks time,
                                    CollectiveRecord collective) {
    collective.node = node;
    collective.end = time;
    collective.begin = time;
    if (collectiveBegin_.empty())
        log_.add(Trouble::UnmatchedCollective,
                 "a collective operation ended that had not begun; it counts without "
                 "waiting time of its own",
                 event, time);
    else {
        collective.begin = collectiveBegin_.back();
        collectiveBegin_.pop_back();
    }
    if (collective.operation != Collective::Other) records_.collectives.push_back(collective);
}

}  // namespace holos::analyzer::replay
