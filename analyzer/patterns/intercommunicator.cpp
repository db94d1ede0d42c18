// SPDX-License-Identifier: BSD-3-Clause
//
// Collective operations between two groups of processes: data go from one group to the other, so that ranks
// wait for those of the other group only.
//
//   group A, rank 0  ──┤B ······│────X├──        w = min(latest B of group B, X) − B
//   group B, rank 0  ───────────┤B───X├──
//                      └── w ───┘
//
// With a root, the ranks of its group have nothing to do but the root itself.
//
#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

namespace {

using replay::Collective;
using replay::CollectiveRecord;

bool isRoot(const CollectiveRecord& record) {
    return record.root == replay::kRootSelf;
}

/// What the ranks of one group wait for in the other one; null when they wait for nobody.
const CollectivePart* awaited(Collective operation, CollectiveParts others) {
    switch (operation) {
        case Collective::Barrier:
            return extremesOf(others, [](const auto&) { return true; }).latest;
        case Collective::Bcast:
        case Collective::Scatter:
        case Collective::Scatterv:
            return extremesOf(others, isRoot).latest;
        default:
            return extremesOf(others, [](const auto& record) { return record.sent > 0; }).latest;
    }
}

bool waits(const CollectiveRecord& record) {
    switch (record.operation) {
        case Collective::Barrier:
            return true;
        case Collective::Reduce:
        case Collective::Gather:
        case Collective::Gatherv:
            return isRoot(record) && record.received > 0;
        default:
            return record.received > 0;
    }
}

void waitForOthers(CollectiveParts group, CollectiveParts others) {
    const Collective operation = group[0]->operation;
    if (operation == Collective::Alltoallv || operation == Collective::Alltoallw)
        return exchangeWaits(group, others);
    const CollectivePart* latest = awaited(operation, others);
    if (latest == nullptr) return;
    for (const CollectivePart& part : group)
        if (waits(*part)) waitFor(part, *latest);
}

}  // namespace

void intercommunicatorWaits(CollectiveParts first, CollectiveParts second) {
    if (first.empty() || second.empty()) return;
    waitForOthers(first, second);
    waitForOthers(second, first);
}

}  // namespace holos::analyzer::patterns
