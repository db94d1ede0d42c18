// SPDX-License-Identifier: BSD-3-Clause
// Times in which threads could run and had no processor.
#include <gtest/gtest.h>

#include <string>

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

}  // namespace
}  // namespace holos::testing
