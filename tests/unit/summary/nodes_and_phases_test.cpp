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

/// Rank 0 makes rank 1 wait for a barrier in the first two steps, and for its messages in all others.
TEST(Phase, ofOneOfTwoKindsOfWaits_isNotNamed) {
    TraceBuilder trace(2);
    for (const unsigned rank : {0U, 1U}) {
        trace.on(rank).enter(0, "main");
        for (Tick step = 0; step < 20; ++step) {
            const Tick begin = 100 * step, end = begin + (rank == 0 ? 90 : 30);
            trace.on(rank).call(begin, end, "work");
            if (step < 2)
                trace.on(rank).barrier(end, begin + 91);
            else if (rank == 0)
                trace.on(0).send(end, begin + 91, {.peer = 1});
            else
                trace.on(1).recv(end, begin + 91, {.peer = 0});
        }
        trace.on(rank).leave(2000);
    }
    const auto summary = algebra::summarize(Findings(trace).result().experiment);
    ASSERT_TRUE(summary && !summary->problems.empty());
    EXPECT_THAT(summary->problems.front().who, Not(HasSubstr("of the waiting begins")));
}

TEST(Phase, ofTheWholeRun_isNotNamed) {
    EXPECT_THAT(whoIsLate(20), Not(HasSubstr("of the waiting begins")));
}

/// MPI takes `start` ticks at its start, and half as many at its end; rank 0 computes longer in the first
/// `uneven` of twenty steps between.
std::string whoIsLateAfter(Tick start, Tick uneven) {
    TraceBuilder trace(3);
    for (const unsigned rank : {0U, 1U, 2U}) {
        trace.on(rank).enter(0, "main").call(0, start, "MPI_Init");
        for (Tick step = 0; step < 20; ++step) {
            const Tick begin = start + 100 * step, work = rank == 0 || step >= uneven ? 90 : 30;
            trace.on(rank).call(begin, begin + work, "work").barrier(begin + work, begin + 91);
        }
        const Tick end = start + 2000;
        trace.on(rank).call(end, end + start / 2, "MPI_Finalize").leave(end + start / 2);
    }
    const auto summary = algebra::summarize(Findings(trace).result().experiment);
    if (!summary) return "";
    for (const algebra::Problem& problem : summary->problems)
        if (problem.kind == "imbalance") return problem.who;
    return "";
}

/// All steps are between 44 % and 78 % of the run: that is where the program is.
TEST(Phase, ofAllStepsBetweenALongStartAndEnd_isNotNamed) {
    EXPECT_THAT(whoIsLateAfter(2600, 20), HasSubstr("MPI Rank 0"));
    EXPECT_THAT(whoIsLateAfter(2600, 20), Not(HasSubstr("of the waiting begins")));
}

TEST(Phase, ofSomeStepsAfterALongStart_isNamed) {
    EXPECT_THAT(whoIsLateAfter(1000, 5), HasSubstr("of the waiting begins between"));
}

/// Rank 2 begins `late` ticks after the others, which wait for it in their first barrier.
algebra::Summary whereOneBeginsLate(Tick late) {
    TraceBuilder trace(3);
    for (const unsigned rank : {0U, 1U, 2U}) {
        const Tick begin = rank == 2 ? 10 + late : 10;
        trace.on(rank).enter(0, "app").enter(begin, "main").call(begin, begin + 20, "work");
        trace.on(rank).barrier(begin + 20, 31 + late);
        trace.on(rank).call(31 + late, 400, "work").barrier(400, 401).leave(410).leave(411);
    }
    return algebra::summarize(Findings(trace).result().experiment).value();
}

TEST(LateStart, ofOneProcess_isNoWorkToShareOut) {
    const algebra::Summary summary = whereOneBeginsLate(60);
    ASSERT_EQ(summary.problems.size(), 1U);
    const algebra::Problem& problem = summary.problems.front();
    EXPECT_EQ(problem.kind, "late-start");
    EXPECT_EQ(problem.where, "app");
    EXPECT_NEAR(problem.cost, 0.120, 0.002);
    EXPECT_THAT(problem.who, HasSubstr("MPI Rank 2 takes 71.0 ms, the others 11.0 ms on average"));
    EXPECT_NEAR(problem.gain.value(), 0.040, 0.002);  // 120 ms of three processes
}

TEST(LateStart, ofNobody_isNotSaid) {
    EXPECT_TRUE(whereOneBeginsLate(0).problems.empty());
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
