// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <utility>

#include "analyzer/replay/call_replay.h"

namespace holos::analyzer::replay {

/// What a location's events say becomes records. Thread safety: one thread for each location.

/// MPI's messages and collective operations, which are a part of the logical order, too.
class MessageEvents {
  public:
    explicit MessageEvents(CallReplay& calls) : calls_(calls), records_(calls.records()) {}

    void send(std::uint64_t event, Ticks time, const Message& message);
    void startSend(std::uint64_t event, Ticks time, const Message& message, std::uint64_t request);
    void completeSend(std::uint64_t event, Ticks time, std::uint64_t request);
    void postReceive(std::uint64_t event, Ticks time, std::uint64_t request);
    void receive(std::uint64_t event, Ticks time, const Message& message);
    void completeReceive(std::uint64_t event, Ticks time, const Message& message, std::uint64_t request);
    void cancel(std::uint64_t event, Ticks time, std::uint64_t request);

    /// Collective operations of communicators and of windows.
    void beginCollective(std::uint64_t event, Ticks time);
    void endCollective(std::uint64_t event, Ticks time, const CollectiveRecord& collective);
    void startCollective(std::uint64_t event, Ticks time, std::uint64_t request);
    void completeCollective(std::uint64_t event, Ticks time, const CollectiveRecord& collective,
                            std::uint64_t request);

  private:
    void noteReceive(Ticks time, std::uint32_t record);

    CallReplay& calls_;
    MessageRecorder& records_;
};

/// A window, and the number that an operation has there.
using RmaKey = std::pair<std::uint32_t, std::uint64_t>;

/// One-sided communication. Accesses with a request are followed to the call that completes them, if both are
/// in this location.
class OneSidedEvents {
  public:
    OneSidedEvents(CallReplay& calls, Memory memory) : calls_(calls), records_(memory) {}

    void groupSync(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t group);
    void lock(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target, bool exclusive);
    void unlock(std::uint64_t event, Ticks time, std::uint32_t window, std::uint32_t target);
    void access(std::uint64_t event, Ticks time, const RmaKey& key, std::uint32_t target, std::uint64_t put,
                std::uint64_t got);
    void complete(std::uint64_t event, Ticks time, const RmaKey& key);

    /// Accesses that are not complete are left to matching.
    Records<RmaRecord> take();

  private:
    /// Of the present event.
    RmaRecord& add(RmaRecord::Kind kind, std::uint64_t event, std::uint32_t window);
    void leaveOpen(const RmaKey& key, std::uint32_t record);
    trace::CallKind kindOf(std::uint32_t call) { return calls_.records().call(call).kind; }

    CallReplay& calls_;
    Records<RmaRecord> records_;
    std::map<RmaKey, std::uint32_t> requested_;  ///< records of accesses whose request is not complete
};

/// Files: bytes by call path, and records of what all who have a file open do together.
class FileEvents {
  public:
    explicit FileEvents(CallReplay& calls) : calls_(calls), records_(calls.records()) {}

    /// `comm`, of an operation of all who have the file open: the file among the communicators.
    void begin(std::uint64_t event, Ticks time, const FileKey& key, FileOperation operation,
               std::uint64_t bytes, std::uint32_t comm);
    void complete(std::uint64_t event, Ticks time, const FileKey& key, std::uint64_t bytes);
    /// A file was opened, closed or changed by all, in the call around the event.
    void collective(std::uint64_t event, Ticks time, std::uint32_t comm, Collective operation);
    /// A pointer into the file was moved: all have one in common, and each has its own.
    void seek(std::uint64_t event, Ticks time, std::uint32_t comm);

    /// Operations that are not complete are left to matching.
    FileRecords take();

  private:
    /// The end of an operation that this location did not begin.
    void completeStray(std::uint64_t event, Ticks time, const FileKey& key, std::uint64_t bytes);

    CallReplay& calls_;
    MessageRecorder& records_;
    FileRecorder files_;
};

/// Threads that begin and end by themselves, and timeouts.
class ThreadEvents {
  public:
    explicit ThreadEvents(CallReplay& calls) : calls_(calls) {}

    /// `contingent`: the communicator of the threads, or `kNone`; `number`: of the new one among these.
    void create(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number);
    void begin(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number);
    void end(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number);
    /// The call around the event has waited for the end of that thread.
    void wait(std::uint64_t event, Ticks time, std::uint32_t contingent, std::uint64_t number);
    /// The call that is left next waited until its timeout, so many ticks ago.
    void timedOut(std::uint64_t event, Ticks time, Ticks since);

  private:
    void start(std::uint64_t event, std::uint32_t contingent, std::uint64_t number, bool begins);
    bool isKnown(std::uint32_t contingent) const { return contingent != kNone && !calls_.isAlone(); }

    CallReplay& calls_;
};

/// Replays one location in a single pass. Each kind of events has a class that knows what to make of them.
/// Thread safety: one thread for each location.
class LocationReplay {
  public:
    /// `clock`: what corrects the times of the events; without one they count as they come.
    LocationReplay(const Context& context, trace::LocationId self, Clock* clock = nullptr)
        : memory_(context.memory),
          calls_(context, self, clock),
          messages_(calls_),
          oneSided_(calls_, memory_),
          files_(calls_),
          threads_(calls_) {}
    LocationReplay(const LocationReplay&) = delete;
    LocationReplay& operator=(const LocationReplay&) = delete;

    CallReplay& calls() { return calls_; }
    MessageEvents& messages() { return messages_; }
    OneSidedEvents& oneSided() { return oneSided_; }
    FileEvents& files() { return files_; }
    ThreadEvents& threads() { return threads_; }

    /// Closes what is open. Call once, after the last event.
    ReplayedLocation finish(std::uint64_t events) {
        ReplayedLocation result(memory_);
        result.trace.rma = oneSided_.take();
        result.trace.files = files_.take();
        calls_.finish(events, result);
        return result;
    }

  private:
    Memory memory_;
    CallReplay calls_;
    MessageEvents messages_;
    OneSidedEvents oneSided_;
    FileEvents files_;
    ThreadEvents threads_;
};

/// A location after its replay, on its way to another process.
std::string pack(ReplayedLocation location);
ReplayedLocation unpack(std::string message, Memory memory);

}  // namespace holos::analyzer::replay
