// SPDX-License-Identifier: BSD-3-Clause
//
// Initialization Completion and Wait at Finalize: the first MPI_Init and MPI_Finalize of all processes.
//
//   rank 0  ──┤E Init L├──────              completion = L − max(min L, min(max E, L))
//   rank 1  ────┤E Init ──L├──     rank 1 needs longer than rank 0, which was through first
//
//   rank 0  ──┤E Finalize ······│──L├──     wait = min(max E, L) − E
//   rank 1  ────────────────────┤E─L├──
//
#include <algorithm>
#include <limits>

#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

namespace {

const Metric kInitCompletion{
    .parent = "mpi_init_exit",
    .uniqueName = "mpi_init_completion",
    .displayName = "Initialization Completion",
    .description =
        "Time that a process needs to leave the initialization of MPI after the first process has left it.",
    .picture = &kCompletion,
    .meaning = "processes leave MPI's initialisation late"};
const Metric kFinalizeWait{
    .parent = "mpi_init_exit",
    .uniqueName = "mpi_finalize_wait",
    .displayName = "Wait at Finalize",
    .description = "Time that a process waits in MPI_Finalize for the last process to enter it.",
    .picture = &kAllWait,
    .meaning = "processes wait for the last one to finalize MPI",
    .activity = Activity::None};

using trace::Ticks;

struct Bounds {
    Ticks latestEnter = std::numeric_limits<Ticks>::min();
    Ticks earliestLeave = std::numeric_limits<Ticks>::max();

    Ticks wait(const replay::Startup& startup) const {
        return std::max<Ticks>(0, std::min(latestEnter, startup.leave) - startup.enter);
    }
    Ticks completion(const replay::Startup& startup) const {
        const Ticks together = std::max(earliestLeave, std::min(latestEnter, startup.leave));
        return std::max<Ticks>(0, startup.leave - together);
    }

    void include(const replay::Startup& startup) {
        if (!startup.seen) return;
        latestEnter = std::max(latestEnter, startup.enter);
        earliestLeave = std::min(earliestLeave, startup.leave);
    }
};

void findInTrace(replay::ReplayedTrace& trace, std::vector<LocalSeverities>& severities) {
    Bounds init;
    Bounds finalize;
    for (const replay::LocationTrace& location : trace.locations) {
        init.include(location.init);
        finalize.include(location.finalize);
    }
    for (std::size_t i = 0; i < trace.locations.size(); ++i) {
        if (auto& call = trace.locations[i].init; call.seen) {
            call.completion = init.completion(call);
            severities[i].add(kInitCompletion, call.node, call.completion);
        }
        if (auto& call = trace.locations[i].finalize; call.seen) {
            call.wait = finalize.wait(call);
            call.completion = finalize.completion(call);
            severities[i].add(kFinalizeWait, call.node, call.wait);
        }
    }
}

void visitWaits(const replay::ReplayedTrace& trace, trace::LocationId location, const VisitWait& visit) {
    const replay::Startup& call = trace[location].finalize;
    if (call.wait > 0) visit({kFinalizeWait, call.node, call.wait, call.enter, {}});
}

}  // namespace

extern const Pattern kStartupPattern{
    .metrics = {&kInitCompletion, &kFinalizeWait},
    .delays = {{Kind::Finalize, "delay_mpi", "delay_finalize", "Wait at Finalize",
                "Delays that make others wait in MPI_Finalize, for the last process to come.", &kImbalance}},
    .inTrace = findInTrace,
    .visitWaits = visitWaits};

}  // namespace holos::analyzer::patterns
