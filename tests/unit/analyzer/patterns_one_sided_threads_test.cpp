// SPDX-License-Identifier: BSD-3-Clause
// One-sided communication by several threads of a process, which share its windows.
#include <gtest/gtest.h>

#include "tests/unit/analyzer/window_trace.h"

namespace holos::testing {
namespace {

/// Thread 0 of rank 0 begins and ends the access, thread 1 makes it.
Findings accessOfAnotherThread() {
    WindowTrace run(2, 2);
    run.sync(0, 1, 2, "MPI_Win_start", {1});
    run.thread = 1;
    run.put(0, 2, 6, 1);
    run.thread = 0;
    run.sync(0, 7, 8, "MPI_Win_complete", {1});
    run.sync(1, 4, 5, "MPI_Win_post", {0});
    run.sync(1, 5, 9, "MPI_Win_wait", {0});
    return run.findings();
}

TEST(ThreadsOfAWindow, accessOfAnotherThread_belongsToTheEpoch) {
    const Findings found = accessOfAnotherThread();
    EXPECT_NEAR(found.at("mpi_rma_comm_late_post", "main/MPI_Put", 0, 1), 0.002, kExact);  // 4 - 2
    EXPECT_EQ(found.total("mpi_rma_sync_late_post"), 0);
    EXPECT_NEAR(found.at("mpi_rma_early_wait", "main/MPI_Win_wait", 1), 0.002, kExact);     // 7 - 5
    EXPECT_NEAR(found.at("mpi_rma_late_complete", "main/MPI_Win_wait", 1), 0.001, kExact);  // 7 - 6
}

TEST(ThreadsOfAWindow, costs_areAsLargeAsTheWaits) {
    const Findings found = accessOfAnotherThread();
    EXPECT_NEAR(found.total("delay_rma_active_aggregate"), 0.004, kExact);  // 2 + 2
}

TEST(ThreadsOfAWindow, epochThatAnotherThreadEnds_waitsThere) {
    WindowTrace run(2, 2);
    run.sync(0, 1, 2, "MPI_Win_start", {1});
    run.put(0, 2, 3, 1);
    run.thread = 1;
    run.sync(0, 5, 12, "MPI_Win_complete", {1});
    run.sync(1, 8, 9, "MPI_Win_post", {0});
    run.thread = 0;
    run.sync(1, 9, 12, "MPI_Win_wait", {0});
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_rma_sync_late_post", "main/MPI_Win_complete", 0, 1), 0.003, kExact);  // 8 - 5
    EXPECT_NEAR(found.total("mpi_rma_sync_late_post"), 0.003, kExact);
    EXPECT_EQ(found.total("mpi_rma_early_wait"), 0);  // completed before
}

TEST(ThreadsOfAWindow, accessOfAnotherThread_waitsForTheLock) {
    WindowTrace run(3, 2);
    run.lock(0, 1, 2, 2);
    run.unlock(0, 8, 9, 2);
    run.lock(1, 3, 4, 2);
    run.thread = 1;
    run.put(1, 5, 10, 2);
    run.thread = 0;
    run.unlock(1, 11, 12, 2);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_rma_comm_lock_competition", "main/MPI_Put", 1, 1), 0.004, kExact);  // 9 - 5
    EXPECT_NEAR(found.total("mpi_rma_comm_lock_competition"), 0.004, kExact);
    EXPECT_EQ(found.total("mpi_rma_sync_lock_competition"), 0);
    EXPECT_NEAR(found.total("delay_rma_passive_aggregate"), 0.004, kExact);
}

TEST(ThreadsOfAWindow, fencesOfDifferentThreads_haveTheirOwnAccess) {
    WindowTrace run(2, 2);
    run.fence(0, 1, 4);
    run.fence(1, 3, 4);
    run.thread = 1;
    run.fence(0, 5, 15);  // thread 1
    run.thread = 0;
    run.put(1, 4, 8, 0);
    run.fence(1, 10, 15);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_rma_wait_at_fence", "main/MPI_Win_fence", 0, 0), 0.002, kExact);  // 3 - 1
    EXPECT_NEAR(found.at("mpi_rma_wait_at_fence", "main/MPI_Win_fence", 0, 1), 0.005, kExact);  // 10 - 5
    EXPECT_EQ(found.at("mpi_rma_early_fence", "main/MPI_Win_fence", 0, 0), 0);
    EXPECT_NEAR(found.at("mpi_rma_early_fence", "main/MPI_Win_fence", 0, 1), 0.003, kExact);  // 8 - 5
}

}  // namespace
}  // namespace holos::testing
