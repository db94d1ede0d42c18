// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

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

/// Rank 1 receives two messages in each of four rounds, one of rank 0 and one of rank 2, at one place. The
/// one that it receives first is sent at 8 of the round, the other one at 5.
double waitsInRounds(const std::vector<unsigned>& first, bool isOwn = true) {
    TraceBuilder trace(3);
    if (isOwn) trace.shortageOf(0);  // a recording that would tell of it
    for (unsigned rank = 0; rank < 3; ++rank) trace.on(rank).enter(0, "main");
    for (unsigned round = 0; round < first.size(); ++round) {
        const Tick begin = Tick{20} * round;
        const unsigned second = 2 - first[round];
        trace.on(first[round]).send(begin + 8, begin + 9, {.peer = 1});
        trace.on(second).send(begin + 5, begin + 6, {.peer = 1});
        trace.on(1).recv(begin + 1, begin + 9, {.peer = first[round]});
        trace.on(1).recv(begin + 11, begin + 12, {.peer = second});
    }
    for (unsigned rank = 0; rank < 3; ++rank) trace.on(rank).leave(100);
    const Findings found(trace);
    EXPECT_NEAR(found.total("mpi_latesender"), 0.007 * static_cast<double>(first.size()), kExact);  // 8 - 1
    return found.total("mpi_latesender_wo");
}

TEST(WrongOrder, sendersInTheSameOrderAgainAndAgain_isThatOfTheProgram) {
    EXPECT_NEAR(waitsInRounds({0, 0, 0, 0}), 0.028, kExact);
    EXPECT_NEAR(waitsInRounds({0, 2, 0, 2}), 0.028, kExact);
    EXPECT_NEAR(waitsInRounds({0}), 0.007, kExact);  // once
}

/// As by MPI_ANY_SOURCE: no other order of the receives would help.
TEST(WrongOrder, sendersInNoOrderThatRepeats_areTakenAsTheyCome) {
    EXPECT_EQ(waitsInRounds({0, 0, 2, 0}), 0);
    EXPECT_NEAR(waitsInRounds({0, 0, 2, 0}, false), 0.028, kExact);  // of other recorders, as for Scalasca
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
