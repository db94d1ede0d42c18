// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "tests/support/barrier_trace.h"
#include "tests/support/findings.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

/// Rank 0 works for 7 ticks and then sends; rank 1 has done its share after one.
void lateSender(TraceBuilder& trace) {
    trace.on(0).enter(0, "main").call(1, 8, "work").send(8, 9, {.peer = 1});
    trace.on(1).enter(0, "main").call(1, 2, "work").recv(2, 9, {.peer = 0});
}

TEST(DelayCosts, lateSender_workThatTookLongerIsToBlame) {
    TraceBuilder trace(2);
    lateSender(trace);
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("delay_latesender", "main/work", 0), 0.006, kExact);  // wait 8 - 2, delay 7 - 1
    EXPECT_NEAR(found.total("delay"), 0.006, kExact);
    EXPECT_EQ(found.total("delay_latesender_longterm"), 0);
    EXPECT_NEAR(found.total("mpi_wait_direct_latesender"), 0.006, kExact);
    EXPECT_NEAR(found.total("mpi_wait_terminal_ls"), 0.006, kExact);
    EXPECT_EQ(found.total("mpi_wait_propagating"), 0);
}

TEST(DelayCosts, receiverNotEarly_nobodyIsToBlame) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(1, 2, "work").send(2, 3, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").call(1, 8, "work").recv(8, 9, {.peer = 0}).leave(10);
    EXPECT_EQ(Findings(trace).total("delay"), 0);
}

TEST(DelayCosts, bothEndsAtOnce_nobodyIsToBlame) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(1, 4, "work").send(4, 5, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").call(1, 4, "work").recv(4, 5, {.peer = 0}).leave(10);
    EXPECT_EQ(Findings(trace).total("delay"), 0);
}

TEST(DelayCosts, chainOfWaits_firstDelayPaysForAll) {
    TraceBuilder trace(3);
    lateSender(trace);
    trace.on(0).leave(20);
    trace.on(1).send(9, 10, {.peer = 2}).leave(20);
    trace.on(2).enter(0, "main").call(1, 2, "work").recv(2, 10, {.peer = 1}).leave(20);
    const Findings found(trace);
    // Rank 2 waits 9 - 2 = 7, of which 6 are rank 1's own wait and 1 is what its receive took beside that.
    EXPECT_NEAR(found.at("delay_latesender", "main/work", 0), 0.006, kExact);
    EXPECT_NEAR(found.at("delay_latesender", "main/MPI_Recv", 1), 0.001, kExact);
    EXPECT_NEAR(found.at("delay_latesender_longterm", "main/work", 0), 0.006, kExact);
    EXPECT_NEAR(found.total("delay"), 0.013, kExact);  // all waiting is explained
    EXPECT_NEAR(found.at("mpi_wait_propagating_ls", "main/MPI_Recv", 1), 0.006, kExact);
    EXPECT_NEAR(found.at("mpi_wait_terminal_ls", "main/MPI_Recv", 2), 0.007, kExact);
    EXPECT_NEAR(found.at("mpi_wait_indirect_latesender", "main/MPI_Recv", 2), 0.006, kExact);
    EXPECT_NEAR(found.at("mpi_wait_direct_latesender", "main/MPI_Recv", 2), 0.001, kExact);
}

TEST(DelayCosts, lateReceiver_shareOfTheDelayThatWasWaitedFor) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(1, 8, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").call(0, 6, "work").recv(6, 8, {.peer = 0}).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("delay_latereceiver", "main/work", 1), 0.005, kExact);  // wait 6 - 1, delay 6
    EXPECT_NEAR(found.total("delay"), 0.005, kExact);
}

TEST(DelayCosts, barrier_latestRankPaysForEveryWaitingOne) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").call(0, 1, "work").barrier(1, 8).leave(10);
    trace.on(1).enter(0, "main").call(0, 4, "work").barrier(4, 8).leave(10);
    trace.on(2).enter(0, "main").call(0, 6, "work").barrier(6, 8).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("delay_barrier", "main/work", 2), 0.007, kExact);  // 5 + 2
    EXPECT_NEAR(found.total("delay"), 0.007, kExact);
}

TEST(DelayCosts, secondBarrier_onlyTimeSinceTheFirstCounts) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 5, "early").barrier(5, 6).barrier(6, 9).leave(10);
    trace.on(1).enter(0, "main").barrier(5, 6).call(6, 8, "late").barrier(8, 9).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("delay_barrier", "main/late", 1), 0.002, kExact);
    EXPECT_NEAR(found.total("delay"), 0.002, kExact);
}

// Rank 2 has to wait for rank 1, and rank 3 for rank 2's data, which need rank 1's; rank 0 for nobody.
TEST(DelayCosts, scan_latestRankBelowPays) {
    TraceBuilder trace(4);
    constexpr Tick kArrivals[] = {1, 6, 4, 3};
    for (unsigned rank = 0; rank < 4; ++rank) {
        const Tick own = kArrivals[rank];
        const Tick end = rank == 0 ? 2 : 7;
        trace.on(rank).enter(0, "main").call(0, own, "work");
        trace.on(rank).collective(own, end, OTF2_COLLECTIVE_OP_SCAN, {.sent = 8, .received = 8}).leave(10);
    }
    const Findings found(trace);
    EXPECT_NEAR(found.at("delay_scan", "main/work", 1), 0.005, kExact);  // 6 - 4 and 6 - 3
    EXPECT_NEAR(found.total("delay"), 0.005, kExact);
}

TEST(DelayCosts, finalize_lastRankPays) {
    TraceBuilder trace(3);
    constexpr Tick kArrivals[] = {2, 9, 6};
    for (unsigned rank = 0; rank < 3; ++rank)
        trace.on(rank)
            .enter(0, "main")
            .call(0, kArrivals[rank], "work")
            .call(kArrivals[rank], 10, "MPI_Finalize")
            .leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.total("mpi_finalize_wait"), 0.010, kExact);
    EXPECT_NEAR(found.at("delay_finalize", "main/work", 1), 0.010, kExact);  // 9 - 2 and 9 - 6
    EXPECT_NEAR(found.total("delay"), 0.010, kExact);
}

// Rank 0 comes late to the end because it waits for rank 2, which worked longer.
TEST(DelayCosts, waitBeforeFinalize_costsAreHandedOn) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").recv(0, 7, {.peer = 2}).call(7, 9, "MPI_Finalize").leave(9);
    trace.on(1).enter(0, "main").call(0, 9, "MPI_Finalize").leave(9);
    trace.on(2)
        .enter(0, "main")
        .call(0, 6, "work")
        .send(6, 7, {.peer = 0})
        .call(7, 9, "MPI_Finalize")
        .leave(9);
    const Findings found(trace);
    EXPECT_NEAR(found.at("delay_latesender", "main/work", 2), 0.006, kExact);
    // Rank 1 waits 7: 6 for rank 0's own wait, 1 for what its receive took beside that.
    EXPECT_NEAR(found.at("delay_finalize", "main/MPI_Recv", 0), 0.001, kExact);
    EXPECT_NEAR(found.at("delay_finalize_longterm", "main/work", 2), 0.006, kExact);
    EXPECT_NEAR(found.total("delay"), 0.013, kExact);
}

TEST(DelayCosts, openMpBarrier_slowThreadAndSerialMaster) {
    TraceBuilder trace(1, 2);
    tellSlowThread(trace);
    const Findings found(trace);
    const std::string work = "main/!$omp parallel @test.c:10/work";
    EXPECT_NEAR(found.at("delay_ompbarrier", work, 0, 1), 0.006, kExact);  // 8 - 2
    EXPECT_NEAR(found.total("delay_ompbarrier_aggregate"), 0.006, kExact);
    EXPECT_NEAR(found.at("delay_ompidle", "main", 0), 0.004, kExact);  // 0 to 1 and 10 to 13
    EXPECT_EQ(found.total("delay_ompidle_longterm"), 0);
}

// Thread 0 has a task to do while it waits.
TEST(DelayCosts, openMpBarrier_tasksExecutedMeanwhileAreNoWait) {
    constexpr auto* kParallel = "!$omp parallel @test.c:10";
    constexpr auto* kBarrier = "!$omp barrier @test.c:12";
    constexpr auto* kTask = "!$omp task @test.c:11";
    TraceBuilder trace(1, 2);
    trace.region(kTask, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK, "test.c"});
    trace.on(0).enter(0, "main").fork(0, 2);
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).teamBegin(0).enter(0, kParallel);
    trace.on(0, 0).enter(1, kBarrier).switchTask(2, 1).enter(2, kTask).leave(5).completeTask(5, 1);
    trace.on(0, 0).switchTask(5, 0).leave(9).leave(10).teamEnd(10);
    trace.on(0, 1).call(0, 8, "work").call(8, 9, kBarrier).leave(10).teamEnd(10);
    trace.on(0).join(10).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.total("omp_ebarrier_wait"), 0.004, kExact);  // 8 - 1 without 5 - 2
    EXPECT_NEAR(found.at("delay_ompbarrier", "main/!$omp parallel @test.c:10/work", 0, 1), 0.004, kExact);
    EXPECT_NEAR(found.total("delay_ompbarrier_aggregate"), 0.004, kExact);
}

// Thread 0 has two tasks to do while it waits, of which the second one has a team with a barrier of its own.
TEST(DelayCosts, openMpBarrier_tasksWithBarriersAreNoWaitEither) {
    constexpr auto* kOuter = "!$omp parallel @test.c:10";
    constexpr auto* kInner = "!$omp parallel @test.c:20";
    constexpr auto* kBarrier = "!$omp barrier @test.c:12";
    constexpr auto* kTask = "!$omp task @test.c:11";
    TraceBuilder trace(1, 3);
    trace.region(kTask, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK, "test.c"});
    const auto outer = trace.team(0, {0, 1});
    const auto inner = trace.team(0, {0, 2});
    trace.on(0).enter(0, "main").fork(0, 2);
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).teamBegin(0, outer).enter(0, kOuter);
    trace.on(0).enter(1, kBarrier).switchTask(2, 1).enter(2, kTask).leave(4).completeTask(4, 1);
    trace.on(0).switchTask(4, 2).enter(4, kTask).fork(4, 2).teamBegin(4, inner).enter(4, kInner);
    trace.on(0).call(6, 7, kBarrier).leave(8).teamEnd(8, inner).join(8).leave(8).completeTask(8, 2);
    trace.on(0).switchTask(8, 0).leave(11).leave(12).teamEnd(12, outer).join(12).leave(12);
    trace.on(0, 1).call(0, 10, "work").call(10, 11, kBarrier).leave(12).teamEnd(12, outer);
    trace.on(0, 2).teamBegin(4, inner).enter(4, kInner).call(5, 7, kBarrier).leave(8).teamEnd(8, inner);
    const Findings found(trace);
    EXPECT_NEAR(found.total("omp_ebarrier_wait"), 0.004,
                kExact);  // 10 - 1 without 4 - 2 and 8 - 4, and 6 - 5
    EXPECT_NEAR(found.at("delay_ompbarrier", "main/!$omp parallel @test.c:10/work", 0, 1), 0.003, kExact);
    EXPECT_LE(found.total("delay_ompbarrier_aggregate"), 0.004 + kExact);
}

/// Of two processes, rank 0 is late to a barrier because its master waits for a thread; the last that both
/// had in common is a message.
void lateBecauseOfThread(TraceBuilder& trace) {
    constexpr auto* kParallel = "!$omp parallel @test.c:10";
    constexpr auto* kBarrier = "!$omp barrier @test.c:12";
    trace.on(0).enter(0, "main").send(1, 2, {.peer = 1}).fork(2, 2);
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).teamBegin(2).enter(2, kParallel);
    trace.on(0, 0).call(2, 9, kBarrier).leave(9).teamEnd(9);
    trace.on(0, 1).call(2, 8, "work").call(8, 9, kBarrier).leave(9).teamEnd(9);
    trace.on(0).join(9).barrier(9, 10).leave(10);
    trace.on(1).enter(0, "main").recv(0, 2, {.peer = 0}).barrier(2, 10).leave(10);
}

TEST(DelayCosts, waitForAThread_itsWorkPaysForTheMpiBarrier) {
    TraceBuilder trace(2, 2);
    lateBecauseOfThread(trace);
    const Findings found(trace);
    const std::string parallel = "main/!$omp parallel @test.c:10";
    // Rank 1 waits 7: 6 for the master's own wait, 1 for what its barrier took beside that.
    EXPECT_NEAR(found.at("delay_barrier", parallel + "/!$omp barrier @test.c:12", 0), 0.001, kExact);
    EXPECT_NEAR(found.at("delay_barrier_longterm", parallel + "/work", 0, 1), 0.006, kExact);
    EXPECT_NEAR(found.total("delay_barrier_aggregate"), found.total("mpi_barrier_wait"), kExact);
    EXPECT_NEAR(found.at("delay_ompbarrier", parallel + "/work", 0, 1), 0.006, kExact);
}

// A thread of rank 1 waits for its master, that for a message of rank 0, and rank 0's master for its thread.
TEST(DelayCosts, barrierBehindABarrierOfAnotherProcess_costsAreHandedOn) {
    constexpr auto* kParallel = "!$omp parallel @test.c:10";
    constexpr auto* kBarrier = "!$omp barrier @test.c:12";
    TraceBuilder trace(2, 2);
    for (unsigned rank = 0; rank < 2; ++rank) {
        trace.on(rank).enter(0, "main").fork(1, 2);
        for (unsigned thread = 0; thread < 2; ++thread)
            trace.on(rank, thread).teamBegin(1).enter(1, kParallel);
    }
    trace.on(0, 0).call(1, 7, kBarrier).leave(8).teamEnd(8).join(8).send(8, 9, {.peer = 1}).leave(20);
    trace.on(0, 1).call(1, 7, "work").call(7, 7, kBarrier).leave(8).teamEnd(8);
    trace.on(1, 0).recv(1, 9, {.peer = 0}).call(9, 10, kBarrier).leave(10).teamEnd(10).join(10).leave(20);
    trace.on(1, 1).call(2, 10, kBarrier).leave(10).teamEnd(10);
    const Findings found(trace);
    EXPECT_NEAR(found.total("omp_ebarrier_wait"), 0.013, kExact);  // 7 - 1 and 9 - 2
    const std::string parallel = "main/!$omp parallel @test.c:10";
    // Of rank 1's 7, 1/8 is the receive's own time; of the rest 1/7 is rank 0's in the region.
    EXPECT_NEAR(found.at("delay_ompbarrier", parallel + "/MPI_Recv", 1), 0.007 / 8, kExact);
    EXPECT_NEAR(found.at("delay_ompbarrier_longterm", parallel, 0), 0.007 * 7 / 8 / 7, kExact);
    EXPECT_NEAR(found.at("delay_ompbarrier_longterm", parallel + "/work", 0, 1), 0.007 * 7 / 8 * 6 / 7,
                kExact);
    EXPECT_NEAR(found.total("delay_ompbarrier_aggregate"), 0.013, kExact);
    EXPECT_NEAR(found.total("delay_latesender_aggregate"), 0.007, kExact);
}

TEST(DelayCosts, asScalasca_longTermCostsOfTwoProcessesAreLost) {
    TraceBuilder trace(2, 2);
    lateBecauseOfThread(trace);
    analyzer::AnalysisOptions options;
    options.causesAsScalasca = true;
    const Findings found(trace, options);
    EXPECT_NEAR(found.total("delay_barrier"), 0.001, kExact);
    EXPECT_EQ(found.total("delay_barrier_longterm"), 0);
}

TEST(DelayCosts, causesNotWanted_areLeftOut) {
    TraceBuilder trace(2);
    lateSender(trace);
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).leave(20);
    const TemporaryDirectory directory;
    analyzer::AnalysisOptions options;
    options.causes = false;
    const auto result = analyzer::analyze(trace.write(directory.path()), options);
    EXPECT_TRUE(result.experiment.findMetric("mpi_latesender"));
    EXPECT_FALSE(result.experiment.findMetric("delay"));
    EXPECT_FALSE(result.experiment.findMetric("critical_path"));
}

}  // namespace
}  // namespace holos::testing
