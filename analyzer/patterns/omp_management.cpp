// SPDX-License-Identifier: BSD-3-Clause
//
// OpenMP management: what a parallel region costs on each of its threads.
//
//   master    ──┤fork ·│E parallel L│·· join├──     management = (E − fork) + (join − L), of which E − fork
//   is the fork worker    ·········│E  parallel L│·····
//

#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kOmpManagementText{
    "omp_management", "Management", "sec",
    "Time that threads need to enter a parallel region after its fork, and from leaving it to its join. "
    "Larger or fewer parallel regions reduce it."};
const MetricText kOmpForkText{"omp_fork", "Fork", "sec",
                              "Time that threads need to enter a parallel region after its fork."};

void ompManagement(replay::ReplayedTrace& trace, const matching::ForkedStays& stays,
                   std::vector<LocalSeverities>& severities) {
    const auto book = [&](const matching::ForkedStay& forked) {
        const trace::Ticks fork = forked.forkTime();
        const trace::Ticks join = forked.joinTime();
        LocalSeverities& local = severities[forked.location.index()];
        local.add(Measured::OmpFork, forked.stay.node, fork);
        local.add(Measured::OmpManagement, forked.stay.node, fork + join);
        replay::LocalTree& tree = trace[forked.location].tree;
        tree[forked.stay.node].exclusive += fork + join;
        if (forked.isMaster()) tree[forked.fork.parent].exclusive -= fork + join;
    };
    for (std::size_t i = 0; i < trace.locations.size(); ++i) stays.visit(trace::LocationId(i), book);
}

}  // namespace holos::analyzer::patterns
