// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

TEST(Barrier, lastRankLate_othersWaitForIt) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").barrier(1, 9).leave(10);
    trace.on(1).enter(0, "main").barrier(4, 8).leave(10);
    trace.on(2).enter(0, "main").barrier(6, 7).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_barrier_wait", "main/MPI_Barrier", 0), 0.005, kExact);  // 6 - 1
    EXPECT_NEAR(found.at("mpi_barrier_wait", "main/MPI_Barrier", 1), 0.002, kExact);  // 6 - 4
    EXPECT_EQ(found.at("mpi_barrier_wait", "main/MPI_Barrier", 2), 0);
    EXPECT_NEAR(found.at("mpi_barrier_completion", "main/MPI_Barrier", 0), 0.002, kExact);  // 9 - 7
    EXPECT_NEAR(found.at("mpi_barrier_completion", "main/MPI_Barrier", 1), 0.001, kExact);  // 8 - 7
    EXPECT_EQ(found.at("mpi_barrier_completion", "main/MPI_Barrier", 2), 0);
    EXPECT_EQ(found.total("mpi_wait_nxn"), 0);
}

TEST(Barrier, allAtOnce_noWait) {
    TraceBuilder trace(3);
    for (unsigned rank = 0; rank < 3; ++rank) trace.on(rank).enter(0, "main").barrier(3, 5).leave(10);
    const Findings found(trace);
    EXPECT_EQ(found.total("mpi_barrier_wait"), 0);
    EXPECT_EQ(found.total("mpi_barrier_completion"), 0);
    EXPECT_EQ(found.total("syncs_coll"), 3);
}

TEST(Barrier, leftBeforeTheLastCame_waitIsTheWholeBarrier) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").barrier(1, 4).leave(10);
    trace.on(1).enter(0, "main").barrier(6, 8).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_barrier_wait", "main/MPI_Barrier", 0), 0.003, kExact);        // min(6, 4) - 1
    EXPECT_NEAR(found.at("mpi_barrier_completion", "main/MPI_Barrier", 1), 0.002, kExact);  // 8 - max(4, 6)
}

TEST(Barrier, ofSubcommunicator_onlyItsMembersCount) {
    TraceBuilder trace(3);
    const auto comm = trace.communicator({2, 0});
    trace.on(0).enter(0, "main").barrier(2, 7, comm).leave(20);
    trace.on(1).enter(0, "main").leave(20);
    trace.on(2).enter(0, "main").barrier(6, 7, comm).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_barrier_wait", "main/MPI_Barrier", 0), 0.004, kExact);  // 6 - 2
    EXPECT_NEAR(found.total("mpi_barrier_wait"), 0.004, kExact);
    EXPECT_TRUE(found.result().diagnoses.empty());
}

TEST(Barrier, ofOneRank_noWaitButCounted) {
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).enter(0, "main").barrier(1, 5, kSelf).leave(10);
    const Findings found(trace);
    EXPECT_EQ(found.total("mpi_barrier_wait"), 0);
    EXPECT_EQ(found.total("syncs_coll"), 2);
}

TEST(Barrier, oneAfterAnother_areMatchedInOrder) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").barrier(1, 4).barrier(5, 6).leave(10);
    trace.on(1).enter(0, "main").barrier(3, 4).barrier(5, 6).leave(10);
    EXPECT_NEAR(Findings(trace).total("mpi_barrier_wait"), 0.002, kExact);  // 3 - 1
}

}  // namespace
}  // namespace holos::testing
