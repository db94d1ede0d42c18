// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/message_recorder.h"

#include <algorithm>

namespace holos::analyzer::replay {

namespace {

/// A call that completes several messages waits for several, whatever its name says: a wait for one request
/// and an operation of neighbours may. `isFurther`: the message before was completed in the same call.
void noteFurther(Call& call, bool isFurther) {
    if (call.kind == trace::CallKind::Neighbours || (call.kind == trace::CallKind::Wait && isFurther))
        call.kind = trace::CallKind::WaitSeveral;
}

}  // namespace

void MessageRecorder::complete(std::uint32_t send, std::uint32_t call, std::uint64_t event) {
    noteFurther(records_.calls[call],
                !records_.completions.empty() && records_.completions.back().call == call);
    records_.sends[send].completion = static_cast<std::uint32_t>(records_.completions.size());
    records_.completions.push_back({send, call, event});
}

MessageRecords MessageRecorder::take() {
    for (const auto* requests : {&open_, &openCollectives_})
        for (const auto& [number, request] : *requests) records_.open.push_back(request);
    std::ranges::sort(records_.open, {}, &OpenRequest::event);
    return std::move(records_);
}

void MessageRecorder::begin(Requests& requests, const OpenRequest& begun) {
    const auto [known, isNew] = requests.try_emplace(begun.request, begun);
    if (isNew) return;
    leaveOpen(known->second);  // its number was given out again
    known->second = begun;
}

std::optional<OpenRequest> MessageRecorder::finish(Requests& requests, std::uint64_t request,
                                                   RequestKind kind) {
    const auto found = requests.find(request);
    if (found == requests.end() || found->second.kind != kind) return std::nullopt;
    const OpenRequest finished = found->second;
    requests.erase(found);
    return finished;
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
    begin(open_, {RequestKind::Send, send, 0, request, event, time});
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
    if (const auto begun = finish(open_, request, RequestKind::Send))
        return complete(begun->position, call, event);
    const auto position = static_cast<std::uint32_t>(records_.completions.size());
    completeStray({RequestKind::Send, false, position, 0, request, event, time});
    records_.completions.push_back({kNone, call, event});
}

void MessageRecorder::postReceive(std::uint32_t call, std::uint64_t event, Ticks time,
                                  std::uint64_t request) {
    begin(open_, {RequestKind::Receive, call, 0, request, event, time});
}

std::uint32_t MessageRecorder::receive(std::uint32_t call, std::uint64_t event, Ticks time,
                                       const Message& message) {
    return addReceive(call, {RequestKind::Receive, call, 0, 0, event, time}, event, time, message);
}

std::uint32_t MessageRecorder::completeReceive(std::uint32_t call, std::uint64_t event, Ticks time,
                                               const Message& message, std::uint64_t request) {
    if (const auto posted = finish(open_, request, RequestKind::Receive))
        return addReceive(call, *posted, event, time, message);
    const std::uint32_t position =
        addReceive(call, {RequestKind::Receive, kNone, 0, 0, event, time}, event, time, message);
    completeStray({RequestKind::Receive, false, position, 0, request, event, time});
    return position;
}

std::uint32_t MessageRecorder::addReceive(std::uint32_t call, const OpenRequest& posted, std::uint64_t event,
                                          Ticks time, const Message& message) {
    noteFurther(records_.calls[call], !records_.receives.empty() && records_.receives.back().call == call);
    Receive record;
    record.call = call;
    record.requestCall = posted.position;
    record.requestLocation = self_;
    record.requestEvent = posted.event;
    record.comm = message.comm;
    record.sender = message.peer;
    record.tag = message.tag;
    record.time = time;
    record.event = event;
    records_.receives.push_back(record);
    return static_cast<std::uint32_t>(records_.receives.size() - 1);
}

bool MessageRecorder::receivedMatched(std::uint32_t call) const {
    for (std::size_t i = records_.receives.size(); i > 0 && records_.receives[i - 1].call == call; --i) {
        const std::uint32_t posted = records_.receives[i - 1].requestCall;
        if (posted != kNone && records_.calls[posted].kind == trace::CallKind::MatchedReceive) return true;
    }
    return false;
}

void MessageRecorder::cancel(std::uint64_t request, std::uint64_t event, Ticks time) {
    if (const auto begun = finish(open_, request, RequestKind::Send))
        records_.sends[begun->position].cancelled = true;
    else if (!finish(open_, request, RequestKind::Receive))
        completeStray({RequestKind::Send, true, kNone, 0, request, event, time});
}

void MessageRecorder::close(CollectiveRecord& record, std::uint32_t call, NodeId node, std::uint64_t event,
                            Ticks time) {
    record.call = call;
    record.event = event;
    record.node = node;
    record.end = time;
    record.learnFrom(records_.calls[record.beginCall]);
}

std::uint32_t MessageRecorder::endCollective(std::uint32_t call, NodeId node, std::uint64_t event, Ticks time,
                                             CollectiveRecord collective) {
    collective.beginCall = call;
    collective.location = collective.beginLocation = self_;
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
    record.location = record.beginLocation = self_;
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
    record.comesFromAll = collective.comesFromAll;
    record.blocksFrom = std::max(record.begin, records_.calls[call].enter);
    close(record, call, node, event, time);
}

std::uint32_t MessageRecorder::startCollective(std::uint32_t call, std::uint64_t event, Ticks time,
                                               std::uint64_t request) {
    const std::uint32_t position = openCollective(call, event, time, kNone);
    begin(openCollectives_, {RequestKind::Collective, position, 0, request, event, time});
    return position;
}

std::uint32_t MessageRecorder::completeCollective(std::uint32_t call, NodeId node, std::uint64_t event,
                                                  Ticks time, const CollectiveRecord& collective,
                                                  std::uint64_t request) {
    const auto begun = finish(openCollectives_, request, RequestKind::Collective);
    const std::uint32_t position = begun ? begun->position : openCollective(call, event, time, kNone);
    closeCollective(position, call, node, event, time, collective);
    if (!begun) completeStray({RequestKind::Collective, false, position, 0, request, event, time});
    return position;
}

/// Calls that block wait each for a message of its own.
PollRecord* PollRecorder::sameAs(NodeId node, bool follows) {
    if (!isWaiting()) return nullptr;
    // In a loop with a pause, polls and pauses take turns: the last but one may be of this call.
    const auto last = std::min<std::ptrdiff_t>(2, waiting_.rend() - waiting_.rbegin());
    const auto end =
        waiting_.size() < kMostWaiting ? waiting_.rbegin() + (follows ? last : 0) : waiting_.rend();
    const auto same = std::find_if(waiting_.rbegin(), end,
                                   [&](std::uint32_t position) { return records_[position].node == node; });
    return same != end ? &records_[*same] : nullptr;
}

bool PollRecorder::isApart(const PollRecord& row, Ticks begin) const {
    constexpr Ticks kLonger = 8;
    const Ticks gap = begin - row.end;
    return row.between > 0 && gap > kLonger * row.between && gap > shortestApart_ &&
           waiting_.size() < kMostWaiting;
}

bool PollRecorder::add(const PollRecord& record, bool follows) {
    idleUntil_ = record.end;
    PollRecord* const same = sameAs(record.node, follows);
    if (same != nullptr && !isApart(*same, record.begin)) {
        same->between = record.begin - same->end;
        same->end = same->next = record.end;
        same->inside += record.inside;
        added_ = static_cast<std::uint32_t>(same - records_.data());
        return false;
    }
    added_ = static_cast<std::uint32_t>(records_.size());
    if (record.kind != trace::CallKind::BufferDetach) waiting_.push_back(added_);
    records_.push_back(record);
    return true;
}

bool PollRecorder::leaveInVain(NodeId node, trace::CallKind kind, const Took& took) {
    const bool blocks = kind == trace::CallKind::BlockingProbe || kind == trace::CallKind::BufferDetach;
    PollRecord record;
    record.node = node;
    record.kind = kind;
    record.event = event_;
    record.inside = took.own();
    record.begin = took.leave - std::max(span_, took.span());
    record.end = record.next = took.leave;
    return add(record, follows_ && !blocks);
}

bool PollRecorder::leavePause(NodeId node, const Took& took) {
    if (!isWaiting() || took.enter - idleUntil_ > took.span()) return false;
    PollRecord record;
    record.kind = records_[waiting_.back()].kind;
    // A probe that blocks has found its message, and calls that join threads pass the time themselves.
    if (record.kind == trace::CallKind::BlockingProbe || record.kind == trace::CallKind::PthreadJoin)
        return false;
    record.node = node;
    record.isPause = true;
    record.event = pauseEvent_;
    record.inside = took.own();
    record.begin = took.enter;
    record.end = record.next = took.leave;
    return add(record, true);
}

void PollRecorder::found(std::uint32_t position, trace::CallKind kind, std::optional<Ticks> enter) {
    hasFound_ = true;
    if (enter && follows_ && isWaiting()) records_[waiting_.back()].next = *enter;
    std::erase_if(waiting_, [&](std::uint32_t waiting) {
        PollRecord& record = records_[waiting];
        if (record.kind != kind && !(trace::isProbe(record.kind) && trace::isProbe(kind))) return false;
        record.found = position;
        return true;
    });
}

}  // namespace holos::analyzer::replay
