// SPDX-License-Identifier: BSD-3-Clause
//
// Wait at OpenMP barrier, explicit or implicit.
//
//   thread 0  ──┤E ····│────L├──        w = latest E − E − time of explicit tasks that ran inside
//   thread 1  ─────────┤E───L├──
//               └─ w ──┘
//
#include <algorithm>

#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kOmpExplicitBarrierWaitText{"omp_ebarrier_wait", "Wait at Explicit OpenMP Barrier", "sec",
                                             "Time that a thread waits in an explicit barrier for the last "
                                             "thread to enter it. Balance the threads' work."};
const MetricText kOmpImplicitBarrierWaitText{
    "omp_ibarrier_wait", "Wait at Implicit OpenMP Barrier", "sec",
    "Time that a thread waits at the end of a construct for the last thread to enter its implicit barrier. "
    "Balance the threads' work, or use nowait where the barrier is not needed."};

void ompBarrierWait(replay::BarrierRecord& barrier, const matching::LastArrival& last) {
    barrier.wait = std::max<trace::Ticks>(0, last.enter - barrier.enter - barrier.tasks);
    if (barrier.wait > 0) barrier.awaited = last.location;
}

}  // namespace holos::analyzer::patterns
