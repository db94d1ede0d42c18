// SPDX-License-Identifier: BSD-3-Clause
//
// Wait at Initialization, its completion, and Wait at Finalize: the first MPI_Init and MPI_Finalize of all
// processes of a world.
//
//   rank 0  ──┤E Init ··│────L├──────       wait = max E − E, unless somebody left before all were there
//   rank 1  ────────────┤E Init ──L├──      completion = L − max(min L, min(max E, L))
//                                  rank 1 needs longer than rank 0, which was through first
//
//   rank 0  ──┤E Finalize ······│──L├──     wait = min(max E, L) − E
//   rank 1  ────────────────────┤E─L├──
//
#include <algorithm>
#include <limits>
#include <vector>

#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"
#include "analyzer/trace/comm_members.h"

namespace holos::analyzer::patterns {

namespace {

const Metric kInitWait{.parent = "mpi_init_exit",
                       .uniqueName = "mpi_init_wait",
                       .displayName = "Wait at Initialization",
                       .description =
                           "Time that a process waits in the initialization of MPI for the last process to "
                           "enter it. Balance what "
                           "processes do before, and look at how the system launches them.",
                       .picture = &kAllWait,
                       .meaning = "processes wait for the last one to initialize MPI"};
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

    bool wereTogether() const { return earliestLeave > latestEnter; }
    Ticks wait(const replay::Startup& startup, const replay::LocationTrace& location) const {
        const Ticks until = std::min(latestEnter, startup.leave);
        return std::max<Ticks>(0,
                               until - startup.enter - location.notOwn(startup.node, {startup.enter, until}));
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
    const trace::Worlds worlds(run.trace.definitions);
    const auto worldOf = [&worlds](std::size_t location) {
        return worlds.of(trace::LocationId(static_cast<std::uint32_t>(location)));
    };
    std::vector<Bounds> init(worlds.count());
    std::vector<Bounds> finalize(worlds.count());
    for (std::size_t i = 0; i < run.trace.locations.size(); ++i) {
        init[worldOf(i)].include(run.trace.locations[i].init);
        finalize[worldOf(i)].include(run.trace.locations[i].finalize);
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found.has(i)) continue;
        LocationFindings& local = found.own(i);
        LocationWaits& waits = local.waits;
        const replay::LocationTrace& location = run.trace.locations[i];
        if (const replay::Startup& call = location.init; call.seen) {
            const Bounds& all = init[worldOf(i)];
            waits.init = {all.wereTogether() ? all.wait(call, location) : 0, all.completion(call)};
            local.severities.add(kInitWait, call.node, waits.init.wait);
            local.severities.add(kInitCompletion, call.node, waits.init.completion);
        }
        if (const replay::Startup& call = location.finalize; call.seen) {
            waits.finalize = {finalize[worldOf(i)].wait(call, location),
                              finalize[worldOf(i)].completion(call)};
            local.severities.add(kFinalizeWait, call.node, waits.finalize.wait);
        }
    }
}

void visitWaits(const JudgedTrace& run, trace::LocationId location, const VisitWait& visit) {
    const replay::LocationTrace& local = run.trace[location];
    const LocationWaits& waits = run.waits[location.index()];
    if (waits.init.wait > 0) visit({kInitWait, local.init.node, waits.init.wait, local.init.enter, {}});
    if (waits.finalize.wait > 0)
        visit({kFinalizeWait, local.finalize.node, waits.finalize.wait, local.finalize.enter, {}});
}

}  // namespace

extern const Pattern kStartupPattern{
    .metrics = {&kInitWait, &kInitCompletion, &kFinalizeWait},
    .delays = {{Kind::Init, "delay_mpi", "delay_init", "Wait at Initialization",
                "Delays that make others wait in MPI_Init, for the last process to come.", &kImbalance},
               {Kind::Finalize, "delay_mpi", "delay_finalize", "Wait at Finalize",
                "Delays that make others wait in MPI_Finalize, for the last process to come.", &kImbalance}},
    .inTrace = findInTrace,
    .visitWaits = visitWaits};

}  // namespace holos::analyzer::patterns
