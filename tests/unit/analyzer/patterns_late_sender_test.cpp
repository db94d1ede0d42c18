// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

// rank 0  main ──────────Send──
// rank 1  main ─Recv▒▒▒▒▒▒▒▒──       a tick is a millisecond
TEST(LateSender, blockingSendAfterReceive_waitsUntilSend) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(5, 6, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").recv(1, 7, {.peer = 0}).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Recv", 1), 0.004, kExact);  // 5 - 1
    EXPECT_NEAR(found.total("mpi_latesender"), 0.004, kExact);
    EXPECT_EQ(found.total("mpi_latesender_wo"), 0);
    EXPECT_TRUE(found.result().diagnoses.empty());
}

TEST(LateSender, sendBeforeReceive_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 2, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").recv(5, 7, {.peer = 0}).leave(10);
    EXPECT_EQ(Findings(trace).total("mpi_latesender"), 0);
}

TEST(LateSender, bothAtOnce_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(5, 6, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").recv(5, 7, {.peer = 0}).leave(10);
    EXPECT_EQ(Findings(trace).total("mpi_latesender"), 0);
}

TEST(LateSender, oneTickLate_waitsOneTick) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(6, 7, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").recv(5, 7, {.peer = 0}).leave(10);
    EXPECT_NEAR(Findings(trace).total("mpi_latesender"), 0.001, kExact);
}

// The clocks disagree: the receive ends before the send begins. No wait is longer than its call.
TEST(LateSender, sendAfterReceiveEnded_waitIsTheWholeReceive) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(9, 10, {.peer = 1}).leave(12);
    trace.on(1).enter(0, "main").recv(1, 7, {.peer = 0}).leave(12);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Recv", 1), 0.006, kExact);  // 7 - 1
    EXPECT_TRUE(found.reported(analyzer::Trouble::ClockViolation));
}

TEST(LateSender, nonblockingBothSides_waitIsInMpiWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").isend(6, 7, {.peer = 1}, 1).waitSend(8, 9, 1).leave(10);
    trace.on(1).enter(0, "main").irecv(1, 2, 1).waitRecv(3, 9, {.peer = 0}, 1).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Wait", 1), 0.003, kExact);  // 6 - 3
    EXPECT_NEAR(found.total("mpi_latesender"), 0.003, kExact);
}

TEST(LateSender, severalInWaitall_largestCountsOnce) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").send(5, 6, {.peer = 2}).leave(12);
    trace.on(1).enter(0, "main").send(8, 9, {.peer = 2}).leave(12);
    trace.on(2).enter(0, "main").irecv(1, 2, 1).irecv(2, 3, 2);
    trace.on(2)
        .enter(3, "MPI_Waitall")
        .receiveCompleted(10, {.peer = 0}, 1)
        .receiveCompleted(10, {.peer = 1}, 2);
    trace.on(2).leave(10).leave(12);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Waitall", 2), 0.005, kExact);  // 8 - 3
    EXPECT_EQ(found.total("mpi_cls_count"), 1);
}

/// As our recorder writes collective operations of neighbours, here one that a wait completes.
TEST(LateSender, severalOfOneOperationOfNeighbours_largestCountsOnce) {
    for (const char* call : {"MPI_Wait", "MPI_Neighbor_allgather"}) {
        TraceBuilder trace(3);
        trace.on(0).enter(0, "main").send(5, 6, {.peer = 2}).leave(12);
        trace.on(1).enter(0, "main").send(8, 9, {.peer = 2}).leave(12);
        trace.on(2).enter(0, "main").irecv(1, 2, 1).irecv(2, 3, 2);
        trace.on(2).enter(3, call).receiveCompleted(10, {.peer = 0}, 1).receiveCompleted(10, {.peer = 1}, 2);
        trace.on(2).leave(10).leave(12);
        const Findings found(trace);
        EXPECT_NEAR(found.at("mpi_latesender", std::string("main/") + call, 2), 0.005, kExact);  // 8 - 3
        EXPECT_EQ(found.total("mpi_cls_count"), 1);
    }
}

TEST(LateSender, severalInWaitany_eachCountsAlone) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").send(5, 6, {.peer = 2}).leave(15);
    trace.on(1).enter(0, "main").send(9, 10, {.peer = 2}).leave(15);
    trace.on(2).enter(0, "main").irecv(1, 2, 1).irecv(2, 3, 2);
    trace.on(2)
        .waitRecv(3, 6, {.peer = 0}, 1, "MPI_Waitany")
        .waitRecv(7, 11, {.peer = 1}, 2, "MPI_Waitany")
        .leave(15);
    EXPECT_NEAR(Findings(trace).at("mpi_latesender", "main/MPI_Waitany", 2), 0.004,
                kExact);  // (5 - 3) + (9 - 7)
}

TEST(LateSender, completedByTest_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(6, 7, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").irecv(1, 2, 1).waitRecv(3, 9, {.peer = 0}, 1, "MPI_Test").leave(10);
    EXPECT_EQ(Findings(trace).total("mpi_latesender"), 0);
}

TEST(LateSender, sendrecv_waitsFromItsOwnBegin) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").sendrecv(2, 9, {.peer = 1}, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").sendrecv(7, 9, {.peer = 0}, {.peer = 0}).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Sendrecv", 0), 0.005, kExact);  // 7 - 2
    EXPECT_EQ(found.at("mpi_latesender", "main/MPI_Sendrecv", 1), 0);
    EXPECT_EQ(found.total("mpi_latereceiver"), 0);  // never in Sendrecv
}

TEST(LateSender, zeroBytes_waitsAsAnyMessage) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(5, 6, {.peer = 1, .bytes = 0}).leave(10);
    trace.on(1).enter(0, "main").recv(1, 7, {.peer = 0, .bytes = 0}).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.total("mpi_latesender"), 0.004, kExact);
    EXPECT_EQ(found.total("mpi_sls_count"), 1);
    EXPECT_EQ(found.total("mpi_cls_count"), 0);
}

TEST(LateSender, ranksOfSubcommunicator_areTranslated) {
    TraceBuilder trace(3);
    const auto comm = trace.communicator({2, 0});  // world rank 2 is its rank 0
    trace.on(0).enter(0, "main").recv(1, 8, {.peer = 0, .comm = comm}).leave(10);
    trace.on(1).enter(0, "main").leave(10);
    trace.on(2).enter(0, "main").send(7, 8, {.peer = 1, .comm = comm}).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Recv", 0), 0.006, kExact);  // 7 - 1
    EXPECT_TRUE(found.result().diagnoses.empty());
}

TEST(LateSender, equalTagsInTwoCommunicators_doNotMix) {
    TraceBuilder trace(2);
    const auto comm = trace.communicator({0, 1});
    trace.on(0).enter(0, "main").send(3, 4, {.peer = 1, .comm = comm}).send(6, 7, {.peer = 1}).leave(12);
    trace.on(1).enter(0, "main").recv(1, 8, {.peer = 0}).recv(9, 10, {.peer = 0, .comm = comm}).leave(12);
    EXPECT_NEAR(Findings(trace).total("mpi_latesender"), 0.005, kExact);  // 6 - 1; the other send was early
}

TEST(LateSender, toItself_matchesWithoutWait) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").isend(1, 2, {.peer = 0, .comm = kSelf}, 1);
    trace.on(0).recv(3, 4, {.peer = 0, .comm = kSelf}).waitSend(5, 6, 1).leave(10);
    const Findings found(trace);
    EXPECT_EQ(found.total("mpi_latesender"), 0);
    EXPECT_EQ(found.total("comms_recv"), 1);
    EXPECT_TRUE(found.result().diagnoses.empty());
}

TEST(LateSender, cancelledSend_isNotMatched) {
    TraceBuilder trace(2);
    trace.on(0)
        .enter(0, "main")
        .isend(1, 2, {.peer = 1}, 1)
        .enter(3, "MPI_Wait")
        .requestCancelled(4, 1)
        .leave(4);
    trace.on(0).send(6, 7, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").recv(3, 7, {.peer = 0}).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.total("mpi_latesender"), 0.003, kExact);  // 6 - 3
    EXPECT_FALSE(found.reported(analyzer::Trouble::UnmatchedMessage));
}

TEST(LateSender, equalMessages_matchInOrder) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(3, 4, {.peer = 1}).send(9, 10, {.peer = 1}).leave(12);
    trace.on(1).enter(0, "main").recv(1, 4, {.peer = 0}).recv(5, 10, {.peer = 0}).leave(12);
    EXPECT_NEAR(Findings(trace).total("mpi_latesender"), 0.006, kExact);  // (3 - 1) + (9 - 5)
}

/// As in a part of a run that begins within the call: nobody knows since when it waited.
TEST(LateSender, receiveOutsideOfAnyCall_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(40, 41, {.peer = 1}).leave(60);
    trace.on(1).enter(0, "main").received(42, {.peer = 0}).recv(45, 55, {.peer = 0}).leave(60);
    const Findings found(trace);
    EXPECT_EQ(found.total("mpi_latesender"), 0);
    EXPECT_EQ(found.total("delay_latesender_aggregate"), 0);
}

}  // namespace
}  // namespace holos::testing
