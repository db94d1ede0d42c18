// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/location_replay.h"

#include <optional>

#include "base/packing.h"

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

RmaRecord& OneSidedEvents::add(RmaRecord::Kind kind, std::uint64_t event, std::uint32_t window) {
    RmaRecord record;
    record.kind = kind;
    record.window = window;
    record.time = calls_.now();
    record.event = event;
    record.call = calls_.currentCall(event);
    records_.push_back(record);
    return records_.back();
}

namespace {

/// One event stands for four calls; nothing when it is in another one.
std::optional<RmaRecord::Kind> groupSyncOf(trace::CallKind call) {
    switch (call) {
        case trace::CallKind::RmaStart:
            return RmaRecord::Kind::Start;
        case trace::CallKind::RmaComplete:
            return RmaRecord::Kind::Complete;
        case trace::CallKind::RmaPost:
            return RmaRecord::Kind::Post;
        case trace::CallKind::RmaWait:
        case trace::CallKind::RmaTest:
            return RmaRecord::Kind::Wait;
        default:
            return {};
    }
}

}  // namespace

void OneSidedEvents::groupSync(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t group) {
    calls_.advance(event, time);
    const auto kind = groupSyncOf(kindOf(calls_.currentCall(event)));
    if (kind) add(*kind, event, window).group = group;
}

void OneSidedEvents::lock(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target,
                          bool exclusive) {
    calls_.advance(event, time);
    RmaRecord& record = add(RmaRecord::Kind::Lock, event, window);
    record.target = target;
    record.exclusive = exclusive;
}

void OneSidedEvents::unlock(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target) {
    calls_.advance(event, time);
    RmaRecord& record = add(RmaRecord::Kind::Unlock, event, window);
    record.target = target;
    record.slice = calls_.beginSlice(calls_.current(), 0);
}

void OneSidedEvents::access(std::uint64_t event, Ticks time, const RmaKey& key, std::uint32_t target,
                            std::uint64_t put, std::uint64_t got) {
    calls_.advance(event, time);
    RmaRecord& access = add(RmaRecord::Kind::Access, event, key.first);
    access.target = target;
    access.put = put;
    access.got = got;
    if (kindOf(access.call) == trace::CallKind::RmaRequest) {
        const auto record = static_cast<std::uint32_t>(records_.size() - 1);
        const auto [known, isNew] = requested_.try_emplace(key, record);
        if (!isNew) leaveOpen(key, std::exchange(known->second, record));  // its number was given out again
    }
}

void OneSidedEvents::leaveOpen(const RmaKey& key, std::uint32_t record) {
    calls_.records().leaveOpen(
        {RequestKind::Access, record, key.first, key.second, records_[record].event, records_[record].time});
}

Records<RmaRecord> OneSidedEvents::take() {
    for (const auto& [key, record] : requested_) leaveOpen(key, record);
    return std::move(records_);
}

/// Of interest where a call does nothing but complete operations: once in a flush, which is for all of them,
/// and where a request is waited for. What another thread requested has its target from matching.
void OneSidedEvents::complete(std::uint64_t event, Ticks time, const RmaKey& key) {
    time = calls_.advance(event, time);
    const std::uint32_t call = calls_.currentCall(event);
    const auto requested = requested_.extract(key);
    if (kindOf(call) == trace::CallKind::RmaFlush) {
        if (records_.empty() || records_.back().call != call) add(RmaRecord::Kind::Flush, event, key.first);
    } else if (trace::isWait(kindOf(call))) {
        RmaRecord& completion = add(RmaRecord::Kind::Completion, event, key.first);
        const auto record = static_cast<std::uint32_t>(records_.size() - 1);
        if (requested)
            completion.target = records_[requested.mapped()].target;
        else
            calls_.records().completeStray(
                {RequestKind::Access, false, record, key.first, key.second, event, time});
    }
}

void FileEvents::begin(std::uint64_t event, Ticks time, const FileKey& key, FileOperation operation,
                       std::uint64_t bytes, std::uint32_t comm) {
    time = calls_.advance(event, time);
    const bool isInOrder = calls_.currentKind() == trace::CallKind::FileOrdered;
    const trace::RegionClass* const around = calls_.currentClass();
    const bool isMpi = around == nullptr || !around->has(trace::TimeClass::FileIo);
    FileRequest request{
        calls_.current(), operation, isMpi, isInOrder, calls_.counted(bytes), comm, kNone, event, time};
    if (comm != kNone) request.record = records_.openCollective(calls_.currentCall(event), event, time, comm);
    files_.begin(key, request);
}

void FileEvents::complete(std::uint64_t event, Ticks time, const FileKey& key, std::uint64_t bytes) {
    time = calls_.advance(event, time);
    const auto request = files_.complete(key, calls_.counted(bytes));
    if (!request) return completeStray(event, time, key, bytes);
    if (request->record == kNone) return;
    CollectiveRecord together;
    together.comm = request->comm;
    together.operation = operationOf(*request);
    records_.closeCollective(request->record, calls_.currentCall(event), calls_.current(), event, time,
                             together);
}

/// Whether all had a part in it is known to the thread that began it.
void FileEvents::completeStray(std::uint64_t event, Ticks time, const FileKey& key, std::uint64_t bytes) {
    const std::uint32_t call = calls_.currentCall(event);
    const std::uint32_t record = records_.openCollective(call, event, time, kNone);
    records_.closeCollective(record, call, calls_.current(), event, time, {});
    records_.completeStray(
        {RequestKind::File, false, record, key.first, key.second, event, time, calls_.counted(bytes)});
}

FileRecords FileEvents::take() {
    return files_.take([&](std::uint32_t position, const FileKey& key, const FileRequest& request) {
        records_.leaveOpen({RequestKind::File, position, key.first, key.second, request.event, request.time});
    });
}

void FileEvents::collective(std::uint64_t event, Ticks time, std::uint32_t comm, Collective operation) {
    time = calls_.advance(event, time);
    const std::uint32_t call = calls_.currentCall(event);
    const std::uint32_t record = records_.openCollective(call, event, records_.call(call).enter, comm);
    CollectiveRecord together;
    together.comm = comm;
    together.operation = operation;
    records_.closeCollective(record, call, calls_.current(), event, time, together);
}

void FileEvents::seek(std::uint64_t event, Ticks time, std::uint32_t comm) {
    if (calls_.currentKind() == trace::CallKind::FileSeekShared)
        collective(event, time, comm, Collective::FileChange);
}

void ThreadEvents::create(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number) {
    calls_.advance(event, time);
    start(event, contingent, number, false);
}

void ThreadEvents::begin(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number) {
    calls_.advance(event, time);
    calls_.beginThread();
    start(event, contingent, number, true);
}

void ThreadEvents::start(std::uint64_t event, std::uint32_t contingent, std::uint64_t number, bool begins) {
    if (!isKnown(contingent)) return;
    const NodeId at = calls_.current();
    calls_.teams().start({contingent, begins, number, at, calls_.beginSlice(at, 0), event, calls_.now()});
}

void ThreadEvents::end(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number) {
    time = calls_.advance(event, time);
    const NodeId at = calls_.current();
    if (isKnown(contingent))
        calls_.teams().end({contingent, false, number, at, calls_.beginSlice(at, 0), event, time, time});
    calls_.endThread();
}

/// The event says that the call around it has waited long enough.
void ThreadEvents::wait(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number) {
    time = calls_.advance(event, time);
    const Frame* const call = calls_.innermost();
    if (!isKnown(contingent) || call == nullptr) return;
    if (calls_.tree()[call->node].special != trace::Special::ThreadJoin) return;
    const std::uint32_t slice = calls_.beginSlice(call->node, time - call->enter);
    calls_.special().joined(calls_.teams().ends(), call->enter);
    calls_.teams().end({contingent, true, number, call->node, slice, event, call->enter, time});
}

void ThreadEvents::timedOut(std::uint64_t event, Ticks time, Ticks since) {
    time = calls_.advance(event, time);
    const Frame* const call = calls_.innermost();
    if (call == nullptr) return;
    const Ticks end = std::max(call->enter, time - since);
    calls_.teams().timedOut({calls_.classOf(call->node).call, call->node, call->enter, end});
}

namespace {

/// Below, `Packing` is a `Packer` or a `Unpacker`.
template <class Packing>
void describe(Packing& packing, MessageRecords& messages) {
    packing.list(messages.calls);
    packing.list(messages.sends);
    packing.list(messages.completions);
    packing.list(messages.receives);
    packing.list(messages.collectives);
    packing.list(messages.open);
    packing.list(messages.stray);
    packing.list(messages.shortages);
}

template <class Packing>
void describe(Packing& packing, ThreadRecords& threads) {
    threads.forks.pack(packing);
    threads.parallels.pack(packing);
    threads.barriers.pack(packing);
    packing.list(threads.shortages);
    packing.list(threads.plainShortages);
    packing.list(threads.forkShortages);
    packing.list(threads.locks);
    packing.list(threads.timeouts);
    packing.list(threads.starts);
    packing.list(threads.ends);
    packing.list(threads.joins);
    packing.list(threads.taskEnds);
    packing.list(threads.taskStalls);
}

template <class Packing>
void describe(Packing& packing, CounterRecords& counters) {
    packing.list(counters.series, [&](CounterSeries& series) {
        packing.value(series.member);
        packing.list(series.values);
        packing.list(series.seen);
        packing.list(series.levels.values);
        packing.list(series.levels.seen);
        packing.value(series.risen);
        packing.value(series.fallen);
    });
    packing.list(counters.growths, [&](Growths& growths) {
        packing.value(growths.metricClass);
        packing.list(growths.ends);
        packing.list(growths.values);
    });
}

template <class Packing>
void describe(Packing& packing, std::vector<Diagnosis>& diagnoses) {
    packing.list(diagnoses, [&](Diagnosis& diagnosis) {
        packing.value(diagnosis.trouble);
        packing.list(diagnosis.message);
        packing.value(diagnosis.location);
        packing.value(diagnosis.event);
        packing.value(diagnosis.time);
        packing.value(diagnosis.count);
    });
}

/// A map's keys cannot be written in place.
struct FileEntry {
    NodeId node;
    FileBytes bytes;
};

template <class Packing>
void describe(Packing& packing, FileRecords& files) {
    std::vector<FileEntry> entries;
    for (const auto& [node, bytes] : files.moved) entries.push_back({node, bytes});
    packing.list(entries);
    for (const FileEntry& entry : entries) files.moved[entry.node] = entry.bytes;
    packing.list(files.open);
}

template <class Packing>
void describe(Packing& packing, LocationCalls& calls) {
    calls.tree.pack(packing);
    calls.taskPlaces.pack(packing);
    packing.list(calls.program);
    describe(packing, calls.counters);
    calls.intervals.pack(packing);
    packing.list(calls.shared);
    packing.value(calls.untilEnd);
    packing.list(calls.periods);
    packing.value(calls.events);
}

template <class Packing>
void describe(Packing& packing, LocationTrace& trace) {
    describe(packing, trace.messages);
    describe(packing, trace.threads);
    packing.list(trace.rma);
    packing.list(trace.polls);
    packing.list(trace.inner);
    describe(packing, trace.files);
    trace.profile.pack(packing);
    packing.value(trace.init);
    packing.value(trace.finalize);
    packing.list(trace.pauses);
    packing.value(trace.begin);
    packing.value(trace.end);
    packing.value(trace.counted);
}

template <class Packing>
void describe(Packing& packing, ReplayedLocation& location) {
    describe(packing, location.calls);
    describe(packing, location.trace);
    describe(packing, location.diagnoses);
}

}  // namespace

std::string pack(ReplayedLocation location) {
    Packer packer;
    describe(packer, location);
    return packer.take();
}

ReplayedLocation unpack(std::string message, Memory memory) {
    ReplayedLocation location(memory);
    Unpacker unpacker(std::move(message));
    describe(unpacker, location);
    return location;
}

}  // namespace holos::analyzer::replay
