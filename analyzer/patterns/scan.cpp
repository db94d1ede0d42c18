// SPDX-License-Identifier: BSD-3-Clause
//
// Early Scan: a rank waits for ranks below its own, whose data it needs.
//
//   rank 0  ───────────┤B─X├──        w = min(latest B of the ranks up to the own one, X) − B
//   rank 1  ──┤B ······│──X├──
//             └── w ───┘
//
#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kPicture{{{"rank 0", "Scan", "------===-----------"},
                                 {"rank 1", "Scan", "----------===-------"},
                                 {"rank 2", "Scan", "---#######====------"}},
                                {{0, 7, 1, 10}, {1, 10, 2, 12}}};

const Metric kEarlyScan{
    .parent = "mpi_collective",
    .uniqueName = "mpi_earlyscan",
    .displayName = "Early Scan",
    .description = "Time that a process waits in a prefix reduction for processes of lower rank to enter it.",
    .picture = &kPicture,
    .meaning = "a process waits for those before it",
    .activity = Activity::None,
    .before = "mpi_latebroadcast"};

void find(CollectiveParts instance) {
    const CollectivePart* latest = nullptr;
    for (const CollectivePart& part : instance) {
        if (part->sent == 0 && part->received == 0) continue;
        if (part->sent > 0 && (latest == nullptr || part->begin > (*latest)->begin)) latest = &part;
        if (latest != nullptr && part->begin < (*latest)->begin) waitFor(part, *latest);
    }
    noteWhoHeldUp(instance);
}

}  // namespace

extern const Pattern kScanPattern{
    .metrics = {&kEarlyScan},
    .delays = {{Kind::Scan, "delay_collective", "delay_scan", "Early Scan",
                "Delays that make ranks of a prefix reduction wait for one below their own.", &kImbalance}},
    .collectives = {{{replay::Collective::Scan, replay::Collective::Exscan}, Kind::Scan, find, &kEarlyScan}}};

}  // namespace holos::analyzer::patterns
