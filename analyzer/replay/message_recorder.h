// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "analyzer/memory/records.h"
#include "analyzer/replay/diagnosis_log.h"
#include "analyzer/replay/records.h"

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

}  // namespace holos::analyzer::replay
