// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

TEST(WaitAtNxN, lastRankLate_othersWaitForIt) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").collective(1, 8, OTF2_COLLECTIVE_OP_ALLREDUCE, {}).leave(12);
    trace.on(1).enter(0, "main").collective(4, 9, OTF2_COLLECTIVE_OP_ALLREDUCE, {}).leave(12);
    trace.on(2).enter(0, "main").collective(6, 10, OTF2_COLLECTIVE_OP_ALLREDUCE, {}).leave(12);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Allreduce", 0), 0.005, kExact);  // 6 - 1
    EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Allreduce", 1), 0.002, kExact);  // 6 - 4
    EXPECT_EQ(found.at("mpi_wait_nxn", "main/MPI_Allreduce", 2), 0);
    EXPECT_EQ(found.at("mpi_nxn_completion", "main/MPI_Allreduce", 0), 0);                // 8 - 8
    EXPECT_NEAR(found.at("mpi_nxn_completion", "main/MPI_Allreduce", 1), 0.001, kExact);  // 9 - 8
    EXPECT_NEAR(found.at("mpi_nxn_completion", "main/MPI_Allreduce", 2), 0.002, kExact);  // 10 - 8
    EXPECT_EQ(found.total("mpi_barrier_wait"), 0);
}

TEST(WaitAtNxN, allAtOnce_noWait) {
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank)
        trace.on(rank).enter(0, "main").collective(3, 5, OTF2_COLLECTIVE_OP_ALLGATHER, {}).leave(10);
    const Findings found(trace);
    EXPECT_EQ(found.total("mpi_wait_nxn"), 0);
    EXPECT_EQ(found.total("mpi_nxn_completion"), 0);
}

TEST(WaitAtNxN, everyOperationOfTheFamily_waits) {
    for (const auto operation :
         {OTF2_COLLECTIVE_OP_ALLGATHER, OTF2_COLLECTIVE_OP_ALLGATHERV, OTF2_COLLECTIVE_OP_ALLREDUCE,
          OTF2_COLLECTIVE_OP_ALLTOALL, OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
          OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK}) {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").collective(2, 8, operation, {}).leave(10);
        trace.on(1).enter(0, "main").collective(5, 8, operation, {}).leave(10);
        EXPECT_NEAR(Findings(trace).total("mpi_wait_nxn"), 0.003, kExact) << functionOf(operation);  // 5 - 2
    }
}

TEST(WaitAtNxN, alltoallWithOwnCounts_noWait) {
    for (const auto operation : {OTF2_COLLECTIVE_OP_ALLTOALLV, OTF2_COLLECTIVE_OP_ALLTOALLW}) {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").collective(2, 8, operation, {}).leave(10);
        trace.on(1).enter(0, "main").collective(5, 8, operation, {}).leave(10);
        const Findings found(trace);
        EXPECT_EQ(found.total("mpi_wait_nxn"), 0) << functionOf(operation);
        EXPECT_EQ(found.total("comms_cxch"), 2) << functionOf(operation);
    }
}

// Rank 2 has nothing to give, and the others left before it came: they cannot have waited for it.
TEST(WaitAtNxN, lateRankWithoutData_isNotWaitedFor) {
    TraceBuilder trace(3);
    const auto operation = OTF2_COLLECTIVE_OP_ALLGATHERV;
    trace.on(0).enter(0, "main").collective(1, 4, operation, {.sent = 8, .received = 16}).leave(10);
    trace.on(1).enter(0, "main").collective(2, 5, operation, {.sent = 8, .received = 16}).leave(10);
    trace.on(2).enter(0, "main").collective(6, 7, operation, {.sent = 0, .received = 16}).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Allgatherv", 0), 0.001, kExact);  // 2 - 1
    EXPECT_EQ(found.at("mpi_wait_nxn", "main/MPI_Allgatherv", 1), 0);
    EXPECT_EQ(found.at("mpi_wait_nxn", "main/MPI_Allgatherv", 2), 0);
    EXPECT_NEAR(found.at("mpi_nxn_completion", "main/MPI_Allgatherv", 1), 0.001, kExact);  // 5 - 4
}

/// But rank 1, which had no processor while it polled, was through soon after it came: what it got from rank
/// 0 passes through rank 2.
TEST(WaitAtNxN, rankThatIsThroughWhenOneComesWithoutData_waitedForThat) {
    TraceBuilder trace(3);
    const auto operation = OTF2_COLLECTIVE_OP_ALLGATHERV;
    trace.on(0).enter(0, "main").collective(1, 4, operation, {.sent = 8, .received = 16}).leave(60);
    trace.on(1).enter(0, "main").enter(2, "MPI_Allgatherv").collectiveBegin(2);
    trace.on(1).collectiveEnd(42, operation, {.sent = 8, .received = 16}).leaveStarved(42, 40).leave(60);
    trace.on(2).enter(0, "main").collective(40, 43, operation, {.sent = 0, .received = 16}).leave(60);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Allgatherv", 0), 0.001, kExact);  // 2 - 1
    EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Allgatherv", 1), 0.038, kExact);  // 40 - 2
    EXPECT_EQ(found.at("mpi_wait_nxn", "main/MPI_Allgatherv", 2), 0);
    EXPECT_NEAR(found.total("delay_n2n_aggregate"), 0.039, kExact);
}

TEST(WaitAtNxN, noBytesAtAll_noWait) {
    TraceBuilder trace(2);
    const Share nothing{.sent = 0, .received = 0};
    trace.on(0).enter(0, "main").collective(2, 8, OTF2_COLLECTIVE_OP_ALLREDUCE, nothing).leave(10);
    trace.on(1).enter(0, "main").collective(5, 8, OTF2_COLLECTIVE_OP_ALLREDUCE, nothing).leave(10);
    const Findings found(trace);
    EXPECT_EQ(found.total("mpi_wait_nxn"), 0);
    EXPECT_EQ(found.total("syncs_coll"), 2);
}

TEST(WaitAtNxN, ofSubcommunicator_onlyItsMembersCount) {
    TraceBuilder trace(3);
    const auto comm = trace.communicator({1, 2});
    trace.on(0).enter(0, "main").leave(10);
    trace.on(1).enter(0, "main").collective(1, 8, OTF2_COLLECTIVE_OP_ALLREDUCE, {.comm = comm}).leave(10);
    trace.on(2).enter(0, "main").collective(4, 8, OTF2_COLLECTIVE_OP_ALLREDUCE, {.comm = comm}).leave(10);
    EXPECT_NEAR(Findings(trace).total("mpi_wait_nxn"), 0.003, kExact);  // 4 - 1
}

}  // namespace
}  // namespace holos::testing
