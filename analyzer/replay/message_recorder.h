// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analyzer/memory/records.h"
#include "analyzer/replay/records.h"
#include "analyzer/trace/diagnosis.h"

namespace holos::analyzer::replay {

/// A message as its event describes it.
struct Message {
    std::uint32_t peer = 0;  ///< rank in the communicator
    std::uint32_t comm = kNone;
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
};

/// What a location has to say about its communication, in the order of its events.
struct MessageRecords {
    explicit MessageRecords(Memory memory = heap())
        : calls(memory),
          sends(memory),
          completions(memory),
          receives(memory),
          collectives(memory),
          open(memory),
          stray(memory),
          shortages(memory) {}

    Records<Call> calls;
    Records<Send> sends;
    Records<SendCompletion> completions;
    Records<Receive> receives;
    Records<CollectiveRecord> collectives;
    Records<OpenRequest> open;
    Records<StrayCompletion> stray;
    Records<CallShortage> shortages;
};

/// Makes records of MPI's events. Requests are followed from their start to their completion, if both are in
/// this location; the rest is left to `requests.h`.
class MessageRecorder {
  public:
    MessageRecorder(trace::LocationId self, DiagnosisLog& log, Memory memory)
        : self_(static_cast<std::uint32_t>(self.index())), log_(log), records_(memory) {}

    std::uint32_t openCall(NodeId node, trace::CallKind kind, Ticks enter, std::uint32_t slice,
                           std::uint64_t event) {
        Call& call = records_.calls.emplace_back();
        call.node = node;
        call.slice = slice;
        call.enter = call.leave = enter;
        call.event = event & ((std::uint64_t{1} << 48U) - 1);
        call.kind = kind;
        return static_cast<std::uint32_t>(records_.calls.size() - 1);
    }
    const Call& call(std::uint32_t position) const { return records_.calls[position]; }
    void closeCall(std::uint32_t call, Ticks leave) { records_.calls[call].leave = leave; }
    void noteShortage(const CallShortage& shortage) { records_.shortages.push_back(shortage); }
    /// Whether the call, the last one with records, received a message.
    bool received(std::uint32_t call) const {
        return !records_.receives.empty() && records_.receives.back().call == call;
    }
    /// Whether one of the messages that it received was probed for before: by MPI_Imrecv of this location.
    bool receivedMatched(std::uint32_t call) const;

    /// The position of its record, here and below.
    std::uint32_t send(std::uint32_t call, std::uint64_t event, Ticks time, const Message& message);
    std::uint32_t startSend(std::uint32_t call, std::uint64_t event, Ticks time, const Message& message,
                            std::uint64_t request);
    void completeSend(std::uint32_t call, std::uint64_t request, std::uint64_t event, Ticks time);
    void postReceive(std::uint32_t call, std::uint64_t event, Ticks time, std::uint64_t request);
    std::uint32_t receive(std::uint32_t call, std::uint64_t event, Ticks time, const Message& message);
    std::uint32_t completeReceive(std::uint32_t call, std::uint64_t event, Ticks time, const Message& message,
                                  std::uint64_t request);
    void cancel(std::uint64_t request, std::uint64_t event, Ticks time);
    void beginCollective(Ticks time) { collectiveBegin_.push_back(time); }
    /// Of an operation that `closeCollective` completes, on a communicator where that is known yet.
    std::uint32_t openCollective(std::uint32_t call, std::uint64_t event, Ticks time, std::uint32_t comm);
    void closeCollective(std::uint32_t record, std::uint32_t call, NodeId node, std::uint64_t event,
                         Ticks time, const CollectiveRecord& collective);
    std::uint32_t startCollective(std::uint32_t call, std::uint64_t event, Ticks time, std::uint64_t request);
    /// `kNone` where no record is kept, here and below.
    std::uint32_t completeCollective(std::uint32_t call, NodeId node, std::uint64_t event, Ticks time,
                                     const CollectiveRecord& collective, std::uint64_t request);
    std::uint32_t endCollective(std::uint32_t call, NodeId node, std::uint64_t event, Ticks time,
                                CollectiveRecord collective);

    /// What other recorders follow; without an end, or without a start, in this location.
    void leaveOpen(const OpenRequest& begun) { records_.open.push_back(begun); }
    void completeStray(const StrayCompletion& completion) { records_.stray.push_back(completion); }

    MessageRecords take();

  private:
    using Requests = std::unordered_map<std::uint64_t, OpenRequest>;  ///< by number

    void begin(Requests& requests, const OpenRequest& begun);
    /// The request of this number and kind, which is open no longer; nothing where another thread began it.
    static std::optional<OpenRequest> finish(Requests& requests, std::uint64_t request, RequestKind kind);
    std::uint32_t addSend(std::uint32_t call, std::uint64_t event, Ticks time, const Message& message);
    void complete(std::uint32_t send, std::uint32_t call, std::uint64_t event);
    std::uint32_t addReceive(std::uint32_t call, const OpenRequest& posted, std::uint64_t event, Ticks time,
                             const Message& message);
    /// What a record says about its end.
    void close(CollectiveRecord& record, std::uint32_t call, NodeId node, std::uint64_t event, Ticks time);

    std::uint32_t self_;
    DiagnosisLog& log_;
    MessageRecords records_;
    Requests open_;
    Requests openCollectives_;
    std::vector<Ticks> collectiveBegin_;
};

/// Calls of one call path that found nothing, such as `MPI_Test`, `MPI_Iprobe` and `omp_test_lock`: one or
/// more, between which nothing else was called, or, where there are many in turns, only others of these.
/// Where the program works much longer than between the last two of them, another row begins. Or one call
/// that waits for what others do with messages: `MPI_Probe`, for a message which it leaves to another call to
/// receive, or `MPI_Buffer_detach`, for the receivers of all messages in the buffer. Or calls that joined no
/// thread before their time was over. Or the pauses, of one call path, that a thread made right behind calls
/// that had found nothing.
struct PollRecord {
    NodeId node;
    std::uint32_t slice = 0;  ///< of the profile: begins with the first of them
    /// What found something at last: among the calls with records; for locks, among the records of locks; for
    /// the end of a thread, among those of ends.
    std::uint32_t found = kNone;
    trace::CallKind kind = trace::CallKind::Test;  ///< of these calls
    bool isPause = false;                          ///< between calls of that kind
    std::uint64_t event = 0;                       ///< number in the location, of the enter of the first
    Ticks begin = 0;                               ///< when the first was entered
    Ticks end = 0;                                 ///< when the last was left
    Ticks next = 0;      ///< when the call was entered that found something, if it came next; else `end`
    Ticks inside = 0;    ///< time in the calls themselves, without that of the recorder
    Ticks shortage = 0;  ///< in which the thread could run there and had no processor
    Ticks between = 0;   ///< time between the last two of them
};

/// The time in the calls before `time`: they count as spread evenly.
inline Ticks insideBefore(const PollRecord& polls, Ticks time) {
    if (time <= polls.begin) return 0;
    if (time >= polls.end) return polls.inside;
    const double share =
        static_cast<double>(time - polls.begin) / static_cast<double>(polls.end - polls.begin);
    return static_cast<Ticks>(share * static_cast<double>(polls.inside));
}

/// Whether polls of that kind are calls of MPI: they ask for messages and requests.
constexpr bool isOfMpi(const PollRecord& record) {
    return record.kind == trace::CallKind::Test || record.kind == trace::CallKind::BufferDetach ||
           trace::isProbe(record.kind);
}
/// Whether they ask for locks.
constexpr bool asksForLocks(const PollRecord& record) {
    return !isOfMpi(record) && record.kind != trace::CallKind::PthreadJoin;
}

/// Makes them, and tells what ended each. Between two that did there are a few records only, however many
/// polls there were.
class PollRecorder {
  public:
    /// `shortestApart`: what is between two rows, at least.
    PollRecorder(Ticks shortestApart, Memory memory) : records_(memory), shortestApart_(shortestApart) {}

    /// A call that may find nothing begins. `left`: what was called last before.
    void enter(std::uint64_t event, NodeId node, NodeId left) {
        event_ = event;
        follows_ = left == node || (isWaiting() && records_[waiting_.back()].isPause &&
                                    records_[waiting_.back()].node == left);
        span_ = 0;
        hasFound_ = false;
    }
    /// It stands for several, which began so long before its end.
    void spread(Ticks span) { span_ = span; }
    /// The call that began last has found nothing so far.
    bool isInVain() const { return !hasFound_; }
    /// From the enter of a call to its leave, and how much of that was the recorder's, or of what it called.
    struct Took {
        Ticks enter;
        Ticks leave;
        Ticks paused;
        Ticks span() const { return leave - enter; }
        Ticks own() const { return span() - paused; }
    };
    /// A call of that kind ended without what it asks for: the message, the end of a request, or the lock.
    /// Where it is no part of the record of those before, a record of its own is made; then true.
    bool leaveInVain(NodeId node, trace::CallKind kind, const Took& took);
    /// The call that ended last, in vain, had no processor so long.
    void hadNoProcessor(Ticks passed) {
        if (added_ != kNone) records_[added_].shortage += passed;
    }
    /// The thread had no processor so long before `begin`. What is longer than the time since the last call
    /// in vain was in that one, or before it.
    void hadNoProcessorBefore(Ticks before, Ticks begin) {
        if (added_ == kNone || records_[added_].isPause || begin < idleUntil_) return;
        PollRecord& polls = records_[added_];
        const Ticks rest = std::max<Ticks>(0, polls.inside - polls.shortage);
        polls.shortage += std::clamp<Ticks>(before - (begin - idleUntil_), 0, rest);
    }
    /// Of the record that was made last.
    void beginsWith(std::uint32_t slice) { records_.back().slice = slice; }

    /// The thread begins to sleep.
    void enterPause(std::uint64_t event) { pauseEvent_ = event; }
    /// It sleeps no longer. As `leaveInVain`, if this is a pause between polls: it began sooner behind the
    /// last one, or the pause after that, than it took.
    bool leavePause(NodeId node, const Took& took);

    bool isWaiting() const { return !waiting_.empty(); }
    /// The polls of that kind since the last such event were for what this one found; probes of both kinds
    /// are for messages. `enter`: of the call that began last, if it is this one.
    void found(std::uint32_t position, trace::CallKind kind, std::optional<Ticks> enter = std::nullopt);

    Records<PollRecord> take() { return std::move(records_); }

  private:
    /// Records that wait for what ends them; more polls are added to those of their path.
    static constexpr std::size_t kMostWaiting = 64;
    PollRecord* sameAs(NodeId node, bool follows);
    /// Whether one that begins then stands apart from the row.
    bool isApart(const PollRecord& row, Ticks begin) const;
    /// Adds it to the record that it is part of, or makes one; then true.
    bool add(const PollRecord& record, bool follows);

    Records<PollRecord> records_;
    Ticks shortestApart_;
    std::vector<std::uint32_t> waiting_;  ///< their positions, ascending
    std::uint32_t added_ = kNone;         ///< position of the record that the last call in vain is part of
    std::uint64_t event_ = 0;
    std::uint64_t pauseEvent_ = 0;
    Ticks idleUntil_ = 0;   ///< the end of the last poll in vain, or pause behind it
    bool follows_ = false;  ///< nothing was called since the last one, of the same path, or a pause behind it
    bool hasFound_ = false;
    Ticks span_ = 0;
};

}  // namespace holos::analyzer::replay
