// SPDX-License-Identifier: BSD-3-Clause
//
// OpenMP management: what a parallel region costs on each of its threads.
//
//   master    ──┤fork ·│E parallel L│·· join├──     management = (E − fork) + (join − L),
//   worker    ·········│E  parallel L│·····         of which E − fork is the fork
//
// Waiting for processors: what of the fork the thread could run and had no processor. A worker that has one
// begins at once.
//
#include <algorithm>

#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

namespace {

const Metric kOmpManagement{.parent = "omp_time",
                            .uniqueName = "omp_management",
                            .displayName = "Management",
                            .description =
                                "Time that threads need to enter a parallel region after its fork, and from "
                                "leaving it to its join. Larger or fewer parallel regions reduce it.",
                            .activity = Activity::None,
                            .before = "omp_synchronization"};
const Metric kOmpFork{"omp_management", "omp_fork", "Fork",
                      "Time that threads need to enter a parallel region after its fork."};

const Metric kShortageAtFork{
    .parent = "omp_fork",
    .uniqueName = "omp_fork_processor_waiting",
    .displayName = "Waiting for Processors",
    .description =
        "Time after a fork in which the thread could run and had no processor: other threads and programs had "
        "it. Its part of the parallel region begins later by as much.",
    .needs = Needs::Shortage};

/// Moves the time of fork and join to the parallel region (on every thread) and measures it.
void bookTeams(const matching::MatchedTrace& run, trace::LocationId location, LocationFindings& found) {
    const auto& shortages = run.trace[location].threads.forkShortages;
    auto next = shortages.begin();
    run.matches.teams.visit(run.trace[location].threads, location, [&](const matching::ForkedStay& forked) {
        const Ticks fork = forked.forkTime();
        const Ticks join = forked.joinTime();
        found.severities.add(kOmpFork, forked.stay.node, fork);
        found.severities.add(kOmpManagement, forked.stay.node, fork + join);
        found.severities.move(forked.stay.node, fork + join);
        if (forked.isMaster()) found.severities.move(forked.fork.parent, -(fork + join));
        while (next != shortages.end() && next->event < forked.stay.event) ++next;
        if (next == shortages.end() || next->event != forked.stay.event) return;
        const Ticks ticks = std::min(next->passed, fork);
        if (ticks <= 0) return;
        found.severities.add(kShortageAtFork, forked.stay.node, ticks);
        found.waits.shortages.push_back({forked.stay.slice, forked.stay.node, next->node, ticks});
    });
}

}  // namespace

extern const Pattern kOmpManagementPattern{.metrics = {&kOmpManagement, &kOmpFork, &kShortageAtFork},
                                           .inLocation = bookTeams};

}  // namespace holos::analyzer::patterns
