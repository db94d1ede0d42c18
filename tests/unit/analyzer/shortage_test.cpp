// SPDX-License-Identifier: BSD-3-Clause
// Times in which threads could run and had no processor.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto* kInMessages = "mpi_point2point_processor_waiting";
constexpr auto* kWaited = "main/work/WAITING FOR A PROCESSOR";

TEST(Shortage, betweenEventsThatCompute_isNoComputation) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").enter(2, "work").leaveStarved(10, 3).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("processor_waiting", kWaited, 0), 0.003, kExact);
    EXPECT_NEAR(found.at("comp", "main/work", 0), 0.005, kExact);  // 8 - 3
    EXPECT_NEAR(found.total("comp"), 0.017, kExact);
    EXPECT_NEAR(found.total("time"), 0.020, kExact);
}

TEST(Shortage, beforeAnEnter_isThatOfTheCaller) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").enterStarved(5, "work", 2).leave(10).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("processor_waiting", "main/WAITING FOR A PROCESSOR", 0), 0.002, kExact);
    EXPECT_NEAR(found.at("comp", "main", 0), 0.013, kExact);  // 5 - 2, and 10
}

/// The kernel's clocks are read a little later than the event's.
TEST(Shortage, longerThanTheTimeBetweenEvents_isAllOfIt) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").enter(2, "work").leaveStarved(10, 30).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("processor_waiting", kWaited, 0), 0.008, kExact);
    EXPECT_NEAR(found.at("comp", "main/work", 0), 0, kExact);
}

TEST(Shortage, traceWithoutIt_hasNoMetricOfIt) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").call(2, 10, "work").leave(20);
    EXPECT_FALSE(Findings(trace).result().experiment.findMetric("processor_waiting"));
}

/// A thread that reads what is in memory, and does not sleep for it, was interrupted for 6 of 9 ticks. That
/// it lets others have its processor is no lack of one.
TEST(Shortage, inAFunctionOfTheSystem_isNoSleep) {
    for (const auto& [function, without] : {std::pair{"read", 0.006}, {"sched_yield", 0.0}}) {
        TraceBuilder trace(1);
        trace.region(function, {OTF2_PARADIGM_NONE, OTF2_REGION_ROLE_WRAPPER, "system"});
        trace.on(0).enter(0, "main").enter(2, function).leaveStarved(11, 6).leave(20);
        const Findings found(trace);
        const std::string path = std::string("main/") + function;
        EXPECT_NEAR(found.total("processor_waiting"), without, kExact) << function;
        EXPECT_NEAR(found.at("system_waiting", path, 0), 0.009 - without, kExact) << function;
        EXPECT_NEAR(found.total("comp"), 0.011, kExact) << function;
        EXPECT_NEAR(found.total("time"), 0.020, kExact) << function;
    }
}

/// What is longer than the call was before it.
TEST(Shortage, longerThanAFunctionOfTheSystem_isAllOfIt) {
    TraceBuilder trace(1);
    trace.region("read", {OTF2_PARADIGM_NONE, OTF2_REGION_ROLE_WRAPPER, "system"});
    trace.on(0).enter(0, "main").enter(2, "read").leaveStarved(11, 30).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("processor_waiting", "main/read/WAITING FOR A PROCESSOR", 0), 0.009, kExact);
    EXPECT_EQ(found.total("system_waiting"), 0);
    EXPECT_NEAR(found.total("comp"), 0.011, kExact);
}

/// Both have the same work.
TEST(Shortage, ofOneOfTwo_isNoImbalanceOfWork) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").enter(0, "work").leaveStarved(10, 4).leave(10);
    trace.on(1).enter(0, "main").call(0, 6, "work").leave(6);
    EXPECT_NEAR(Findings(trace).total("imbalance"), 0, kExact);
}

/// Rank 0 works for 3 ticks longer than rank 1, and has no processor for 4 more.
TEST(Shortage, ofASender_isToBlameForItsPartOfTheWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").enter(1, "work").leaveStarved(9, 4).send(9, 10, {.peer = 1}).leave(20);
    trace.on(1).enter(0, "main").call(1, 2, "work").recv(2, 10, {.peer = 0}).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Recv", 1), 0.007, kExact);
    EXPECT_NEAR(found.at("delay_latesender", kWaited, 0), 0.004, kRounding);
    EXPECT_NEAR(found.at("delay_latesender", "main/work", 0), 0.003, kRounding);
}

/// Polls that find nothing need no processor while the message is not sent yet: until 10.
TEST(Shortage, inPollsBeyondTheirWait_isOfTheirCalls) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").enter(5, "work").leaveStarved(6, 1).send(10, 11, {.peer = 1}).leave(90);
    trace.on(1).enter(0, "main").irecv(1, 2, 1);
    trace.on(1).enter(10, "MPI_Test").leaveStarved(30, 15).enter(30, "MPI_Test").leaveStarved(40, 5);
    trace.on(1).waitRecv(50, 51, {.peer = 0}, 1, "MPI_Test").leave(90);
    const Findings found(trace);
    EXPECT_EQ(found.total("mpi_latesender_polling"), 0);
    EXPECT_NEAR(found.at(kInMessages, "main/MPI_Test", 1), 0.020, kExact);  // 15 + 5
    TraceBuilder late(2);
    late.on(0).enter(0, "main").enter(5, "work").leaveStarved(6, 1).send(45, 46, {.peer = 1}).leave(90);
    late.on(1).enter(0, "main").irecv(1, 2, 1);
    late.on(1).enter(10, "MPI_Test").leaveStarved(30, 15).enter(30, "MPI_Test").leaveStarved(40, 5);
    late.on(1).waitRecv(50, 51, {.peer = 0}, 1, "MPI_Test").leave(90);
    const Findings waits(late);
    EXPECT_NEAR(waits.at("mpi_latesender_polling", "main/MPI_Test", 1), 0.030, kExact);
    EXPECT_EQ(waits.total(kInMessages), 0);
}

/// It waits for the sender until 50; then it has no processor for 6 ticks.
TEST(Shortage, inACallBeyondItsWait_isOfTheCall) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(50, 51, {.peer = 1}).leave(90);
    trace.on(1).enter(0, "main").recv(10, 57, {.peer = 0}).leave(90);
    TraceBuilder starved(2);
    starved.on(0).enter(0, "main").enter(5, "work").leaveStarved(6, 1).send(50, 51, {.peer = 1}).leave(90);
    starved.on(1)
        .enter(0, "main")
        .enter(10, "MPI_Recv")
        .received(57, {.peer = 0})
        .leaveStarved(57, 40)
        .leave(90);
    EXPECT_EQ(Findings(trace).total(kInMessages), 0);
    const Findings found(starved);
    EXPECT_NEAR(found.total("mpi_latesender"), 0.040, kExact);
    EXPECT_NEAR(found.at(kInMessages, "main/MPI_Recv", 1), 0.007, kExact);  // 57 - 50
}

/// Writers call it a function, as Score-P does: its time is none of messages, and no part of it may be.
TEST(Shortage, inTheStartOfRequestsThatWereMadeBefore_isNotOfMessages) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").enter(5, "MPI_Startall").sendPosted(6, {.peer = 1}, 7);
    trace.on(0).leaveStarved(30, 20).waitSend(40, 41, 7).leave(60);
    trace.on(1).enter(0, "main").recv(50, 51, {.peer = 0}).leave(60);
    const Findings found(trace);
    EXPECT_EQ(found.total(kInMessages), 0);
    EXPECT_NEAR(found.total("mpi_point2point"), 0.002, kExact);  // the wait for the request, and the receive
}

/// Rank 1 has no processor for 20 ticks behind its wait for rank 0, and rank 2 waits for what it sends then.
TEST(Shortage, inACallOfOneWhoIsWaitedFor_isToBlame) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").call(1, 10, "work").send(10, 11, {.peer = 1}).leave(60);
    trace.on(1).enter(0, "main").enter(2, "MPI_Recv").received(30, {.peer = 0}).leaveStarved(30, 25);
    trace.on(1).send(30, 31, {.peer = 2}).leave(60);
    trace.on(2).enter(0, "main").recv(2, 31, {.peer = 1}).leave(60);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Recv", 2), 0.028, kExact);
    EXPECT_NEAR(found.at("delay_latesender", "main/MPI_Recv/WAITING FOR A PROCESSOR", 1), 0.020, kRounding);
    EXPECT_NEAR(found.at("delay_latesender", "main/MPI_Recv", 1), 0, kRounding);
}

/// Both are together from 10 on. Rank 0 leaves at 12; rank 1 has no processor for 20 of the 30 ticks that it
/// needs to leave, and rank 0 waits for its message.
TEST(Shortage, behindACollectiveOperation_isNotItsCompletion) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").barrier(1, 12).recv(13, 45, {.peer = 1}).leave(60);
    trace.on(1).enter(0, "main").call(0, 10, "work").enter(10, "MPI_Barrier").collectiveBegin(10);
    trace.on(1)
        .collectiveEnd(40, OTF2_COLLECTIVE_OP_BARRIER, {.sent = 0, .received = 0})
        .leaveStarved(40, 20);
    trace.on(1).send(44, 45, {.peer = 0}).leave(60);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_sync_collective_processor_waiting", "main/MPI_Barrier", 1), 0.020, kExact);
    EXPECT_NEAR(found.at("mpi_barrier_completion", "main/MPI_Barrier", 1), 0.010,
                kExact);                                                         // 40 - 12 - (20 - 2)
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Recv", 0), 0.031, kExact);  // 44 - 13
    EXPECT_NEAR(found.at("delay_latesender", "main/MPI_Barrier/WAITING FOR A PROCESSOR", 1), 0.031 * 20 / 31,
                0.002);
}

/// Rank 0 gets no more than rank 1 sends, which is there: whether it needs what rank 2 sends from 30 on is
/// not known, unless both are through with large data at the same time. Until then it may wait; it was off
/// its processor for 35 ticks of its call.
TEST(Shortage, inAnExchangeWhoseWaitIsNotKnown_isWhatComesBehindTheLastOne) {
    struct Case {
        Tick last;
        std::uint64_t bytes;
        double wait;
    };
    for (const Case& one : {Case{30, 9, 0.0}, Case{30, 100'000, 0.027}, Case{2, 9, 0.0}}) {
        TraceBuilder trace(3);
        const Tick last = one.last;
        const auto exchange = [&](unsigned rank, Tick begin) -> LocationScript& {
            trace.on(rank).enter(0, "main").enter(begin, "MPI_Alltoallv").collectiveBegin(begin);
            return trace.on(rank).collectiveEnd(40, OTF2_COLLECTIVE_OP_ALLTOALLV,
                                                {.sent = one.bytes, .received = one.bytes});
        };
        exchange(0, 3).leaveStarved(40, 35).leave(60);
        exchange(1, 2).leave(40).leave(60);
        exchange(2, last).leave(40).leave(60);
        const Findings found(trace);
        EXPECT_NEAR(found.at("mpi_wait_nxn", "main/MPI_Alltoallv", 0), one.wait, kExact);
        EXPECT_NEAR(found.at("mpi_collective_processor_waiting", "main/MPI_Alltoallv", 0),
                    last == 30 ? 0.010 : 0.035, kExact);  // 40 - 30, or all of it
    }
}

/// Rank 1 was back for the message at 40, and rank 0 went on at 60: whether it waited until 40 is not known,
/// so that its lack of a processor is none before that.
TEST(Shortage, whileThePartnerIsOutsideOfMpi_isNotKnownToBeOne) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").isend(1, 2, {.peer = 1}, 1).enter(3, "MPI_Wait").sendCompleted(60, 1);
    trace.on(0).leaveStarved(60, 57).leave(70);
    trace.on(1)
        .enter(0, "main")
        .irecv(1, 2, 1)
        .call(2, 40, "work")
        .waitRecv(40, 65, {.peer = 0}, 1)
        .leave(70);
    const Findings found(trace);
    EXPECT_EQ(found.total("mpi_lateprogress"), 0);
    EXPECT_NEAR(found.at(kInMessages, "main/MPI_Wait", 0), 0.020, kExact);  // 60 - 40
    EXPECT_NEAR(found.at("mpi_point2point_unexplained", "main/MPI_Wait", 0), 0.037, kExact);
}

/// Both ends of a large message are through at 60, and rank 0 had no processor since rank 1 was back at 40:
/// so nothing had moved before.
TEST(Shortage, behindALargeMessage_isTakenOutOfTheTimeSinceThePartnerCameBack) {
    for (const std::uint64_t bytes : {100'000, 8}) {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").isend(1, 2, {.peer = 1, .bytes = bytes}, 1).enter(3, "MPI_Wait");
        trace.on(0).sendCompleted(60, 1).leaveStarved(60, 57).leave(70);
        trace.on(1).enter(0, "main").irecv(1, 2, 1).call(2, 40, "work");
        trace.on(1).waitRecv(40, 60, {.peer = 0, .bytes = bytes}, 1).leave(70);
        const Findings found(trace);
        const double late = bytes == 8 ? 0 : 0.037;
        EXPECT_NEAR(found.at("mpi_lateprogress", "main/MPI_Wait", 0), late, kExact);  // 40 - 3
        EXPECT_NEAR(found.total("delay_lateprogress"), late, kRounding);
        EXPECT_NEAR(found.at(kInMessages, "main/MPI_Wait", 0), 0.020, kExact);
    }
}

/// The root sends from 1 on, through rank 1 to rank 2. Rank 1 is late, and rank 2 is through soon after, or
/// at the same time as rank 1, and had no processor since that came.
TEST(Shortage, inABroadcast_isNoneWhileDataPassThroughALateRank) {
    for (const auto& [through, lateRank] : {std::pair<Tick, Tick>{42, 41}, {60, 41}, {60, 60}}) {
        constexpr std::uint64_t kBytes = 100'000;
        TraceBuilder trace(3);
        trace.on(0)
            .enter(0, "main")
            .collective(1, 5, OTF2_COLLECTIVE_OP_BCAST, {.sent = kBytes, .received = kBytes, .root = 0})
            .leave(90);
        trace.on(1).enter(0, "main").call(0, 40, "work");
        trace.on(1)
            .collective(40, lateRank, OTF2_COLLECTIVE_OP_BCAST, {.sent = 0, .received = kBytes, .root = 0})
            .leave(90);
        trace.on(2).enter(0, "main").enter(2, "MPI_Bcast").collectiveBegin(2);
        trace.on(2).collectiveEnd(through, OTF2_COLLECTIVE_OP_BCAST,
                                  {.sent = 0, .received = kBytes, .root = 0});
        trace.on(2).leaveStarved(through, through - 2).leave(90);
        const Findings found(trace);
        const bool isKnown = through == 42 || lateRank == through;
        EXPECT_NEAR(found.at("mpi_latemember", "main/MPI_Bcast", 2), isKnown ? 0.038 : 0.0, kExact);
        EXPECT_NEAR(found.total("delay_12n_aggregate"), isKnown ? 0.038 : 0.0, kExact);
        EXPECT_NEAR(found.at("mpi_collective_unexplained", "main/MPI_Bcast", 2), isKnown ? 0.0 : 0.038,
                    kExact);
        EXPECT_NEAR(found.at("mpi_collective_processor_waiting", "main/MPI_Bcast", 2),
                    through == 42 ? 0.002 : 0.020, kExact);  // since 40
    }
}

/// Thread 1 comes at 5. Thread 0 waits for it from 2 on, and has no processor for 7 ticks behind that: so
/// long thread 1 waits for it at the next barrier.
void starveAtBarrier(TraceBuilder& trace, const char* barrier) {
    trace.on(0).enter(0, "main").fork(1, 2);
    for (unsigned thread = 0; thread < 2; ++thread)
        trace.on(0, thread).teamBegin(1).enter(1, "!$omp parallel @test.c:10");
    trace.on(0, 0)
        .enter(2, barrier)
        .leaveStarved(12, 9)
        .call(12, 20, "work")
        .call(20, 20, "!$omp barrier @test.c:14");
    trace.on(0, 1).call(5, 5, barrier).call(5, 13, "work").call(13, 20, "!$omp barrier @test.c:14");
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).leave(20).teamEnd(20);
    trace.on(0).join(20).leave(21);
}

TEST(Shortage, atABarrierBehindItsWait_isATimeAndACauseOfItsOwn) {
    const std::string within = "main/!$omp parallel @test.c:10/";
    const std::string first = within + "!$omp barrier @test.c:12";
    const std::string second = within + "!$omp barrier @test.c:14";
    TraceBuilder trace(1, 2);
    starveAtBarrier(trace, "!$omp barrier @test.c:12");
    const Findings found(trace);
    EXPECT_NEAR(found.at("omp_ebarrier_wait", first, 0, 0), 0.003, kExact);               // 5 - 2
    EXPECT_NEAR(found.at("omp_ebarrier_processor_waiting", first, 0, 0), 0.007, kExact);  // 12 - 5
    EXPECT_NEAR(found.at("omp_ebarrier", first, 0, 0), 0.010, kExact);
    EXPECT_NEAR(found.at("omp_ebarrier_wait", second, 0, 1), 0.007, kExact);  // 20 - 13
    EXPECT_NEAR(found.at("delay_ompbarrier", first + "/WAITING FOR A PROCESSOR", 0, 0), 0.007, kRounding);
    EXPECT_NEAR(found.at("delay_ompbarrier", within + "work", 0, 0), 0, kRounding);
    EXPECT_EQ(found.total("omp_ibarrier_processor_waiting"), 0);
}

TEST(Shortage, atAnImplicitBarrier_isAMetricOfThose) {
    TraceBuilder trace(1, 2);
    starveAtBarrier(trace, "!$omp implicit barrier @test.c:12");
    const Findings found(trace);
    EXPECT_NEAR(found.total("omp_ibarrier_processor_waiting"), 0.007, kExact);
    EXPECT_EQ(found.total("omp_ebarrier_processor_waiting"), 0);
}

/// Nobody else has a processor for it meanwhile, either: it waits for all of its time.
TEST(Shortage, atABarrierWithinItsWait_countsAsWaiting) {
    TraceBuilder trace(1, 2);
    trace.on(0).enter(0, "main").fork(1, 2);
    for (unsigned thread = 0; thread < 2; ++thread)
        trace.on(0, thread).teamBegin(1).enter(1, "!$omp parallel @test.c:10");
    trace.on(0, 0).enter(2, "!$omp barrier @test.c:12").leaveStarved(12, 6);
    trace.on(0, 1).call(12, 12, "!$omp barrier @test.c:12");
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).leave(20).teamEnd(20);
    trace.on(0).join(20).leave(21);
    const Findings found(trace);
    EXPECT_NEAR(found.total("omp_ebarrier_wait"), 0.010, kExact);
    EXPECT_EQ(found.total("omp_ebarrier_processor_waiting"), 0);
}

constexpr auto* kParallel = "!$omp parallel @test.c:10";

/// It waits for nobody there, and the barrier takes 2 ticks by itself.
TEST(Shortage, atABarrierOfTheOnlyThreadOfAProcess_isNotTheBarriers) {
    const std::string barrier = "main/!$omp parallel @test.c:10/!$omp implicit barrier @test.c:10";
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").fork(1, 1).teamBegin(1).enter(1, kParallel).call(1, 5, "work");
    trace.on(0).enter(5, "!$omp implicit barrier @test.c:10").leaveStarved(14, 7);
    trace.on(0).leave(14).teamEnd(14).join(14).leave(15);
    const Findings found(trace);
    EXPECT_NEAR(found.at("processor_waiting", barrier + "/WAITING FOR A PROCESSOR", 0), 0.007, kExact);
    EXPECT_NEAR(found.at("omp_ibarrier", barrier, 0), 0.002, kExact);
    EXPECT_NEAR(found.total("comp"), 0.006, kExact);
    EXPECT_NEAR(found.total("time"), 0.015, kExact);
}
constexpr auto* kAtFork = "omp_fork_processor_waiting";

/// The master forks at 1 and comes to the barrier at 5. The worker begins at 8 and works for 4 ticks.
Findings lateWorker(Tick without, Tick asleepOrWithout) {
    TraceBuilder trace(1, 2);
    trace.on(0).enter(0, "main").fork(1, 2).teamBegin(1).enter(1, kParallel).call(1, 5, "work");
    trace.on(0, 1).teamBeginStarved(8, without, asleepOrWithout).enter(8, kParallel).call(8, 12, "work");
    trace.on(0, 0).call(5, 12, "!$omp implicit barrier @test.c:12").leave(12).teamEnd(12).join(12).leave(13);
    trace.on(0, 1).call(12, 12, "!$omp implicit barrier @test.c:12").leave(12).teamEnd(12);
    return Findings(trace);
}

TEST(Shortage, ofAWorkerAfterTheFork_isATimeAndACauseOfItsOwn) {
    const Findings found = lateWorker(30, 0);
    EXPECT_NEAR(found.total("omp_fork"), 0.007, kExact);
    EXPECT_NEAR(found.at(kAtFork, std::string("main/") + kParallel, 0, 1), 0.007, kExact);  // 8 - 1
    EXPECT_NEAR(found.total("omp_ibarrier_wait"), 0.007, kExact);
    EXPECT_NEAR(
        found.at("delay_ompbarrier", std::string("main/") + kParallel + "/WAITING FOR A PROCESSOR", 0, 1),
        0.007, kRounding);
}

/// The fork wakes it.
TEST(Shortage, ofAWorkerThatSleptUntilTheFork_isTheTimeSinceThen) {
    EXPECT_NEAR(lateWorker(0, 30).total(kAtFork), 0.007, kExact);
    EXPECT_NEAR(lateWorker(1, 2).total(kAtFork), 0.003, kExact);
}

TEST(Shortage, ofAWorkerOfWhichNothingIsTold_isNone) {
    const Findings found = lateWorker(0, 0);
    EXPECT_NEAR(found.total("omp_fork"), 0.007, kExact);
    EXPECT_EQ(found.total(kAtFork), 0);
}

/// The master first lacks a processor in its second parallel region, so that this call path is the last one.
TEST(Shortage, ofAMasterInALaterRegion_leavesNoWorkerIdle) {
    TraceBuilder trace(1, 2);
    trace.on(0).enter(0, "main");
    for (const Tick begin : {1, 21}) {
        trace.on(0).fork(begin, 2);
        for (unsigned thread = 0; thread < 2; ++thread)
            trace.on(0, thread).teamBegin(begin).enter(begin, kParallel);
        trace.on(0, 0).enterStarved(begin + 9, "!$omp implicit barrier @test.c:12", begin == 1 ? 0 : 6);
        trace.on(0, 1).enter(begin + 9, "!$omp implicit barrier @test.c:12");
        for (unsigned thread = 0; thread < 2; ++thread)
            trace.on(0, thread).leave(begin + 9).leave(begin + 9).teamEnd(begin + 9);
        trace.on(0).join(begin + 9).call(begin + 9, begin + 14, "between");
    }
    trace.on(0).leave(40);
    const Findings found(trace);
    const std::string waited = std::string("main/") + kParallel + "/WAITING FOR A PROCESSOR";
    EXPECT_NEAR(found.at("processor_waiting", waited, 0, 0), 0.006, kExact);
    EXPECT_EQ(found.at("omp_idle_threads", waited, 0, 1), 0);
    EXPECT_NEAR(found.total("omp_idle_threads"), 0.022, kExact);  // 40 - 2 * 9
    EXPECT_NEAR(found.total("time"), 0.080, kExact);              // of two threads
}

constexpr auto* kInCritical = "omp_critical_processor_waiting";

/// Thread 1 is in the section until 5. Thread 0 waits for it from 2 on, and enters at 12. Then it works until
/// 14, and thread 1 waits for it at the barrier.
Findings lateInSection(Tick without, Tick asleepOrWithout) {
    TraceBuilder trace(1, 2);
    const auto* const critical = "!$omp critical @test.c:11";
    const auto* const block = "!$omp critical sblock @test.c:11";
    trace.on(0).enter(0, "main").fork(0, 2);
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).teamBegin(0).enter(0, kParallel);
    trace.on(0, 1).enter(0, critical).acquire(0, 0, 1).enter(0, block).leave(5).release(5, 0, 1).leave(5);
    trace.on(0, 0).call(0, 2, "work").enter(2, critical).acquire(12, 0, 2).call(12, 14, block);
    trace.on(0, 0).release(14, 0, 2).leaveStarved(14, without, asleepOrWithout);
    trace.on(0, 0).call(14, 14, "!$omp implicit barrier @test.c:12");
    trace.on(0, 1).call(5, 14, "!$omp implicit barrier @test.c:12");
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).leave(14).teamEnd(14);
    trace.on(0).join(14).leave(15);
    return Findings(trace);
}

/// Without the time in the block, which is told before its end.
TEST(Shortage, inACriticalSectionWhoseBlockRan_isNoMoreThanWhatIsSureToBeOfTheSection) {
    EXPECT_EQ(lateInSection(9, 0).total(kInCritical), 0);
}

/// As `lateInSection`, and told at the begin of the block.
Findings lateAtBlock(Tick without, Tick asleepOrWithout) {
    TraceBuilder trace(1, 2);
    trace.on(0).enter(0, "main").fork(0, 2);
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).teamBegin(0).enter(0, kParallel);
    trace.on(0, 1).enter(0, "omp_set_lock").acquire(0, 0, 1).leave(0).call(0, 5, "work");
    trace.on(0, 1).enter(5, "omp_unset_lock").release(5, 0, 1).leave(5);
    trace.on(0, 0).call(0, 2, "work").enter(2, "omp_set_lock").acquire(12, 0, 2);
    trace.on(0, 0).leaveStarved(12, without, asleepOrWithout).call(12, 14, "work");
    trace.on(0, 0).enter(14, "omp_unset_lock").release(14, 0, 2).leave(14);
    trace.on(0, 0).call(14, 14, "!$omp implicit barrier @test.c:12");
    trace.on(0, 1).call(5, 14, "!$omp implicit barrier @test.c:12");
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).leave(14).teamEnd(14);
    trace.on(0).join(14).leave(15);
    return Findings(trace);
}

constexpr auto* kInLocks = "omp_lock_api_processor_waiting";

TEST(Shortage, behindTheWaitForALock_isATimeAndACauseOfItsOwn) {
    const Findings found = lateAtBlock(9, 0);
    const std::string lock = std::string("main/") + kParallel + "/omp_set_lock";
    EXPECT_NEAR(found.at("omp_lock_contention_api", lock, 0, 0), 0.003, kExact);  // 5 - 2
    EXPECT_NEAR(found.at(kInLocks, lock, 0, 0), 0.007, kExact);                   // 12 - 5
    EXPECT_NEAR(found.total("omp_ibarrier_wait"), 0.009, kExact);                 // 14 - 5
    EXPECT_NEAR(found.at("delay_ompbarrier", lock + "/WAITING FOR A PROCESSOR", 0, 0), 0.009 * 7 / 10,
                kRounding);
}

/// It is woken when the lock is free.
TEST(Shortage, ofAThreadThatSleptForALock_isItsTimeOffBeyondTheWait) {
    EXPECT_NEAR(lateAtBlock(0, 9).total(kInLocks), 0.006, kExact);  // 9 - 3
    EXPECT_NEAR(lateAtBlock(0, 3).total(kInLocks), 0, kExact);
    EXPECT_NEAR(lateAtBlock(0, 0).total(kInLocks), 0, kExact);
}

/// Thread 0 works in the critical section, and 4 of these 8 ticks it has no processor: thread 1 waits so much
/// longer.
TEST(Shortage, ofAThreadInACriticalSection_isToBlameForTheWaitOfOthers) {
    TraceBuilder trace(1, 2);
    const auto* const critical = "!$omp critical @test.c:11";
    const auto* const block = "!$omp critical sblock @test.c:11";
    trace.on(0).enter(0, "main").fork(0, 2);
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).teamBegin(0).enter(0, kParallel);
    trace.on(0, 0).enter(0, critical).acquire(0, 0, 1).enter(0, block).enter(0, "work").leaveStarved(8, 4);
    trace.on(0, 0).leave(8).release(8, 0, 1).leave(8);
    trace.on(0, 1).enter(0, critical).acquire(8, 0, 2).call(8, 10, block).release(10, 0, 2).leave(10);
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).leave(10).teamEnd(10);
    trace.on(0).join(10).leave(11);
    const Findings found(trace);
    EXPECT_NEAR(found.total("omp_lock_contention_critical"), 0.008, kExact);
    EXPECT_NEAR(found.at("delay_omp_lock",
                         std::string("main/") + kParallel + "/" + critical + "/" + block +
                             "/work/WAITING FOR A PROCESSOR",
                         0, 0),
                0.004, kRounding);
}

/// The leave tells of 5 ticks, of which only 1 is behind the release.
TEST(Shortage, longerThanTheTimeSinceALock_wasBeforeThat) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").enter(2, "work").acquire(2, 0, 1).release(9, 0, 1).leaveStarved(10, 5);
    trace.on(0).call(12, 13, "work").leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("processor_waiting", kWaited, 0), 0.005, kExact);
    EXPECT_NEAR(found.at("comp", "main/work", 0), 0.004, kExact);  // 8 - 5, and 1
    EXPECT_NEAR(found.total("time"), 0.020, kExact);
}

/// Where the event of the lock tells it, nothing is left to the leave.
TEST(Shortage, thatALockTells_isBeforeIt) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").enter(2, "work").releaseStarved(9, 0, 1, 5).leaveStarved(12, 2).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("processor_waiting", kWaited, 0), 0.007, kExact);
    EXPECT_NEAR(found.at("comp", "main/work", 0), 0.003, kExact);
    EXPECT_NEAR(found.total("time"), 0.020, kExact);
}

/// Thread 0 has the lock until 8, and had no processor for 4 of these ticks: as it tells when it leaves, or
/// with the release.
TEST(Shortage, ofAThreadWithALock_isToBlameForTheWaitOfOthers) {
    for (const bool isTold : {false, true}) {
        TraceBuilder trace(1, 2);
        const auto* const set = "omp_set_lock";
        trace.on(0).enter(0, "main").fork(0, 2);
        for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).teamBegin(0).enter(0, kParallel);
        trace.on(0, 0).enter(0, set).acquire(0, 0, 1).leave(0).enter(0, "work");
        if (isTold)
            trace.on(0, 0).releaseStarved(8, 0, 1, 4).leave(9);
        else
            trace.on(0, 0).release(8, 0, 1).leaveStarved(9, 5);
        trace.on(0, 1).enter(0, set).acquire(8, 0, 2).leave(8).release(9, 0, 2);
        for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).leave(10).teamEnd(10);
        trace.on(0).join(10).leave(11);
        const Findings found(trace);
        const std::string starved = std::string("main/") + kParallel + "/work/WAITING FOR A PROCESSOR";
        EXPECT_NEAR(found.total("omp_lock_contention_api"), 0.008, kExact);
        EXPECT_NEAR(found.at("delay_omp_lock", starved, 0, 0), 0.004, kRounding);
        EXPECT_NEAR(found.at("processor_waiting", starved, 0, 0), isTold ? 0.004 : 0.005, kExact);
    }
}

/// Counters are read when a region is entered, and before that.
TEST(Shortage, behindAReadingOfCounters_isBeforeThat) {
    TraceBuilder trace(1);
    const auto counters = trace.counters({{.name = "CYCLES"}});
    trace.on(0).counters(0, counters, {0}).enter(0, "main").counters(5, counters, {9});
    trace.on(0).enterStarved(5, "work", 2).leave(10).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("processor_waiting", "main/WAITING FOR A PROCESSOR", 0), 0.002, kExact);
    EXPECT_NEAR(found.at("comp", "main", 0), 0.013, kExact);
    EXPECT_NEAR(found.total("time"), 0.020, kExact);
}

/// Four calls and the times between them take 16 ticks, of which 8 are within the calls: of the 4 that the
/// next event tells of beyond its own, so many are between the calls.
TEST(Shortage, behindSeveralCalls_isBetweenThem_byTheirTime) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").call(10, 12, "MPI_Test").severalCalls(22, 30, "MPI_Test", 4, 16);
    trace.on(0).enterStarved(31, "work", 5).leave(40).enterStarved(42, "work", 30).leave(50).leave(60);
    const Findings found(trace);
    EXPECT_NEAR(found.at("processor_waiting", "main/WAITING FOR A PROCESSOR", 0), 0.005,
                kExact);                                      // 1 + 2 + 2
    EXPECT_NEAR(found.at("comp", "main", 0), 0.028, kExact);  // 33 - 5
    EXPECT_NEAR(found.total("time"), 0.060, kExact);
}

/// The other thread's task ends at 12; the call ends at 17.
TEST(Shortage, behindAWaitForTasks_isATimeOfItsOwn) {
    TraceBuilder trace(1, 2);
    const auto* const task = "!$omp task @test.c:13";
    const auto* const taskwait = "!$omp taskwait @test.c:15";
    trace.region(task, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK, "test.c"});
    trace.region(taskwait, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK_WAIT, "test.c"});
    trace.on(0).enter(0, "main").fork(0, 2);
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).teamBegin(0).enter(0, kParallel);
    trace.on(0, 0)
        .enter(1, taskwait)
        .leaveStarved(17, 0, 15)
        .call(17, 18, "!$omp implicit barrier @test.c:16");
    trace.on(0, 1).enter(1, "!$omp implicit barrier @test.c:16");
    trace.on(0, 1).switchTask(2, 1).call(2, 12, task).completeTask(12, 1).switchTask(12, 0).leave(18);
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).leave(18).teamEnd(18);
    trace.on(0).join(18).leave(19);
    const Findings found(trace);
    EXPECT_NEAR(found.total("omp_taskwait_wait"), 0.011, kExact);               // 12 - 1
    EXPECT_NEAR(found.total("omp_taskwait_processor_waiting"), 0.004, kExact);  // 15 - 11
}

/// A recorder looks at the kernel's clocks seldom while a program polls: what is longer than the call that
/// tells of it was in the polls before, if these ended just then.
TEST(Shortage, longerThanACall_wasInThePollsRightBefore) {
    for (const Tick looks : {26, 50}) {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").send(1, 2, {.peer = 1}).leave(60);
        trace.on(1).enter(0, "main").irecv(1, 2, 1).call(10, 25, "MPI_Test").enter(looks, "MPI_Wait");
        trace.on(1).receiveCompleted(looks + 1, {.peer = 0}, 1).leaveStarved(looks + 1, 14).leave(60);
        const Findings found(trace);
        EXPECT_NEAR(found.at(kInMessages, "main/MPI_Wait", 1), 0.001, kExact);
        EXPECT_NEAR(found.at(kInMessages, "main/MPI_Test", 1), looks == 26 ? 0.012 : 0, kExact);  // 14 - 2
    }
}

/// Calls that begin what others complete wait for nobody.
TEST(Shortage, inCallsThatBeginMessagesAndOperations_isNoCostOfThese) {
    TraceBuilder trace(2);
    const auto begins = [&](Tick begin, Tick end, std::uint64_t request, const char* name,
                            OTF2_RegionRole role) {
        const auto time = trace.timestamp(begin);
        trace.region(name, {OTF2_PARADIGM_MPI, role, "MPI"});
        trace.on(0)
            .enter(begin, name)
            .record([=](auto* out) {
                return OTF2_EvtWriter_NonBlockingCollectiveRequest(out, nullptr, time, request);
            })
            .leaveStarved(end, end - begin - 1);
    };
    trace.on(0).enter(0, "main").enter(1, "MPI_Irecv").receivePosted(1, 1).leaveStarved(11, 9);
    begins(11, 20, 2, "MPI_Ibarrier", OTF2_REGION_ROLE_BARRIER);
    begins(20, 25, 3, "MPI_Iallreduce", OTF2_REGION_ROLE_COLL_ALL2ALL);
    trace.on(0).waitRecv(25, 26, {.peer = 1}, 1).leave(40);
    trace.on(1).enter(0, "main").send(0, 1, {.peer = 0}).leave(40);
    const Findings found(trace);
    EXPECT_NEAR(found.at(kInMessages, "main/MPI_Irecv", 0), 0.009, kExact);
    EXPECT_NEAR(found.at("mpi_sync_collective_processor_waiting", "main/MPI_Ibarrier", 0), 0.008, kExact);
    EXPECT_NEAR(found.at("mpi_collective_processor_waiting", "main/MPI_Iallreduce", 0), 0.004, kExact);
}

/// In calls of which nobody knows what they wait for.
TEST(Shortage, inCallsWithoutKnownWaits_isThatOfWhichIsKnownThatTheyCouldRun) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").enter(1, "MPI_File_write").leaveStarved(9, 5, 2).leave(20);
    trace.on(1).enter(0, "main").enter(1, "MPI_Win_flush").leaveStarved(9, 50).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_io_individual_processor_waiting", "main/MPI_File_write", 0), 0.005, kExact);
    EXPECT_NEAR(found.at("mpi_rma_sync_passive_processor_waiting", "main/MPI_Win_flush", 1), 0.008, kExact);
}

/// Rank 1 is outside of MPI from 2 to 20, and the message of rank 0 moves then. Rank 0 has a processor for a
/// while and does not go on. It gets it back at 26.
TEST(Shortage, behindAWaitForProgress_doesNotHideIt) {
    for (const Tick without : {12, 0}) {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").isend(1, 2, {.peer = 1}, 7).enter(3, "MPI_Wait").sendCompleted(26, 7);
        trace.on(0).leaveStarved(26, without).leave(30);
        trace.on(1)
            .enter(0, "main")
            .irecv(1, 2, 9)
            .call(2, 20, "work")
            .waitRecv(20, 27, {.peer = 0}, 9)
            .leave(30);
        const Findings found(trace);
        EXPECT_NEAR(found.total("mpi_lateprogress"), without != 0 ? 0.017 : 0, kExact);  // 20 - 3
        EXPECT_NEAR(found.total(kInMessages), without != 0 ? 0.006 : 0, kExact);         // 26 - 20
    }
}

}  // namespace
}  // namespace holos::testing
