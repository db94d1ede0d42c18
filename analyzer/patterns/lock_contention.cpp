// SPDX-License-Identifier: BSD-3-Clause
//
// Lock contention: a thread waits for a lock (critical section, OpenMP lock, mutex) that another
// holds.
//
//   thread 0  ──┤ holds ────│release├──        w = release of the previous holder − E
//   thread 1  ─────┤E ······│ acquire ──
//                  └── w ───┘
//
#include <algorithm>

#include "analyzer/matching/teams.h"
#include "analyzer/patterns/conditions.h"
#include "analyzer/patterns/lock_tests.h"
#include "analyzer/patterns/pattern.h"
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

/// The metric of the waits for a lock in such a call; null where it has none.
const Metric* contentionMetricOf(trace::CallKind kind) {
    switch (kind) {
        case trace::CallKind::OmpCritical:
            return &kLockContentionCritical;
        case trace::CallKind::OmpLock:
            return &kLockContentionApi;
        case trace::CallKind::PthreadMutex:
            return &kLockContentionMutex;
        default:
            return nullptr;
    }
}

/// Within the call, whatever the clocks say. The recorder's own time is none of it.
Ticks waitBefore(const replay::LocationTrace& location, const matching::LockRef& waiter, Ticks release) {
    const replay::LockRecord& record = *waiter.record;
    Ticks begin = record.begin;
    if (waiter.position != 0) begin = std::max(begin, location.threads.locks[waiter.position - 1].time);
    const Ticks until = std::min(release, record.time);
    return std::max<Ticks>(0, until - begin - partWithin(location.pauses, {begin, std::max(begin, until)}));
}

void noteWait(const replay::ReplayedTrace& trace, const matching::LockRef& acquired,
              const matching::LockRef& released, AllFindings& found) {
    const replay::LockRecord& record = *acquired.record;
    const Metric* const metric = contentionMetricOf(record.kind);
    const Ticks release = released.record->time;
    if (metric == nullptr || release <= record.begin) return;
    const Ticks wait = waitBefore(trace.locations[acquired.location], acquired, release);
    found.own(acquired.location)
        .waits.dependencies.push_back({lockEnd(acquired), lockEnd(released), metric, wait, wait,
                                       trace::isPthread(record.kind) ? Kind::PthreadLock : Kind::OmpLock});
}

void noteWaits(const replay::ReplayedTrace& trace, const LockTests& tests, matching::LockHistory history,
               AllFindings& found) {
    const matching::LockRef* released = nullptr;  // by the holder before
    for (const matching::LockRef& ref : history) {
        if (!ref.record->acquired) {
            released = &ref;
            continue;
        }
        if (released == nullptr) continue;
        if (trace::isWoken(ref.record->kind)) {
            noteWoken(trace, ref, *released, found);
            continue;
        }
        noteWait(trace, ref, *released, found);
        tests.noteWaits(ref, *released, found);
    }
}

}  // namespace

void findLockWaits(const replay::ReplayedTrace& trace, workers::Workers& workers, AllFindings& found) {
    const LockTests tests(trace);
    ConditionWaits conditions(trace);
    matching::forEachLock(trace, workers, [&](matching::LockHistory history) {
        if (matching::Signals::areIn(history)) return conditions.noteSignals(history);
        noteWaits(trace, tests, history, found);
        conditions.noteWaits(history, found);
    });
}

extern const Pattern kLockContentionPattern{
    .metrics = {&kLockContentionCritical, &kLockContentionApi, &kLockContentionMutex},
    .delays = {
        {Kind::OmpLock, "delay_omp", "delay_omp_lock", "Lock Contention",
         "Delays of threads that have a lock, or are in a critical section, that others wait for.",
         &kLockPicture, Needs::OpenMpLocks},
        {Kind::PthreadLock, "delay_pthread", "delay_pthread_lock", "Lock Contention",
         "Delays of threads that have a mutex that others wait for.", &kLockPicture, Needs::PthreadLocks}}};

}  // namespace holos::analyzer::patterns
