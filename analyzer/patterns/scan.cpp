// SPDX-License-Identifier: BSD-3-Clause
//
// Early Scan: a rank waits for ranks below its own, whose data it needs.
//
//   rank 0  ───────────┤B─X├──        w = min(latest B of the ranks up to the own one, X) − B
//   rank 1  ──┤B ······│──X├──
//             └── w ───┘
//
#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kEarlyScanText{
    "mpi_earlyscan", "Early Scan", "sec",
    "Time that a process waits in a prefix reduction for processes of lower rank to enter it."};

void earlyScan(matching::CollectiveInstance instance) {
    const replay::CollectiveRecord* latest = nullptr;
    for (replay::CollectiveRecord* record : instance) {
        if (record->sent == 0 && record->received == 0) continue;
        if (record->sent > 0 && (latest == nullptr || record->begin > latest->begin)) latest = record;
        if (latest != nullptr && record->begin < latest->begin) waitFor(*record, *latest);
    }
}

}  // namespace holos::analyzer::patterns
