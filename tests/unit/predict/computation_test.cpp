// SPDX-License-Identifier: BSD-3-Clause
// What follows when computation takes longer or shorter.
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/unit/predict/predicted.h"

namespace holos::testing {
namespace {

constexpr auto* kParallel = "!$omp parallel @x.c:1";
constexpr auto* kBarrier = "!$omp implicit barrier @x.c:1";

/// Rank 0 works for 30 and sends; rank 1 works for 10, receives until 32 and works for 8 more.
TraceBuilder& lateSender(TraceBuilder& trace) {
    trace.on(0).enter(0, "main").call(0, 30, "work").send(30, 31, {.peer = 1}).leave(31);
    trace.on(1)
        .enter(0, "main")
        .call(0, 10, "prepare")
        .recv(10, 32, {.peer = 0})
        .call(32, 40, "finish")
        .leave(40);
    return trace;
}

TEST(Speedup, ofWhoIsLate_movesWhoWaits) {
    TraceBuilder trace(2);
    const Predicted run(lateSender(trace));
    EXPECT_EQ(run.recorded(), 40);
    EXPECT_EQ(run.with("speedup work=2"), 25);  // sent at 15, received 2 later, 8 more
    EXPECT_EQ(run.with("speedup work=3"), 20);
    EXPECT_EQ(run.with("speedup work=30"), 18);  // the message is there at 10
}

TEST(Speedup, ofWhoWaits_changesOnlyItsEnd) {
    TraceBuilder trace(2);
    const Predicted run(lateSender(trace));
    EXPECT_EQ(run.with("speedup prepare=10"), 40);
    EXPECT_TRUE(run.changes("speedup prepare=10"));
    EXPECT_EQ(run.with("speedup finish=2"), 36);
    EXPECT_EQ(run.with("speedup finish=2", "speedup work=2"), 21);
}

TEST(Speedup, belowOne_takesLonger) {
    TraceBuilder trace(2);
    EXPECT_EQ(Predicted(lateSender(trace)).with("speedup work=0.5"), 70);
}

TEST(Speedup, ofACallPath_meansAllBelowIt) {
    TraceBuilder trace(2);
    const Predicted run(lateSender(trace));
    EXPECT_EQ(run.with("speedup main=2"), 21);       // 15 + 2 + 4
    EXPECT_EQ(run.with("speedup main/work=2"), 25);  // the path as well as the name
}

TEST(Speedup, ofAFunction_isSaidWithoutItsClass) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").call(0, 20, "heat::Solver::step(double)").call(20, 30, "footstep").leave(30);
    const Predicted run(trace);
    EXPECT_EQ(run.with("speedup step=2"), 20);
    EXPECT_EQ(run.with("speedup main/step=2"), 20);
}

TEST(Remove, leavesOutWaitingAsWell) {
    TraceBuilder trace(2);
    const Predicted run(lateSender(trace));
    EXPECT_EQ(run.with("remove work"), 18);
    EXPECT_EQ(run.with("remove MPI_Recv"), 31);
    EXPECT_EQ(run.with("remove work", "remove finish"), 10);
}

TEST(CallPath, thatTheRunDoesNotHave_isRefusedWithANearOne) {
    TraceBuilder trace(2);
    const Predicted run(lateSender(trace));
    try {
        run.with("speedup prepere=2");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("did you mean 'prepare'?"), std::string::npos)
            << error.what();
    }
}

/// Two steps with a barrier each: in the first rank 0 works for 10 and rank 1 for 30, then the other way
/// round.
TEST(Balance, amongProcesses_isFromBarrierToBarrier) {
    TraceBuilder trace(2);
    trace.on(0)
        .enter(0, "main")
        .call(0, 10, "work")
        .barrier(10, 31)
        .call(31, 61, "work")
        .barrier(61, 62)
        .leave(62);
    trace.on(1)
        .enter(0, "main")
        .call(0, 30, "work")
        .barrier(30, 31)
        .call(31, 41, "work")
        .barrier(41, 62)
        .leave(62);
    const Predicted run(trace);
    EXPECT_EQ(run.with("balance work"), 42);  // 20 + 1 + 20 + 1
    EXPECT_FALSE(run.changes("locks free"));
}

/// Even ranks work for 30 and 10, odd ones for 10 and 30, with something between that all or each half does.
template <class Between>
TraceBuilder& twoPhases(TraceBuilder& trace, Between between) {
    for (unsigned rank = 0; rank < trace.processes(); ++rank) {
        const Tick first = rank % 2 == 0 ? 30 : 10;
        trace.on(rank).enter(0, "main").call(0, first, "work");
        between(trace.on(rank), rank, first);
        trace.on(rank).call(31, 71 - first, "work").barrier(71 - first, 62).leave(62);
    }
    return trace;
}

TEST(Balance, atScans_isDivided) {
    TraceBuilder trace(2);
    twoPhases(trace, [](LocationScript& on, unsigned, Tick begin) {
        on.collective(begin, 31, OTF2_COLLECTIVE_OP_SCAN, {});
    });
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 62);
    EXPECT_EQ(run.with("balance work"), 62 - 20);  // 20 and 20, instead of 30 and 30
}

/// Each half of the processes has a communicator of its own.
TEST(Balance, whereGroupsMeet_isDividedForAll) {
    TraceBuilder trace(4);
    const OTF2_CommRef halves[] = {trace.communicator({0, 1}), trace.communicator({2, 3})};
    twoPhases(trace, [&](LocationScript& on, unsigned rank, Tick begin) {
        on.collective(begin, 31, OTF2_COLLECTIVE_OP_ALLREDUCE, {.comm = halves[rank / 2]});
    });
    EXPECT_EQ(Predicted(trace).with("balance work"), 62 - 20);
}

/// Even ranks exchange messages with odd ones.
TEST(Balance, whereAllExchangeMessages_isDivided) {
    for (const unsigned ranks : {2U, 4U}) {
        TraceBuilder trace(ranks);
        twoPhases(trace, [](LocationScript& on, unsigned rank, Tick begin) {
            on.sendrecv(begin, 31, {.peer = rank ^ 1U}, {.peer = rank ^ 1U});
        });
        EXPECT_EQ(Predicted(trace).with("balance work"), 20 + 2 + 20 + 1) << ranks;
    }
}

/// The root of a broadcast waits for nobody.
TEST(Balance, betweenAllAndABroadcast_isDivided) {
    TraceBuilder trace(2);
    const auto broadcast = [](LocationScript& on, Tick begin, Tick end) {
        on.collective(begin, end, OTF2_COLLECTIVE_OP_BCAST, {.root = 0});
    };
    trace.on(0).enter(0, "main").call(0, 30, "work");
    broadcast(trace.on(0), 30, 31);
    trace.on(0).call(31, 41, "work").barrier(41, 62).leave(62);
    trace.on(1).enter(0, "main").call(0, 10, "work");
    broadcast(trace.on(1), 10, 31);
    trace.on(1).call(31, 61, "work").barrier(61, 62).leave(62);
    EXPECT_EQ(Predicted(trace).with("balance work"), 62 - 20);
}

/// Rank 0 works and sends; rank 1 works on what it receives: first one of them is the slower, then the other.
TEST(Balance, whereMessagesGoOneWay_isDividedAmongThoseWhoWorkAtATime) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main");
    trace.on(1).enter(0, "main");
    Tick sent = 0, received = 1;
    for (int i = 0; i < 10; ++i) {
        const Tick made = i < 5 ? 30 : 10, used = 40 - made;
        trace.on(0).call(sent, sent + made, "work").send(sent + made, sent + made + 1, {.peer = 1});
        sent += made + 1;
        const Tick got = std::max(received, sent) + 1;
        trace.on(1).recv(received, got, {.peer = 0}).call(got, got + used, "work");
        received = got + used;
    }
    trace.on(0).leave(sent);
    trace.on(1).leave(received);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), received);
    EXPECT_LT(run.with("balance work"), received - 40);
}

/// Client and server need what the other one has done: neither works while the other one does.
TEST(Balance, ofWhoNeedsWhatTheOtherOneDoesBefore_bringsNothing) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main");
    trace.on(1).enter(0, "main");
    for (Tick at = 0; at < 120; at += 30) {
        trace.on(0).call(at, at + 10, "work").send(at + 10, at + 11, {.peer = 1});
        trace.on(1).recv(at, at + 12, {.peer = 0}).call(at + 12, at + 22, "work");
        trace.on(1).send(at + 22, at + 23, {.peer = 0});
        trace.on(0).recv(at + 11, at + 24, {.peer = 1}).call(at + 24, at + 30, "other");
        trace.on(1).call(at + 23, at + 30, "other");
    }
    trace.on(0).leave(120);
    trace.on(1).leave(120);
    EXPECT_EQ(Predicted(trace).with("balance work"), 120);
}

/// Only one half meets in between: for the other one there is no first and second part.
TEST(Balance, whereSomeMeet_isNotDivided) {
    TraceBuilder trace(4);
    const OTF2_CommRef half = trace.communicator({0, 1});
    twoPhases(trace, [&](LocationScript& on, unsigned rank, Tick begin) {
        if (rank < 2)
            on.collective(begin, 31, OTF2_COLLECTIVE_OP_ALLREDUCE, {.comm = half});
        else
            on.call(begin, 31, "other");
    });
    EXPECT_FALSE(Predicted(trace).changes("balance work"));
}

/// Rank 0 does most of its work while the operation goes on, and rank 1 after that.
TEST(Balance, aroundNonblockingOperations_isDividedAtBothEnds) {
    TraceBuilder trace(2);
    for (const unsigned rank : {0U, 1U}) {
        const Tick end = rank == 0 ? 26 : 16;
        trace.on(rank).enter(0, "main").call(0, 10, "work").startCollective(10, 11, 1, "MPI_Iallreduce");
        trace.on(rank)
            .call(11, end, "work")
            .waitCollective(end, end + 1, OTF2_COLLECTIVE_OP_ALLREDUCE, {}, 1);
        trace.on(rank).call(end + 1, 32, "work").barrier(32, 33).leave(33);
    }
    const analyzer::Prediction balanced = Predicted(trace).predict({"balance work"});
    EXPECT_TRUE(balanced.changesAnything());
    EXPECT_NEAR(balanced.seconds(), 0.033, 1e-9);
}

TEST(Balance, ofWhatIsEqual_changesNothing) {
    TraceBuilder trace(2);
    for (const unsigned rank : {0U, 1U})
        trace.on(rank).enter(0, "main").call(0, 10, "work").barrier(10, 11).leave(11);
    EXPECT_FALSE(Predicted(trace).changes("balance work"));
}

/// Threads work for 10 and 30 in a parallel region.
TraceBuilder& unevenTeam(TraceBuilder& trace) {
    trace.on(0, 0).enter(0, "main").call(0, 5, "serial").fork(5, 2).teamBegin(5).enter(5, kParallel);
    trace.on(0, 0).call(5, 15, "work").enter(15, kBarrier).leave(35).leave(35).teamEnd(35).join(35).leave(40);
    trace.on(0, 1).teamBegin(6).enter(6, kParallel).call(6, 34, "work").enter(34, kBarrier).leave(35);
    trace.on(0, 1).leave(35).teamEnd(35);
    return trace;
}

TEST(ThreadsBalanced, eachTakesTheMeanOfItsTeam) {
    TraceBuilder trace(1, 2);
    const Predicted run(unevenTeam(trace));
    EXPECT_EQ(run.replayed(), 40);
    // 10 and 28 become 19: the worker comes at 6 + 19, the barrier takes 1 more, then there are 5.
    EXPECT_EQ(run.with("threads balanced"), 31);
    EXPECT_EQ(run.with("balance work"), 31);
    EXPECT_EQ(run.with("speedup serial=5"), 36);
    EXPECT_EQ(run.with("speedup work=2"), 26);
}

/// Teams of two threads in two processes: their barriers are no meetings of both processes.
TEST(Balance, ofTeamsOfAsManyThreadsAsThereAreProcesses_isAmongProcesses) {
    TraceBuilder trace(2, 2);
    for (const unsigned rank : {0U, 1U}) {
        const Tick end = rank == 0 ? 10 : 30;
        trace.on(rank, 0).enter(0, "main").fork(0, 2).teamBegin(0).enter(0, kParallel).call(0, end, "work");
        trace.on(rank, 0).enter(end, kBarrier).leave(end).leave(end).teamEnd(end).join(end);
        trace.on(rank, 0).barrier(end, 31).leave(31);
        trace.on(rank, 1).teamBegin(0).enter(0, kParallel).call(0, end, "work");
        trace.on(rank, 1).enter(end, kBarrier).leave(end).leave(end).teamEnd(end);
    }
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 31);
    EXPECT_EQ(run.with("balance work"), 21);  // 20 each
}

TEST(LocksFree, nobodyWaitsForThem) {
    constexpr auto* kCritical = "!$omp critical @x.c:2";
    TraceBuilder trace(1, 2);
    trace.on(0, 0).enter(0, "main").fork(0, 2).teamBegin(0).enter(0, kParallel);
    trace.on(0, 0).enter(0, kCritical).acquire(0, 0, 1).release(10, 0, 1).leave(10);
    trace.on(0, 0).enter(10, kBarrier).leave(20).leave(20).teamEnd(20).join(20).leave(20);
    trace.on(0, 1).teamBegin(0).enter(0, kParallel).enter(0, kCritical).acquire(10, 0, 2).release(20, 0, 2);
    trace.on(0, 1).leave(20).enter(20, kBarrier).leave(20).leave(20).teamEnd(20);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 20);
    EXPECT_EQ(run.with("locks free"), 10);
    EXPECT_EQ(run.with("speedup main=2"), 10);  // both sections are shorter, one after the other
}

TEST(CpuRatio, ofANode_isForItsProcesses) {
    TraceBuilder trace(2);
    trace.nodes(2);
    for (const unsigned rank : {0U, 1U})
        trace.on(rank).enter(0, "main").call(0, 40, "work").barrier(40, 42).leave(42);
    const Predicted run(trace);
    EXPECT_EQ(run.with("cpu ratio node1=0.8"), 52);  // 40 / 0.8 + 2
    EXPECT_THROW(run.with("cpu ratio elsewhere=2"), Error);
}

/// Thread 1 is made at 2 and works for 20; the first one waits for it from 10 on, and works for 5 more.
TEST(ThreadJoin, endsWhenTheThreadDoes) {
    TraceBuilder trace(1, 2);
    trace.region("pthread_join", {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
    const OTF2_CommRef threads = trace.team(0, {0, 1});
    const OTF2_TimeStamp created = trace.timestamp(2);
    const OTF2_TimeStamp begun = trace.timestamp(3);
    trace.on(0, 0).enter(0, "main").call(0, 2, "prepare").record([=](OTF2_EvtWriter* out) {
        return OTF2_EvtWriter_ThreadCreate(out, nullptr, created, threads, 1);
    });
    trace.on(0, 0).call(10, 24, "pthread_join").call(24, 29, "finish").leave(29);
    trace.on(0, 1).record(
        [=](OTF2_EvtWriter* out) { return OTF2_EvtWriter_ThreadBegin(out, nullptr, begun, threads, 1); });
    trace.on(0, 1).enter(3, "work").leave(23);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 29);
    EXPECT_EQ(run.with("speedup work=2"), 19);     // 3 + 10, then 1 and 5
    EXPECT_EQ(run.with("speedup prepare=2"), 28);  // all begins one earlier
}

}  // namespace
}  // namespace holos::testing
