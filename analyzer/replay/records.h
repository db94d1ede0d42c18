// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/replay/local_tree.h"

/// What is kept of an event for matching. Memory grows with these, never with enter and leave events.
namespace holos::analyzer::replay {

inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// One call that contains synchronization events. Records name it by its position.
struct Call {
    NodeId node;
    std::uint32_t slice = 0;  ///< of the profile: begins with this call
    Ticks enter = 0;
    Ticks leave = 0;
    std::uint64_t event : 48 = 0;  ///< number in the location, of the first one that made a record
    trace::CallKind kind = trace::CallKind::NotMpi;
};
static_assert(sizeof(Call) == 32);  // there are several for each message

/// Time from one moment to another.
struct Period {
    Ticks begin = 0;
    Ticks end = 0;
};

/// How much of a time lies in these, of which each begins after the one before has ended.
inline Ticks partWithin(const std::vector<Period>& periods, Period time) {
    Ticks sum = 0;
    auto at = std::ranges::lower_bound(periods, time.begin, {}, &Period::end);
    for (; at != periods.end() && at->begin < time.end; ++at)
        sum += std::max<Ticks>(0, std::min(at->end, time.end) - std::max(at->begin, time.begin));
    return sum;
}

/// Time in a call of MPI that is none of its own: it called something that was recorded, too, such as a
/// function of the program.
struct InnerTime {
    NodeId node;  ///< of the call
    Ticks begin = 0;
    Ticks end = 0;
};

/// How long a thread had no processor.
struct TimeOff {
    Ticks without = 0;          ///< and could run
    Ticks asleepOrWithout = 0;  ///< and which of both is not known

    bool isNone() const { return without == 0 && asleepOrWithout == 0; }
    TimeOff& operator+=(const TimeOff& other) {
        without += other.without;
        asleepOrWithout += other.asleepOrWithout;
        return *this;
    }
    /// None of it is longer.
    TimeOff upTo(Ticks most) const { return {std::min(without, most), std::min(asleepOrWithout, most)}; }
};

/// How long the thread could run within a call and had no processor.
struct CallShortage {
    std::uint32_t call = kNone;
    std::optional<trace::TimeClass> within;  ///< of messages, operations, or one of `trace::kWaitingClasses`
    NodeId node;                             ///< that of waiting for processors below the call's
    Ticks passed = 0;
};
/// Waiting for a processor in a call that has no record of messages.
struct PlainShortage {
    trace::TimeClass within = trace::TimeClass::OmpCritical;  ///< one of `trace::kWaitingClasses`
    NodeId call;
    NodeId node;              ///< that of waiting for processors below the call's; `kOutside`: there is none
    std::uint32_t slice = 0;  ///< of the profile, where the call has this time
    Ticks enter = 0;
    Ticks leave = 0;
    Ticks quiet = 0;  ///< without anything that it called; at least
    TimeOff off;
};
/// And between a fork and the thread's start in the parallel region.
struct ForkShortage {
    std::uint64_t event = 0;  ///< enter of the region: number in the location
    NodeId node;              ///< that of waiting for processors below the region's
    Ticks passed = 0;
};

/// Events of a location, from one number to another, which is not among them.
struct EventRange {
    std::uint64_t from = 0;
    std::uint64_t to = ~std::uint64_t{0};

    bool has(std::uint64_t event) const { return from <= event && event < to; }
};

/// A record of any location, by its position among those of its kind.
struct RecordRef {
    std::uint32_t location = kNone;
    std::uint32_t position = kNone;

    bool isKnown() const { return position != kNone; }
};

struct Send {
    std::uint32_t call = kNone;
    std::uint32_t comm = kNone;  ///< position of the communicator
    std::uint32_t receiver = 0;  ///< rank in the communicator
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
    Ticks time = 0;
    std::uint64_t event = 0;  ///< number in the location
    bool cancelled = false;
    std::uint32_t completion = kNone;  ///< position of its SendCompletion, if it is of this location
};

struct Receive {
    std::uint32_t call = kNone;
    std::uint32_t requestCall = kNone;  ///< where the receive was posted; `call` for blocking ones
    std::uint32_t comm = kNone;
    std::uint32_t sender = 0;  ///< rank in the communicator
    std::uint32_t tag = 0;
    std::uint32_t requestLocation = kNone;  ///< of `requestCall`: another one where another thread posted it
    Ticks time = 0;
    std::uint64_t event = 0;         ///< number in the location
    std::uint64_t requestEvent = 0;  ///< of the event that posted it; `event` for blocking ones
};

/// The end of a send: of the call itself, or of the one that completes its request.
struct SendCompletion {
    std::uint32_t send = kNone;  ///< if it is of this location
    std::uint32_t call = kNone;
    std::uint64_t event = 0;  ///< number in the location
};

enum class RequestKind : std::uint8_t { Send, Receive, Collective, Access, File };

/// A request that its location began and did not complete.
struct OpenRequest {
    RequestKind kind = RequestKind::Send;
    /// Of the send, the collective's record or the access; of the call that posts a receive; among the
    /// operations on files that were left open.
    std::uint32_t position = kNone;
    std::uint32_t scope = 0;    ///< within which the number is one request's: the window, the file's handle
    std::uint64_t request = 0;  ///< its number in the trace
    std::uint64_t event = 0;
    Ticks time = 0;
    std::uint32_t completionLocation = kNone;  ///< where another thread did, after `joinRequests`
    std::uint32_t completion = kNone;
};

/// The end of a request that its location did not begin.
struct StrayCompletion {
    RequestKind kind = RequestKind::Send;
    bool isCancel = false;
    /// Of the completion of a send, the receive, the collective's record, also that of an operation on a
    /// file, or the completion of an access.
    std::uint32_t position = kNone;
    std::uint32_t scope = 0;
    std::uint64_t request = 0;
    std::uint64_t event = 0;
    Ticks time = 0;
    std::uint64_t bytes = 0;              ///< that an operation on a file moved
    std::uint32_t beginLocation = kNone;  ///< of the thread that did, after `joinRequests`
    std::uint32_t begin = kNone;
};

/// MPI's collective operations of the first standard, as OTF2 numbers them. Those of neighbours are recorded
/// as `Alltoallv`: it is not known either who exchanges with whom.
enum class Collective : std::uint8_t {
    Barrier,
    Bcast,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Alltoallw,
    Allreduce,
    Reduce,
    ReduceScatter,
    Scan,
    Exscan,
    ReduceScatterBlock,
    Other,
    CommCreate,  ///< of communicators
    CommFree,
    WinCreate,  ///< of windows for one-sided communication
    WinFree,
    WinFence,
    FileOpen,  ///< of files that several processes have open
    FileClose,
    FileSync,
    FileChange,  ///< of its size, view, atomicity, hints or shared pointer
    FileTransfer,
    FileTransferInOrder  ///< rank after rank
};
inline constexpr std::size_t kCollectives = static_cast<std::size_t>(Collective::FileTransferInOrder) + 1;

/// Operations that make communicators and end them.
constexpr bool isOfCommunicators(Collective operation) {
    return operation == Collective::CommCreate || operation == Collective::CommFree;
}

/// Of an operation between two groups: this rank is the root.
inline constexpr std::uint32_t kRootSelf = kNone - 1;

/// One rank's part in a collective operation. One that a later event completes is `Other` until then.
struct CollectiveRecord {
    NodeId node;  ///< of the call that ends it
    std::uint32_t comm = kNone;
    std::uint32_t root = kNone;
    Collective operation = Collective::Other;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    bool comesFromAll = false;  ///< some of it from every other rank, where the operation leaves that open
    Ticks begin = 0;
    Ticks end = 0;
    Ticks blocksFrom = 0;             ///< `begin`; of a nonblocking one, the enter of the call that ends it
    std::uint64_t event = 0;          ///< number in the location
    std::uint64_t beginEvent = 0;     ///< of a nonblocking one, that of its start; `event` otherwise
    std::uint32_t call = kNone;       ///< the call that ends it
    std::uint32_t beginCall = kNone;  ///< the call that begins it
    std::uint32_t location = kNone;   ///< of this record
    std::uint32_t beginLocation = kNone;  ///< of `beginCall`: another one where another thread begins it

    bool isNonblocking() const { return beginCall != call || beginLocation != location; }
    /// OTF2 has no operations of neighbours: the call that begins one tells.
    void learnFrom(const Call& begins) {
        if (begins.kind == trace::CallKind::Neighbours && operation != Collective::Other)
            operation = Collective::Alltoallv;
    }
};

/// A step of one-sided communication.
struct RmaRecord {
    enum class Kind : std::uint8_t { Start, Complete, Post, Wait, Lock, Unlock, Access, Flush, Completion };
    Kind kind = Kind::Access;
    bool exclusive = false;        ///< of a lock
    std::uint32_t window = kNone;  ///< position among the communicators
    std::uint32_t target = kNone;  ///< rank in the window; `kNone`: all
    std::uint32_t group = kNone;   ///< of a start and a post: position of the group of processes
    std::uint32_t call = kNone;    ///< the call around it
    std::uint32_t slice = 0;       ///< of an unlock: the slice of the profile that begins with it
    Ticks time = 0;
    std::uint64_t event = 0;  ///< number in the location
    std::uint64_t put = 0;    ///< bytes
    std::uint64_t got = 0;    ///< bytes
};

/// One team of threads at work: the `instance`-th of team `comm`.
struct TeamKey {
    std::uint32_t comm = kNone;
    std::uint32_t instance = 0;
    friend constexpr auto operator<=>(const TeamKey&, const TeamKey&) = default;
};

/// A master's fork and join around a team.
struct Fork {
    TeamKey team;
    NodeId parent;                    ///< the call path that forked
    std::uint32_t joinSlice = kNone;  ///< of the profile: begins with the join
    Ticks fork = 0;
    Ticks join = 0;
    /// In which the master's recorder wrote what it had: until it entered the region, and since it left it.
    Ticks flushedBefore = 0;
    Ticks flushedAfter = 0;

    bool isJoined() const { return joinSlice != kNone; }
};

/// A thread's stay in a parallel region.
struct ParallelRecord {
    TeamKey team;
    NodeId node;
    Ticks enter = 0;
    Ticks leave = 0;
    std::uint64_t event = 0;       ///< number in the location
    std::uint32_t slice = 0;       ///< of the profile: begins with the region
    std::uint32_t leaveSlice = 0;  ///< of the profile: the one in which the region ends
    std::uint32_t barriers = 0;    ///< of the stay in the team
};

struct BarrierRecord {
    TeamKey team;
    std::uint32_t sequence = 0;  ///< within the team's instance
    bool implicit = false;
    NodeId node;
    Ticks enter = 0;
    Ticks leave = 0;
    Ticks tasks = 0;          ///< time of explicit tasks, and of other calls, inside
    std::uint64_t event = 0;  ///< number in the location
    std::uint32_t slice = 0;  ///< of the profile: begins with the barrier
};

/// How long the thread could run within a barrier and had no processor.
struct BarrierShortage {
    std::uint32_t barrier = kNone;  ///< position of its record
    std::uint32_t slice = 0;        ///< of the profile: in which the barrier ends
    NodeId node;  ///< that of waiting for processors below the barrier's; `kOutside`: there is none
    TimeOff off;
};

/// An explicit task ended. Of many that follow each other closely, only some have a record.
struct TaskEnd {
    NodeId node;              ///< where the location goes on
    std::uint32_t slice = 0;  ///< of the profile: begins with the end
    std::uint64_t event = 0;  ///< number in the location
    Ticks time = 0;
    bool isInBarrier = false;
};

/// A part of a barrier, or of a call that waits for tasks, in which its location ran none: before its first
/// one, between two of them, or behind the last.
struct TaskStall {
    NodeId node;
    std::uint32_t slice = 0;  ///< of the profile: begins with that part
    std::uint64_t event = 0;  ///< number in the location
    Ticks begin = 0;
    Ticks end = 0;
    Ticks calls = 0;                 ///< time of calls in between that are none of a known task
    TeamKey team;                    ///< of a barrier, here and below
    std::uint32_t sequence = kNone;  ///< within the team's instance
    bool implicit = false;

    bool isBarrier() const { return sequence != kNone; }
};

struct LockRecord {
    std::uint32_t lock = 0;
    std::uint32_t order = 0;
    bool acquired = false;  ///< or released
    trace::CallKind kind = trace::CallKind::NotMpi;
    NodeId node;
    std::uint32_t slice = 0;  ///< of the profile: begins with the release, or the region of the acquisition
    std::uint64_t event = 0;  ///< number in the location
    Ticks begin = 0;          ///< `time`; of an acquisition, the enter of the call that waits for it
    Ticks time = 0;
};

/// A call that waited until its timeout, for nobody.
struct Timeout {
    trace::CallKind kind = trace::CallKind::NotMpi;
    NodeId node;
    Ticks begin = 0;  ///< the enter of the call
    Ticks end = 0;    ///< the timeout: later the call may have waited for the mutex of its condition
};

/// One end of the creation of a thread: in the one that makes it, or its own start.
struct ThreadStart {
    std::uint32_t contingent = kNone;  ///< the threads, among the communicators
    bool begins = false;
    std::uint64_t number = 0;  ///< of the new thread
    NodeId node;
    std::uint32_t slice = 0;  ///< of the profile: begins with the event
    std::uint64_t event = 0;  ///< number in the location
    Ticks time = 0;
};

/// One side of the end of a thread: its own last event, or the call of another one that waited for it.
struct ThreadEnd {
    std::uint32_t contingent = kNone;  ///< the threads, among the communicators
    bool joins = false;                ///< the call that waited
    std::uint64_t number = 0;          ///< of the thread that ended
    NodeId node;
    std::uint32_t slice = 0;  ///< of the profile: begins with the call, or the end
    std::uint64_t event = 0;  ///< number in the location
    Ticks begin = 0;          ///< `time`; of the call, its enter
    Ticks time = 0;
};

/// A call that waits for the end of another thread. A trace need not say which one.
struct ThreadJoin {
    NodeId node;
    std::uint32_t slice = 0;  ///< of the profile: in which the call ends
    Ticks enter = 0;
    Ticks leave = 0;
};

/// The first MPI_Init or MPI_Finalize of a location.
struct Startup {
    bool seen = false;
    NodeId node;
    Ticks enter = 0;
    Ticks leave = 0;
    std::uint64_t event = 0;  ///< number in the location
    std::uint32_t slice = 0;  ///< of the profile: begins with the call
};

}  // namespace holos::analyzer::replay
