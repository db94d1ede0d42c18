// SPDX-License-Identifier: BSD-3-Clause
// Unequal exchange, and collective operations between two groups.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto kAlltoallv = OTF2_COLLECTIVE_OP_ALLTOALLV;

TEST(UnequalExchange, rankThatNeedsALateOnesBytes_waits) {
    for (const Tick late : {6, 1}) {
        TraceBuilder trace(3);
        trace.on(0).enter(0, "main").collective(1, 8, kAlltoallv, {.sent = 3, .received = 8}).leave(10);
        trace.on(1).enter(0, "main").collective(2, 8, kAlltoallv, {.sent = 4, .received = 4}).leave(10);
        trace.on(2).enter(0, "main").collective(late, 8, kAlltoallv, {.sent = 5, .received = 0}).leave(10);
        const Findings found(trace);
        // 3 + 4 < 8: without rank 2, rank 0 cannot have its bytes. If that came in time, it needs rank 1.
        EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Alltoallv", 0), late == 6 ? 0.005 : 0.0, kExact);
        EXPECT_EQ(found.at("mpi_wait_nxn", "main/MPI_Alltoallv", 1), 0);
        EXPECT_EQ(found.at("mpi_wait_nxn", "main/MPI_Alltoallv", 2), 0);
    }
}

TEST(UnequalExchange, bytesJustEnoughWithoutTheLateOne_waitsForTheEarlierOne) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").collective(1, 8, kAlltoallv, {.sent = 3, .received = 7}).leave(10);
    trace.on(1).enter(0, "main").collective(2, 8, kAlltoallv, {.sent = 4, .received = 5}).leave(10);
    trace.on(2).enter(0, "main").collective(6, 8, kAlltoallv, {.sent = 5, .received = 0}).leave(10);
    EXPECT_NEAR(Findings(trace).total("mpi_wait_nxn"), 0.001, kExact);  // 2 - 1
}

/// Rank 0 gets no more bytes than rank 1 sends. Only the trace tells that some of them come from rank 2.
TEST(UnequalExchange, rankThatReceivesFromAll_waitsForTheLastOther) {
    for (const bool isTold : {true, false}) {
        TraceBuilder trace(3);
        const auto exchange = [&](unsigned rank, Tick begin) {
            trace.on(rank).enter(0, "main");
            if (isTold)
                trace.on(rank).collectiveFromAll(begin, 8, kAlltoallv, {.sent = 9, .received = 9});
            else
                trace.on(rank).collective(begin, 8, kAlltoallv, {.sent = 9, .received = 9});
            trace.on(rank).leave(10);
        };
        exchange(0, 1);
        exchange(1, 2);
        exchange(2, 6);
        const Findings found(trace);
        EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Alltoallv", 0), isTold ? 0.005 : 0.0,
                    kExact);  // 6 - 1
        EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Alltoallv", 1), isTold ? 0.004 : 0.0, kExact);
        EXPECT_EQ(found.at("mpi_wait_nxn", "main/MPI_Alltoallv", 2), 0);
    }
}

/// Rank 1 sends nothing, but what the others send each other passes through it. Rank 0, which left before,
/// did not need it; rank 2 polled, and had no processor then.
TEST(UnequalExchange, rankThatIsThroughWhenOneComesThatSendsNothing_waitedForThat) {
    for (const Tick through : {42, 50}) {
        TraceBuilder trace(3);
        trace.on(0).enter(0, "main").collective(1, 9, kAlltoallv, {.sent = 4, .received = 8}).leave(60);
        trace.on(1).enter(0, "main").collective(40, 43, kAlltoallv, {.sent = 0, .received = 4}).leave(60);
        trace.on(2).enter(0, "main").enter(2, "MPI_Alltoallv").collectiveBegin(2);
        trace.on(2).collectiveEnd(through, kAlltoallv, {.sent = 4, .received = 4});
        trace.on(2).leaveStarved(through, through - 2).leave(60);
        const Findings found(trace);
        EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Alltoallv", 2), through == 42 ? 0.038 : 0.0, kExact);
        EXPECT_NEAR(found.total("delay_n2n_aggregate"), found.total("mpi_wait_nxn"), kExact);
        // Rank 0 needs what rank 2 sends.
        EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Alltoallv", 0), 0.001, kExact);
    }
}

TEST(UnequalExchange, rankThatReceivesNothing_doesNotWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").collective(1, 8, kAlltoallv, {.sent = 8, .received = 0}).leave(10);
    trace.on(1).enter(0, "main").collective(5, 8, kAlltoallv, {.sent = 0, .received = 8}).leave(10);
    EXPECT_EQ(Findings(trace).total("mpi_wait_nxn"), 0);
}

// Both ranks send as much as they receive. Among all ranks each would wait for the last one; among neighbours
// nothing says so.
TEST(NeighbourExchange, lateRankThatNobodyNeeds_isNotWaitedFor) {
    for (const std::uint64_t sent : {8, 0}) {
        TraceBuilder trace(2);
        const auto exchange = [&](unsigned rank, Tick begin, Share share) {
            trace.on(rank).enter(0, "main").enter(begin, "MPI_Neighbor_alltoall").collectiveBegin(begin);
            trace.on(rank).collectiveEnd(8, OTF2_COLLECTIVE_OP_ALLTOALL, share).leave(8).leave(10);
        };
        exchange(0, 1, {.sent = sent, .received = 8});
        exchange(1, 5, {.sent = 8, .received = 8});
        // Only when rank 0 sends nothing, all its bytes come from rank 1.
        EXPECT_NEAR(Findings(trace).total("mpi_wait_nxn"), sent == 8 ? 0.0 : 0.004, kExact);
    }
}

TEST(InterCommunicator, barrier_ranksWaitForTheOtherGroupOnly) {
    TraceBuilder trace(3);
    const auto comm = trace.interCommunicator({0, 1}, {2});
    trace.on(0).enter(0, "main").barrier(1, 8, comm).leave(10);
    trace.on(1).enter(0, "main").barrier(5, 8, comm).leave(10);
    trace.on(2).enter(0, "main").barrier(3, 8, comm).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_barrier_wait", "main/MPI_Barrier", 0), 0.002, kExact);  // 3 - 1
    EXPECT_EQ(found.at("mpi_barrier_wait", "main/MPI_Barrier", 1), 0);
    EXPECT_NEAR(found.at("mpi_barrier_wait", "main/MPI_Barrier", 2), 0.002, kExact);  // 5 - 3
    EXPECT_EQ(found.result().statistics.collectives, 1U);
}

TEST(InterCommunicator, broadcast_receiversWaitForTheRootInTheOtherGroup) {
    TraceBuilder trace(3);
    const auto comm = trace.interCommunicator({0, 1}, {2});
    const Share leaf{.sent = 0, .received = 8, .root = 0, .comm = comm};
    const Share root{.sent = 16, .received = 0, .root = OTF2_COLLECTIVE_ROOT_SELF, .comm = comm};
    trace.on(0).enter(0, "main").collective(1, 8, OTF2_COLLECTIVE_OP_BCAST, leaf).leave(10);
    trace.on(1).enter(0, "main").collective(6, 8, OTF2_COLLECTIVE_OP_BCAST, leaf).leave(10);
    trace.on(2).enter(0, "main").collective(4, 8, OTF2_COLLECTIVE_OP_BCAST, root).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latebroadcast", "main/MPI_Bcast", 0), 0.003, kExact);  // 4 - 1
    EXPECT_NEAR(found.total("mpi_latebroadcast"), 0.003, kExact);
}

TEST(InterCommunicator, reduction_onlyTheRootWaits) {
    TraceBuilder trace(3);
    const auto comm = trace.interCommunicator({0, 1}, {2});
    const auto operation = OTF2_COLLECTIVE_OP_REDUCE;
    const auto share = [&](std::uint64_t sent, std::uint64_t received, std::uint32_t root) {
        return Share{.sent = sent, .received = received, .root = root, .comm = comm};
    };
    trace.on(0)
        .enter(0, "main")
        .collective(1, 8, operation, share(0, 8, OTF2_COLLECTIVE_ROOT_SELF))
        .leave(10);
    trace.on(1).enter(0, "main").collective(1, 8, operation, share(0, 0, OTF2_COLLECTIVE_ROOT_THIS_GROUP));
    trace.on(1).leave(10);
    trace.on(2).enter(0, "main").collective(5, 8, operation, share(8, 0, 0)).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_earlyreduce", "main/MPI_Reduce", 0), 0.004, kExact);  // 5 - 1
    EXPECT_NEAR(found.total("mpi_earlyreduce"), 0.004, kExact);
    EXPECT_FALSE(found.reported(analyzer::Trouble::UnmatchedCollective));
}

}  // namespace
}  // namespace holos::testing
