// SPDX-License-Identifier: BSD-3-Clause
//
// Late Broadcast: ranks wait for data of a root that comes late.
//
//   root    ───────────┤B─X├──        w = min(B of the root, X) − B
//   rank 1  ──┤B ······│──X├──
//             └── w ───┘
//
#include <algorithm>

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
    const replay::CollectiveRecord& root = *instance[rootRank];
    if (root.sent == 0) return;
    for (replay::CollectiveRecord* record : instance)
        if (record->received > 0 && record->begin < root.begin)
            record->wait = std::max<trace::Ticks>(0, std::min(root.begin, record->end) - record->begin);
}

}  // namespace holos::analyzer::patterns
