// SPDX-License-Identifier: BSD-3-Clause
//
// Lock contention: a thread waits for a lock (critical section, OpenMP lock, mutex, condition) that another
// holds.
//
//   thread 0  ──┤ holds ────│release├──        w = release of the previous holder − E
//   thread 1  ─────┤E ······│ acquire ──
//                  └── w ───┘
//
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kLockContentionCriticalText{"omp_lock_contention_critical", "OpenMP Critical Contention",
                                             "sec",
                                             "Time that threads wait to enter a critical section. Make it "
                                             "shorter, or give unrelated ones names of their own."};
const MetricText kLockContentionApiText{"omp_lock_contention_api", "OpenMP Lock API Contention", "sec",
                                        "Time that threads wait for OpenMP locks."};
const MetricText kLockContentionMutexText{"pthread_lock_contention_mutex_lock", "Pthread Mutex Contention",
                                          "sec", "Time that threads wait for mutexes."};
const MetricText kLockContentionConditionText{
    "pthread_lock_contention_conditional", "Pthread Condition Contention", "sec",
    "Time that threads wait for the mutex of a condition variable."};

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

void lockWaits(replay::ReplayedTrace& trace, matching::LockHistory history) {
    const matching::LockRef* released = nullptr;  // by the holder before
    for (const matching::LockRef& ref : history) {
        if (!ref.record->acquired) {
            released = &ref;
            continue;
        }
        if (released == nullptr || contentionMetricOf(ref.record->kind) == Measured::Count) continue;
        if (const trace::Ticks wait = released->record->time - ref.record->begin; wait > 0)
            trace.locations[ref.location].threads.lockWaits.push_back(
                {ref.position, released->location, released->position, wait});
    }
}

void bookThreads(const replay::LocationTrace& location, LocalSeverities& severities) {
    for (const replay::BarrierRecord& record : location.threads.barriers)
        severities.add(record.implicit ? Measured::OmpImplicitBarrierWait : Measured::OmpExplicitBarrierWait,
                       record.node, record.wait);
    for (const replay::LockWait& wait : location.threads.lockWaits) {
        const replay::LockRecord& acquisition = location.threads.locks[wait.acquisition];
        severities.add(contentionMetricOf(acquisition.kind), acquisition.node, wait.wait);
    }
}

}  // namespace holos::analyzer::patterns
