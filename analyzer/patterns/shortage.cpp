// SPDX-License-Identifier: BSD-3-Clause
//
// Waiting for processors in calls that wait for locks, tasks, threads, windows and files: what such a call
// takes beyond all waits, as far as the thread could run meanwhile and had no processor. While it waits for
// others, it needs none. Where it slept, its time off its processors says no more than that it slept or had
// none; but whoever it waits for wakes it, and from then on it had none.
//
//   thread 0  ──┤E critical ····│    │block├──
//               └ waits for the ┘└──┘ had no processor
//                 one inside
//
#include <algorithm>
#include <vector>

#include "analyzer/patterns/conditions.h"
#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

namespace {

using replay::PlainShortage;
using trace::TimeClass;

const Metric kInCommunicators = shortageBelow("mpi_mgmt_comm", "mpi_mgmt_comm_processor_waiting");
const Metric kInFiles = shortageBelow("mpi_mgmt_file", "mpi_mgmt_file_processor_waiting");
const Metric kInWindows = shortageBelow("mpi_mgmt_win", "mpi_mgmt_win_processor_waiting");
const Metric kInActive = shortageBelow("mpi_rma_sync_active", "mpi_rma_sync_active_processor_waiting");
const Metric kInPassive = shortageBelow("mpi_rma_sync_passive", "mpi_rma_sync_passive_processor_waiting");
const Metric kInRma = shortageBelow("mpi_rma_communication", "mpi_rma_communication_processor_waiting");
const Metric kInOwnFiles = shortageBelow("mpi_io_individual", "mpi_io_individual_processor_waiting");
const Metric kInCommonFiles = shortageBelow("mpi_io_collective", "mpi_io_collective_processor_waiting");
const Metric kInCritical = shortageBelow("omp_critical", "omp_critical_processor_waiting");
const Metric kInLocks = shortageBelow("omp_lock_api", "omp_lock_api_processor_waiting");
const Metric kInOrdered = shortageBelow("omp_ordered", "omp_ordered_processor_waiting");
const Metric kInTaskwait = shortageBelow("omp_taskwait", "omp_taskwait_processor_waiting");
const Metric kInManagement = shortageBelow("pthread_management", "pthread_management_processor_waiting");
const Metric kInMutex = shortageBelow("pthread_lock_api", "pthread_lock_api_processor_waiting");
const Metric kInBarrier = shortageBelow("pthread_barrier", "pthread_barrier_processor_waiting");
const Metric kInSemaphore = shortageBelow("pthread_semaphore", "pthread_semaphore_processor_waiting");
const Metric kInCondition = shortageBelow("pthread_conditional", "pthread_conditional_processor_waiting");

/// Waits with a metric that begin in calls of one location, by that.
std::vector<Dependency> waitsInCalls(std::uint32_t location, const LocationWaits& waits) {
    std::vector<Dependency> own;
    for (const Dependency& wait : waits.dependencies)
        if (wait.metric != nullptr && wait.waiter.location == location) own.push_back(wait);
    std::ranges::stable_sort(own, {}, [](const Dependency& wait) { return wait.waiter.begin; });
    return own;
}

Ticks explained(const std::vector<Dependency>& waits, const PlainShortage& call) {
    Ticks sum = 0;
    auto wait = std::ranges::lower_bound(waits, call.enter, {},
                                         [](const Dependency& one) { return one.waiter.begin; });
    for (; wait != waits.end() && wait->waiter.begin <= call.leave; ++wait)
        if (wait->waiter.node == call.call) sum += wait->booked;
    return sum;
}

/// Of a call that waits at a condition: all of its time is booked as that, but for the recorder's.
struct ConditionTime {
    const Metric* metric = &kConditionSignalWait;
    Ticks ticks = 0;
};
ConditionTime waitedAtCondition(const replay::LocationTrace& location, const ConditionTimes& times,
                                const PlainShortage& call) {
    const auto& locks = location.threads.locks;
    ConditionTime sum;
    auto lock = std::ranges::lower_bound(locks, call.enter, {}, &replay::LockRecord::time);
    for (; lock != locks.end() && lock->time <= call.leave; ++lock) {
        const Metric* const metric = times.metricOf(static_cast<std::size_t>(lock - locks.begin()));
        if (metric == nullptr || lock->node != call.call) continue;
        sum.metric = metric;
        sum.ticks += lock->time - lock->begin - partWithin(location.pauses, {lock->begin, lock->time});
    }
    return sum;
}

/// Of a call that its timeout ended: this woke the thread.
Ticks waitedUntilTimeout(const replay::LocationTrace& location, const PlainShortage& call) {
    const auto& all = location.threads.timeouts;
    const auto timeout = std::ranges::lower_bound(all, call.enter, {}, &replay::Timeout::begin);
    const bool isOf = timeout != all.end() && timeout->begin == call.enter && timeout->node == call.call;
    return isOf && timeoutMetricOf(timeout->kind) != nullptr ? waitedUntil(location, *timeout) : 0;
}

/// In which threads of this process wait for each other, so that their waits end when another one does
/// something that is known.
bool isWokenByThreads(TimeClass within) {
    switch (within) {
        case TimeClass::OmpCritical:
        case TimeClass::OmpLockApi:
        case TimeClass::OmpOrdered:
        case TimeClass::OmpTaskwait:
        case TimeClass::PthreadManagement:
        case TimeClass::PthreadMutex:
        case TimeClass::PthreadBarrier:
        case TimeClass::PthreadSemaphore:
            return true;
        default:
            return false;
    }
}

void bookShortages(const replay::LocationTrace& location, std::uint32_t self, Ticks longestWake,
                   LocationFindings& found) {
    const std::vector<Dependency> waits = waitsInCalls(self, found.waits);
    const ConditionTimes conditions(location.threads);
    for (const PlainShortage& call : location.threads.plainShortages) {
        const Ticks waited = explained(waits, call) + waitedUntilTimeout(location, call);
        const Ticks pauses = partWithin(location.pauses, {call.enter, call.leave});
        const Ticks rest = call.quiet - waited - pauses;
        const Ticks ticks = isWokenByThreads(call.within)
                                ? shortageBeyond(call.off, waited, rest, longestWake)
                                : std::min(call.off.without, rest);
        if (ticks <= 0) continue;
        if (call.within == TimeClass::PthreadCondition) {
            const ConditionTime time = waitedAtCondition(location, conditions, call);
            found.severities.add(*time.metric, call.call,
                                 -std::max<Ticks>(0, std::min(ticks, time.ticks - waited)));
        }
        found.severities.add(*shortageMetricOf(call.within), call.call, ticks);
        if (call.node != replay::kOutside)
            found.waits.shortages.push_back({call.slice, call.call, call.node, ticks});
    }
}

}  // namespace

Ticks shortageBeyond(const replay::TimeOff& off, Ticks waited, Ticks rest, Ticks longestWake) {
    const Ticks known = std::min(off.without, rest);
    const Ticks all = std::min(off.without + off.asleepOrWithout - waited, rest);
    const bool isWoken = off.asleepOrWithout > 0 && waited > 0 && all >= longestWake;
    return isWoken ? std::max(known, all) : known;
}

const Metric* shortageMetricOf(TimeClass within) {
    switch (within) {
        case TimeClass::MpiCommunicators:
            return &kInCommunicators;
        case TimeClass::MpiFiles:
            return &kInFiles;
        case TimeClass::MpiWindows:
            return &kInWindows;
        case TimeClass::MpiRmaActive:
            return &kInActive;
        case TimeClass::MpiRmaPassive:
            return &kInPassive;
        case TimeClass::MpiRma:
            return &kInRma;
        case TimeClass::MpiIoIndividual:
            return &kInOwnFiles;
        case TimeClass::MpiIoCollective:
            return &kInCommonFiles;
        case TimeClass::OmpLockApi:
            return &kInLocks;
        case TimeClass::OmpOrdered:
            return &kInOrdered;
        case TimeClass::OmpTaskwait:
            return &kInTaskwait;
        case TimeClass::PthreadManagement:
            return &kInManagement;
        case TimeClass::PthreadMutex:
            return &kInMutex;
        case TimeClass::PthreadCondition:
            return &kInCondition;
        case TimeClass::PthreadBarrier:
            return &kInBarrier;
        case TimeClass::PthreadSemaphore:
            return &kInSemaphore;
        default:
            return &kInCritical;
    }
}

void findShortagesInCalls(const replay::ReplayedTrace& trace, workers::Workers& workers, AllFindings& found) {
    workers.forEach(trace.locations.size(), [&](std::size_t i) {
        if (found.has(i) && !trace.locations[i].threads.plainShortages.empty())
            bookShortages(trace.locations[i], static_cast<std::uint32_t>(i),
                          replay::longestWakeOf(trace.definitions), found.own(i));
    });
}

extern const Pattern kShortagePattern{
    .metrics = {&kInCommunicators, &kInFiles, &kInWindows, &kInActive, &kInPassive, &kInRma, &kInOwnFiles,
                &kInCommonFiles, &kInCritical, &kInLocks, &kInOrdered, &kInTaskwait, &kInManagement,
                &kInMutex, &kInCondition, &kInBarrier, &kInSemaphore}};

}  // namespace holos::analyzer::patterns
