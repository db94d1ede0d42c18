// SPDX-License-Identifier: BSD-3-Clause
//
// Early Scan: a rank waits for ranks below its own, whose data it needs.
//
//   rank 0  ───────────┤B─X├──        w = min(latest B of the ranks up to the own one, X) − B
//   rank 1  ──┤B ······│──X├──
//             └── w ───┘
//
#include <algorithm>
#include <limits>

#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kEarlyScanText{
    "mpi_earlyscan", "Early Scan", "sec",
    "Time that a process waits in a prefix reduction for processes of lower rank to enter it."};

void earlyScan(matching::CollectiveInstance instance) {
    trace::Ticks latest = std::numeric_limits<trace::Ticks>::min();
    for (replay::CollectiveRecord* record : instance) {
        if (record->sent == 0 && record->received == 0) continue;
        if (record->sent > 0) latest = std::max(latest, record->begin);
        if (record->begin < latest)
            record->wait = std::max<trace::Ticks>(0, std::min(latest, record->end) - record->begin);
    }
}

}  // namespace holos::analyzer::patterns
