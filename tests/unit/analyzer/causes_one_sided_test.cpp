// SPDX-License-Identifier: BSD-3-Clause
// Why processes wait in one-sided communication. All programs take 30 ticks.
#include <gtest/gtest.h>

#include "tests/unit/analyzer/window_trace.h"

namespace holos::testing {
namespace {

constexpr auto* kWork = "main/work";
constexpr auto* kStart = "main/MPI_Win_start";
constexpr auto* kPut = "main/MPI_Put";
constexpr auto* kUnlock = "main/MPI_Win_unlock";

TEST(OneSidedCauses, lateToFence_itsWorkPaysAndTheCriticalPathChanges) {
    WindowTrace run(2);
    run.fence(0, 1, 8);
    run.trace.on(1).call(0, 5, "work");
    run.fence(1, 5, 8);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("delay_rma_window", kWork, 1), 0.004, kExact);  // wait 5 - 1, delay 5
    EXPECT_NEAR(found.total("delay"), 0.004, kExact);
    EXPECT_NEAR(found.total("delay_rma"), 0.004, kExact);
    EXPECT_NEAR(found.at("critical_path", kWork, 1), 0.005, kExact);
    EXPECT_NEAR(found.at("critical_path", "main/MPI_Win_fence", 0), 0.003, kExact);  // 7 - 4
    EXPECT_NEAR(found.total("critical_path"), 0.030, kExact);
    EXPECT_EQ(found.total("mpi_wait_terminal_rma"), 0);  // of two processes only
}

TEST(OneSidedCauses, fenceLeftBeforeTheLastCame_nobodyIsToBlame) {
    WindowTrace run(2);
    run.fence(0, 1, 5);
    run.trace.on(1).call(0, 5, "work");
    run.fence(1, 5, 8);
    const Findings found = run.findings();
    EXPECT_EQ(found.total("delay"), 0);
    EXPECT_EQ(found.at("critical_path", kWork, 1), 0);
}

TEST(OneSidedCauses, secondFence_onlyTimeSinceTheFirstCounts) {
    WindowTrace run(2);
    run.trace.on(0).call(0, 5, "early");
    run.fence(0, 5, 6);
    run.fence(0, 6, 9);
    run.fence(1, 5, 6);
    run.trace.on(1).call(6, 8, "late");
    run.fence(1, 8, 9);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("delay_rma_window", "main/late", 1), 0.002, kExact);
    EXPECT_NEAR(found.total("delay"), 0.002, kExact);
}

/// Rank 0 accesses the window of rank 1, which works before it posts it.
Findings accessEpoch(Tick start, Tick post) {
    WindowTrace run(2);
    run.sync(0, start, 6, "MPI_Win_start", {1});
    run.put(0, 6, 8, 1);
    run.sync(0, 10, 20, "MPI_Win_complete", {1});
    run.trace.on(1).call(0, post, "work");
    run.sync(1, post, post + 1, "MPI_Win_post", {0});
    run.sync(1, 6, 21, "MPI_Win_wait", {0});
    return run.findings();
}

TEST(OneSidedCauses, latePostAndEarlyWait_targetAndOriginPay) {
    const Findings found = accessEpoch(1, 5);
    EXPECT_NEAR(found.at("delay_rma_active", kWork, 1), 0.004, kExact);  // wait 5 - 1, delay 5
    // Rank 1 waits 10 - 6 for what rank 0 does since its own wait: 6 - 5 of its start, 2 each in put and
    // main.
    EXPECT_NEAR(found.at("delay_rma_active", kStart, 0), 0.0008, kExact);  // 4 · 1/5
    EXPECT_NEAR(found.at("delay_rma_active", kPut, 0), 0.0016, kExact);
    EXPECT_NEAR(found.at("delay_rma_active", "main", 0), 0.0016, kExact);
    EXPECT_NEAR(found.total("delay"), 0.008, kExact);  // all waiting is explained
    EXPECT_EQ(found.total("delay_rma_active_longterm"), 0);
    EXPECT_NEAR(found.total("mpi_wait_direct_rma"), 0.008, kExact);
    EXPECT_NEAR(found.total("mpi_wait_terminal_rma"), 0.008, kExact);
    EXPECT_EQ(found.total("mpi_wait_indirect_rma"), 0);
}

TEST(OneSidedCauses, latePost_criticalPathChangesToTheTarget) {
    const Findings found = accessEpoch(1, 5);
    EXPECT_NEAR(found.at("critical_path", kWork, 1), 0.005, kExact);
    EXPECT_NEAR(found.at("critical_path", kStart, 0), 0.001, kExact);  // 5 - 4
    EXPECT_NEAR(found.total("critical_path"), 0.030, kExact);
    EXPECT_NEAR(found.at("critical_path_imbalance", kWork, 1), 0.0025, kExact);  // 5 - 5 / 2
}

TEST(OneSidedCauses, postedWithTheStart_onlyTheOriginPays) {
    const Findings found = accessEpoch(5, 5);
    EXPECT_EQ(found.at("delay", kWork, 1), 0);
    EXPECT_NEAR(found.at("mpi_rma_early_wait", "main/MPI_Win_wait", 1), 0.004, kExact);  // 10 - 6
    EXPECT_EQ(found.at("critical_path", kWork, 1), 0);
}

TEST(OneSidedCauses, lastOfSeveralOrigins_isToBlame) {
    WindowTrace run(3);
    for (const unsigned origin : {0U, 1U}) run.sync(origin, 2, 3, "MPI_Win_start", {2});
    run.trace.on(0).call(3, 5, "work");
    run.trace.on(1).call(3, 9, "work");
    run.sync(0, 5, 6, "MPI_Win_complete", {2});
    run.sync(1, 9, 10, "MPI_Win_complete", {2});
    run.sync(2, 1, 2, "MPI_Win_post", {0, 1});
    run.sync(2, 4, 10, "MPI_Win_wait", {0, 1});
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_rma_early_wait", "main/MPI_Win_wait", 2), 0.005, kExact);  // 9 - 4
    EXPECT_EQ(found.at("delay", kWork, 0), 0);
    // Since its start, rank 1 took longer in work (6) and start (1); main: 2 - 3.
    EXPECT_NEAR(found.at("delay_rma_active", kWork, 1), 0.005 * 6 / 7, kExact);
    EXPECT_NEAR(found.at("delay_rma_active", kStart, 1), 0.005 * 1 / 7, kExact);
    EXPECT_NEAR(found.total("delay"), 0.005, kExact);
}

/// Ranks 0 and 1 lock the window of rank 2; rank 1 wants it from `second` on.
Findings twoLocks(Tick second) {
    WindowTrace run(3);
    run.lock(0, 1, 2, 2);
    run.put(0, 2, 3, 2);
    run.trace.on(0).call(3, 6, "work");
    run.unlock(0, 6, 7, 2);
    run.lock(1, second, 8, 2);
    run.put(1, 8, 9, 2);
    run.unlock(1, 9, 10, 2);
    for (unsigned rank = 0; rank < 3; ++rank) run.trace.on(rank).barrier(rank == 2 ? 0 : 12, 20);
    return run.findings();
}

TEST(OneSidedCauses, lockHeld_itsHolderPaysForAllUntilTheRelease) {
    const Findings found = twoLocks(3);
    EXPECT_NEAR(found.total("mpi_rma_sync_lock_competition"), 0.004, kExact);  // 7 - 3
    // Rank 0 took longer in lock, put and unlock (1 each) and work (3); main: 1 - 3.
    EXPECT_NEAR(found.at("delay_rma_passive", kWork, 0), 0.002, kExact);  // 4 · 3/6
    EXPECT_NEAR(found.at("delay_rma_passive", kPut, 0), 0.004 / 6, kExact);
    EXPECT_NEAR(found.at("delay_rma_passive", "main/MPI_Win_lock", 0), 0.004 / 6, kExact);
    EXPECT_NEAR(found.at("delay_rma_passive", kUnlock, 0), 0.004 / 6, kExact);
    EXPECT_NEAR(found.total("delay_rma"), 0.004, kExact);
}

TEST(OneSidedCauses, lockFreeAlready_nobodyIsToBlame) {
    EXPECT_EQ(twoLocks(7).total("delay_rma"), 0);  // given back just now
}

TEST(OneSidedCauses, lockHeld_criticalPathGoesOnToTheRelease) {
    WindowTrace run(2);
    run.trace.on(1).call(0, 2, "work");
    run.lock(1, 2, 3, 0);
    run.trace.on(1).call(3, 6, "work");
    run.unlock(1, 6, 7, 0);
    run.lock(0, 4, 8, 0);
    run.put(0, 8, 9, 0);
    run.unlock(0, 9, 10, 0);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("critical_path", kWork, 1), 0.005, kExact);
    EXPECT_NEAR(found.at("critical_path", kUnlock, 1), 0.001, kExact);              // 6 to 7
    EXPECT_NEAR(found.at("critical_path", "main/MPI_Win_lock", 0), 0.001, kExact);  // 7 to 8
    EXPECT_NEAR(found.at("critical_path", "main/MPI_Win_lock", 1), 0.001, kExact);
    EXPECT_NEAR(found.total("critical_path"), 0.030, kExact);
}

/// The target of rank 0's access works outside of MPI until 8; rank 2 waits for rank 0 in turn.
Findings accessTo(Tick targetEntersMpi) {
    WindowTrace run(3);
    run.lock(0, 1, 2, 1);
    run.put(0, 2, 3, 1);
    run.unlock(0, 3, 9, 1);
    run.trace.on(0).send(10, 11, {.peer = 2});
    run.trace.on(1).call(0, targetEntersMpi, "work").barrier(targetEntersMpi, 12);
    run.trace.on(0).barrier(11, 12);
    run.trace.on(2).recv(1, 11, {.peer = 0}).barrier(11, 12);
    return run.findings();
}

TEST(OneSidedCauses, targetOutsideOfMpi_paysForItsOriginAndForWhoWaitsForThat) {
    const Findings found = accessTo(8);
    EXPECT_NEAR(found.at("delay_rma_passive", kWork, 1), 0.005, kExact);  // wait 8 - 3, delay 8
    EXPECT_EQ(found.total("delay_rma_passive_longterm"), 0);
    // Rank 2 waits 10 - 1 for rank 0, whose own wait is 5 of that.
    EXPECT_NEAR(found.at("delay_latesender_longterm", kWork, 1), 0.005, kExact);
    EXPECT_NEAR(found.at("delay_latesender", kUnlock, 0), 0.001, kExact);  // 6 - 5
    EXPECT_NEAR(found.total("delay_latesender"), 0.004, kExact);
    EXPECT_NEAR(found.at("mpi_wait_propagating_rma", kUnlock, 0), 0.005, kExact);
    EXPECT_EQ(found.total("mpi_wait_terminal_rma"), 0);
    EXPECT_NEAR(found.at("mpi_wait_indirect_latesender", "main/MPI_Recv", 2), 0.005, kExact);
    EXPECT_NEAR(found.at("mpi_wait_direct_rma", kUnlock, 0), 0.005, kExact);
}

TEST(OneSidedCauses, targetInMpiAlready_paysForNothing) {
    const Findings found = accessTo(1);  // since the lock
    EXPECT_EQ(found.total("delay_rma"), 0);
    EXPECT_EQ(found.at("delay_latesender_longterm", kWork, 1), 0);
}

/// Rank 1 waits in an access epoch for rank 0, which waited for the window of rank 2 before.
TEST(OneSidedCauses, chainOfEpochs_costsAreHandedOn) {
    WindowTrace run(3);
    run.sync(0, 1, 6, "MPI_Win_start", {2});
    run.sync(0, 6, 7, "MPI_Win_complete", {2});
    run.sync(0, 7, 8, "MPI_Win_post", {1});
    run.sync(0, 8, 9, "MPI_Win_wait", {1});
    run.sync(1, 1, 8, "MPI_Win_start", {0});
    run.sync(1, 8, 9, "MPI_Win_complete", {0});
    run.trace.on(2).call(0, 5, "work");
    run.sync(2, 5, 6, "MPI_Win_post", {0});
    run.sync(2, 6, 7, "MPI_Win_wait", {0});
    const Findings found = run.findings();
    EXPECT_NEAR(found.total("mpi_rma_sync_late_post"), 0.010, kExact);  // 5 - 1, 7 - 1
    EXPECT_NEAR(found.at("delay_rma_active", kWork, 2), 0.004, kExact);
    // Rank 1's wait of 6: 4 are rank 0's own wait, 1 the rest of its start and 1 its complete.
    EXPECT_NEAR(found.at("delay_rma_active", kStart, 0), 0.001, kExact);
    EXPECT_NEAR(found.at("delay_rma_active", "main/MPI_Win_complete", 0), 0.001, kExact);
    EXPECT_NEAR(found.at("delay_rma_active_longterm", kWork, 2), 0.004, kExact);
    EXPECT_NEAR(found.total("delay"), 0.010, kExact);
    EXPECT_NEAR(found.at("mpi_wait_propagating_rma", kStart, 0), 0.004, kExact);
    EXPECT_NEAR(found.at("mpi_wait_indirect_rma", kStart, 1), 0.004, kExact);
    EXPECT_NEAR(found.at("mpi_wait_direct_rma", kStart, 1), 0.002, kExact);
}

TEST(OneSidedCauses, withoutWindows_metricsAreLeftOut) {
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).enter(0, "main").barrier(1, 2).leave(3);
    const Findings found(trace);
    EXPECT_FALSE(found.result().experiment.findMetric("delay_rma"));
    EXPECT_FALSE(found.result().experiment.findMetric("mpi_wait_direct_rma"));
}

}  // namespace
}  // namespace holos::testing
