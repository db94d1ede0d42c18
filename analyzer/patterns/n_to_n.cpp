// SPDX-License-Identifier: BSD-3-Clause
//
// Wait at N×N and N×N Completion: operations in which every rank needs data of every other.
//
//   rank 0  ──┤B ······│───X├──        as at a barrier, among the ranks that really exchange bytes
//   rank 1  ───────────┤B──│─X├──
//             └─ wait ─┘   └┘ completion
//
// Where somebody left before all had come, it is not known who needs whom. Data may pass through any rank,
// even one that sends nothing itself: who was through soon after the last one came waited for that.
//
#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

const Metric kWaitNxN{.parent = "mpi_collective",
                      .uniqueName = "mpi_wait_nxn",
                      .displayName = "Wait at N x N",
                      .description =
                          "Time that a process waits in an all-to-all operation for the last process to "
                          "enter it. Balance the work before the operation.",
                      .picture = &kAllWait,
                      .meaning = "processes wait for the last one of an all-to-all operation",
                      .activity = Activity::None};

namespace {

const Metric kNxNCompletion{
    .parent = "mpi_collective",
    .uniqueName = "mpi_nxn_completion",
    .displayName = "N x N Completion",
    .description =
        "Time that a process needs to leave an all-to-all operation after the first process has left it.",
    .picture = &kCompletion,
    .meaning = "processes leave an all-to-all operation late"};

using replay::CollectiveRecord;

bool exchanges(const CollectiveRecord& record) {
    return record.sent != 0 || record.received != 0;
}

/// Notes the waits of ranks that others than the latest sender held up. Returns whether there are some.
template <class WaitsForSender>
bool waitForOthersThan(const Extremes& senders, CollectiveParts instance, WaitsForSender&& waitsForSender) {
    const Comers comers(instance);
    bool areSome = false;
    for (const CollectivePart& part : instance) {
        const CollectivePart* const other = comers.lastBefore(part);
        if (other == nullptr || other == senders.latest || part.lacked == 0) continue;
        mayWaitFor(part, *other);
        if (!Comers::isHeldUpBy(part, *other)) continue;
        const Ticks known =
            waitsForSender(*part) ? std::min(senders.latestBegin, part->end) - part->blocksFrom : 0;
        if (Comers::endsSoonAfter(part, known)) continue;
        waitFor(part, *other);
        areSome = true;
    }
    return areSome;
}

void find(CollectiveParts instance) {
    const Extremes all = extremesOf(instance, exchanges);
    if (all.earliestEnd > all.latestBegin) {
        for (const CollectivePart& part : instance)
            if (exchanges(*part)) synchronize(part, all);
        return;
    }
    // Somebody left before everybody was there, so not every rank waits for every other: only the latest rank
    // that sends holds others up, and only those that receive and came before it; but for those that are seen
    // to be held up by another one.
    const Extremes senders =
        extremesOf(instance, [](const CollectiveRecord& record) { return record.sent > 0; });
    const auto waitsForSender = [&](const CollectiveRecord& record) {
        return senders.latest != nullptr && record.received > 0 && record.begin < senders.latestBegin;
    };
    if (waitForOthersThan(senders, instance, waitsForSender)) {
        for (const CollectivePart& part : instance)
            if (part.wait->wait == 0 && waitsForSender(*part)) waitFor(part, *senders.latest);
        return;
    }
    if (senders.latest == nullptr) return;
    const auto takesPart = [&](const CollectiveRecord& record) {
        return &record == senders.latest->record || waitsForSender(record);
    };
    const Extremes some = extremesOf(instance, takesPart);
    for (const CollectivePart& part : instance)
        if (takesPart(*part)) synchronize(part, some);
}

}  // namespace

extern const Pattern kNToNPattern{
    .metrics = {&kWaitNxN, &kNxNCompletion},
    .delays = {{Kind::NToN, "delay_collective", "delay_n2n", "Wait at N x N",
                "Delays that make others wait in an all-to-all operation.", &kImbalance}},
    .collectives = {{{replay::Collective::Allgather, replay::Collective::Allgatherv,
                      replay::Collective::Allreduce, replay::Collective::Alltoall,
                      replay::Collective::ReduceScatter, replay::Collective::ReduceScatterBlock},
                     Kind::NToN,
                     find,
                     &kWaitNxN,
                     &kNxNCompletion}}};

}  // namespace holos::analyzer::patterns
