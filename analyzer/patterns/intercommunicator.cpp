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
// Libraries collect the data of a group within it, and pass on there what comes from the other one: a rank
// that is through soon after the last one came waited for that, also if it is of the own group. MPI does not
// ask for it, so that only recordings that tell when ranks had no processor have such waits.
//
//   group A, rank 0  ──┤B ······│····X├──        w = B of rank 1 − B
//   group A, rank 1  ───────────┤B···X├──
//   group B, rank 0  ────┤B ·········X├──
//
#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/list.h"
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

/// Notes the waits of ranks that were through soon after the last one came, whichever group that is of.
void waitForTheLast(CollectiveParts all) {
    const Kind kind = kindOf(all[0]->operation);
    const bool areAllNeeded = kind == Kind::Barrier || kind == Kind::NToN;
    const Comers comers(all);
    for (const CollectivePart& part : all) {
        const CollectivePart* const last = comers.lastBefore(part);
        if (last == nullptr) continue;
        const Ticks known = part.wait->wait;
        if ((*last)->begin - part->blocksFrom <= known || Comers::endsSoonAfter(part, known)) continue;
        if (!Comers::isHeldUpBy(part, *last)) {
            if (part.lacked > 0) mayWaitFor(part, *last);
        } else if (areAllNeeded) {
            waitFor(part, *last);
        } else {
            part.wait->heldUpBy = last->ref;
        }
    }
}

}  // namespace

void intercommunicatorWaits(CollectiveParts all, std::size_t first, bool isOwn) {
    if (first == 0 || first >= all.size()) return;
    waitForOthers(all.first(first), all.subspan(first));
    waitForOthers(all.subspan(first), all.first(first));
    if (isOwn) waitForTheLast(all);
}

}  // namespace holos::analyzer::patterns
