// SPDX-License-Identifier: BSD-3-Clause
//
// Lock contention: a thread waits for a lock (critical section, OpenMP lock, mutex, condition) that another
// holds.
//
//   thread 0  ──┤ holds ────│release├──        w = release of the previous holder − E
//   thread 1  ─────┤E ······│ acquire ──
//                  └── w ───┘
//
// At a condition, only the part of w in which the previous holder has the mutex: before, nobody is in the
// way, and the thread waits for a signal. Of several that are woken together, each takes the mutex for a
// moment: they all wait for whoever had it before.
//
#include <algorithm>
#include <utility>

#include "analyzer/matching/teams.h"
#include "analyzer/patterns/lock_tests.h"
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

const algebra::Picture kLockPicture{
    {{"owner", "critical", "---==========-------"}, {"other thread", "critical", "------#######=====--"}},
    {{0, 13, 1, 13}}};

const Metric kConditionSignalWait{
    .parent = "pthread_conditional",
    .uniqueName = "pthread_condition_signal_wait",
    .displayName = "Wait for Signal",
    .description =
        "Time that threads wait until another one signals a condition variable, or until their timeout "
        "expires. Idle workers wait here for work.",
    .picture = &kLockPicture,
    .meaning = "threads wait until another one signals a condition",
    .before = "pthread_lock_contention_conditional"};

namespace {

const Metric kLockContentionCritical{.parent = "omp_critical",
                                     .uniqueName = "omp_lock_contention_critical",
                                     .displayName = "OpenMP Critical Contention",
                                     .description =
                                         "Time that threads wait to enter a critical section. Make it "
                                         "shorter, or give unrelated ones names of their own.",
                                     .picture = &kLockPicture,
                                     .meaning = "threads wait for a critical section that another one is in",
                                     .activity = Activity::None};
const Metric kLockContentionApi{.parent = "omp_lock_api",
                                .uniqueName = "omp_lock_contention_api",
                                .displayName = "OpenMP Lock API Contention",
                                .description = "Time that threads wait for OpenMP locks.",
                                .picture = &kLockPicture,
                                .meaning = "threads wait for a lock that another one holds",
                                .activity = Activity::None};
const Metric kLockContentionMutex{.parent = "pthread_lock_api",
                                  .uniqueName = "pthread_lock_contention_mutex_lock",
                                  .displayName = "Pthread Mutex Contention",
                                  .description = "Time that threads wait for mutexes.",
                                  .picture = &kLockPicture,
                                  .meaning = "threads wait for a mutex that another one holds",
                                  .activity = Activity::None};
const Metric kLockContentionCondition{
    .parent = "pthread_conditional",
    .uniqueName = "pthread_lock_contention_conditional",
    .displayName = "Pthread Condition Contention",
    .description =
        "Time that threads wait at a condition variable while the thread that has its mutex before them "
        "holds it. They cannot have waited longer than that for the mutex after the signal.",
    .picture = &kLockPicture,
    .meaning = "threads that wait at a condition find its mutex taken",
    .activity = Activity::None};

/// The metric of the waits for a lock in such a call; null where it has none.
const Metric* contentionMetricOf(trace::CallKind kind) {
    switch (kind) {
        case trace::CallKind::OmpCritical:
            return &kLockContentionCritical;
        case trace::CallKind::OmpLock:
            return &kLockContentionApi;
        case trace::CallKind::PthreadMutex:
            return &kLockContentionMutex;
        case trace::CallKind::PthreadCondition:
            return &kLockContentionCondition;
        default:
            return nullptr;
    }
}

Kind kindOf(trace::CallKind call) {
    if (call == trace::CallKind::PthreadCondition) return Kind::PthreadCondition;
    return trace::isPthread(call) ? Kind::PthreadLock : Kind::OmpLock;
}

/// How long the holder before had a lock that somebody waited for. What the waiter gave back itself, as at a
/// condition, was in nobody's way.
Ticks takenMeanwhile(const matching::LockRef& waiter, const matching::LockRef& released,
                     const matching::LockRef* acquired) {
    if (released.location == waiter.location) return 0;
    const Ticks since =
        acquired != nullptr ? std::max(acquired->record->time, waiter.record->begin) : waiter.record->begin;
    return std::max<Ticks>(0, std::min(released.record->time, waiter.record->time) - since);
}

End endOf(const matching::LockRef& ref) {
    const replay::LockRecord& record = *ref.record;
    return {ref.location, record.node, record.slice, kNone, record.event, record.begin, record.time};
}

/// Calls `visit` with each wait at a condition that found its mutex taken, and the time before, in which
/// nobody was in the way.
template <class Visit>
void forEachTakenMutex(const LocationWaits& waits, Visit&& visit) {
    for (const Dependency& wait : waits.dependencies)
        if (wait.metric == &kLockContentionCondition)
            visit(wait, wait.causer.begin - wait.waiter.begin - wait.booked);
}

/// The recorder's own time in a call is no wait.
Ticks bookedBefore(const replay::LocationTrace& location, const replay::LockRecord& record, Ticks release) {
    const Ticks until = std::min(release, record.time);
    return std::max<Ticks>(0, until - record.begin - partWithin(location.pauses, {record.begin, until}));
}

void book(const matching::MatchedTrace& run, trace::LocationId location, const LocationWaits& waits,
          LocalSeverities& severities) {
    forEachTakenMutex(waits, [&](const Dependency& wait, Ticks) {
        severities.add(kConditionSignalWait, wait.waiter.node, -wait.booked);
    });
    for (const replay::LockRecord& record : run.trace[location].threads.locks)
        if (record.acquired && record.kind == trace::CallKind::PthreadCondition)
            severities.add(kConditionSignalWait, record.node,
                           bookedBefore(run.trace[location], record, record.time));
}

void visitWaits(const JudgedTrace& run, trace::LocationId location, const VisitWait& visit) {
    forEachTakenMutex(run.waits[location.index()], [&](const Dependency& wait, Ticks before) {
        visit({kConditionSignalWait, wait.waiter.node, before, wait.waiter.begin,
               trace::LocationId(wait.causer.location)});
    });
}

/// For causes a wait is within its call, whatever the clocks say, and one for a condition begins after the
/// release that belongs to it.
Ticks waitWithin(const replay::ThreadRecords& threads, const matching::LockRef& waiter, Ticks release) {
    const replay::LockRecord& record = *waiter.record;
    Ticks begin = record.begin;
    if (waiter.position != 0) begin = std::max(begin, threads.locks[waiter.position - 1].time);
    return std::max<Ticks>(0, std::min(record.time, release) - begin);
}

void noteWait(const replay::ReplayedTrace& trace, const matching::LockRef& acquired,
              const matching::LockRef& released, const matching::LockRef* before, AllFindings& found) {
    const replay::LockRecord& record = *acquired.record;
    const Metric* const metric = contentionMetricOf(record.kind);
    const Ticks release = released.record->time;
    if (metric == nullptr || release <= record.begin) return;
    const bool isCondition = record.kind == trace::CallKind::PthreadCondition;
    found.own(acquired.location)
        .waits.dependencies.push_back(
            {endOf(acquired), endOf(released), metric,
             waitWithin(trace.locations[acquired.location].threads, acquired, release),
             isCondition ? takenMeanwhile(acquired, released, before)
                         : bookedBefore(trace.locations[acquired.location], record, release),
             kindOf(record.kind)});
}

/// Whether a thread that was woken at a condition had its mutex only in passing: then others that wait there
/// wait for what it waited for, too, and not for it.
bool wasInPassing(const matching::LockRef* acquired, const matching::LockRef& released) {
    if (acquired == nullptr || acquired->record->kind != trace::CallKind::PthreadCondition) return false;
    const Ticks waited = acquired->record->time - acquired->record->begin;
    return 2 * (released.record->time - acquired->record->time) < waited;
}

void noteWaits(const replay::ReplayedTrace& trace, const LockTests& tests, matching::LockHistory history,
               AllFindings& found) {
    // By the holder before.
    const matching::LockRef* acquired = nullptr;
    const matching::LockRef* released = nullptr;
    struct {
        const matching::LockRef* acquired = nullptr;
        const matching::LockRef* released = nullptr;
    } waking;  // the last one that had the lock not only in passing
    for (const matching::LockRef& ref : history) {
        if (!ref.record->acquired) {
            released = &ref;
            if (!wasInPassing(acquired, ref)) waking = {acquired, released};
            continue;
        }
        const matching::LockRef* const before = std::exchange(acquired, &ref);
        if (released == nullptr) continue;
        if (trace::isWoken(ref.record->kind)) {
            noteWoken(trace, ref, *released, found);
            continue;
        }
        if (ref.record->kind != trace::CallKind::PthreadCondition)
            noteWait(trace, ref, *released, before, found);
        else if (waking.released != nullptr)
            noteWait(trace, ref, *waking.released, waking.acquired, found);
        tests.noteWaits(ref, *released, found);
    }
}

}  // namespace

void findLockWaits(const replay::ReplayedTrace& trace, workers::Workers& workers, AllFindings& found) {
    const LockTests tests(trace);
    matching::forEachLock(trace, workers,
                          [&](matching::LockHistory history) { noteWaits(trace, tests, history, found); });
}

extern const Pattern kLockContentionPattern{
    .metrics = {&kLockContentionCritical, &kLockContentionApi, &kLockContentionMutex,
                &kLockContentionCondition, &kConditionSignalWait},
    .delays =
        {{Kind::OmpLock, "delay_omp", "delay_omp_lock", "Lock Contention",
          "Delays of threads that have a lock, or are in a critical section, that others wait for.",
          &kLockPicture, Needs::OpenMpLocks},
         {Kind::PthreadLock, "delay_pthread", "delay_pthread_lock", "Lock Contention",
          "Delays of threads that have a mutex that others wait for.", &kLockPicture, Needs::PthreadLocks},
         {Kind::PthreadCondition, "delay_pthread", "delay_pthread_condition", "Wait for Signal",
          "What a thread that signals a condition variable, and has its mutex last, does longer than those "
          "that wait there.",
          &kLockPicture, Needs::PthreadConditions}},
    .book = book,
    .visitWaits = visitWaits};

}  // namespace holos::analyzer::patterns
