// SPDX-License-Identifier: BSD-3-Clause
//
// OpenMP management: what a parallel region costs on each of its threads.
//
//   master    ──┤fork ·│E parallel L│·· join├──     management = (E − fork) + (join − L),
//   worker    ·········│E  parallel L│·····         of which E − fork is the fork
//
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/patterns.h"

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

}  // namespace

void ompManagement(replay::ReplayedTrace& trace, const matching::ForkedStays& stays,
                   std::vector<LocalSeverities>& severities) {
    const auto book = [&](const matching::ForkedStay& forked) {
        const trace::Ticks fork = forked.forkTime();
        const trace::Ticks join = forked.joinTime();
        LocalSeverities& local = severities[forked.location.index()];
        local.add(kOmpFork, forked.stay.node, fork);
        local.add(kOmpManagement, forked.stay.node, fork + join);
        replay::LocalTree& tree = trace[forked.location].tree;
        tree[forked.stay.node].exclusive += fork + join;
        if (forked.isMaster()) tree[forked.fork.parent].exclusive -= fork + join;
    };
    for (std::size_t i = 0; i < trace.locations.size(); ++i) stays.visit(trace::LocationId(i), book);
}

extern const Pattern kOmpManagementPattern{.metrics = {&kOmpManagement, &kOmpFork}};

}  // namespace holos::analyzer::patterns
