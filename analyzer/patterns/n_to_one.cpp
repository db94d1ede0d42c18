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
    const auto sends = [](const auto& record) { return record.sent > 0; };
    const trace::Ticks latest = extremesOf(instance, sends).latestBegin;
    if (root.begin >= latest) return;
    replay::CollectiveRecord& sender =
        **std::find_if(instance.begin(), instance.end(),
                       [&](const auto* record) { return sends(*record) && record->begin == latest; });
    const Extremes extremes{latest, std::min(root.end, sender.end)};
    synchronize(root, extremes);
    synchronize(sender, extremes);
}

}  // namespace holos::analyzer::patterns
