// SPDX-License-Identifier: BSD-3-Clause
//
// Waits that another thread ends, of calls after which nobody has what was waited for: a barrier of POSIX
// threads, which ends when the last thread comes; a semaphore, for which another one posts; a lock for
// reading and writing, which the last one gives back that had it; a word of memory (futex), for whose change
// another one wakes those who wait; the turn in an ordered construct of OpenMP, which the turn before ends.
//
//   thread 0  ── works ───────│wake├───        w = wake − E, if positive
//   thread 1  ─────┤E ········│····├──            wake: the last one before the call ended
//                  └─── w ────┘
//
#include <algorithm>

#include "analyzer/matching/teams.h"
#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kBarrierPicture{{{"thread 0", "barrier", "------######==------"},
                                        {"thread 1", "barrier", "---#########==------"},
                                        {"last thread", "barrier", "------------==------"}}};
const algebra::Picture kWakePicture{
    {{"works", "post", "-------------=------"}, {"waits", "wait", "------#######=------"}}, {{0, 13, 1, 13}}};

/// Part of what is no activity.
const Metric kTurnWait{
    .parent = "omp_ordered",
    .uniqueName = "omp_ordered_wait",
    .displayName = "Wait for Turn",
    .description =
        "Time that threads wait in front of an ordered construct until the iterations before "
        "have been through it. Do less in it, and the rest before it or after it.",
    .picture = &kWakePicture,
    .needs = Needs::OpenMpTurns,
    .meaning = "threads wait for their turn in an ordered construct"};
const Metric kBarrierWait{.parent = "pthread_barrier",
                          .uniqueName = "pthread_barrier_wait",
                          .displayName = "Wait at Pthread Barrier",
                          .description =
                              "Time that a thread waits in pthread_barrier_wait for the last thread "
                              "to come. Balance the threads' work.",
                          .picture = &kBarrierPicture,
                          .meaning = "threads wait at a barrier for the last one",
                          .activity = Activity::None};
const Metric kSemaphoreWait{
    .parent = "pthread_semaphore",
    .uniqueName = "pthread_semaphore_wait",
    .displayName = "Wait at Semaphore",
    .description =
        "Time that a thread waits in sem_wait and its like until another one posts. Post earlier: "
        "what that thread does before is what is waited for.",
    .picture = &kWakePicture,
    .meaning = "threads wait at a semaphore until another one posts",
    .activity = Activity::None};
const Metric kSharedLockWait{.parent = "pthread_lock_api",
                             .uniqueName = "pthread_lock_contention_rwlock",
                             .displayName = "Pthread Read-Write Lock Contention",
                             .description =
                                 "Time that threads wait for locks for reading and writing that others have: "
                                 "to write until the last one has given it back, to read while one writes.",
                             .picture = &kWakePicture,
                             .meaning = "threads wait for a read-write lock that others hold",
                             .activity = Activity::None};
const Metric kFutexWait{
    .parent = "system_waiting",
    .uniqueName = "futex_wait",
    .displayName = "Wait to be Woken",
    .description =
        "Time that a thread sleeps until another one changes a word of memory and wakes it (futex). In "
        "C++20, std::atomic::wait, std::barrier, std::latch and std::counting_semaphore wait so.",
    .picture = &kWakePicture,
    .needs = Needs::Futexes,
    .meaning = "threads sleep until another one wakes them",
    .activity = Activity::None};

struct Waking {
    const Metric* metric;
    Kind kind;
};

Waking wakingOf(trace::CallKind call) {
    switch (call) {
        case trace::CallKind::PthreadBarrier:
            return {&kBarrierWait, Kind::PthreadBarrier};
        case trace::CallKind::PthreadSemaphore:
            return {&kSemaphoreWait, Kind::PthreadSemaphore};
        case trace::CallKind::OmpOrdered:
            return {&kTurnWait, Kind::OmpOrdered};
        case trace::CallKind::PthreadShared:
            return {&kSharedLockWait, Kind::PthreadLock};
        default:
            return {&kFutexWait, Kind::Futex};
    }
}

}  // namespace

void noteWoken(const replay::ReplayedTrace& trace, const matching::LockRef& woken,
               const matching::LockRef& waking, AllFindings& found) {
    if (waking.location == woken.location) return;
    const replay::LockRecord& record = *woken.record;
    const Ticks until = std::min(waking.record->time, record.time);
    const Ticks pauses = partWithin(trace.locations[woken.location].pauses, {record.begin, until});
    const Ticks wait = until - record.begin - pauses;
    if (wait <= 0) return;
    const Waking as = wakingOf(record.kind);
    found.own(woken.location)
        .waits.dependencies.push_back({lockEnd(woken), lockEnd(waking), as.metric, wait, wait, as.kind});
}

extern const Pattern kThreadWakesPattern{
    .metrics = {&kTurnWait, &kSharedLockWait, &kBarrierWait, &kSemaphoreWait, &kFutexWait},
    .delays = {
        {Kind::OmpOrdered, "delay_omp", "delay_omp_ordered", "Wait for Turn",
         "What a thread does longer than those that wait for the end of its turn in an ordered construct.",
         &kWakePicture, Needs::OpenMpTurns},
        {Kind::PthreadBarrier, "delay_pthread", "delay_pthread_barrier", "Wait at Barrier",
         "What the last thread at a barrier does longer than those that wait there.", &kBarrierPicture,
         Needs::PthreadBarriers},
        {Kind::PthreadSemaphore, "delay_pthread", "delay_pthread_semaphore", "Wait at Semaphore",
         "What a thread that posts does longer than those that wait for it.", &kWakePicture,
         Needs::PthreadSemaphores},
        {Kind::Futex, "delay_pthread", "delay_futex", "Wait to be Woken",
         "What a thread that wakes another one does longer than that one.", &kWakePicture, Needs::Futexes}}};

}  // namespace holos::analyzer::patterns
