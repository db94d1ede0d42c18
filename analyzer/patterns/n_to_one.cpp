// SPDX-License-Identifier: BSD-3-Clause
//
// Early Reduce: the root waits for ranks that come late with their data.
//
//   root    ──┤B ······│─X├──        w = min(latest B of the senders, X) − B
//   rank 1  ───────────┤BX├──
//             └── w ───┘
//
#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kPicture{{{"root", "Reduce", "---########====-----"},
                                 {"rank 1", "Reduce", "------===-----------"},
                                 {"last sender", "Reduce", "-----------===------"}},
                                {{1, 7, 0, 11}, {2, 11, 0, 13}}};

const Metric kEarlyReduce{.parent = "mpi_collective",
                          .uniqueName = "mpi_earlyreduce",
                          .displayName = "Early Reduce",
                          .description =
                              "Time that the root of a reduction or gather waits for the last sender to "
                              "enter the operation. Let the root do other work before.",
                          .picture = &kPicture,
                          .meaning = "the root that receives waits for the others",
                          .activity = Activity::None,
                          .before = "mpi_latebroadcast"};

void find(CollectiveParts instance) {
    const std::uint32_t rootRank = instance[0]->root;
    if (rootRank >= instance.size()) return;
    const CollectivePart& root = instance[rootRank];
    if (root->received == 0) return;
    Extremes extremes = extremesOf(instance, [](const auto& record) { return record.sent > 0; });
    if (extremes.latest == nullptr || root->begin >= extremes.latestBegin) return;
    extremes.earliestEnd = std::min(root->end, (*extremes.latest)->end);
    synchronize(root, extremes);
    synchronize(*extremes.latest, extremes);
}

}  // namespace

extern const Pattern kNToOnePattern{
    .metrics = {&kEarlyReduce},
    .delays = {{Kind::NToOne, "delay_collective", "delay_n21", "Early Reduce",
                "Delays that make the root of a reduction or gather wait.", &kDelay, Needs::Nothing,
                "delay_12n_aggregate"}},
    .collectives = {{{replay::Collective::Reduce, replay::Collective::Gather, replay::Collective::Gatherv},
                     Kind::NToOne,
                     findWithWhoHeldUp<find>,
                     &kEarlyReduce}}};

}  // namespace holos::analyzer::patterns
