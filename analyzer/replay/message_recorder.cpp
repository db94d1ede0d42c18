// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/message_recorder.h"

#include <algorithm>

namespace holos::analyzer::replay {

namespace {

/// Also a wait for one request and an operation of neighbours may complete several messages:
/// `isFurther` says that the one before was completed in the same call.
void noteFurther(Call& call, bool isFurther) {
    if (call.kind == trace::CallKind::Neighbours || (call.kind == trace::CallKind::Wait && isFurther))
        call.kind = trace::CallKind::WaitSeveral;
}

}  // namespace

void MessageRecorder::complete(std::uint32_t send, std::uint32_t call, std::uint64_t event) {
    noteFurther(records_.calls[call],
                !records_.completions.empty() && records_.completions.back().call == call);
    records_.sends[send].completion = static_cast<std::uint32_t>(records_.completions.size());
    records_.completions.push_back({send, call, event, 0});
}

std::uint32_t MessageRecorder::send(std::uint32_t call, std::uint64_t event, Ticks time,
                                    const Message& message) {
    const std::uint32_t send = addSend(call, event, time, message);
    complete(send, call, event);
    return send;
}

std::uint32_t MessageRecorder::startSend(std::uint32_t call, std::uint64_t event, Ticks time,
                                         const Message& message, std::uint64_t request) {
    const std::uint32_t send = addSend(call, event, time, message);
    open_[request] = {true, send, event};
    return send;
}

std::uint32_t MessageRecorder::addSend(std::uint32_t call, std::uint64_t event, Ticks time,
                                       const Message& message) {
    Send record;
    record.call = call;
    record.comm = message.comm;
    record.receiver = message.peer;
    record.tag = message.tag;
    record.bytes = message.bytes;
    record.time = time;
    record.event = event;
    records_.sends.push_back(record);
    return static_cast<std::uint32_t>(records_.sends.size() - 1);
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
    complete(found->second.position, call, event);
    open_.erase(found);
}

void MessageRecorder::postReceive(std::uint32_t call, std::uint64_t event, std::uint64_t request) {
    open_[request] = {false, call, event};
}

std::uint32_t MessageRecorder::receive(std::uint32_t call, std::uint64_t event, Ticks time,
                                       const Message& message) {
    return addReceive(call, {false, call, event}, event, time, message);
}

std::uint32_t MessageRecorder::completeReceive(std::uint32_t call, std::uint64_t event, Ticks time,
                                               const Message& message, std::uint64_t request) {
    const auto found = open_.find(request);
    Request posted{false, kNone, event};
    if (found != open_.end() && !found->second.isSend) {
        posted = found->second;
        open_.erase(found);
    } else {
        log_.add(Trouble::UnmatchedMessage,
                 "a receive request was completed that this location had not posted; its "
                 "late receiver is not determined",
                 event, time);
    }
    return addReceive(call, posted, event, time, message);
}

std::uint32_t MessageRecorder::addReceive(std::uint32_t call, const Request& request, std::uint64_t event,
                                          Ticks time, const Message& message) {
    noteFurther(records_.calls[call], !records_.receives.empty() && records_.receives.back().call == call);
    Receive record;
    record.call = call;
    record.requestCall = request.position;
    record.requestEvent = request.event;
    record.comm = message.comm;
    record.sender = message.peer;
    record.tag = message.tag;
    record.time = time;
    record.event = event;
    records_.receives.push_back(record);
    return static_cast<std::uint32_t>(records_.receives.size() - 1);
}

void MessageRecorder::cancel(std::uint64_t request) {
    const auto found = open_.find(request);
    if (found == open_.end()) return;
    if (found->second.isSend) records_.sends[found->second.position].cancelled = true;
    open_.erase(found);
}

void MessageRecorder::close(CollectiveRecord& record, std::uint32_t call, NodeId node, std::uint64_t event,
                            Ticks time) {
    record.call = call;
    record.event = event;
    record.node = node;
    record.end = time;
    const bool ofNeighbours = records_.calls[record.beginCall].kind == trace::CallKind::Neighbours;
    if (ofNeighbours && record.operation != Collective::Other) record.operation = Collective::Alltoallv;
}

std::uint32_t MessageRecorder::endCollective(std::uint32_t call, NodeId node, std::uint64_t event, Ticks time,
                                             CollectiveRecord collective) {
    collective.beginCall = call;
    collective.beginEvent = event;
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
    collective.blocksFrom = collective.begin;
    close(collective, call, node, event, time);
    if (collective.operation == Collective::Other) return kNone;
    records_.collectives.push_back(collective);
    return static_cast<std::uint32_t>(records_.collectives.size() - 1);
}

std::uint32_t MessageRecorder::openCollective(std::uint32_t call, std::uint64_t event, Ticks time,
                                              std::uint32_t comm) {
    // Ranks begin their operations in the same order, but complete them in any.
    CollectiveRecord record;
    record.comm = comm;
    record.beginCall = call;
    record.beginEvent = event;
    record.begin = time;
    records_.collectives.push_back(record);
    return static_cast<std::uint32_t>(records_.collectives.size() - 1);
}

void MessageRecorder::closeCollective(std::uint32_t position, std::uint32_t call, NodeId node,
                                      std::uint64_t event, Ticks time, const CollectiveRecord& collective) {
    CollectiveRecord& record = records_.collectives[position];
    record.operation = collective.operation;
    record.comm = collective.comm;
    record.root = collective.root;
    record.sent = collective.sent;
    record.received = collective.received;
    record.blocksFrom = std::max(record.begin, records_.calls[call].enter);
    close(record, call, node, event, time);
}

std::uint32_t MessageRecorder::startCollective(std::uint32_t call, std::uint64_t event, Ticks time,
                                               std::uint64_t request) {
    return openCollectives_[request] = openCollective(call, event, time, kNone);
}

std::uint32_t MessageRecorder::completeCollective(std::uint32_t call, NodeId node, std::uint64_t event,
                                                  Ticks time, const CollectiveRecord& collective,
                                                  std::uint64_t request) {
    const auto found = openCollectives_.find(request);
    if (found == openCollectives_.end()) {
        log_.add(Trouble::UnmatchedCollective,
                 "a nonblocking collective operation completed that had not begun; it was left out", event,
                 time);
        return kNone;
    }
    const std::uint32_t position = found->second;
    openCollectives_.erase(found);
    closeCollective(position, call, node, event, time, collective);
    return position;
}

}  // namespace holos::analyzer::replay
