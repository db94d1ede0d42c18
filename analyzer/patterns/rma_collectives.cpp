// SPDX-License-Identifier: BSD-3-Clause
//
// Wait at Create, Free and Fence: all processes of a window come together.
//
//   rank 0  ──┤ Fence, B ·········│─X├──       wait = max B − B, unless somebody left before all were there
//   rank 1  ─────────┤ Put ├──┤B ───X├──       early fence = L(Put to rank 0) − B
//
#include <algorithm>
#include <map>

#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"
#include "analyzer/patterns/rma_calls.h"
#include "analyzer/trace/comm_members.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kEarlyFencePicture{
    {{"others", "access", "-----========-------"}, {"target", "Fence", "---##########==-----"}},
    {{0, 12, 1, 12}}};

const Metric kRmaWaitAtCreate{
    .parent = "mpi_mgmt_win",
    .uniqueName = "mpi_rma_wait_at_create",
    .displayName = "Wait at Create",
    .description = "Time that a process waits for the last one to enter the creation of a window.",
    .picture = &kAllWait,
    .meaning = "processes wait for the last one to create a window",
    .activity = Activity::None};
const Metric kRmaWaitAtFree{
    .parent = "mpi_mgmt_win",
    .uniqueName = "mpi_rma_wait_at_free",
    .displayName = "Wait at Free",
    .description = "Time that a process waits for the last one to enter MPI_Win_free.",
    .picture = &kAllWait,
    .meaning = "processes wait for the last one to free a window",
    .activity = Activity::None};
const Metric kRmaWaitAtFence{
    .parent = "mpi_rma_sync_active",
    .uniqueName = "mpi_rma_wait_at_fence",
    .displayName = "Wait at Fence",
    .description =
        "Time that a process waits in MPI_Win_fence for the last one to enter it. Balance the work before "
        "the fence, or synchronize only those that exchange data.",
    .picture = &kAllWait,
    .meaning = "processes wait for the last one at a fence",
    .activity = Activity::None};
const Metric kRmaEarlyFence{
    .parent = "mpi_rma_wait_at_fence",
    .uniqueName = "mpi_rma_early_fence",
    .displayName = "Early Fence",
    .description = "The part of Wait at Fence in which others still access this process's window.",
    .picture = &kEarlyFencePicture,
    .meaning = "a process waits at a fence for pending operations"};

using replay::Call;
using replay::Collective;
using replay::CollectiveRecord;
using replay::RmaRecord;
using trace::LocationId;
using trace::ProcessId;

struct Fence {
    LocationId location;
    const CollectiveRecord* record;
    Ticks wait;
    Ticks last;  ///< end of the last access to the window
};

/// The fences of one process on one window, in the order of time.
using Fences = std::vector<Fence>;
using AllFences = std::map<std::pair<std::uint32_t, ProcessId>, Fences>;

AllFences collectFences(const replay::ReplayedTrace& trace, const AllFindings& found) {
    AllFences all;
    for (std::size_t i = 0; i < trace.locations.size(); ++i) {
        const auto& records = trace.locations[i].messages.collectives;
        for (std::size_t j = 0; j < records.size(); ++j) {
            const CollectiveRecord& record = records[j];
            const Ticks wait = found[i].waits.collectives[j].wait;
            if (record.operation != Collective::WinFence || wait == 0) continue;
            all[{record.comm, trace.definitions.locations[i].process}].push_back(
                {LocationId(i), &record, wait, record.begin});
        }
    }
    for (auto& [key, fences] : all)
        std::ranges::stable_sort(
            fences, [](const Fence& a, const Fence& b) { return a.record->begin < b.record->begin; });
    return all;
}

void noteAccess(Fences& fences, const Call& access) {
    const auto after = std::ranges::partition_point(
        fences, [&](const Fence& fence) { return fence.record->begin < access.leave; });
    if (after == fences.begin()) return;
    Fence& fence = *std::prev(after);
    if (access.leave <= fence.record->end) fence.last = std::max(fence.last, access.leave);
}

void find(CollectiveParts instance) {
    synchronizeWhereTogether(instance);
}

void findEarlyFences(const matching::MatchedTrace& run, AllFindings& found) {
    const replay::ReplayedTrace& trace = run.trace;
    AllFences all = collectFences(trace, found);
    if (all.empty()) return;
    for (std::size_t i = 0; i < trace.locations.size(); ++i)
        for (const RmaRecord& record : trace.locations[i].rma) {
            if (record.kind != RmaRecord::Kind::Access) continue;
            const auto target =
                trace::peerProcess(trace.definitions, record.window, LocationId(i), record.target);
            if (!target) continue;
            const auto fences = all.find({record.window, *target});
            if (fences != all.end())
                noteAccess(fences->second, trace.locations[i].messages.calls[record.call]);
        }
    for (const auto& [key, fences] : all)
        for (const auto& [location, fence, wait, last] : fences)
            found.own(location.index())
                .severities.add(kRmaEarlyFence, fence->node, std::min(last - fence->begin, wait));
}

}  // namespace

extern const Pattern kWindowsPattern{
    .metrics = {&kRmaWaitAtCreate, &kRmaWaitAtFree, &kRmaWaitAtFence, &kRmaEarlyFence},
    .delays = {{Kind::RmaWindow, "delay_rma", "delay_rma_window", "Wait at Window",
                "Delays that make others wait where a window is created, fenced or freed."}},
    .collectives = {{{Collective::WinCreate}, Kind::RmaWindow, find, &kRmaWaitAtCreate},
                    {{Collective::WinFree}, Kind::RmaWindow, find, &kRmaWaitAtFree},
                    {{Collective::WinFence}, Kind::RmaWindow, find, &kRmaWaitAtFence}},
    .inTrace = findEarlyFences};

}  // namespace holos::analyzer::patterns
