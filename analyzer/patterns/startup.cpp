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

void findInTrace(const matching::MatchedTrace& run, AllFindings& found) {
    Bounds init;
    Bounds finalize;
    for (const replay::LocationTrace& location : run.trace.locations) {
        init.include(location.init);
        finalize.include(location.finalize);
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        LocationWaits& waits = found[i].waits;
        if (const replay::Startup& call = run.trace.locations[i].init; call.seen) {
            waits.init.completion = init.completion(call);
            found[i].severities.add(kInitCompletion, call.node, waits.init.completion);
        }
        if (const replay::Startup& call = run.trace.locations[i].finalize; call.seen) {
            waits.finalize = {finalize.wait(call), finalize.completion(call)};
            found[i].severities.add(kFinalizeWait, call.node, waits.finalize.wait);
        }
    }
}

void visitWaits(const JudgedTrace& run, trace::LocationId location, const VisitWait& visit) {
    const replay::Startup& call = run.trace[location].finalize;
    const Ticks wait = run.waits[location.index()].finalize.wait;
    if (wait > 0) visit({kFinalizeWait, call.node, wait, call.enter, {}});
}

}  // namespace

extern const Pattern kStartupPattern{
    .metrics = {&kInitCompletion, &kFinalizeWait},
    .delays = {{Kind::Finalize, "delay_mpi", "delay_finalize", "Wait at Finalize",
                "Delays that make others wait in MPI_Finalize, for the last process to come.", &kImbalance}},
    .inTrace = findInTrace,
    .visitWaits = visitWaits};

}  // namespace holos::analyzer::patterns
