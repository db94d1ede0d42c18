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
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/rma_calls.h"
#include "analyzer/patterns/texts.h"
#include "analyzer/trace/peers.h"

namespace holos::analyzer::patterns {

const MetricText kRmaWaitAtCreateText{"mpi_rma_wait_at_create", "Wait at Create", "sec",
                                      "Time that a process waits for the last one to enter the creation of "
                                      "a window."};
const MetricText kRmaWaitAtFreeText{"mpi_rma_wait_at_free", "Wait at Free", "sec",
                                    "Time that a process waits for the last one to enter MPI_Win_free."};
const MetricText kRmaWaitAtFenceText{
    "mpi_rma_wait_at_fence", "Wait at Fence", "sec",
    "Time that a process waits in MPI_Win_fence for the last one to enter it. Balance the work before the "
    "fence, or synchronize only those that exchange data."};
const MetricText kRmaEarlyFenceText{
    "mpi_rma_early_fence", "Early Fence", "sec",
    "The part of Wait at Fence in which others still access this process's window."};

namespace {

using replay::Call;
using replay::Collective;
using replay::CollectiveRecord;
using replay::RmaRecord;
using trace::LocationId;
using trace::ProcessId;
using trace::Ticks;

struct Fence {
    LocationId location;
    const CollectiveRecord* record;
    Ticks last;  ///< end of the last access to the window
};

/// The fences of one process on one window, in the order of time.
using Fences = std::vector<Fence>;
using AllFences = std::map<std::pair<std::uint32_t, ProcessId>, Fences>;

AllFences collectFences(const replay::ReplayedTrace& trace) {
    AllFences all;
    for (std::size_t i = 0; i < trace.locations.size(); ++i)
        for (const CollectiveRecord& record : trace.locations[i].messages.collectives) {
            if (record.operation != Collective::WinFence || record.wait == 0) continue;
            all[{record.comm, trace.definitions.locations[i].process}].push_back(
                {LocationId(i), &record, record.begin});
        }
    for (auto& [key, fences] : all)
        std::stable_sort(fences.begin(), fences.end(),
                         [](const Fence& a, const Fence& b) { return a.record->begin < b.record->begin; });
    return all;
}

void noteAccess(Fences& fences, const Call& access) {
    const auto after = std::partition_point(
        fences.begin(), fences.end(), [&](const Fence& fence) { return fence.record->begin < access.leave; });
    if (after == fences.begin()) return;
    Fence& fence = *std::prev(after);
    if (access.leave <= fence.record->end) fence.last = std::max(fence.last, access.leave);
}

}  // namespace

void windowWaits(matching::CollectiveInstance instance) {
    synchronizeWhereTogether(instance);
}

void earlyFences(const replay::ReplayedTrace& trace, std::vector<LocalSeverities>& severities) {
    AllFences all = collectFences(trace);
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
        for (const auto& [location, fence, last] : fences)
            severities[location.index()].add(Measured::RmaEarlyFence, fence->node,
                                             std::min(last - fence->begin, fence->wait));
}

}  // namespace holos::analyzer::patterns
