// SPDX-License-Identifier: BSD-3-Clause
//
// Wait at Barrier and Barrier Completion.
//
//   rank 0  ──┤B ······│────X├──        wait = min(max B, X) − B
//   rank 1  ───────────┤B───│─X├──      completion = X − max(min X, min(max B, X))
//             └─ wait ─┘    └┘ completion
//
#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

namespace {

const Metric kBarrierWait{.parent = "mpi_sync_collective",
                          .uniqueName = "mpi_barrier_wait",
                          .displayName = "Wait at Barrier",
                          .description =
                              "Time that a process waits in a barrier for the last one to enter it. Balance "
                              "the work before the barrier, or do without it.",
                          .picture = &kAllWait,
                          .meaning = "processes wait in front of a barrier for the last one",
                          .activity = Activity::None};
const Metric kBarrierCompletion{
    .parent = "mpi_sync_collective",
    .uniqueName = "mpi_barrier_completion",
    .displayName = "Barrier Completion",
    .description = "Time that a process needs to leave a barrier after the first process has left it.",
    .picture = &kCompletion,
    .meaning = "processes leave a barrier late"};

void find(CollectiveParts instance) {
    const Extremes extremes = extremesOf(instance, [](const auto&) { return true; });
    for (const CollectivePart& part : instance) synchronize(part, extremes);
}

}  // namespace

extern const Pattern kBarrierPattern{
    .metrics = {&kBarrierWait, &kBarrierCompletion},
    .delays = {{Kind::Barrier, "delay_collective", "delay_barrier", "Wait at Barrier",
                "Delays that make others wait in a barrier.", &kImbalance}},
    .collectives = {{{replay::Collective::Barrier},
                     Kind::Barrier,
                     find,
                     &kBarrierWait,
                     &kBarrierCompletion,
                     Nonblocking::Barrier}}};

}  // namespace holos::analyzer::patterns
