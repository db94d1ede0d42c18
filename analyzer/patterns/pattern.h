// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "analyzer/patterns/kind.h"
#include "analyzer/patterns/severities.h"
#include "analyzer/patterns/waits.h"

namespace holos::analyzer::patterns {

/// One rank's part in a collective operation, and where its wait is noted.
struct CollectivePart {
    replay::RecordRef ref;
    const replay::CollectiveRecord* record;
    CollectiveWait* wait;
    /// How long its call had no processor, although it could run: that or a wait is what it took long for.
    Ticks lacked = 0;

    const replay::CollectiveRecord& operator*() const { return *record; }
    const replay::CollectiveRecord* operator->() const { return record; }
};

/// One operation, or one group of it, by rank.
using CollectiveParts = std::span<const CollectivePart>;

/// How long the calls of one location have waited for messages and nonblocking operations: patterns that come
/// later take it away from what they find in the same call.
class CallWaits {
  public:
    CallWaits(std::size_t calls, Memory memory) : calls_(calls), waited_(memory) {}

    Ticks waited(std::uint32_t call) const { return waited_.empty() ? 0 : waited_[call]; }
    void add(std::uint32_t call, Ticks wait) {
        if (waited_.empty()) waited_.resize(calls_, 0);
        waited_[call] += wait;
    }
    /// It may have waited so long beside that, which nothing proves: a lack of processors says nothing.
    Ticks doubt(std::uint32_t call) const {
        const auto known = doubts_.find(call);
        return known != doubts_.end() ? known->second : 0;
    }
    void noteDoubt(std::uint32_t call, Ticks ticks) { doubts_[call] = ticks; }
    /// A receive that it completes came before its send, even if another wait of the call counts.
    void noteLateSender(std::uint32_t call) {
        if (hasLateSender_.empty()) hasLateSender_.resize(calls_, false);
        hasLateSender_[call] = true;
    }
    bool hasLateSender(std::uint32_t call) const { return !hasLateSender_.empty() && hasLateSender_[call]; }

  private:
    std::size_t calls_;
    Records<Ticks> waited_;  ///< by call; empty where none has waited
    std::vector<bool> hasLateSender_;
    std::unordered_map<std::uint32_t, Ticks> doubts_;
};

/// The last other rank that came back to MPI before a rank was through with its part of a nonblocking
/// collective operation, which both had begun: that may have waited for it.
struct LateReturn {
    std::uint32_t record = kNone;  ///< of the operation, of the one that waits
    End causer;                    ///< where the other one is back; not known where it is not
    Ticks outsideSince = 0;        ///< when it had left MPI
    bool isNeeded = false;         ///< all need all, and nobody was through before it was back
    Ticks sinceTest = 0;           ///< how long it was outside right before it was back
    bool isBack = true;            ///< else it went on to test now and then
};

/// What patterns have found in one location so far.
struct LocationFindings {
    LocationFindings(const replay::LocationTrace& trace, Memory memory)
        : waits(trace, memory), calls(trace.messages.calls.size(), memory) {}
    /// Of a location that has nothing.
    explicit LocationFindings(Memory memory) : waits(memory), calls(0, memory) {}

    LocationWaits waits;
    LocalSeverities severities;
    CallWaits calls;
    std::vector<LateReturn> returns;  ///< in the order of the records
};
using AllFindings = ByLocation<LocationFindings>;

/// How the ranks of a collective operation wait for each other.
struct CollectiveRule {
    std::vector<replay::Collective> operations;
    Kind kind;
    /// Notes the waits of all ranks of an operation, which has two at least.
    void (*find)(CollectiveParts);
    const Metric* wait;
    const Metric* completion = nullptr;  ///< null where it is not measured
    /// What the wait is in a call that completes nonblocking operations of any kind.
    Nonblocking nonblocking = Nonblocking::Collective;
};

/// One wait, as a user looks at it in a timeline.
struct SingleWait {
    const Metric& metric;
    replay::NodeId node;
    trace::Ticks wait;
    trace::Ticks begin;                        ///< of the call that waits
    std::optional<trace::LocationId> awaited;  ///< whom it waits for, where that is one
};
using VisitWait = std::function<void(const SingleWait&)>;

/// What it costs others that somebody comes late: three metrics of causes, one for what follows directly, one
/// for what is handed on, and their sum.
struct Delay {
    Kind kind;
    const char* parent;
    const char* uniqueName;  ///< of the first; `_longterm` and `_aggregate` make those of the others
    const char* displayName;
    const char* description;
    const algebra::Picture* picture = nullptr;
    Needs needs = Needs::Nothing;  ///< beside what the parent needs
    const char* before = nullptr;  ///< the sum that it stands before, where that is not the order of the list
};

/// All about a wait state, or about what is counted in one place: its metrics, and how they are found. A
/// pattern is defined in its file and named in the list; nothing else knows it. Each of the steps is done for
/// all patterns, in the order of the list, before the next one is; what a pattern does not need is null.
struct Pattern {
    std::vector<const Metric*> metrics = {};
    std::vector<Delay> delays = {};
    /// Before all steps: the search asks for the one that has an operation.
    std::vector<CollectiveRule> collectives = {};
    /// First step, of one location.
    void (*inLocation)(const matching::MatchedTrace&, trace::LocationId, LocationFindings&) = nullptr;
    /// Second step, of all locations together.
    void (*inTrace)(const matching::MatchedTrace&, AllFindings&) = nullptr;
    /// Third step, of one location: books the waits that were found in it, but not its dependencies.
    void (*book)(const matching::MatchedTrace&, trace::LocationId, const LocationWaits&,
                 LocalSeverities&) = nullptr;
    /// The single waits of one location, after all of that; not its dependencies.
    void (*visitWaits)(const JudgedTrace&, trace::LocationId, const VisitWait&) = nullptr;
};

/// What the search and other patterns ask of patterns; all else about them is in their files and in `list.h`.
/// Notation: E, L enter and leave of a call; B, X start and end of a collective operation on one rank.

/// Notes the waits in all collective operations, by the patterns of these.
void findCollectiveWaits(const replay::ReplayedTrace& trace, const matching::CollectiveOperations& operations,
                         workers::Workers& workers, AllFindings& found);
/// An operation between two groups, of which the first one has so many ranks: ranks wait for those of the
/// other group. `isOwn`: our recorder's, of which it is known when ranks had no processor; then also for
/// those of their own group that held them up.
void intercommunicatorWaits(CollectiveParts all, std::size_t first, bool isOwn);
/// Alltoallv and its like, as far as the byte counts prove who had to wait. Within one group, the receivers
/// are the senders.
void exchangeWaits(CollectiveParts receivers, CollectiveParts senders);
/// Of all operations in which ranks need data of others.
extern const Metric kWaitNxN;

/// Notes the waits in barriers of teams, kept in `memory`.
void findOmpBarrierWaits(const replay::ReplayedTrace& trace, workers::Workers& workers, Memory memory,
                         AllFindings& found);
/// Books the times in barriers of teams in which threads could run and had no processor, beyond all waits,
/// which have to be known.
void findShortagesAtBarriers(const replay::ReplayedTrace& trace, workers::Workers& workers,
                             AllFindings& found);
/// How long a call of threads took that had no processor, beyond its waits: `rest` of its own time. A thread
/// that waits for others is woken at the end of that, if it sleeps.
Ticks shortageBeyond(const replay::TimeOff& off, Ticks waited, Ticks rest, Ticks longestWake);
/// The metric of waiting for processors in such calls, one of `trace::kWaitingClasses`.
const Metric* shortageMetricOf(trace::TimeClass within);
/// Finds waiting for processors in calls that wait for locks, tasks and threads, and in others that have no
/// record of messages.
void findShortagesInCalls(const replay::ReplayedTrace& trace, workers::Workers& workers, AllFindings& found);
/// How long a thread waits for a signal at a condition: for all but what has a metric of its own.
extern const Metric kConditionSignalWait;
/// Books what calls of MPI take beyond all waits, which have to be known, and beyond their cost in this run.
void findUnexplained(const matching::MatchedTrace& run, workers::Workers& workers, AllFindings& found);
/// For how long a thread waits at a condition until its timeout.
extern const Metric kConditionTimeout;
/// Of waits for locks and semaphores until their timeout; null for other calls.
const Metric* timeoutMetricOf(trace::CallKind call);
/// Without the recorder's own time.
Ticks waitedUntil(const replay::LocationTrace& location, const replay::Timeout& timeout);
/// An acquisition with the wait before it, or a release.
inline End lockEnd(const matching::LockRef& ref) {
    const replay::LockRecord& record = *ref.record;
    return {ref.location, record.node, record.slice, kNone, record.event, record.begin, record.time};
}
/// Notes that a call waited until another thread did something, after which nobody has what it waited for.
void noteWoken(const replay::ReplayedTrace& trace, const matching::LockRef& woken,
               const matching::LockRef& waking, AllFindings& found);
/// Notes what acquisitions of locks waited for.
void findLockWaits(const replay::ReplayedTrace& trace, workers::Workers& workers, AllFindings& found);

}  // namespace holos::analyzer::patterns
