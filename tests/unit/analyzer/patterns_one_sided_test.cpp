// SPDX-License-Identifier: BSD-3-Clause
// Waits of one-sided communication.
#include <gtest/gtest.h>

#include "tests/unit/analyzer/window_trace.h"

namespace holos::testing {
namespace {

TEST(WaitAtFence, lastProcessLate_othersWaitAndSeeItsAccess) {
    WindowTrace run(2);
    run.fence(0, 1, 8);
    run.put(1, 3, 4, 0);
    run.fence(1, 5, 8);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_rma_wait_at_fence", "main/MPI_Win_fence", 0), 0.004, kExact);  // 5 - 1
    EXPECT_NEAR(found.at("mpi_rma_early_fence", "main/MPI_Win_fence", 0), 0.003, kExact);    // 4 - 1
    EXPECT_EQ(found.at("mpi_rma_wait_at_fence", "main/MPI_Win_fence", 1), 0);
    EXPECT_EQ(found.total("bytes_put"), 16);
    EXPECT_EQ(found.total("syncs_coll"), 0);
    EXPECT_EQ(found.total("syncs_rma_active"), 2);
}

TEST(WaitAtFence, leftBeforeTheLastCame_noWait) {
    WindowTrace run(2);
    run.fence(0, 1, 5);
    run.fence(1, 5, 8);
    EXPECT_EQ(run.findings().total("mpi_rma_wait_at_fence"), 0);
}

TEST(WaitAtFence, accessBeforeTheFence_isNotEarly) {
    WindowTrace run(2);
    run.put(1, 1, 3, 0);
    run.fence(0, 3, 8);
    run.fence(1, 5, 8);
    const Findings found = run.findings();
    EXPECT_NEAR(found.total("mpi_rma_wait_at_fence"), 0.002, kExact);  // 5 - 3
    EXPECT_EQ(found.total("mpi_rma_early_fence"), 0);
}

TEST(WindowManagement, lastProcessLate_othersWaitAtCreateAndFree) {
    WindowTrace run(2);
    run.collective(0, 1, 6, OTF2_COLLECTIVE_OP_CREATE_HANDLE, "MPI_Win_create");
    run.collective(1, 3, 6, OTF2_COLLECTIVE_OP_CREATE_HANDLE, "MPI_Win_create");
    run.collective(0, 10, 15, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, "MPI_Win_free");
    run.collective(1, 7, 15, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, "MPI_Win_free");
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_rma_wait_at_create", "main/MPI_Win_create", 0), 0.002, kExact);  // 3 - 1
    EXPECT_NEAR(found.at("mpi_rma_wait_at_free", "main/MPI_Win_free", 1), 0.003, kExact);      // 10 - 7
    EXPECT_NEAR(found.at("mpi_mgmt_win", "main/MPI_Win_create", 0), 0.005, kExact);            // 6 - 1
}

/// An MPI library may need the other ranks for it.
TEST(Post, thatTakesMuchLongerThanUsual_hasUnexplainedWaiting) {
    WindowTrace run(2);
    for (Tick i = 1; i <= 20; ++i) run.sync(0, 10 * i, 10 * i + 1, "MPI_Win_post", {1});
    run.sync(0, 300, 350, "MPI_Win_post", {1});
    EXPECT_NEAR(run.findings({}, 400).at("mpi_rma_sync_active_unexplained", "main/MPI_Win_post", 0), 0.049,
                kExact);
}

/// Rank 1 posts its window at 5, for rank 0, which works until 40 and comes to MPI then.
Findings postedDuringWork(Tick end, Tick without, Tick work = 40) {
    WindowTrace run(2);
    run.trace.on(0).call(0, work, "work");
    run.sync(0, work, work + 2, "MPI_Win_start", {1});
    run.sync(0, end + 10, end + 30, "MPI_Win_complete", {1});
    run.syncStarved(1, 5, end, "MPI_Win_post", {0}, without);
    run.sync(1, end + 1, end + 30, "MPI_Win_wait", {0});
    return run.findings({}, end + 40);
}

constexpr auto* kPostWait = "mpi_rma_sync_active_wait_for_progress";
constexpr auto* kPostShortage = "mpi_rma_sync_active_processor_waiting";

TEST(Post, thatEndsWhenItsOriginIsBackInMpi_waitsForThat) {
    const Findings found = postedDuringWork(41, 0);
    EXPECT_NEAR(found.at(kPostWait, "main/MPI_Win_post", 1), 0.035, kExact);  // 40 - 5
    EXPECT_NEAR(found.total(kPostWait), 0.035, kExact);
    EXPECT_NEAR(found.at("delay_rma_active", "main/work", 0), 0.035, kExact);
    EXPECT_EQ(found.total("mpi_rma_sync_active_unexplained"), 0);
}

/// Behind the wait it had no processor, as for a part of the wait: 15 is soon enough then, 20 is not.
TEST(Post, thatLacksAProcessorBehindThat_waitsForTheOriginAllTheSame) {
    const Findings found = postedDuringWork(55, 25);
    EXPECT_NEAR(found.at(kPostWait, "main/MPI_Win_post", 1), 0.035, kExact);
    EXPECT_NEAR(found.total(kPostShortage), 0.015, kExact);
    EXPECT_EQ(postedDuringWork(60, 15).total(kPostWait), 0);
}

/// It takes 195, may have waited for 35 of that, and had no processor for 180: 160 of these for sure.
TEST(Post, thatEndsLongBehindThat_mayHaveWaited) {
    const Findings found = postedDuringWork(200, 180);
    EXPECT_EQ(found.total(kPostWait), 0);
    EXPECT_NEAR(found.total("mpi_rma_sync_active_unexplained"), 0.020, kExact);
    EXPECT_NEAR(found.total(kPostShortage), 0.160, kExact);
}

TEST(Post, whoseOriginIsInMpi_waitsForNobody) {
    const Findings found = postedDuringWork(41, 30, 4);
    EXPECT_EQ(found.total(kPostWait), 0);
    EXPECT_EQ(found.at("delay_rma_active", "main/work", 0), 0);
    EXPECT_NEAR(found.total(kPostShortage), 0.030, kExact);
}

/// Two origins are asked one after the other: rank 2 is back twice before rank 0 is, and works again.
TEST(Post, ofSeveralOrigins_waitsForTheOneBehindWhichItEnds) {
    WindowTrace run(3);
    run.trace.on(0).call(0, 40, "work");
    run.sync(0, 40, 42, "MPI_Win_start", {1});
    run.sync(1, 5, 42, "MPI_Win_post", {0, 2});
    run.trace.on(2).call(0, 10, "work").call(10, 11, "MPI_Iprobe").call(11, 60, "work");
    run.sync(2, 60, 62, "MPI_Win_start", {1});
    const Findings found = run.findings({}, 70);
    EXPECT_NEAR(found.at(kPostWait, "main/MPI_Win_post", 1), 0.035, kExact);
    EXPECT_NEAR(found.at("delay_rma_active", "main/work", 0), 0.035, kExact);
}

/// Rank 0 accesses the window of rank 1, which posts it then.
struct Epoch {
    Tick startEnd, putEnd, complete, post;
};
Findings accessEpoch(Epoch epoch) {
    WindowTrace run(2);
    run.sync(0, 1, epoch.startEnd, "MPI_Win_start", {1});
    run.put(0, epoch.startEnd, epoch.putEnd, 1);
    run.sync(0, epoch.complete, 20, "MPI_Win_complete", {1});
    run.sync(1, epoch.post, epoch.post + 1, "MPI_Win_post", {0});
    run.sync(1, epoch.post + 1, 21, "MPI_Win_wait", {0});
    return run.findings();
}

TEST(LatePost, startThatBlocks_waitsForThePost) {
    const Findings found = accessEpoch({.startEnd = 6, .putEnd = 8, .complete = 10, .post = 5});
    EXPECT_NEAR(found.at("mpi_rma_sync_late_post", "main/MPI_Win_start", 0), 0.004, kExact);  // 5 - 1
    EXPECT_EQ(found.at("mpi_rma_sync_late_post", "main/MPI_Win_complete", 0), 0);
    EXPECT_EQ(found.total("mpi_rma_comm_late_post"), 0);
}

TEST(LatePost, startThatReturnsAtOnce_theAccessOrCompleteWaits) {
    const Findings inAccess = accessEpoch({.startEnd = 2, .putEnd = 8, .complete = 10, .post = 5});
    EXPECT_NEAR(inAccess.at("mpi_rma_comm_late_post", "main/MPI_Put", 0), 0.003, kExact);  // 5 - 2
    EXPECT_EQ(inAccess.total("mpi_rma_sync_late_post"), 0);
    const Findings inComplete = accessEpoch({.startEnd = 2, .putEnd = 3, .complete = 4, .post = 9});
    EXPECT_NEAR(inComplete.at("mpi_rma_sync_late_post", "main/MPI_Win_complete", 0), 0.005, kExact);  // 9 - 4
    EXPECT_EQ(inComplete.total("mpi_rma_comm_late_post"), 0);
}

TEST(LatePost, postedWithTheStart_noWait) {
    const Findings found = accessEpoch({.startEnd = 6, .putEnd = 8, .complete = 10, .post = 1});
    EXPECT_EQ(found.total("mpi_rma_sync_late_post"), 0);
    EXPECT_EQ(found.total("mpi_rma_comm_late_post"), 0);
}

TEST(EarlyWait, originCompletesLater_targetWaits) {
    const Findings found = accessEpoch({.startEnd = 6, .putEnd = 8, .complete = 10, .post = 5});
    EXPECT_NEAR(found.at("mpi_rma_early_wait", "main/MPI_Win_wait", 1), 0.004, kExact);     // 10 - 6
    EXPECT_NEAR(found.at("mpi_rma_late_complete", "main/MPI_Win_wait", 1), 0.002, kExact);  // 10 - 8
}

TEST(EarlyWait, originCompletedBefore_noWait) {
    const Findings found = accessEpoch({.startEnd = 2, .putEnd = 3, .complete = 6, .post = 5});
    EXPECT_EQ(found.total("mpi_rma_early_wait"), 0);
    EXPECT_EQ(found.total("mpi_rma_late_complete"), 0);
}

Findings twoLocks(OTF2_LockType type) {
    WindowTrace run(3);
    run.lock(0, 1, 2, 2, type);
    run.put(0, 2, 3, 2);
    run.unlock(0, 6, 7, 2);
    run.lock(1, 3, 8, 2, type);
    run.put(1, 8, 9, 2);
    run.unlock(1, 9, 10, 2);
    for (unsigned rank = 0; rank < 3; ++rank) run.trace.on(rank).barrier(rank == 2 ? 0 : 12, 20);
    return run.findings();
}

TEST(LockCompetition, exclusiveLocks_theSecondWaitsForTheRelease) {
    const Findings found = twoLocks(OTF2_LOCK_EXCLUSIVE);
    EXPECT_NEAR(found.at("mpi_rma_sync_lock_competition", "main/MPI_Win_lock", 1), 0.004, kExact);  // 7 - 3
    EXPECT_NEAR(found.total("mpi_rma_sync_lock_competition"), 0.004, kExact);
    EXPECT_EQ(found.total("mpi_rma_comm_lock_competition"), 0);
    EXPECT_EQ(found.total("mpi_rma_sync_wait_for_progress"), 0);
}

TEST(LockCompetition, goesOnWhileTheOtherStillGivesTheLockBack_waitsUntilThatBegan) {
    WindowTrace run(3);
    run.lock(0, 1, 2, 2);
    run.put(0, 2, 3, 2);
    run.unlock(0, 6, 9, 2);
    run.lock(1, 3, 4, 2);
    run.unlock(1, 4, 8, 2);  // between, the target has passed the lock on
    for (unsigned rank = 0; rank < 3; ++rank) run.trace.on(rank).barrier(rank == 2 ? 0 : 12, 20);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_rma_sync_lock_competition", "main/MPI_Win_unlock", 1), 0.002, kExact);  // 6 - 4
    EXPECT_NEAR(found.total("mpi_rma_sync_lock_competition"), 0.002, kExact);
    EXPECT_NEAR(found.total("delay_rma_passive"), 0.002, kExact);
    EXPECT_EQ(found.at("delay_rma_passive", "main/MPI_Win_lock", 1), 0);
}

TEST(LockCompetition, bothGiveTheLockBackAtOnce_whoWasHeldUpCameSecond) {
    WindowTrace run(3);
    run.lock(0, 1, 2, 2);
    run.unlock(0, 6, 9, 2);
    run.lock(1, 3, 7, 2);  // the target has passed the lock on
    run.unlock(1, 8, 10, 2);
    for (unsigned rank = 0; rank < 3; ++rank) run.trace.on(rank).barrier(rank == 2 ? 0 : 12, 20);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_rma_sync_lock_competition", "main/MPI_Win_lock", 1), 0.003, kExact);  // 6 - 3
    EXPECT_NEAR(found.total("mpi_rma_sync_lock_competition"), 0.003, kExact);
}

TEST(LockCompetition, theOtherStillGivesTheLockBackAfterAll_waitsUntilThatBegan) {
    WindowTrace run(3);
    run.lock(0, 1, 2, 2);
    run.unlock(0, 6, 10, 2);
    run.lock(1, 3, 7, 2);  // the target has passed the lock on
    run.unlock(1, 8, 9, 2);
    for (unsigned rank = 0; rank < 3; ++rank) run.trace.on(rank).barrier(rank == 2 ? 0 : 12, 20);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_rma_sync_lock_competition", "main/MPI_Win_lock", 1), 0.003, kExact);  // 6 - 3
    EXPECT_NEAR(found.total("mpi_rma_sync_lock_competition"), 0.003, kExact);
    EXPECT_NEAR(found.total("delay_rma_passive"), 0.003, kExact);
}

TEST(LockCompetition, sharedLocks_noWait) {
    EXPECT_EQ(twoLocks(OTF2_LOCK_SHARED).total("mpi_rma_sync_lock_competition"), 0);
}

/// Rank 0 holds the lock until 9; rank 1 gets a request and completes it from `from` on.
Findings getWithRequest(Tick from, const char* completes) {
    WindowTrace run(3);
    run.lock(0, 1, 2, 2);
    run.unlock(0, 8, 9, 2);
    run.lock(1, 2, 3, 2);
    run.requestGet(1, 3, 4, 2, 7);
    run.complete(1, from, 12, completes, 7);
    run.unlock(1, 13, 14, 2);
    return run.findings();
}

TEST(RequestedAccess, lockHeldByAnother_isWaitedForWhereTheRequestIsCompleted) {
    const Findings found = getWithRequest(5, "MPI_Wait");
    EXPECT_NEAR(found.at("mpi_rma_comm_lock_competition", "main/MPI_Wait", 1), 0.004, kExact);  // 9 - 5
    EXPECT_NEAR(found.total("mpi_rma_comm_lock_competition"), 0.004, kExact);
    EXPECT_EQ(found.total("mpi_rma_sync_lock_competition"), 0);
    EXPECT_NEAR(found.at("mpi_rma_communication", "main/MPI_Wait", 1), 0.004, kExact);
    EXPECT_NEAR(found.at("mpi_point2point", "main/MPI_Wait", 1), 0.003, kExact);  // 12 - 5 without it
    EXPECT_NEAR(found.total("delay_rma_passive_aggregate"), 0.004, kExact);
}

TEST(RequestedAccess, lockFreeWhenTheRequestIsCompleted_noWait) {
    EXPECT_EQ(getWithRequest(9, "MPI_Wait").total("mpi_rma_comm_lock_competition"), 0);
}

TEST(RequestedAccess, requestThatIsOnlyTested_noWait) {
    EXPECT_EQ(getWithRequest(5, "MPI_Test").total("mpi_rma_comm_lock_competition"), 0);
}

// The message comes at 8: of the wait until 9 that leaves 1.
TEST(RequestedAccess, messageAwaitedInTheSameCall_countsOnce) {
    WindowTrace run(3);
    run.lock(0, 1, 2, 2);
    run.trace.on(0).send(8, 8, {.peer = 1});
    run.unlock(0, 8, 9, 2);
    run.lock(1, 2, 3, 2);
    run.requestGet(1, 3, 4, 2, 7);
    run.trace.on(1).irecv(4, 4, 1).enter(5, "MPI_Waitall").receiveCompleted(8, {.peer = 0}, 1);
    run.completed(1, 12, 7);
    run.trace.on(1).leave(12);
    run.unlock(1, 13, 14, 2);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Waitall", 1), 0.003, kExact);  // 8 - 5
    EXPECT_NEAR(found.at("mpi_rma_comm_lock_competition", "main/MPI_Waitall", 1), 0.001,
                kExact);  // 9 - 5 - 3
}

TEST(RequestedAccess, completionOfUnknownOperation_doesNotDisturb) {
    WindowTrace run(2);
    run.lock(0, 1, 2, 1);
    run.complete(0, 3, 4, "MPI_Wait", 99);
    run.unlock(0, 5, 6, 1);
    EXPECT_EQ(run.findings().total("mpi_rma_comm_lock_competition"), 0);
}

TEST(RequestedAccess, targetOutsideOfMpi_theCompletingCallWaitsForItsNextCall) {
    WindowTrace run(2);
    run.lock(0, 1, 2, 1);
    run.requestGet(0, 2, 3, 1, 7);
    run.complete(0, 4, 9, "MPI_Wait", 7);
    run.unlock(0, 9, 10, 1);
    run.trace.on(0).barrier(11, 12);
    run.trace.on(1).barrier(8, 12);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("mpi_rma_comm_wait_for_progress", "main/MPI_Wait", 0), 0.004, kExact);  // 8 - 4
    EXPECT_NEAR(found.at("mpi_point2point", "main/MPI_Wait", 0), 0.001, kExact);
}

Findings accessTo(Tick targetEntersMpi) {
    WindowTrace run(2);
    run.lock(0, 1, 2, 1);
    run.put(0, 2, 3, 1);
    run.unlock(0, 3, 9, 1);
    run.trace.on(0).barrier(10, 12);
    run.trace.on(1).barrier(targetEntersMpi, 12);
    return run.findings();
}

TEST(WaitForProgress, targetOutsideOfMpi_unlockWaitsForItsNextCall) {
    const Findings found = accessTo(8);
    EXPECT_NEAR(found.at("mpi_rma_sync_wait_for_progress", "main/MPI_Win_unlock", 0), 0.005,
                kExact);  // 8 - 3
    EXPECT_NEAR(found.total("mpi_rma_sync_wait_for_progress"), 0.005, kExact);
    EXPECT_EQ(found.total("mpi_rma_comm_wait_for_progress"), 0);
}

TEST(WaitForProgress, targetInMpiAlready_noWait) {
    EXPECT_EQ(accessTo(1).total("mpi_rma_sync_wait_for_progress"), 0);
    EXPECT_EQ(accessTo(10).total("mpi_rma_sync_wait_for_progress"), 0);  // it does without
}

}  // namespace
}  // namespace holos::testing
