// SPDX-License-Identifier: BSD-3-Clause
// Events that contradict each other: the analysis ends, says what it left out, and the rest is right.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using analyzer::Trouble;

TEST(InconsistentTrace, sendWithoutReceive_isReported) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 2, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").leave(10);
    const Findings found(trace);
    EXPECT_TRUE(found.reported(Trouble::UnmatchedMessage));
    EXPECT_EQ(found.total("comms_send"), 1);
    EXPECT_NEAR(found.total("time"), 0.020, kExact);
}

TEST(InconsistentTrace, receiveWithoutSend_isReported) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").leave(10);
    trace.on(1).enter(0, "main").recv(1, 5, {.peer = 0}).leave(10);
    const Findings found(trace);
    EXPECT_TRUE(found.reported(Trouble::UnmatchedMessage));
    EXPECT_EQ(found.total("mpi_latesender"), 0);
}

TEST(InconsistentTrace, otherTag_doesNotMatch) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(5, 6, {.peer = 1, .tag = 1}).leave(10);
    trace.on(1).enter(0, "main").recv(1, 7, {.peer = 0, .tag = 2}).leave(10);
    const Findings found(trace);
    EXPECT_TRUE(found.reported(Trouble::UnmatchedMessage));
    EXPECT_EQ(found.total("mpi_latesender"), 0);
}

TEST(InconsistentTrace, peerOutsideTheCommunicator_isReported) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 2, {.peer = 4'000'000'000}).leave(10);
    trace.on(1).enter(0, "main").leave(10);
    const Findings found(trace);
    EXPECT_FALSE(found.result().diagnoses.empty());
    EXPECT_NEAR(found.total("time"), 0.020, kExact);
}

TEST(InconsistentTrace, undefinedCommunicator_isReported) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 2, {.peer = 1, .comm = 12345}).barrier(3, 4, 12345).leave(10);
    trace.on(1).enter(0, "main").leave(10);
    const Findings found(trace);
    EXPECT_TRUE(found.reported(Trouble::MissingDefinition));
    EXPECT_NEAR(found.total("time"), 0.020, kExact);
}

TEST(InconsistentTrace, undefinedRegion_isReported) {
    TraceBuilder trace(1);
    const auto begin = trace.timestamp(2);
    const auto end = trace.timestamp(5);
    trace.on(0).enter(0, "main");
    trace.on(0).record([=](auto* out) { return OTF2_EvtWriter_Enter(out, nullptr, begin, 4'000'000'000); });
    trace.on(0).record([=](auto* out) { return OTF2_EvtWriter_Leave(out, nullptr, end, 4'000'000'000); });
    trace.on(0).leave(10);
    const Findings found(trace);
    EXPECT_TRUE(found.reported(Trouble::MissingDefinition));
    EXPECT_NEAR(found.total("time"), 0.010, kExact);
}

TEST(InconsistentTrace, undefinedCounter_isReported) {
    TraceBuilder trace(1);
    trace.on(0).counters(0, 77, {1, 2}).enter(0, "main").counters(10, 77, {3, 4}).leave(10);
    const Findings found(trace);
    EXPECT_TRUE(found.reported(Trouble::MissingDefinition));
    EXPECT_NEAR(found.total("time"), 0.010, kExact);
}

TEST(InconsistentTrace, leaveWithoutEnter_isLeftOut) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").leave(3, "f").call(4, 6, "g").leave(10).leave(11, "main");
    const Findings found(trace);
    EXPECT_TRUE(found.reported(Trouble::UnbalancedCalls));
    EXPECT_NEAR(found.at("time", "main/g", 0), 0.002, kExact);
    EXPECT_NEAR(found.at("time", "main", 0), 0.008, kExact);  // 10 - (6 - 4)
}

TEST(InconsistentTrace, enterWithoutLeave_endsWithTheLastEvent) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").enter(2, "f").call(4, 6, "g");
    const Findings found(trace);
    EXPECT_TRUE(found.reported(Trouble::UnbalancedCalls));
    EXPECT_NEAR(found.at("time", "main", 0), 0.002, kExact);      // 0 to 2
    EXPECT_NEAR(found.at("time", "main/f", 0), 0.002, kExact);    // 2 to 4
    EXPECT_NEAR(found.at("time", "main/f/g", 0), 0.002, kExact);  // 4 to 6
}

TEST(InconsistentTrace, collectiveThatOneRankMissed_isReported) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").barrier(1, 5).leave(10);
    trace.on(1).enter(0, "main").barrier(3, 5).leave(10);
    trace.on(2).enter(0, "main").leave(10);
    const Findings found(trace);
    EXPECT_TRUE(found.reported(Trouble::UnmatchedCollective));
    EXPECT_NEAR(found.total("time"), 0.030, kExact);
}

TEST(InconsistentTrace, collectivesThatDisagree_areReported) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").barrier(1, 5).leave(10);
    trace.on(1).enter(0, "main").collective(3, 5, OTF2_COLLECTIVE_OP_ALLREDUCE, {}).leave(10);
    EXPECT_TRUE(Findings(trace).reported(Trouble::UnmatchedCollective));
}

TEST(InconsistentTrace, rootOutsideTheCommunicator_isReported) {
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank)
        trace.on(rank)
            .enter(0, "main")
            .collective(1 + rank, 5, OTF2_COLLECTIVE_OP_BCAST, {.root = 99})
            .leave(10);
    const Findings found(trace);
    EXPECT_TRUE(found.reported(Trouble::UnmatchedCollective));
    EXPECT_EQ(found.total("mpi_latebroadcast"), 0);
}

TEST(InconsistentTrace, collectiveEndWithoutBegin_doesNotDisturb) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").enter(1, "MPI_Barrier");
    trace.on(0).collectiveEnd(4, OTF2_COLLECTIVE_OP_BARRIER, {.sent = 0, .received = 0}).leave(4).leave(10);
    EXPECT_NEAR(Findings(trace).total("time"), 0.010, kExact);
}

TEST(InconsistentTrace, completionOfUnknownRequest_doesNotDisturb) {
    TraceBuilder trace(2);
    trace.on(0)
        .enter(0, "main")
        .waitSend(1, 2, 4711)
        .requestTested(3, 4712)
        .requestCancelled(4, 4713)
        .leave(10);
    trace.on(1).enter(0, "main").leave(10);
    EXPECT_NEAR(Findings(trace).total("time"), 0.020, kExact);
}

TEST(InconsistentTrace, teamWithoutFork_isReported) {
    TraceBuilder trace(1, 2);
    trace.on(0).enter(0, "main").leave(10);
    trace.on(0, 1).teamBegin(2).call(3, 6, "!$omp parallel @test.c:1").teamEnd(7);
    const Findings found(trace);
    EXPECT_TRUE(found.reported(Trouble::UnmatchedThreads));
    EXPECT_NEAR(found.at("time", "main", 0), 0.010, kExact);
}

// A kill between a master's fork and its team's start: the worker was faster.
TEST(InconsistentTrace, teamOfAForkAtTheEnd_isItsMasters) {
    TraceBuilder trace(1, 2);
    trace.on(0).enter(0, "main").enter(1, "work").fork(2, 2).join(7).leave(7).leave(7);
    trace.on(0, 1).teamBegin(3).enter(3, "!$omp parallel @test.c:1").leave(7).teamEnd(7);
    const Findings found(trace);
    EXPECT_FALSE(found.reported(Trouble::UnmatchedThreads));
    EXPECT_NEAR(found.at("time", "main/work/!$omp parallel @test.c:1", 0, 1), 0.004, kExact);
}

TEST(InconsistentTrace, secondTeamOfAForkAtTheEnd_isReported) {
    TraceBuilder trace(1, 2);
    trace.on(0).enter(0, "main").fork(2, 2).join(9).leave(9);
    trace.on(0, 1).teamBegin(3).call(3, 5, "!$omp parallel @test.c:1").teamEnd(5);
    trace.on(0, 1).teamBegin(6).call(6, 8, "!$omp parallel @test.c:2").teamEnd(8);
    EXPECT_TRUE(Findings(trace).reported(Trouble::UnmatchedThreads));
}

TEST(InconsistentTrace, lockNeverReleased_doesNotDisturb) {
    TraceBuilder trace(1, 2);
    trace.on(0).enter(0, "main").fork(1, 2).teamBegin(1).enter(1, "!$omp parallel @test.c:1");
    trace.on(0, 1).teamBegin(1).enter(1, "!$omp parallel @test.c:1");
    trace.on(0, 0).enter(2, "omp_set_lock").acquire(2, 0, 1).leave(3);
    trace.on(0, 1).enter(3, "omp_set_lock").acquire(6, 0, 2).leave(7);
    trace.on(0, 1).leave(8).teamEnd(8);
    trace.on(0, 0).leave(8).teamEnd(8).join(8).leave(9);
    const Findings found(trace);
    EXPECT_EQ(found.total("omp_lock_contention_api"), 0);
    EXPECT_EQ(found.at("visits", "main/!$omp parallel @test.c:1/omp_set_lock", 0, 1), 1);
}

}  // namespace
}  // namespace holos::testing
