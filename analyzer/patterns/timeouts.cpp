// SPDX-License-Identifier: BSD-3-Clause
//
// Waits that a timeout ended: nobody is waited for. Those at conditions are told by their own pattern.
//
//   thread 0  ─────┤E sem_timedwait ··│timeout├──        w = timeout − E
//                  └─────── w ────────┘
//
#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

namespace {

Metric timeoutBelow(const char* parent, const char* uniqueName) {
    return {.parent = parent,
            .uniqueName = uniqueName,
            .displayName = "Wait until Timeout",
            .description = "Time in such calls that ended with their timeout: nobody is waited for.",
            .needs = Needs::Timeouts};
}

const Metric kLockTimeout = timeoutBelow("pthread_lock_api", "pthread_lock_timeout");
const Metric kSemaphoreTimeout = timeoutBelow("pthread_semaphore", "pthread_semaphore_timeout");

}  // namespace

const Metric* timeoutMetricOf(trace::CallKind call) {
    switch (call) {
        case trace::CallKind::PthreadMutex:
        case trace::CallKind::PthreadShared:
            return &kLockTimeout;
        case trace::CallKind::PthreadSemaphore:
            return &kSemaphoreTimeout;
        default:
            return nullptr;
    }
}

Ticks waitedUntil(const replay::LocationTrace& location, const replay::Timeout& timeout) {
    const Ticks pauses = partWithin(location.pauses, {timeout.begin, timeout.end});
    return std::max<Ticks>(0, timeout.end - timeout.begin - pauses);
}

namespace {

void book(const matching::MatchedTrace& run, trace::LocationId location, const LocationWaits&,
          LocalSeverities& severities) {
    for (const replay::Timeout& timeout : run.trace[location].threads.timeouts)
        if (const Metric* const metric = timeoutMetricOf(timeout.kind))
            severities.add(*metric, timeout.node, waitedUntil(run.trace[location], timeout));
}

}  // namespace

extern const Pattern kTimeoutsPattern{.metrics = {&kLockTimeout, &kSemaphoreTimeout}, .book = book};

}  // namespace holos::analyzer::patterns
