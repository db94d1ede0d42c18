// SPDX-License-Identifier: BSD-3-Clause
//
// Early Reduce: the root waits for ranks that come late with their data.
//
//   root    ──┤B ······│─X├──        w = min(latest B of the senders, X) − B
//   rank 1  ───────────┤BX├──
//             └── w ───┘
//
#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kEarlyReduceText{
    "mpi_earlyreduce", "Early Reduce", "sec",
    "Time that the root of a reduction or gather waits for the last sender to enter the operation. "
    "Let the root do other work before."};

void earlyReduce(matching::CollectiveInstance instance) {
    const std::uint32_t rootRank = instance[0]->root;
    if (rootRank >= instance.size()) return;
    replay::CollectiveRecord& root = *instance[rootRank];
    if (root.received == 0) return;
    Extremes extremes = extremesOf(instance, [](const auto& record) { return record.sent > 0; });
    if (extremes.latest == nullptr || root.begin >= extremes.latestBegin) return;
    extremes.earliestEnd = std::min(root.end, extremes.latest->end);
    synchronize(root, extremes);
    for (replay::CollectiveRecord* record : instance)
        if (record == extremes.latest) synchronize(*record, extremes);
}

}  // namespace holos::analyzer::patterns
