// SPDX-License-Identifier: BSD-3-Clause
// Why threads of nested teams wait, and where the critical path goes among them.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto* kOuter = "!$omp parallel @x.c:1";
constexpr auto* kInner = "!$omp parallel @x.c:2";
constexpr auto* kTeamBarrier = "!$omp implicit barrier @x.c:3";
const std::string kAtOuter = std::string("main/") + kOuter;
const std::string kAtInner = kAtOuter + "/" + kInner;
const std::string kInnerWork = kAtInner + "/work";
const std::string kOuterBarrier = kAtOuter + "/" + kTeamBarrier;
const std::string kInnerBarrier = kAtInner + "/" + kTeamBarrier;

/// Of rank 0, until 20: threads 0 and 1 are a team, and each of them forks one with another thread.
///
///   0  main 1 ┤ outer 2 ┤ inner  work 5 ┤ barrier 8 ├ 9 ┤ barrier ···················· 19 ├ 20 main
///   2                   ┤ inner  work ············8 ├
///   1         ┤ outer ··········· 10 ┤ inner work 12 ┤ barrier ······· 18 ├ 19 ┤ barrier ├
///   3                                ┤ inner work ··················18 ├
void nestedTeams(TraceBuilder& trace) {
    const auto outer = trace.team(0, {0, 1});
    const auto first = trace.team(0, {0, 2});
    const auto second = trace.team(0, {1, 3});
    const auto inner = [&](unsigned thread, OTF2_CommRef team, Tick begin, Tick come, Tick end) {
        trace.on(0, thread).teamBegin(begin, team).enter(begin, kInner).call(begin, come, "work");
        trace.on(0, thread).call(come, end, kTeamBarrier).leave(end).teamEnd(end, team);
    };
    trace.on(0, 0).enter(0, "main").fork(1, 2).teamBegin(1, outer).enter(1, kOuter).fork(2, 2);
    inner(0, first, 2, 5, 8);
    inner(2, first, 2, 8, 8);
    trace.on(0, 0).join(8).call(9, 20, kTeamBarrier).leave(20).teamEnd(20, outer).join(20);
    trace.on(0, 1).teamBegin(1, outer).enter(1, kOuter).fork(10, 2);
    inner(1, second, 10, 12, 18);
    inner(3, second, 10, 18, 18);
    trace.on(0, 1).join(18).call(19, 20, kTeamBarrier).leave(20).teamEnd(20, outer);
}

TEST(NestedTeams, waits_areThoseOfEachTeam) {
    TraceBuilder trace(1, 4);
    nestedTeams(trace);
    trace.on(0).leave(30);
    const Findings found(trace);
    EXPECT_NEAR(found.at("omp_ibarrier_wait", kInnerBarrier, 0, 0), 0.003, kExact);  // 8 - 5
    EXPECT_NEAR(found.at("omp_ibarrier_wait", kInnerBarrier, 0, 1), 0.006, kExact);  // 18 - 12
    EXPECT_NEAR(found.at("omp_ibarrier_wait", kOuterBarrier, 0, 0), 0.010, kExact);  // 19 - 9
    EXPECT_NEAR(found.total("omp_ibarrier_wait"), 0.019, kExact);
}

TEST(NestedTeams, costs_areAsLargeAsTheWaits) {
    TraceBuilder trace(1, 4);
    nestedTeams(trace);
    trace.on(0).leave(30);
    const Findings found(trace);
    EXPECT_NEAR(found.at("delay_ompbarrier", kInnerWork, 0, 2), 0.003, kExact);
    EXPECT_NEAR(found.at("delay_ompbarrier", kInnerWork, 0, 3), 0.006, kExact);
    // Since the outer fork, thread 1 took 10 - 2 longer in the outer region, and waited 6 for thread 3.
    EXPECT_NEAR(found.at("delay_ompbarrier", kAtOuter, 0, 1), 0.010 * 8 / 14, kExact);
    EXPECT_NEAR(found.at("delay_ompbarrier_longterm", kInnerWork, 0, 3), 0.010 * 6 / 14, kExact);
    EXPECT_NEAR(found.total("delay_ompbarrier_aggregate"), found.total("omp_ibarrier_wait"), kExact);
}

TEST(NestedTeams, criticalPath_goesThroughTheLateThreadOfTheInnerTeam) {
    TraceBuilder trace(1, 4);
    nestedTeams(trace);
    trace.on(0).leave(30);
    const Findings found(trace);
    EXPECT_NEAR(found.at("critical_path", kAtOuter, 0, 1), 0.010, kExact);    // 1 to 10 and 18 to 19
    EXPECT_NEAR(found.at("critical_path", kInnerWork, 0, 3), 0.008, kExact);  // 10 to 18
    EXPECT_NEAR(found.at("critical_path", "main", 0, 0), 0.011, kExact);      // 0 to 1 and 20 to 30
    EXPECT_NEAR(found.total("critical_path"), 0.030, kExact);
}

// Rank 1 waits 15 for rank 0, which waited for its threads in turn.
TEST(NestedTeams, anotherProcessWaits_costsGoDownToTheThreads) {
    TraceBuilder trace(2, 4);
    nestedTeams(trace);
    trace.on(0).barrier(20, 21).leave(30);
    trace.on(1).enter(0, "main").barrier(5, 21).leave(30);
    const Findings found(trace);
    EXPECT_NEAR(found.total("mpi_barrier_wait"), 0.015, kExact);  // 20 - 5
    EXPECT_NEAR(found.total("delay_barrier_aggregate"), 0.015, kExact);
    EXPECT_GT(found.at("delay_barrier_longterm", kInnerWork, 0, 3), 0);
    EXPECT_NEAR(found.total("delay_ompbarrier_aggregate"), 0.019, kExact);
    EXPECT_NEAR(found.total("critical_path"), 0.030, kExact);
}

// Damaged: thread 0 comes to a barrier while it is at one. The inner one ends first, and is the team's first.
TEST(NestedTeams, barrierWithinABarrier_isAnotherOneThatNobodyElseComesTo) {
    TraceBuilder trace(1, 2);
    const auto team = trace.team(0, {0, 1});
    trace.on(0, 0).enter(0, "main").fork(1, 2).teamBegin(1, team).enter(1, kOuter);
    trace.on(0, 0).enter(3, kTeamBarrier).call(4, 10, kTeamBarrier).leave(10);
    trace.on(0, 0).leave(12).teamEnd(12, team).join(12).leave(20);
    trace.on(0, 1).teamBegin(1, team).enter(1, kOuter).call(10, 10, kTeamBarrier).leave(12).teamEnd(12, team);
    const Findings found(trace);
    EXPECT_NEAR(found.total("omp_ibarrier_wait"), 0.006, kExact);  // 10 - 4
    EXPECT_NEAR(found.total("delay_ompbarrier_aggregate"), 0.006, kExact);
    EXPECT_NEAR(found.at("delay_ompbarrier", kAtOuter, 0, 1), 0.006, kExact);
}

// Damaged: thread 0 begins a team within that team. Its barrier there is of an instance that it alone is in,
// and since then it took 11 - 5, which is no longer than the 10 - 1 of thread 1: nothing is to blame for its
// wait.
TEST(NestedTeams, teamBegunWithinItself_isAnotherInstance) {
    TraceBuilder trace(1, 2);
    const auto team = trace.team(0, {0, 1});
    trace.on(0, 0).enter(0, "main").fork(1, 2).teamBegin(1, team).enter(1, kOuter);
    trace.on(0, 0).fork(2, 2).teamBegin(2, team).enter(2, kInner).call(4, 5, kTeamBarrier).leave(5);
    trace.on(0, 0)
        .teamEnd(5, team)
        .join(5)
        .call(11, 11, kTeamBarrier)
        .leave(12)
        .teamEnd(12, team)
        .join(12)
        .leave(20);
    trace.on(0, 1).teamBegin(1, team).enter(1, kOuter).call(10, 11, kTeamBarrier).leave(12).teamEnd(12, team);
    const Findings found(trace);
    EXPECT_NEAR(found.total("omp_ibarrier_wait"), 0.001, kExact);  // 11 - 10
    EXPECT_NEAR(found.total("delay_ompbarrier_aggregate"), 0, kExact);
}

}  // namespace
}  // namespace holos::testing
