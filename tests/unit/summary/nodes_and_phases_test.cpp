// SPDX-License-Identifier: BSD-3-Clause
// Nodes with different numbers of processes, and waiting that is in a part of the run only.
#include <gmock/gmock.h>

#include "algebra/insight/summary/summary.h"
#include "analyzer/analyze.h"
#include "tests/support/findings.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Five processes compute in two functions and meet, ten times. The first `slow` of them take 30 % longer,
/// and are on a node of their own.
algebra::Experiment twoNodes(unsigned slow) {
    TraceBuilder trace(5);
    for (unsigned rank = 0; rank < 5; ++rank) {
        trace.on(rank).enter(0, "main");
        for (Tick step = 0; step < 10; ++step) {
            const Tick begin = 140 * step, part = rank < slow ? 65 : 50;
            trace.on(rank).call(begin, begin + part, "forces").call(begin + part, begin + 2 * part, "moves");
            trace.on(rank).barrier(begin + 2 * part, begin + 131);
        }
        trace.on(rank).leave(1400);
    }
    const TemporaryDirectory folder;
    algebra::Experiment experiment = analyzer::analyze(trace.write(folder.path())).experiment;
    const algebra::SystemNodeId first = experiment.system.processes.front().node;
    const auto parent = experiment.system.nodes.parent(first);
    const algebra::SystemNodeId other =
        experiment.system.nodes.add({"other", "node", "", {}}, parent ? parent : std::optional(first));
    for (unsigned rank = slow; rank < 5; ++rank) experiment.system.processes[rank].node = other;
    return experiment;
}

TEST(Nodes, withMoreProcesses_areFilledUnevenly) {
    const auto summary = algebra::summarize(twoNodes(3));
    ASSERT_TRUE(summary);
    ASSERT_FALSE(summary->problems.empty());
    EXPECT_EQ(summary->problems.front().kind, "uneven-nodes");
    EXPECT_THAT(summary->problems.front().who,
                HasSubstr("it has 3 processes, and no other node more than 2"));
}

TEST(Nodes, withFewerProcesses_areJustSlow) {
    const auto summary = algebra::summarize(twoNodes(2));
    ASSERT_TRUE(summary);
    ASSERT_FALSE(summary->problems.empty());
    EXPECT_EQ(summary->problems.front().kind, "slow-node");
}

/// Rank 0 computes longer in the first `uneven` of twenty steps.
std::string whoIsLate(Tick uneven) {
    TraceBuilder trace(3);
    for (const unsigned rank : {0U, 1U, 2U}) {
        trace.on(rank).enter(0, "main");
        for (Tick step = 0; step < 20; ++step) {
            const Tick begin = 100 * step, work = rank == 0 || step >= uneven ? 90 : 30;
            trace.on(rank).call(begin, begin + work, "work").barrier(begin + work, begin + 91);
        }
        trace.on(rank).leave(2000);
    }
    const auto summary = algebra::summarize(Findings(trace).result().experiment);
    return summary && !summary->problems.empty() ? summary->problems.front().who : "";
}

TEST(Phase, withMostWaiting_isNamed) {
    EXPECT_THAT(whoIsLate(5), HasSubstr("of the waiting begins between 0 % and 20 % of the run's time"));
}

TEST(Phase, ofTheWholeRun_isNotNamed) {
    EXPECT_THAT(whoIsLate(20), Not(HasSubstr("of the waiting begins")));
}

/// Two processes meet, forty times; rank 0 comes late, by `more` in each step than in the one before. Nobody
/// waits in the start before.
std::string kindAfterStart(Tick late, Tick more) {
    TraceBuilder trace(2);
    for (const unsigned rank : {0U, 1U}) {
        trace.on(rank).enter(0, "main").call(0, 3000, "start");
        Tick begin = 3000;
        for (Tick step = 0; step < 40; ++step) {
            const Tick last = begin + 200 + late + more * step, end = rank == 0 ? last : begin + 200;
            trace.on(rank).call(begin, end, "work").barrier(end, last + 1);
            begin = last + 1;
        }
        trace.on(rank).leave(begin);
    }
    const auto summary = algebra::summarize(Findings(trace).result().experiment);
    return summary && !summary->problems.empty() ? summary->problems.front().kind : "";
}

TEST(Growth, ofEqualWaitsAfterALongStart_isNone) {
    EXPECT_EQ(kindAfterStart(60, 0), "imbalance");
}

TEST(Growth, ofLongerWaitsAfterALongStart_isNamed) {
    EXPECT_EQ(kindAfterStart(1, 3), "growing-imbalance");
}

}  // namespace
}  // namespace holos::testing
