// SPDX-License-Identifier: BSD-3-Clause
//
// Wait at Barrier and Barrier Completion.
//
//   rank 0  ──┤B ······│────X├──        wait = min(max B, X) − B
//   rank 1  ───────────┤B───│─X├──      completion = X − max(min X, min(max B, X))
//             └─ wait ─┘    └┘ completion
//
#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kBarrierWaitText{"mpi_barrier_wait", "Wait at Barrier", "sec",
                                  "Time that a process waits in a barrier for the last one to enter it. "
                                  "Balance the work before the barrier, "
                                  "or do without it."};
const MetricText kBarrierCompletionText{
    "mpi_barrier_completion", "Barrier Completion", "sec",
    "Time that a process needs to leave a barrier after the first process has left it."};

void barrierWaits(matching::CollectiveInstance instance) {
    const Extremes extremes = extremesOf(instance, [](const auto&) { return true; });
    for (replay::CollectiveRecord* record : instance) synchronize(*record, extremes);
}

}  // namespace holos::analyzer::patterns
