// SPDX-License-Identifier: BSD-3-Clause
//
// Late Broadcast: ranks wait for data of a root that comes late.
//
//   root    ───────────┤B─X├──        w = min(B of the root, X) − B
//   rank 1  ──┤B ······│──X├──
//             └── w ───┘
//
#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kLateBroadcastText{
    "mpi_latebroadcast", "Late Broadcast", "sec",
    "Time that a receiver of a broadcast or scatter waits for its root to enter the operation. "
    "Let the root enter earlier."};

void lateBroadcast(matching::CollectiveInstance instance) {
    const std::uint32_t rootRank = instance[0]->root;
    if (rootRank >= instance.size()) return;
    replay::CollectiveRecord& root = *instance[rootRank];
    if (root.sent == 0) return;
    const auto waits = [&](const auto& record) { return record.received > 0 && record.begin < root.begin; };
    Extremes extremes = extremesOf(instance, waits);
    if (extremes.latest == nullptr) return;  // nobody does
    extremes.latest = &root;
    extremes.latestBegin = root.begin;
    for (replay::CollectiveRecord* record : instance)
        if (waits(*record)) synchronize(*record, extremes);
    synchronize(root, extremes);
}

}  // namespace holos::analyzer::patterns
