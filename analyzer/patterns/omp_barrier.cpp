// SPDX-License-Identifier: BSD-3-Clause
//
// Wait at OpenMP barrier, explicit or implicit.
//
//   thread 0  ──┤E ····│────L├──        w = latest E − E − time of explicit tasks that ran inside
//   thread 1  ─────────┤E───L├──
//               └─ w ──┘
//
#include <algorithm>

#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kPicture{{{"thread 0", "barrier", "------######==------"},
                                 {"thread 1", "barrier", "---#########==------"},
                                 {"last thread", "barrier", "------------==------"}}};

const Metric kOmpExplicitBarrierWait{.parent = "omp_ebarrier",
                                     .uniqueName = "omp_ebarrier_wait",
                                     .displayName = "Wait at Explicit OpenMP Barrier",
                                     .description =
                                         "Time that a thread waits in an explicit barrier for the last "
                                         "thread to enter it. Balance the threads' work.",
                                     .picture = &kPicture,
                                     .meaning = "threads wait at a barrier for the last one",
                                     .activity = Activity::None};
const Metric kOmpImplicitBarrierWait{
    .parent = "omp_ibarrier",
    .uniqueName = "omp_ibarrier_wait",
    .displayName = "Wait at Implicit OpenMP Barrier",
    .description =
        "Time that a thread waits at the end of a construct for the last thread to enter its implicit "
        "barrier. Balance the threads' work, or use nowait where the barrier is not needed.",
    .picture = &kPicture,
    .meaning = "threads wait at the end of a construct for the last one",
    .activity = Activity::None};

const Metric& metricOf(const replay::BarrierRecord& record) {
    return record.implicit ? kOmpImplicitBarrierWait : kOmpExplicitBarrierWait;
}

void book(const replay::ReplayedTrace& trace, trace::LocationId location, LocalSeverities& severities) {
    NodeSums* const sums[] = {&severities.of(kOmpExplicitBarrierWait),
                              &severities.of(kOmpImplicitBarrierWait)};
    for (const replay::BarrierRecord& record : trace[location].threads.barriers)
        sums[record.implicit ? 1 : 0]->add(record.node, record.wait);
}

void visitWaits(const replay::ReplayedTrace& trace, trace::LocationId location, const VisitWait& visit) {
    for (const replay::BarrierRecord& record : trace[location].threads.barriers)
        if (record.wait > 0) visit({metricOf(record), record.node, record.wait, record.enter, {}});
}

}  // namespace

void ompBarrierWait(replay::BarrierRecord& barrier, const matching::LastArrival& last) {
    barrier.wait = std::max<trace::Ticks>(0, last.enter - barrier.enter - barrier.tasks);
    if (barrier.wait > 0) barrier.awaited = last.location;
}

extern const Pattern kOmpBarrierPattern{
    .metrics = {&kOmpExplicitBarrierWait, &kOmpImplicitBarrierWait},
    .delays = {{Kind::OmpBarrier, "delay_omp", "delay_ompbarrier", "Wait at Barrier",
                "Delays that make threads wait in a barrier.", &kImbalance}},
    .book = book,
    .visitWaits = visitWaits};

}  // namespace holos::analyzer::patterns
