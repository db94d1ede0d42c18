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

#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

using trace::Ticks;

const MetricText kLockContentionCriticalText{"omp_lock_contention_critical", "OpenMP Critical Contention",
                                             "sec",
                                             "Time that threads wait to enter a critical section. Make it "
                                             "shorter, or give unrelated ones names of their own."};
const MetricText kLockContentionApiText{"omp_lock_contention_api", "OpenMP Lock API Contention", "sec",
                                        "Time that threads wait for OpenMP locks."};
const MetricText kLockContentionMutexText{"pthread_lock_contention_mutex_lock", "Pthread Mutex Contention",
                                          "sec", "Time that threads wait for mutexes."};
const MetricText kLockContentionConditionText{"pthread_lock_contention_conditional",
                                              "Pthread Condition Contention", "sec",
                                              "Time that threads wait at a condition variable while the "
                                              "thread that has its mutex before them holds it. "
                                              "After the signal they wait for the mutex at most so long."};
const MetricText kConditionSignalWaitText{"pthread_condition_signal_wait", "Wait for Signal", "sec",
                                          "Time that threads wait until another one signals a condition "
                                          "variable, or until their time is over. Idle "
                                          "workers wait here for work."};

Measured contentionMetricOf(trace::CallKind kind) {
    switch (kind) {
        case trace::CallKind::OmpCritical:
            return Measured::LockContentionCritical;
        case trace::CallKind::OmpOther:
            return Measured::LockContentionApi;
        case trace::CallKind::PthreadMutex:
            return Measured::LockContentionMutex;
        case trace::CallKind::PthreadCondition:
            return Measured::LockContentionCondition;
        default:
            return Measured::Count;
    }
}

Ticks contentionOf(const replay::LockRecord& acquisition, const replay::LockWait& wait) {
    return acquisition.kind == trace::CallKind::PthreadCondition ? wait.taken : wait.wait;
}

namespace {

/// How long the holder before had a lock that somebody waited for. What the waiter gave back itself, as at a
/// condition, was in nobody's way.
Ticks takenMeanwhile(const matching::LockRef& waiter, const matching::LockRef& released,
                     const matching::LockRef* acquired) {
    if (released.location == waiter.location) return 0;
    const Ticks since =
        acquired != nullptr ? std::max(acquired->record->time, waiter.record->begin) : waiter.record->begin;
    return std::max<Ticks>(0, std::min(released.record->time, waiter.record->time) - since);
}

}  // namespace

void lockWaits(replay::ReplayedTrace& trace, matching::LockHistory history) {
    // By the holder before.
    const matching::LockRef* acquired = nullptr;
    const matching::LockRef* released = nullptr;
    for (const matching::LockRef& ref : history) {
        if (!ref.record->acquired) {
            released = &ref;
            continue;
        }
        const matching::LockRef* const before = std::exchange(acquired, &ref);
        if (released == nullptr || contentionMetricOf(ref.record->kind) == Measured::Count) continue;
        if (const Ticks wait = released->record->time - ref.record->begin; wait > 0)
            trace.locations[ref.location].threads.lockWaits.push_back(
                {ref.position, released->location, released->position, wait,
                 takenMeanwhile(ref, *released, before)});
    }
}

void bookThreads(const replay::LocationTrace& location, LocalSeverities& severities) {
    for (const replay::BarrierRecord& record : location.threads.barriers)
        severities.add(record.implicit ? Measured::OmpImplicitBarrierWait : Measured::OmpExplicitBarrierWait,
                       record.node, record.wait);
    for (const replay::LockWait& wait : location.threads.lockWaits) {
        const replay::LockRecord& acquisition = location.threads.locks[wait.acquisition];
        const Ticks contention = contentionOf(acquisition, wait);
        severities.add(contentionMetricOf(acquisition.kind), acquisition.node, contention);
        if (acquisition.kind == trace::CallKind::PthreadCondition)
            severities.add(Measured::ConditionSignalWait, acquisition.node, -contention);
    }
    for (const replay::LockRecord& record : location.threads.locks)
        if (record.acquired && record.kind == trace::CallKind::PthreadCondition)
            severities.add(Measured::ConditionSignalWait, record.node, record.time - record.begin);
}

}  // namespace holos::analyzer::patterns
