// SPDX-License-Identifier: BSD-3-Clause
// Who waits for whom: collective operations, several requests, wildcards, one-sided communication.
#include <gtest/gtest.h>

#include "tests/unit/predict/predicted.h"

namespace holos::testing {
namespace {

/// Rank 0 works for 10, rank 1 for 20, rank 2 for 30; the operation ends at 31, or sooner for who waits for
/// nobody. Behind it, everybody works for 5.
class ThreeRanks {
  public:
    ThreeRanks(OTF2_CollectiveOp operation, Share share, std::vector<Tick> ends) : trace(3) {
        for (const unsigned rank : {0U, 1U, 2U}) {
            const Tick work = 10 * (rank + 1);
            trace.on(rank).enter(0, "main").call(0, work, "work" + std::to_string(rank));
            trace.on(rank).collective(work, ends[rank], operation, share);
            trace.on(rank).call(ends[rank], ends[rank] + 5, "after").leave(ends[rank] + 5);
        }
    }
    TraceBuilder trace;
};

TEST(Collective, allToAll_endsWithTheLast) {
    const Predicted run(ThreeRanks(OTF2_COLLECTIVE_OP_ALLREDUCE, {}, {31, 31, 31}).trace);
    EXPECT_EQ(run.replayed(), 36);
    EXPECT_EQ(run.with("speedup work2=3"), 26);                     // rank 1 is the last now
    EXPECT_EQ(run.with("speedup work2=3", "speedup work1=4"), 16);  // rank 0
    EXPECT_EQ(run.with("speedup work0=10"), 36);
}

TEST(Collective, broadcast_waitsForItsRoot) {
    const Predicted run(ThreeRanks(OTF2_COLLECTIVE_OP_BCAST, {.root = 2}, {31, 31, 31}).trace);
    EXPECT_EQ(run.with("speedup work2=3"), 26);  // the root is through at 11, rank 1 comes at 20
    EXPECT_EQ(run.with("speedup work1=0.1"), 206);
    const Predicted other(ThreeRanks(OTF2_COLLECTIVE_OP_BCAST, {.root = 0}, {11, 21, 31}).trace);
    EXPECT_EQ(other.with("speedup work2=0.5"), 66);
    EXPECT_EQ(other.with("speedup work0=0.2"), 56);  // at 50 the root comes, and rank 2 is there
}

TEST(Collective, reduce_letsOnlyItsRootWait) {
    const Predicted run(ThreeRanks(OTF2_COLLECTIVE_OP_REDUCE, {.root = 0}, {31, 21, 31}).trace);
    EXPECT_EQ(run.with("speedup work2=30"), 26);  // rank 1 comes at 20 and is the last: the root leaves at 21
    EXPECT_EQ(run.with("speedup work1=0.1"), 206);
}

/// The root stays until rank 2 has come, which it needs nothing from: its library makes it wait.
TEST(CollectiveHabit, rootThatStayed_waitsForAll) {
    const Predicted run(ThreeRanks(OTF2_COLLECTIVE_OP_BCAST, {.root = 0}, {31, 31, 31}).trace);
    EXPECT_EQ(run.replayed(), 36);
    EXPECT_EQ(run.with("speedup work2=3"), 26);  // rank 1 comes last, at 20
    EXPECT_EQ(run.with("speedup work2=3", "speedup work1=4"), 16);
}

TEST(CollectiveHabit, memberOfReductionThatStayed_waitsForItsRoot) {
    const Predicted run(ThreeRanks(OTF2_COLLECTIVE_OP_REDUCE, {.root = 2}, {31, 31, 31}).trace);
    EXPECT_EQ(run.with("speedup work2=3"), 26);  // the root comes at 10, and rank 1 last
    EXPECT_EQ(run.with("speedup work2=0.5"), 66);
}

/// In the second broadcast the root comes last: what it would do otherwise is known from the first one, or
/// from one of another size.
TEST(CollectiveHabit, ofOneOperation_isThatOfOthers) {
    for (const std::uint64_t bytes : {1000U, 9000U}) {
        TraceBuilder trace(2);
        const Share first{.sent = 1000, .received = 1000, .root = 0};
        const Share second{.sent = bytes, .received = bytes, .root = 0};
        trace.on(0).enter(0, "main").call(0, 10, "a").collective(10, 31, OTF2_COLLECTIVE_OP_BCAST, first);
        trace.on(0).call(31, 60, "b").collective(60, 61, OTF2_COLLECTIVE_OP_BCAST, second);
        trace.on(0).call(61, 71, "after").leave(71);
        trace.on(1).enter(0, "main").call(0, 30, "c").collective(30, 31, OTF2_COLLECTIVE_OP_BCAST, first);
        trace.on(1).call(31, 50, "d").collective(50, 61, OTF2_COLLECTIVE_OP_BCAST, second).leave(61);
        const Predicted run(trace);
        EXPECT_EQ(run.replayed(), 71);
        EXPECT_EQ(run.with("speedup b=29"), 61);  // not before 50, when the other one comes
    }
}

TEST(CollectiveHabit, rootThatLeft_waitsForNobody) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 10, "a").collective(10, 11, OTF2_COLLECTIVE_OP_BCAST, {.root = 0});
    trace.on(0).call(11, 60, "b").collective(60, 61, OTF2_COLLECTIVE_OP_BCAST, {.root = 0});
    trace.on(0).call(61, 71, "after").leave(71);
    trace.on(1).enter(0, "main").call(0, 30, "c").collective(30, 31, OTF2_COLLECTIVE_OP_BCAST, {.root = 0});
    trace.on(1).call(31, 50, "d").collective(50, 61, OTF2_COLLECTIVE_OP_BCAST, {.root = 0}).leave(61);
    const Predicted run(trace);
    EXPECT_EQ(run.with("speedup b=49"), 51);  // rank 1; the root is through at 23
}

TEST(Collective, scan_waitsForLowerRanks) {
    const Predicted run(ThreeRanks(OTF2_COLLECTIVE_OP_SCAN, {}, {11, 21, 31}).trace);
    EXPECT_EQ(run.with("speedup work0=0.2"), 56);  // 50 + 1 + 5 for all
    EXPECT_EQ(run.with("speedup work2=30"), 26);
}

TEST(Collective, ofASubCommunicator_isOfItsRanks) {
    TraceBuilder trace(3);
    const OTF2_CommRef pair = trace.communicator({0, 1});
    trace.on(0).enter(0, "main").call(0, 10, "work0").barrier(10, 21, pair).leave(21);
    trace.on(1).enter(0, "main").call(0, 20, "work1").barrier(20, 21, pair).leave(21);
    trace.on(2).enter(0, "main").call(0, 21, "work2").leave(21);
    const Predicted run(trace);
    EXPECT_EQ(run.with("speedup work1=4", "speedup work2=10"), 11);
    EXPECT_EQ(run.with("speedup work1=4"), 21);
}

TEST(Collective, nonblocking_isHiddenByWork) {
    TraceBuilder trace(2);
    for (const unsigned rank : {0U, 1U}) {
        const Tick work = rank == 0 ? 5 : 25;
        trace.on(rank).enter(0, "main").call(0, work, "early" + std::to_string(rank));
        trace.on(rank).startCollective(work, work + 1, 1, "MPI_Iallreduce").call(work + 1, 40, "late");
        trace.on(rank).waitCollective(40, 41, OTF2_COLLECTIVE_OP_ALLREDUCE, {}, 1).leave(41);
    }
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 41);
    EXPECT_EQ(run.with("speedup early0=5"), 41);      // rank 1 ends as before
    EXPECT_EQ(run.with("speedup early1=0.25"), 116);  // 100 + 1 + 14 + 1
    EXPECT_EQ(run.with("speedup late=1000000"), 27);  // begun at 25 by rank 1, and the wait's own 1
}

/// Rank 2 waits for both others in one call.
TEST(Waitall, endsWithTheLastMessage) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").call(0, 10, "work0").send(10, 11, {.peer = 2, .tag = 1}).leave(11);
    trace.on(1).enter(0, "main").call(0, 20, "work1").send(20, 21, {.peer = 2, .tag = 2}).leave(21);
    trace.on(2).enter(0, "main").irecv(0, 1, 1).irecv(1, 2, 2).enter(2, "MPI_Waitall");
    trace.on(2).receiveCompleted(23, {.peer = 0, .tag = 1}, 1).receiveCompleted(23, {.peer = 1, .tag = 2}, 2);
    trace.on(2).leave(23).call(23, 30, "after").leave(30);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 30);
    EXPECT_EQ(run.with("speedup work1=20"), 20);  // now rank 0's at 10, 3 later, and 7
    EXPECT_EQ(run.with("speedup work1=20", "speedup work0=2"), 15);
    EXPECT_EQ(run.with("speedup work0=0.25"), 50);
    EXPECT_NEAR(run.predictor().facts().network.latency, 0.003, 1e-9);  // the last one, sent at 20
    EXPECT_EQ(run.predictor().facts().network.messages, 1);
}

/// Tests that found nothing waited, as MPI_Recv would have.
TEST(Polling, endsWithTheMessage) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 25, "work").send(25, 26, {.peer = 1}).leave(26);
    trace.on(1).enter(0, "main").irecv(0, 2, 1);
    trace.on(1)
        .enter(2, "MPI_Test")
        .requestTested(4, 1)
        .leave(4)
        .enter(4, "MPI_Test")
        .requestTested(26, 1)
        .leave(26);
    trace.on(1).waitRecv(26, 28, {.peer = 0}, 1, "MPI_Test").call(28, 40, "after").leave(40);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 40);
    EXPECT_EQ(run.with("speedup work=5"), 20);
}

TEST(Polling, endsWithTheBeginOfAnOperation) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").startCollective(0, 2, 1, "MPI_Iallreduce");
    trace.on(0).enter(2, "MPI_Test").requestTested(4, 1).leave(4).enter(4, "MPI_Test").requestTested(26, 1);
    trace.on(0).leave(26).waitCollective(26, 28, OTF2_COLLECTIVE_OP_ALLREDUCE, {}, 1, "MPI_Test");
    trace.on(0).call(28, 40, "after").leave(40);
    trace.on(1).enter(0, "main").call(0, 25, "work").startCollective(25, 26, 1, "MPI_Iallreduce");
    trace.on(1).waitCollective(26, 27, OTF2_COLLECTIVE_OP_ALLREDUCE, {}, 1).leave(27);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 40);
    EXPECT_EQ(run.with("speedup work=5"), 20);
}

/// Rank 1 does something of its own after each test; the message is sent when the last one that found nothing
/// is over. Each of them ended by itself, and clocks do not disagree.
TEST(Polling, withWorkBetween_endsByItself) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 35, "late").send(35, 36, {.peer = 1}).leave(36);
    trace.on(1).enter(0, "main").irecv(0, 1, 1);
    for (const Tick begin : {10, 20, 30})
        trace.on(1)
            .enter(begin, "MPI_Test")
            .requestTested(begin + 2, 1)
            .leave(begin + 2)
            .call(begin + 2, begin + 10, "own work");
    trace.on(1).waitRecv(40, 41, {.peer = 0}, 1, "MPI_Test").leave(41);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 41);
    EXPECT_EQ(run.predictor().facts().contradicted, 0);
    EXPECT_EQ(run.predictor().facts().inVain, 3);
    EXPECT_EQ(run.with("speedup late=7"), 41);      // its own work takes as long as before
    EXPECT_EQ(run.with("speedup own work=8"), 36);  // 24 less 21, but then it has to wait for the message
}

/// The message is sent between the end of a test and the begin of the next one, which finds it.
TEST(Polling, messageBetweenTwoTests_endsThem) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 23, "late").send(23, 24, {.peer = 1}).leave(24);
    trace.on(1).enter(0, "main").irecv(0, 1, 1);
    for (const Tick begin : {2, 12})
        trace.on(1).enter(begin, "MPI_Test").requestTested(begin + 10, 1).leave(begin + 10);
    trace.on(1).waitRecv(24, 25, {.peer = 0}, 1, "MPI_Test").leave(25);
    const Predicted run(trace);
    EXPECT_EQ(run.predictor().facts().contradicted, 0);
    EXPECT_EQ(run.with("speedup late=23"), 4);
}

/// Thread 0 has a lock until 20; thread 1 asks for it from 2 on, and has it at 24, three ticks after it asked
/// in vain for the last time at 19.
TEST(Polling, endsWithTheReleaseOfALock) {
    TraceBuilder trace(1, 2);
    trace.on(0, 0).enter(0, "main").acquire(0, 1, 1).call(0, 20, "work").release(20, 1, 1).leave(20);
    trace.on(0, 1).enter(0, "main").call(0, 2, "first").call(2, 10, "omp_test_lock");
    trace.on(0, 1).call(11, 19, "omp_test_lock").enter(22, "omp_test_lock").acquire(24, 1, 2).leave(24);
    trace.on(0, 1).call(24, 40, "after").release(40, 1, 2).leave(40);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 40);
    EXPECT_EQ(run.with("speedup work=2"), 30);
    EXPECT_EQ(run.with("locks free"), 22);  // but for the two in which it was there already, and those behind
}

/// Thread 2 comes last to a barrier.
TEST(PthreadBarrier, isReplayedAsRecorded_andIsNoLock) {
    constexpr auto* kBarrierOfThreads = "pthread_barrier_wait";
    TraceBuilder trace(1, 3);
    trace.region(kBarrierOfThreads, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "pthread"});
    const Tick comes[] = {10, 20, 40};
    const char* const works[] = {"first", "second", "last"};
    for (const unsigned thread : {0U, 1U, 2U}) {
        LocationScript& script = trace.on(0, thread).enter(0, "main").call(0, comes[thread], works[thread]);
        script.enter(comes[thread], kBarrierOfThreads).release(comes[thread], 0, thread + 1);
        script.acquire(42, 0, 4).leave(42).call(42, 50, "after").leave(50);
    }
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 50);
    EXPECT_EQ(run.predictor().facts().contradicted, 0);
    EXPECT_EQ(run.with("locks free"), 50);  // it is none
}

/// Thread 0 writes until 20; thread 1 wants to read from 2 on.
TEST(ReadWriteLock, isFreeAsOthersAre) {
    constexpr auto* kRead = "pthread_rwlock_rdlock";
    constexpr auto* kUnlock = "pthread_rwlock_unlock";
    TraceBuilder trace(1, 2);
    for (const char* const region : {kRead, kUnlock})
        trace.region(region, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "pthread"});
    trace.on(0, 0).enter(0, "main").call(0, 20, "write");
    trace.on(0, 0).enter(20, kUnlock).release(20, 0, 1).leave(20).leave(22);
    trace.on(0, 1).enter(0, "main").call(0, 2, "first").enter(2, kRead).acquire(21, 0, 2).leave(21);
    trace.on(0, 1).call(21, 41, "read").leave(41);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 41);
    EXPECT_EQ(run.with("speedup write=2"), 31);
    EXPECT_EQ(run.with("locks free"), 23);  // 2, and the 1 that it takes by itself, and 20
}

/// Thread 1 waits at a condition from 2 on; thread 0 works until 20, and then has the mutex and signals.
TEST(PthreadCondition, endsWithTheSignal_howeverFreeLocksAre) {
    constexpr auto* kWait = "pthread_cond_wait";
    TraceBuilder trace(1, 2);
    trace.region(kWait, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "pthread"});
    trace.on(0, 0).enter(0, "main").call(0, 20, "work").acquire(20, 1, 2).release(21, 1, 2).leave(21);
    trace.on(0, 1).enter(0, "main").acquire(1, 1, 1).enter(2, kWait).release(2, 1, 1).acquire(22, 1, 3);
    trace.on(0, 1).leave(22).call(22, 30, "after").release(30, 1, 3).leave(30);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 30);
    EXPECT_EQ(run.with("speedup work=2"), 20);
    EXPECT_EQ(run.with("locks free"), 30);
}

/// Thread 1 looks each 5 ticks whether there is work, which thread 0 signals at 17, after 16 of its own.
TEST(PthreadCondition, rowOfTimeouts_isAsLongAsItTakesUntilTheSignal) {
    constexpr auto* kWait = "pthread_cond_timedwait";
    constexpr auto* kSignal = "pthread_cond_signal";
    TraceBuilder trace(1, 2);
    for (const char* const region : {kWait, kSignal})
        trace.region(region, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "pthread"});
    trace.tellsTimeouts();
    LocationScript& waiter = trace.on(0, 1).enter(0, "main").acquire(0, 1, 1);
    for (const std::uint32_t wait : {1U, 2U}) {
        const Tick begin = 5 * (wait - 1);
        waiter.enter(begin, kWait).release(begin, 1, wait).acquire(begin + 5, 1, wait + 1);
        waiter.leaveTimedOut(begin + 5, 0);
    }
    waiter.enter(10, kWait).release(10, 1, 3).isWoken(18, 2, 2).acquire(18, 1, 5).leave(18);
    waiter.call(18, 28, "after").release(28, 1, 5).leave(28);
    LocationScript& worker = trace.on(0, 0).enter(0, "main").call(0, 16, "work").acquire(16, 1, 4);
    worker.enter(17, kSignal).wakes(17, 2, 1).leave(17).release(17, 1, 4).leave(17);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 28);
    EXPECT_EQ(run.with("speedup work=4"), 16);  // 4, and the 2 until it has the mutex, and 10
    EXPECT_EQ(run.with("speedup work=0.5"), 44);
    EXPECT_EQ(run.with("locks free"), 28);
}

/// The order of messages from anybody stays as it was.
TEST(Wildcard, receivesAsRecorded) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").call(0, 10, "work0").send(10, 11, {.peer = 2}).leave(11);
    trace.on(1).enter(0, "main").call(0, 20, "work1").send(20, 21, {.peer = 2}).leave(21);
    trace.on(2).enter(0, "main").recv(0, 12, {.peer = 0}).recv(12, 22, {.peer = 1}).leave(22);
    const Predicted run(trace);
    EXPECT_EQ(run.with("speedup work1=20"), 12);    // it is there when the first one has come
    EXPECT_EQ(run.with("speedup work0=0.25"), 42);  // the second waits behind the first
}

}  // namespace
}  // namespace holos::testing
