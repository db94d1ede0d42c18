// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace holos::testing {

class TraceBuilder;

/// Ticks since the trace's start; a thousandth of a second each unless the builder is told otherwise.
using Tick = std::uint64_t;

inline constexpr OTF2_CommRef kWorld = 0;
inline constexpr OTF2_CommRef kSelf = 1;
/// The attribute by which our recorder names files; defined in traces that have some.
inline constexpr OTF2_AttributeRef kCollectiveIoHandle = 0;
/// The attributes by which it names the calls that led to an event, and where a sample was taken; defined in
/// traces with calling contexts.
inline constexpr OTF2_AttributeRef kCallPath = 1;
inline constexpr OTF2_AttributeRef kSampledContext = 2;
/// The attributes by which an enter says for how many calls it stands, and how long they took with the time
/// between them; always defined.
inline constexpr OTF2_AttributeRef kCalls = 3;
inline constexpr OTF2_AttributeRef kCallsSpan = 4;
/// The attribute by which APEX numbers tasks; defined in traces whose tasks move.
inline constexpr OTF2_AttributeRef kTaskNumber = 5;
/// The attribute by which our recorder tells for how many nanoseconds a thread had no processor; defined in
/// traces of threads that had none.
inline constexpr OTF2_AttributeRef kShortage = 6;
/// For how many nanoseconds a thread was off its processor, perhaps asleep, as our recorder tells it.
inline constexpr OTF2_AttributeRef kTimeOff = 7;

/// Our recorder tells by it that a rank received something from all others; defined in traces with some.
inline constexpr OTF2_AttributeRef kReceivesFromAll = 8;

/// The attribute by which our recorder tells that a timeout ended a wait; defined in traces that have one.
inline constexpr OTF2_AttributeRef kTimedOut = 9;

/// One end of a message; `peer` is a rank of the communicator.
struct Message {
    std::uint32_t peer;
    std::uint64_t bytes = 8;
    std::uint32_t tag = 0;
    OTF2_CommRef comm = kWorld;
};

/// What one rank does in a collective operation; `root` is a rank of the communicator.
struct Share {
    std::uint64_t sent = 8;
    std::uint64_t received = 8;
    std::uint32_t root = OTF2_COLLECTIVE_ROOT_NONE;
    OTF2_CommRef comm = kWorld;
};

/// The events of one location, in the order in which they are told. Every function appends and returns the
/// location, so that calls chain. Regions are named; see `kindOf` for what is known about a name.
class LocationScript {
  public:
    using Record = std::function<OTF2_ErrorCode(OTF2_EvtWriter*)>;

    LocationScript(TraceBuilder& trace, OTF2_CommRef team) : trace_(trace), team_(team) {}

    /// The location's clock shows so many ticks more in each million, and the trace says so. Before the first
    /// event.
    LocationScript& clockGains(unsigned perMillion);
    static constexpr Tick kMillion = 1'000'000;
    unsigned clockGain() const { return gain_; }

    LocationScript& enter(Tick, std::string_view region);
    /// Enters a region, with an attribute that names the calls that led there.
    LocationScript& enterFrom(Tick, std::string_view region, OTF2_CallingContextRef);
    LocationScript& callFrom(Tick begin, Tick end, std::string_view region, OTF2_CallingContextRef);
    /// A call that stands for several, which took `span` ticks until its end.
    LocationScript& severalCalls(Tick begin, Tick end, std::string_view region, std::uint64_t calls,
                                 Tick span, OTF2_CallingContextRef from = OTF2_UNDEFINED_CALLING_CONTEXT);
    /// A sample of the call stack, as our recorder writes them: values of a class of counters.
    LocationScript& sampleAt(Tick, OTF2_MetricRef, OTF2_CallingContextRef, std::uint64_t samples = 1);
    /// The innermost region.
    LocationScript& leave(Tick);
    /// Leaves, with an attribute that names the file that the call was about.
    LocationScript& leaveNaming(Tick, OTF2_IoHandleRef file, OTF2_AttributeRef = kCollectiveIoHandle);
    /// Enters or leaves after a time of which the thread had no processor for so many ticks, though it could
    /// run.
    LocationScript& enterStarved(Tick, std::string_view region, Tick without);
    LocationScript& leaveStarved(Tick, Tick without, Tick asleepOrWithout = 0);
    /// A team begins after such a time.
    LocationScript& teamBeginStarved(Tick, Tick without, Tick asleepOrWithout = 0);
    /// A task with a number, which may end in another location than it began in.
    LocationScript& enterTask(Tick, std::string_view region, std::uint64_t number);
    LocationScript& leaveTask(Tick, std::string_view region, std::uint64_t number);
    /// This region, whether it was entered or not.
    LocationScript& leave(Tick, std::string_view region);
    LocationScript& call(Tick begin, Tick end, std::string_view region);

    // Whole MPI calls: enter, record, leave. A send is recorded at the call's start, a receive at its end.
    LocationScript& send(Tick begin, Tick end, Message, std::string_view region = "MPI_Send");
    LocationScript& recv(Tick begin, Tick end, Message, std::string_view region = "MPI_Recv");
    LocationScript& sendrecv(Tick begin, Tick end, Message to, Message from);
    LocationScript& isend(Tick begin, Tick end, Message, std::uint64_t request);
    LocationScript& irecv(Tick begin, Tick end, std::uint64_t request, std::string_view region = "MPI_Irecv");
    LocationScript& waitSend(Tick begin, Tick end, std::uint64_t request,
                             std::string_view region = "MPI_Wait");
    LocationScript& waitRecv(Tick begin, Tick end, Message, std::uint64_t request,
                             std::string_view region = "MPI_Wait");
    LocationScript& collective(Tick begin, Tick end, OTF2_CollectiveOp, Share);
    /// Of which the trace says that the rank received something from all others.
    LocationScript& collectiveFromAll(Tick begin, Tick end, OTF2_CollectiveOp, Share);
    LocationScript& barrier(Tick begin, Tick end, OTF2_CommRef = kWorld);
    /// Of a nonblocking operation: its start, as `MPI_Ibarrier`, and the call that completes it.
    LocationScript& startCollective(Tick begin, Tick end, std::uint64_t request, std::string_view region);
    LocationScript& waitCollective(Tick begin, Tick end, OTF2_CollectiveOp, Share, std::uint64_t request,
                                   std::string_view region = "MPI_Wait");

    // Single records, between an `enter` and a `leave`.
    LocationScript& sent(Tick, Message);
    LocationScript& received(Tick, Message);
    /// Of a nonblocking message: where it is sent or asked for, and where that is completed.
    LocationScript& sendPosted(Tick, Message, std::uint64_t request);
    LocationScript& receivePosted(Tick, std::uint64_t request);
    LocationScript& sendCompleted(Tick, std::uint64_t request);
    LocationScript& receiveCompleted(Tick, Message, std::uint64_t request);
    LocationScript& requestTested(Tick, std::uint64_t request);
    LocationScript& requestCancelled(Tick, std::uint64_t request);
    LocationScript& collectiveBegin(Tick);
    LocationScript& collectiveEnd(Tick, OTF2_CollectiveOp, Share);
    LocationScript& collectiveCompleted(Tick, OTF2_CollectiveOp, Share, std::uint64_t request);

    /// A window's fence, or a transfer to a file that all do together, from here to there.
    LocationScript& fence(Tick begin, Tick end, OTF2_RmaWinRef);
    LocationScript& writeTogether(Tick begin, Tick end, OTF2_IoHandleRef, std::uint64_t bytes);

    // Threads of the location's process. The team's parallel region stands between `teamBegin` and `teamEnd`.
    LocationScript& fork(Tick, std::uint32_t threads);
    LocationScript& join(Tick);
    LocationScript& teamBegin(Tick);
    LocationScript& teamEnd(Tick);
    /// Of a team of the builder's own, such as a smaller or an inner one.
    LocationScript& teamBegin(Tick, OTF2_CommRef team);
    LocationScript& teamEnd(Tick, OTF2_CommRef team);
    /// To a task that the first thread of the team made, or back with number 0.
    LocationScript& switchTask(Tick, std::uint32_t task);
    LocationScript& completeTask(Tick, std::uint32_t task);
    LocationScript& switchTask(Tick, std::uint32_t task, OTF2_CommRef team);
    LocationScript& completeTask(Tick, std::uint32_t task, OTF2_CommRef team);
    LocationScript& acquire(Tick, std::uint32_t lock, std::uint32_t order);
    LocationScript& release(Tick, std::uint32_t lock, std::uint32_t order);
    /// Releases after a time of which the thread had no processor for so many ticks.
    LocationScript& releaseStarved(Tick, std::uint32_t lock, std::uint32_t order, Tick without);
    /// What nobody has: ends the waiting of others, and has waited, by our recorder's events.
    LocationScript& wakes(Tick, std::uint32_t place, std::uint32_t order);
    LocationScript& isWoken(Tick, std::uint32_t place, std::uint32_t order);
    /// Leaves a call that its timeout ended, so many ticks ago.
    LocationScript& leaveTimedOut(Tick, Tick since = 0);

    /// Values of a class that `TraceBuilder::counters` defined, in its order.
    LocationScript& counters(Tick, OTF2_MetricRef, std::vector<std::uint64_t> values);

    /// Anything else that OTF2's writer can write; `TraceBuilder::timestamp` makes its time.
    LocationScript& record(Record);

    /// Forgets all but the first so many, as where a file ends early.
    void cut(std::size_t records) { records_.resize(records); }

    bool empty() const { return records_.empty(); }
    const std::vector<Record>& records() const { return records_; }

  private:
    /// What the location's clock shows.
    OTF2_TimeStamp stamp(Tick tick);
    template <class Writer>
    LocationScript& useLock(Writer, Tick, OTF2_Paradigm, std::uint32_t lock, std::uint32_t order);

    TraceBuilder& trace_;
    OTF2_CommRef team_;
    unsigned gain_ = 0;
    std::vector<Record> records_;
    std::vector<OTF2_RegionRef> open_;
};

}  // namespace holos::testing
