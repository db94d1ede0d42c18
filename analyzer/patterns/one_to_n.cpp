// SPDX-License-Identifier: BSD-3-Clause
//
// Late Broadcast: ranks wait for data of a root that comes late.
//
//   root    ───────────┤B─X├──        w = min(B of the root, X) − B
//   rank 1  ──┤B ······│──X├──
//             └── w ───┘
//
#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kPicture{{{"root", "Bcast", "----------====------"},
                                 {"rank 1", "Bcast", "---#######=====-----"},
                                 {"rank 2", "Bcast", "------####======----"}},
                                {{0, 10, 1, 12}, {0, 10, 2, 13}}};

const Metric kLateBroadcast{.parent = "mpi_collective",
                            .uniqueName = "mpi_latebroadcast",
                            .displayName = "Late Broadcast",
                            .description =
                                "Time that a receiver of a broadcast or scatter waits for its root to enter "
                                "the operation. Let the root enter earlier.",
                            .picture = &kPicture,
                            .meaning = "processes wait for the root that sends",
                            .activity = Activity::None,
                            .before = "mpi_wait_nxn"};

void find(CollectiveParts instance) {
    const std::uint32_t rootRank = instance[0]->root;
    if (rootRank >= instance.size()) return;
    const CollectivePart& root = instance[rootRank];
    if (root->sent == 0) return;
    const auto waits = [&](const auto& record) { return record.received > 0 && record.begin < root->begin; };
    Extremes extremes = extremesOf(instance, waits);
    if (extremes.latest == nullptr) return;  // nobody does
    extremes.latest = &root;
    extremes.latestBegin = root->begin;
    for (const CollectivePart& part : instance)
        if (waits(*part)) synchronize(part, extremes);
    synchronize(root, extremes);
}

}  // namespace

extern const Pattern kOneToNPattern{
    .metrics = {&kLateBroadcast},
    .delays = {{Kind::OneToN, "delay_collective", "delay_12n", "Late Broadcast",
                "Delays of a root that make the receivers of a broadcast or scatter wait.", &kDelay,
                Needs::Nothing, "delay_n2n_aggregate"}},
    .collectives = {{{replay::Collective::Bcast, replay::Collective::Scatter, replay::Collective::Scatterv},
                     Kind::OneToN,
                     findWithWhoHeldUp<find>,
                     &kLateBroadcast}}};

}  // namespace holos::analyzer::patterns
