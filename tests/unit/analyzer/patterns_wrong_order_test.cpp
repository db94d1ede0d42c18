// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/model/check.h"
#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

TEST(WrongOrder, earlierMessageOfSameSender_latestWaitMoves) {
    TraceBuilder trace(2);
    trace.on(0)
        .enter(0, "main")
        .send(5, 6, {.peer = 1, .tag = 1})
        .send(8, 9, {.peer = 1, .tag = 2})
        .leave(20);
    trace.on(1).enter(0, "main").enter(0, "first").recv(1, 9, {.peer = 0, .tag = 2}).leave(10);
    trace.on(1).enter(10, "second").recv(11, 12, {.peer = 0, .tag = 1}).leave(13).leave(20);
    const Findings found(trace);
    // The first receive waited 8 - 1; the message it could have had was sent at 5.
    EXPECT_NEAR(found.at("mpi_latesender", "main/first/MPI_Recv", 1), 0.007, kExact);
    EXPECT_NEAR(found.at("mpi_latesender_wo", "main/first/MPI_Recv", 1), 0.007, kExact);
    EXPECT_NEAR(found.at("mpi_lswo_same", "main/first/MPI_Recv", 1), 0.007, kExact);
    EXPECT_EQ(found.total("mpi_lswo_different"), 0);
}

TEST(WrongOrder, earlierMessageOfOtherSender_countsAsDifferent) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").send(8, 9, {.peer = 1}).leave(20);
    trace.on(1).enter(0, "main").recv(1, 9, {.peer = 0}).recv(11, 12, {.peer = 2}).leave(20);
    trace.on(2).enter(0, "main").send(5, 6, {.peer = 1}).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_lswo_different", "main/MPI_Recv", 1), 0.007, kExact);  // 8 - 1
    EXPECT_EQ(found.total("mpi_lswo_same"), 0);
}

TEST(WrongOrder, receivedAsSent_none) {
    TraceBuilder trace(2);
    trace.on(0)
        .enter(0, "main")
        .send(5, 6, {.peer = 1, .tag = 1})
        .send(8, 9, {.peer = 1, .tag = 2})
        .leave(20);
    trace.on(1)
        .enter(0, "main")
        .recv(1, 6, {.peer = 0, .tag = 1})
        .recv(7, 9, {.peer = 0, .tag = 2})
        .leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.total("mpi_latesender"), 0.005, kExact);  // (5 - 1) + (8 - 7)
    EXPECT_EQ(found.total("mpi_latesender_wo"), 0);
}

TEST(WrongOrder, sentAtTheSameTick_none) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").send(8, 9, {.peer = 1}).leave(20);
    trace.on(1).enter(0, "main").recv(1, 9, {.peer = 0}).recv(11, 12, {.peer = 2}).leave(20);
    trace.on(2).enter(0, "main").send(8, 9, {.peer = 1}).leave(20);
    EXPECT_EQ(Findings(trace).total("mpi_latesender_wo"), 0);
}

TEST(WrongOrder, severalWaitsBefore_allMoveOnce) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main");
    trace.on(0)
        .send(2, 3, {.peer = 1, .tag = 1})
        .send(6, 7, {.peer = 1, .tag = 2})
        .send(9, 10, {.peer = 1, .tag = 3});
    trace.on(0).leave(20);
    trace.on(1).enter(0, "main").recv(1, 10, {.peer = 0, .tag = 3});  // waits 8
    trace.on(1).recv(11, 12, {.peer = 0, .tag = 2});            // sent at 6: the first was in wrong order
    trace.on(1).recv(13, 14, {.peer = 0, .tag = 1}).leave(20);  // sent at 2: it is not counted again
    EXPECT_NEAR(Findings(trace).total("mpi_latesender_wo"), 0.008, kExact);  // 9 - 1
}

/// Whose message it was is told where the first of both waits was, and nothing contradicts that.
TEST(WrongOrder, severalWaitsBeforeInDifferentPlaces_areSound) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(2, 3, {.peer = 1, .tag = 1}).send(6, 7, {.peer = 1, .tag = 2});
    trace.on(0).send(15, 16, {.peer = 1, .tag = 3}).leave(30);
    trace.on(1).enter(0, "main").enter(0, "first").recv(1, 7, {.peer = 0, .tag = 2}).leave(8);
    trace.on(1).enter(8, "second").recv(10, 16, {.peer = 0, .tag = 3}).leave(17);
    trace.on(1).recv(18, 19, {.peer = 0, .tag = 1}).leave(30);  // sent at 2: both were in wrong order
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latesender_wo", "main/first/MPI_Recv", 1), 0.005, kExact);   // 6 - 1
    EXPECT_NEAR(found.at("mpi_latesender_wo", "main/second/MPI_Recv", 1), 0.005, kExact);  // 15 - 10
    EXPECT_NEAR(found.at("mpi_lswo_same", "main/first/MPI_Recv", 1), 0.010, kExact);
    EXPECT_THAT(algebra::check(found.result().experiment),
                ::testing::Each(::testing::Field(&algebra::Finding::kind, algebra::Finding::Kind::Note)));
}

/// Rank 2 waits for rank 1, and rank 0 is one operation ahead meanwhile: it is no neighbour of rank 1.
TEST(WrongOrder, operationsOfNeighbours_haveTheirOrder) {
    TraceBuilder trace(3);
    const char* const call = "MPI_Neighbor_allgather";
    trace.on(0).enter(0, "main");
    for (const Tick begin : {1, 4}) trace.on(0).enter(begin, call).sent(begin, {.peer = 2}).leave(begin + 1);
    trace.on(0).leave(40);
    trace.on(1).enter(0, "main");
    for (const Tick begin : {10, 30})
        trace.on(1).enter(begin, call).sent(begin, {.peer = 2}).leave(begin + 1);
    trace.on(1).leave(40);
    trace.on(2).enter(0, "main");
    for (const Tick begin : {2, 20})
        trace.on(2)
            .enter(begin, call)
            .received(begin + 11, {.peer = 1})
            .received(begin + 11, {.peer = 0})
            .leave(begin + 11);
    trace.on(2).leave(40);
    const Findings found(trace);
    EXPECT_NEAR(found.total("mpi_latesender"), 0.018, kExact);  // 10 - 2, and 30 - 20
    EXPECT_EQ(found.total("mpi_latesender_wo"), 0);
}

}  // namespace
}  // namespace holos::testing
