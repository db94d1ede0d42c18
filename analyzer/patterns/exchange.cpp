// SPDX-License-Identifier: BSD-3-Clause
//
// Wait at N×N, where ranks exchange different amounts (Alltoallv, Alltoallw, operations of neighbours). Who
// sends to whom is not recorded, but how much each rank sends and receives in all. A rank cannot have its
// bytes before enough of them can have been sent; until then it surely waits.
//
//   rank 0  ──┤B, sends 3, receives 8 ······│─X├──      3 + 4 < 8, so that rank 0 needs rank 2:
//   rank 1  ─────┤B, sends 4 ├──────────────────        w = min(B of rank 2, X) − B
//   rank 2  ────────────────────────────────┤B, sends 5├──
//
// Of our recorder's traces it is known where a rank receives something from each of the others: it needs the
// last one of these.
//
// Data may pass through any rank, even one that sends nothing itself: who was through soon after the last one
// of all came, and not soon after the one that its bytes need, waited for that.
//
#include <algorithm>
#include <vector>

#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

namespace {

/// A rank that sends, and what can have been sent when it begins.
struct Source {
    const CollectivePart* part;
    std::uint64_t available;
};

/// For the rank without which it cannot have its bytes.
void waitForBytes(const CollectivePart& part, const std::vector<Source>& sources) {
    if (part->received == 0 || sources.empty()) return;
    if (part->comesFromAll) {
        const auto last = std::find_if(sources.rbegin(), sources.rend(),
                                       [&](const Source& one) { return one.part->record != part.record; });
        if (last != sources.rend()) waitFor(part, *last->part);
        return;
    }
    const auto needed = std::ranges::partition_point(
        sources, [&](const Source& source) { return source.available < part->received; });
    if (needed != sources.end()) waitFor(part, *needed->part);
}

}  // namespace

void exchangeWaits(CollectiveParts receivers, CollectiveParts senders) {
    std::vector<Source> sources;
    for (const CollectivePart& part : senders)
        if (part->sent > 0) sources.push_back({&part, part->sent});
    std::ranges::stable_sort(
        sources, [](const Source& a, const Source& b) { return (*a.part)->begin < (*b.part)->begin; });
    for (std::size_t i = 1; i < sources.size(); ++i) sources[i].available += sources[i - 1].available;
    const Comers comers(senders);
    for (const CollectivePart& part : receivers) {
        waitForBytes(part, sources);
        if (const CollectivePart* const last = comers.lastBefore(part)) mayWaitFor(part, *last);
        const CollectivePart* const other = comers.whoHeldUp(part);
        if (other != nullptr && !Comers::endsSoonAfter(part, part.wait->wait)) waitFor(part, *other);
    }
}

/// Its metric is that of operations in which every rank needs data of every other.
extern const Pattern kExchangePattern{
    .collectives = {{{replay::Collective::Alltoallv, replay::Collective::Alltoallw},
                     Kind::NToN,
                     [](CollectiveParts instance) { exchangeWaits(instance, instance); },
                     &kWaitNxN}}};

}  // namespace holos::analyzer::patterns
