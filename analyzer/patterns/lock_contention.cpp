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
// way, and the thread waits for a signal.
//
#include <algorithm>
#include <utility>

#include "analyzer/matching/teams.h"
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

const algebra::Picture kLockPicture{
    {{"owner", "critical", "---==========-------"}, {"other thread", "critical", "------#######=====--"}},
    {{0, 13, 1, 13}}};

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
        "holds it. After the signal they wait for the mutex at most so long.",
    .picture = &kLockPicture,
    .meaning = "threads that wait at a condition find its mutex taken",
    .activity = Activity::None};
const Metric kConditionSignalWait{
    .parent = "pthread_conditional",
    .uniqueName = "pthread_condition_signal_wait",
    .displayName = "Wait for Signal",
    .description =
        "Time that threads wait until another one signals a condition variable, or until their time is over. "
        "Idle workers wait here for work.",
    .picture = &kLockPicture,
    .meaning = "threads wait until another one signals a condition",
    .before = "pthread_lock_contention_conditional"};

/// The metric of the waits for a lock in such a call; null where it has none.
const Metric* contentionMetricOf(trace::CallKind kind) {
    switch (kind) {
        case trace::CallKind::OmpCritical:
            return &kLockContentionCritical;
        case trace::CallKind::OmpOther:
            return &kLockContentionApi;
        case trace::CallKind::PthreadMutex:
            return &kLockContentionMutex;
        case trace::CallKind::PthreadCondition:
            return &kLockContentionCondition;
        default:
            return nullptr;
    }
}

/// The part of a wait that is that metric's.
Ticks contentionOf(const replay::LockRecord& acquisition, const LockWait& wait) {
    return acquisition.kind == trace::CallKind::PthreadCondition ? wait.taken : wait.wait;
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

void book(const matching::MatchedTrace& run, trace::LocationId location, const LocationWaits& waits,
          LocalSeverities& severities) {
    const replay::ThreadRecords& threads = run.trace[location].threads;
    for (const LockWait& wait : waits.locks) {
        const replay::LockRecord& acquisition = threads.locks[wait.acquisition];
        const Ticks contention = contentionOf(acquisition, wait);
        severities.add(*contentionMetricOf(acquisition.kind), acquisition.node, contention);
        if (acquisition.kind == trace::CallKind::PthreadCondition)
            severities.add(kConditionSignalWait, acquisition.node, -contention);
    }
    for (const replay::LockRecord& record : threads.locks)
        if (record.acquired && record.kind == trace::CallKind::PthreadCondition)
            severities.add(kConditionSignalWait, record.node, record.time - record.begin);
}

void visitWaits(const JudgedTrace& run, trace::LocationId location, const VisitWait& visit) {
    const replay::ThreadRecords& threads = run.trace[location].threads;
    for (const LockWait& wait : run.waits[location.index()].locks) {
        const replay::LockRecord& acquisition = threads.locks[wait.acquisition];
        const trace::LocationId causer(wait.causer);
        visit({*contentionMetricOf(acquisition.kind), acquisition.node, contentionOf(acquisition, wait),
               acquisition.begin, causer});
        if (acquisition.kind == trace::CallKind::PthreadCondition)
            visit(
                {kConditionSignalWait, acquisition.node, wait.wait - wait.taken, acquisition.begin, causer});
    }
}

void noteWaits(matching::LockHistory history, AllFindings& found) {
    // By the holder before.
    const matching::LockRef* acquired = nullptr;
    const matching::LockRef* released = nullptr;
    for (const matching::LockRef& ref : history) {
        if (!ref.record->acquired) {
            released = &ref;
            continue;
        }
        const matching::LockRef* const before = std::exchange(acquired, &ref);
        if (released == nullptr || contentionMetricOf(ref.record->kind) == nullptr) continue;
        if (const Ticks wait = released->record->time - ref.record->begin; wait > 0)
            found[ref.location].waits.locks.push_back({ref.position, released->location, released->position,
                                                       wait, takenMeanwhile(ref, *released, before)});
    }
}

}  // namespace

void findLockWaits(const replay::ReplayedTrace& trace, workers::Workers& workers, AllFindings& found) {
    matching::forEachLock(trace, workers, [&](matching::LockHistory history) { noteWaits(history, found); });
}

extern const Pattern kLockContentionPattern{
    .metrics = {&kLockContentionCritical, &kLockContentionApi, &kLockContentionMutex,
                &kLockContentionCondition, &kConditionSignalWait},
    .delays = {{Kind::OmpLock, "delay_omp", "delay_omp_lock", "Lock Contention",
                "Delays of threads that have a lock, or are in a critical section, that others wait for.",
                &kLockPicture, Needs::OpenMpLocks},
               {Kind::PthreadLock, "delay_pthread", "delay_pthread_lock", "Lock Contention",
                "Delays of threads that have a mutex that others wait for.", &kLockPicture,
                Needs::PthreadLocks}},
    .book = book,
    .visitWaits = visitWaits};

}  // namespace holos::analyzer::patterns
