// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking collective operations wait in the call that completes them.
#include <gtest/gtest.h>

#include <utility>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto kBarrier = OTF2_COLLECTIVE_OP_BARRIER;
constexpr auto kAllreduce = OTF2_COLLECTIVE_OP_ALLREDUCE;
constexpr Share kNothing{.sent = 0, .received = 0};
constexpr const char* kWait = "main/MPI_Wait";

void allStart(TraceBuilder& trace, unsigned ranks, const char* operation) {
    for (unsigned rank = 0; rank < ranks; ++rank)
        trace.on(rank).enter(0, "main").startCollective(1, 2, 1, operation);
}

TEST(NonblockingCollective, lastRankBeginsLate_othersWaitInTheCompletingCall) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").startCollective(1, 2, 1, "MPI_Ibarrier");
    trace.on(0).waitCollective(4, 10, kBarrier, kNothing, 1).leave(12);
    trace.on(1).enter(0, "main").startCollective(7, 8, 1, "MPI_Ibarrier");
    trace.on(1).waitCollective(8, 10, kBarrier, kNothing, 1).leave(12);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_barrier_wait", kWait, 0), 0.003, kExact);  // 7 - 4
    EXPECT_EQ(found.at("mpi_barrier_wait", kWait, 1), 0);
    EXPECT_EQ(found.total("mpi_barrier_completion"), 0);
    EXPECT_EQ(found.total("syncs_coll"), 2);
}

TEST(NonblockingCollective, itsWait_isCollectiveAndNotPointToPoint) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").startCollective(1, 2, 1, "MPI_Ibarrier");
    trace.on(0).waitCollective(4, 10, kBarrier, kNothing, 1).startCollective(10, 11, 2, "MPI_Iallreduce");
    trace.on(0).waitCollective(11, 19, kAllreduce, {}, 2).leave(20);
    trace.on(1).enter(0, "main").startCollective(7, 8, 1, "MPI_Ibarrier");
    trace.on(1).waitCollective(8, 10, kBarrier, kNothing, 1).startCollective(16, 17, 2, "MPI_Iallreduce");
    trace.on(1).waitCollective(17, 19, kAllreduce, {}, 2).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi", kWait, 0), 0.014, kExact);                  // 6 + 8
    EXPECT_NEAR(found.at("mpi_sync_collective", kWait, 0), 0.003, kExact);  // 7 - 4
    EXPECT_NEAR(found.at("mpi_collective", kWait, 0), 0.005, kExact);       // 16 - 11
    EXPECT_NEAR(found.at("mpi_wait_nxn", kWait, 0), 0.005, kExact);
    EXPECT_NEAR(found.at("mpi_point2point", kWait, 0), 0.006, kExact);  // the rest
}

TEST(NonblockingCollective, allBeganBeforeItIsWaitedFor_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").startCollective(1, 2, 1, "MPI_Iallreduce");
    trace.on(0).waitCollective(5, 9, kAllreduce, {}, 1).leave(12);
    trace.on(1).enter(0, "main").startCollective(5, 6, 1, "MPI_Iallreduce");
    trace.on(1).waitCollective(6, 7, kAllreduce, {}, 1).leave(12);
    EXPECT_EQ(Findings(trace).total("mpi_wait_nxn"), 0);
}

TEST(NonblockingCollective, completesBeforeTheRootBegins_waitEndsWithTheCall) {
    const Share root{.sent = 16, .received = 8, .root = 1};
    const Share leaf{.sent = 0, .received = 8, .root = 1};
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").startCollective(1, 2, 1, "MPI_Ibcast");
    trace.on(0).waitCollective(4, 6, OTF2_COLLECTIVE_OP_BCAST, leaf, 1).leave(12);
    trace.on(1).enter(0, "main").startCollective(7, 8, 1, "MPI_Ibcast");
    trace.on(1).waitCollective(8, 9, OTF2_COLLECTIVE_OP_BCAST, root, 1).leave(12);
    EXPECT_NEAR(Findings(trace).at("mpi_latebroadcast", kWait, 0), 0.002, kExact);  // 6 - 4
}

TEST(NonblockingCollective, completedByATest_countsWithoutWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").startCollective(1, 2, 1, "MPI_Iallreduce");
    trace.on(0).waitCollective(4, 10, kAllreduce, {}, 1, "MPI_Test").leave(12);
    trace.on(1).enter(0, "main").startCollective(7, 8, 1, "MPI_Iallreduce");
    trace.on(1).waitCollective(8, 10, kAllreduce, {}, 1).leave(12);
    const Findings found(trace);
    EXPECT_EQ(found.total("mpi_wait_nxn"), 0);
    EXPECT_EQ(found.at("comms_cxch", "main/MPI_Test", 0), 1);
}

TEST(NonblockingCollective, severalInOneCall_onlyTheLongestWaitCounts) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").startCollective(1, 1, 1, "MPI_Ibarrier");
    trace.on(0).startCollective(2, 2, 2, "MPI_Iallreduce").enter(3, "MPI_Waitall");
    trace.on(0).collectiveCompleted(10, kBarrier, kNothing, 1).collectiveCompleted(10, kAllreduce, {}, 2);
    trace.on(0).leave(10).leave(12);
    trace.on(1).enter(0, "main").startCollective(5, 6, 1, "MPI_Ibarrier");
    trace.on(1).startCollective(8, 9, 2, "MPI_Iallreduce").enter(9, "MPI_Waitall");
    trace.on(1).collectiveCompleted(10, kBarrier, kNothing, 1).collectiveCompleted(10, kAllreduce, {}, 2);
    trace.on(1).leave(10).leave(12);
    const Findings found(trace);
    EXPECT_EQ(found.total("mpi_barrier_wait"), 0);                                // 5 - 3, but
    EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Waitall", 0), 0.005, kExact);  // 8 - 3
}

TEST(NonblockingCollective, besideAMessageInOneCall_countsForWhatLiesBeyondTheMessage) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").startCollective(1, 1, 1, "MPI_Ibarrier").irecv(1, 2, 2);
    trace.on(0).enter(2, "MPI_Waitall").receiveCompleted(10, {.peer = 1}, 2);
    trace.on(0).collectiveCompleted(10, kBarrier, kNothing, 1).leave(10).leave(12);
    trace.on(1).enter(0, "main").send(4, 5, {.peer = 0}).startCollective(9, 9, 1, "MPI_Ibarrier");
    trace.on(1).waitCollective(9, 10, kBarrier, kNothing, 1).leave(12);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Waitall", 0), 0.002, kExact);    // 4 - 2
    EXPECT_NEAR(found.at("mpi_barrier_wait", "main/MPI_Waitall", 0), 0.005, kExact);  // 9 - 4
}

TEST(NonblockingCollective, completedInAnotherOrder_belongTogetherAsBegun) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").startCollective(1, 1, 1, "MPI_Ibarrier");
    trace.on(0).startCollective(2, 2, 2, "MPI_Iallreduce");
    trace.on(0).waitCollective(3, 9, kAllreduce, {}, 2).waitCollective(9, 10, kBarrier, kNothing, 1);
    trace.on(0).leave(12);
    trace.on(1).enter(0, "main").startCollective(5, 6, 1, "MPI_Ibarrier");
    trace.on(1).startCollective(8, 8, 2, "MPI_Iallreduce");
    trace.on(1).waitCollective(8, 9, kBarrier, kNothing, 1).waitCollective(9, 10, kAllreduce, {}, 2);
    trace.on(1).leave(12);
    const Findings found(trace);
    EXPECT_NEAR(found.total("mpi_wait_nxn"), 0.005, kExact);  // 8 - 3
    EXPECT_EQ(found.total("mpi_barrier_wait"), 0);
    EXPECT_FALSE(found.reported(analyzer::Trouble::UnmatchedCollective));
}

TEST(NonblockingCollective, completionWithoutBegin_isReported) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").waitCollective(3, 9, kAllreduce, {}, 2).leave(12);
    trace.on(1).enter(0, "main").leave(12);
    const Findings found(trace);
    EXPECT_TRUE(found.reported(analyzer::Trouble::UnmatchedCollective));
    EXPECT_EQ(found.total("comms_cxch"), 0);
}

// Rank 1 works 7 ms before it begins, of which rank 0 has nothing: all of the wait is its fault.
TEST(NonblockingCollective, wait_costsTheWorkOfTheLateRank) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").startCollective(1, 2, 1, "MPI_Ibarrier");
    trace.on(0).waitCollective(4, 10, kBarrier, kNothing, 1).leave(12);
    trace.on(1).enter(0, "main").call(0, 7, "work").startCollective(7, 8, 1, "MPI_Ibarrier");
    trace.on(1).waitCollective(8, 10, kBarrier, kNothing, 1).leave(12);
    const Findings found(trace);
    EXPECT_NEAR(found.at("delay_barrier", "main/work", 1), 0.003, kExact);
    EXPECT_NEAR(found.total("delay_barrier"), 0.003, kExact);
}

constexpr auto* kProgressOfOperation = "mpi_lateprogress";
constexpr auto* kLackedInWait = "mpi_point2point_processor_waiting";

/// All begin an operation at 1. Rank 1 works until 50, rank 2 is back at 12; rank 0 waits from 10 on, and is
/// through at `end`. A thread that could run and had no processor meanwhile says of whose recorder this is.
Findings worksBeforeItsWait(OTF2_CollectiveOp operation, const char* name, Tick end, Tick without) {
    const Share root{.sent = 16, .received = 16, .root = 2};
    TraceBuilder trace(3);
    allStart(trace, 3, name);
    trace.on(0).enter(10, "MPI_Wait").collectiveCompleted(end, operation, root, 1);
    if (without > 0)
        trace.on(0).leaveStarved(end, without);
    else
        trace.on(0).leave(end);
    trace.on(0).leave(100);
    trace.on(1).call(2, 50, "work").waitCollective(50, end + 1, operation, root, 1).leave(100);
    const bool isTree = operation == OTF2_COLLECTIVE_OP_BCAST;
    trace.on(2).waitCollective(12, isTree ? 13 : end + 1, operation, root, 1).leave(100);
    return Findings(trace);
}

TEST(NonblockingCollective, rankThatWorksBeforeItsWait_isWaitedForUntilItIsBack) {
    const auto kinds = {std::pair{kBarrier, "MPI_Ibarrier"}, {kAllreduce, "MPI_Iallreduce"}};
    for (const auto& [operation, name] : kinds) {
        for (const Tick end : {Tick{52}, Tick{90}}) {
            const Findings found = worksBeforeItsWait(operation, name, end, end - 10);
            EXPECT_NEAR(found.at(kProgressOfOperation, kWait, 0), 0.040, kExact) << name;  // 50 - 10
            EXPECT_NEAR(found.at(kProgressOfOperation, kWait, 2), 0.038, kExact) << name;  // 50 - 12
            EXPECT_EQ(found.at(kProgressOfOperation, kWait, 1), 0) << name;
            EXPECT_NEAR(found.at(kLackedInWait, kWait, 0), end == 52 ? 0.002 : 0.040, kExact) << name;
            EXPECT_NEAR(found.at("delay_lateprogress", "main/work", 1), 0.078, kRounding) << name;
            EXPECT_NEAR(found.total("delay_lateprogress_aggregate"), 0.078, kRounding) << name;
            EXPECT_EQ(found.total("mpi_wait_nxn"), 0) << name;
        }
    }
}

/// Data need not pass through a late rank, as the root was through before: only the end of the call tells.
TEST(NonblockingCollective, rankOfATreeThatWorksBeforeItsWait_isWaitedForWhereTheEndTells) {
    for (const Tick end : {Tick{52}, Tick{90}}) {
        const Findings found = worksBeforeItsWait(OTF2_COLLECTIVE_OP_BCAST, "MPI_Ibcast", end, end - 10);
        EXPECT_NEAR(found.total(kProgressOfOperation), end == 52 ? 0.040 : 0.0, kExact);
        EXPECT_NEAR(found.at("mpi_point2point_unexplained", kWait, 0), end == 52 ? 0.0 : 0.040, kExact);
        EXPECT_NEAR(found.at(kLackedInWait, kWait, 0), end == 52 ? 0.002 : 0.040, kExact);
    }
}

/// In traces of other recorders, which do not tell when threads had no processor, it is left as it is there.
TEST(NonblockingCollective, rankThatWorksBeforeItsWait_isNotJudgedInTracesOfOthers) {
    EXPECT_EQ(worksBeforeItsWait(kAllreduce, "MPI_Iallreduce", 52, 0).total(kProgressOfOperation), 0);
}

/// The root of a broadcast works from 2 on, with a test each `apart` ticks, and waits right behind the last
/// one; rank 0 waits from 10 on, and is through at `end`.
Findings testsInItsWork(Tick apart, Tick end, Tick without) {
    constexpr auto kBroadcast = OTF2_COLLECTIVE_OP_BCAST;
    const Share root{.sent = 16, .received = 16, .root = 1};
    TraceBuilder trace(2);
    allStart(trace, 2, "MPI_Ibcast");
    trace.on(0)
        .enter(10, "MPI_Wait")
        .collectiveCompleted(end, kBroadcast, root, 1)
        .leaveStarved(end, without);
    trace.on(0).leave(120);
    for (Tick now = 2; now < 90; now += apart) trace.on(1).call(now + apart - 1, now + apart, "MPI_Test");
    trace.on(1).waitCollective(90, 91, kBroadcast, root, 1).leave(120);
    return Findings(trace);
}

TEST(NonblockingCollective, rankThatTestsNowAndThen_isWaitedForAllTheTime) {
    const Findings found = testsInItsWork(22, 92, 60);
    EXPECT_NEAR(found.at(kProgressOfOperation, kWait, 0), 0.080, kExact);  // 90 - 10
    EXPECT_NEAR(found.at(kLackedInWait, kWait, 0), 0.002, kExact);         // 92 - 90
    EXPECT_NEAR(found.total("delay_lateprogress_aggregate"), 0.080, kRounding);
    EXPECT_GT(found.at("delay_lateprogress", "main", 1), 0.070);
}

/// Behind the last test by more than an eighth of the time between two, nothing shows that it was for that.
TEST(NonblockingCollective, rankThatTestsNowAndThen_isNotWaitedForWhereTheEndIsBehindTheTests) {
    EXPECT_EQ(testsInItsWork(22, 97, 1).total(kProgressOfOperation), 0);
    EXPECT_EQ(testsInItsWork(2, 92, 1).total(kProgressOfOperation), 0);  // half of the time in tests
}

/// All need the data of all, and nobody is through before rank 1 is back for good at 1602. Rank 2 tests much
/// more often in its work, also behind that.
TEST(NonblockingCollective, rankThatTestsNowAndThen_isNeededUntilItIsBackForGood) {
    TraceBuilder trace(3);
    allStart(trace, 3, "MPI_Iallreduce");
    trace.on(0).enter(10, "MPI_Wait").collectiveCompleted(2000, kAllreduce, {}, 1).leaveStarved(2000, 1);
    trace.on(0).leave(2100);
    for (Tick end = 402; end <= 1602; end += 400) trace.on(1).call(end - 1, end, "MPI_Test");
    trace.on(1).waitCollective(1602, 2000, kAllreduce, {}, 1).leave(2100);
    for (Tick end = 22; end <= 1702; end += 20) trace.on(2).call(end - 1, end, "MPI_Test");
    trace.on(2).waitCollective(1702, 2000, kAllreduce, {}, 1).leave(2100);
    const Findings found(trace);
    EXPECT_NEAR(found.at(kProgressOfOperation, kWait, 0), 1.592, kExact);  // 1602 - 10
    EXPECT_NEAR(found.total("delay_lateprogress_aggregate"), 1.592, kRounding);
    EXPECT_EQ(found.at("delay_lateprogress", "main", 2), 0);
}

/// The root of a broadcast sleeps from 2 on, and tests every 22 ticks; that nobody computes makes no
/// difference.
TEST(NonblockingCollective, rankThatSleepsBetweenItsTests_isWaitedForAllTheTime) {
    constexpr auto kBroadcast = OTF2_COLLECTIVE_OP_BCAST;
    const Share root{.sent = 16, .received = 16, .root = 1};
    TraceBuilder trace(2);
    trace.region("usleep", {OTF2_PARADIGM_NONE, OTF2_REGION_ROLE_WRAPPER, "system"});
    allStart(trace, 2, "MPI_Ibcast");
    trace.on(0).enter(10, "MPI_Wait").collectiveCompleted(92, kBroadcast, root, 1).leaveStarved(92, 60);
    trace.on(0).leave(120);
    for (Tick now = 2; now < 90; now += 22)
        trace.on(1).call(now, now + 21, "usleep").call(now + 21, now + 22, "MPI_Test");
    trace.on(1).waitCollective(90, 91, kBroadcast, root, 1).leave(120);
    const Findings found(trace);
    EXPECT_NEAR(found.at(kProgressOfOperation, kWait, 0), 0.080, kExact);  // 90 - 10
    EXPECT_NEAR(found.at(kLackedInWait, kWait, 0), 0.002, kExact);         // 92 - 90
    EXPECT_GT(found.at("delay_lateprogress", "main/usleep", 1), 0.070);
}

/// Rank 0 is through while rank 1 goes on to test every 22 ticks: whether it waited for a test is not known.
TEST(NonblockingCollective, callThatEndsAmongTestsOfAnotherRank_isUnexplained) {
    TraceBuilder trace(2);
    const Share root{.sent = 16, .received = 16, .root = 1};
    allStart(trace, 2, "MPI_Ibcast");
    trace.on(0).enter(10, "MPI_Wait").collectiveCompleted(80, OTF2_COLLECTIVE_OP_BCAST, root, 1);
    trace.on(0).leaveStarved(80, 60).leave(120);
    for (Tick now = 2; now < 90; now += 22) trace.on(1).call(now + 21, now + 22, "MPI_Test");
    trace.on(1).waitCollective(90, 91, OTF2_COLLECTIVE_OP_BCAST, root, 1).leave(120);
    const Findings found(trace);
    EXPECT_EQ(found.total(kProgressOfOperation), 0);
    EXPECT_EQ(found.total(kLackedInWait), 0);
    EXPECT_NEAR(found.at("mpi_point2point_unexplained", kWait, 0), 0.060, kExact);
}

/// Rank 1 works, and tests three times in a row each 100 ticks, without any other event: rank 0 is through
/// soon behind the second row, or in the middle between that and the next one.
TEST(NonblockingCollective, callThatEndsSoonBehindARowOfTests_waitsForThatRow) {
    for (const Tick end : {Tick{212}, Tick{260}}) {
        TraceBuilder trace(2);
        for (unsigned rank = 0; rank < 2; ++rank)
            trace.on(rank).enter(0, "main").startCollective(1, 2, 1, "MPI_Iallgather");
        trace.on(0).enter(10, "MPI_Wait").collectiveCompleted(end, OTF2_COLLECTIVE_OP_ALLGATHER, {}, 1);
        trace.on(0).leaveStarved(end, 1).leave(500);
        for (Tick row = 101; row < 500; row += 104)
            for (Tick now = row; now < row + 6; now += 2) trace.on(1).call(now, now + 1, "MPI_Test");
        trace.on(1).waitCollective(490, 491, OTF2_COLLECTIVE_OP_ALLGATHER, {}, 1).leave(500);
        const Findings found(trace);
        EXPECT_NEAR(found.at(kProgressOfOperation, kWait, 0), end == 212 ? 0.195 : 0, kExact);  // 205 - 10
        EXPECT_EQ(found.total(kLackedInWait), 0);  // nobody knows where it was
    }
}

/// Rank 1 works until 450, and rank 2 tests every 100 ticks, the last time at 601: rank 0 waits for it only
/// since rank 1 is back.
TEST(NonblockingCollective, rankThatTestsWhileAnotherOneWorks_isWaitedForBehindThat) {
    TraceBuilder trace(3);
    allStart(trace, 3, "MPI_Iallreduce");
    trace.on(0).enter(10, "MPI_Wait").collectiveCompleted(604, kAllreduce, {}, 1).leaveStarved(604, 1);
    trace.on(0).leave(700);
    trace.on(1).call(2, 450, "work").waitCollective(450, 604, kAllreduce, {}, 1).leave(700);
    for (Tick now = 101; now <= 501; now += 100) trace.on(2).call(now, now + 1, "MPI_Test");
    trace.on(2).waitCollective(602, 604, kAllreduce, {}, 1).leave(700);
    const Findings found(trace);
    EXPECT_NEAR(found.at(kProgressOfOperation, kWait, 0), 0.152, kExact);  // 602 - 450
    EXPECT_NEAR(found.at(kProgressOfOperation, kWait, 1), 0.152, kExact);
    EXPECT_GT(found.at("delay_lateprogress", "main", 2), 0.200);
}

/// It is in MPI at 30, which is enough for others to go on; then it works again.
TEST(NonblockingCollective, rankThatTestsInBetween_isNotWaitedForBehindTheEnd) {
    TraceBuilder trace(2);
    allStart(trace, 2, "MPI_Iallreduce");
    trace.on(0).enter(10, "MPI_Wait").collectiveCompleted(33, kAllreduce, {}, 1).leaveStarved(33, 20);
    trace.on(0).leave(90);
    trace.on(1).call(2, 30, "work").call(30, 31, "MPI_Test").call(31, 50, "work");
    trace.on(1).waitCollective(50, 51, kAllreduce, {}, 1).leave(90);
    EXPECT_NEAR(Findings(trace).at(kProgressOfOperation, kWait, 0), 0.020, kExact);  // 30 - 10
}

/// Rank 2 waits from 2 on for the root, which begins at 10, and then for rank 1, through which the data pass:
/// that begins at 40. Both waits end with one event.
TEST(NonblockingCollective, callThatWaitsForTwoRanksInTurn_hasTheCausesOfBoth) {
    constexpr auto kBroadcast = OTF2_COLLECTIVE_OP_BCAST;
    const Share root{.sent = 16, .received = 16, .root = 0}, leaf{.sent = 0, .received = 16, .root = 0};
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").call(0, 10, "work").startCollective(10, 11, 1, "MPI_Ibcast");
    trace.on(0).waitCollective(11, 12, kBroadcast, root, 1).leave(90);
    trace.on(1).enter(0, "main").call(0, 40, "work").startCollective(40, 41, 1, "MPI_Ibcast");
    trace.on(1).waitCollective(41, 42, kBroadcast, leaf, 1).leave(90);
    trace.on(2).enter(0, "main").startCollective(0, 1, 1, "MPI_Ibcast").enter(2, "MPI_Wait");
    trace.on(2).collectiveCompleted(42, kBroadcast, leaf, 1).leaveStarved(42, 40).leave(90);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latebroadcast", kWait, 2), 0.008, kExact);  // 10 - 2
    EXPECT_NEAR(found.at("mpi_latemember", kWait, 2), 0.030, kExact);     // 40 - 10
    EXPECT_NEAR(found.at("delay_12n", "main/work", 0), 0.008, kRounding);
    EXPECT_NEAR(found.at("delay_12n", "main/work", 1), 0.030, kRounding);
    EXPECT_NEAR(found.total("delay_12n_aggregate"), 0.038, kRounding);
}

}  // namespace
}  // namespace holos::testing
