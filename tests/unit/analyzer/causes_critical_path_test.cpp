// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "tests/support/barrier_trace.h"
#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

/// Rank 1 waits for rank 0's message and then works on; it is the last to finalize.
class LateMessage : public ::testing::Test {
  protected:
    LateMessage() : trace_(2) {
        trace_.on(0).enter(0, "main").call(1, 8, "work").send(8, 9, {.peer = 1});
        trace_.on(0).call(10, 12, "MPI_Finalize").leave(12);
        trace_.on(1).enter(0, "main").call(1, 2, "work").recv(2, 9, {.peer = 0}).call(9, 11, "rest");
        trace_.on(1).call(11, 12, "MPI_Finalize").leave(12);
    }
    TraceBuilder trace_;
};

TEST_F(LateMessage, criticalPath_changesToTheSender) {
    const Findings found(trace_);
    EXPECT_NEAR(found.at("critical_path", "main", 0), 0.001, kExact);           // 0 to 1
    EXPECT_NEAR(found.at("critical_path", "main/work", 0), 0.007, kExact);      // 1 to 8
    EXPECT_NEAR(found.at("critical_path", "main/MPI_Recv", 1), 0.001, kExact);  // 8 to 9
    EXPECT_NEAR(found.at("critical_path", "main/rest", 1), 0.002, kExact);      // 9 to 11
    EXPECT_NEAR(found.total("critical_path"), 0.011, kExact);                   // up to the last MPI_Finalize
}

TEST_F(LateMessage, criticalPathImbalance_isWhatExceedsTheAverage) {
    const Findings found(trace_);
    EXPECT_NEAR(found.at("critical_path_imbalance", "main/work", 0), 0.003, kExact);  // 7 - (7 + 1) / 2
    EXPECT_NEAR(found.at("critical_path_imbalance", "main/rest", 1), 0.001, kExact);  // 2 - 2 / 2
}

TEST_F(LateMessage, impact_dividesActivitiesByTheCriticalPath) {
    const Findings found(trace_);
    EXPECT_NEAR(found.at("critical_path_activities", "main/work", 0), 0.007, kExact);
    EXPECT_NEAR(found.at("critical_path_activities", "main/work", 1), 0.001, kExact);
    EXPECT_NEAR(found.at("non_critical_path_activities", "main", 0), 0.001, kExact);  // 9 to 10
    EXPECT_NEAR(found.at("non_critical_path_activities", "main/MPI_Send", 0), 0.001, kExact);
    EXPECT_EQ(found.at("non_critical_path_activities", "main/work", 1), 0);
}

TEST(CriticalPath, noWaiting_isTheLastProcessAlone) {
    TraceBuilder trace(2);
    trace.on(0)
        .enter(0, "main")
        .call(0, 3, "work")
        .send(3, 4, {.peer = 1})
        .call(4, 6, "MPI_Finalize")
        .leave(6);
    trace.on(1)
        .enter(0, "main")
        .call(0, 4, "work")
        .recv(4, 5, {.peer = 0})
        .call(5, 6, "MPI_Finalize")
        .leave(6);
    const Findings found(trace);
    EXPECT_NEAR(found.at("critical_path", "main/work", 1), 0.004, kExact);
    EXPECT_NEAR(found.at("critical_path", "main/MPI_Recv", 1), 0.001, kExact);
    EXPECT_EQ(found.at("critical_path", "main/work", 0), 0);
    EXPECT_NEAR(found.total("critical_path"), 0.005, kExact);
}

TEST(CriticalPath, ofThreads_followsTheLastOneToTheBarrier) {
    TraceBuilder trace(1, 2);
    tellSlowThread(trace);
    const Findings found(trace);
    const std::string work = "main/!$omp parallel @test.c:10/work";
    EXPECT_NEAR(found.at("critical_path", "main", 0), 0.004, kExact);
    EXPECT_NEAR(found.at("critical_path", work, 0, 1), 0.007, kExact);
    EXPECT_EQ(found.at("critical_path", work, 0, 0), 0);
    EXPECT_NEAR(found.total("critical_path"), 0.013, kExact);  // the whole run
}

TEST(PerformanceImpact, manyShortCallPaths_allOfThemCount) {
    constexpr Tick kPaths = 200;
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank) {
        trace.on(rank).enter(0, "main");
        for (Tick i = 0; i < kPaths; ++i) trace.on(rank).call(i, i + 1, "f" + std::to_string(i));
        trace.on(rank).barrier(kPaths, kPaths + 1).leave(kPaths + 1);
    }
    const Findings found(trace);
    for (unsigned rank = 0; rank < 2; ++rank) {
        EXPECT_NEAR(found.at("critical_path_activities", "main/f0", rank), 0.001, kExact);
        EXPECT_NEAR(found.at("critical_path_activities", "main/f199", rank), 0.001, kExact);
    }
    EXPECT_NEAR(found.total("critical_path_activities"), 2 * 0.201, kExact);
    EXPECT_EQ(found.total("non_critical_path_activities"), 0);
}

// Each of two receives is over before the other process sends, and that one sends after its own: by clocks
// that disagree, the path would go round forever.
TEST(CriticalPath, messagesThatContradictEachOther_comesToAnEnd) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").recv(1, 2, {.peer = 1}).send(5, 6, {.peer = 1}).leave(10);
    trace.on(1).enter(0, "main").recv(1, 3, {.peer = 0}).send(7, 8, {.peer = 0}).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.total("mpi_latesender"), 0.003, kExact);  // 2 - 1 and 3 - 1
    EXPECT_GT(found.total("critical_path"), 0);
    EXPECT_LE(found.total("critical_path"), 0.010 + kExact);
}

/// The message and the barrier are waited for in one call, one after the other.
TEST(CriticalPath, callThatWaitsTwice_isOnItFromTheEndOfTheLastWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").startCollective(1, 1, 1, "MPI_Ibarrier").irecv(1, 2, 2);
    trace.on(0).enter(2, "MPI_Waitall").receiveCompleted(10, {.peer = 1}, 2);
    trace.on(0).collectiveCompleted(10, OTF2_COLLECTIVE_OP_BARRIER, {}, 1).leave(10).leave(12);
    trace.on(1).enter(0, "main").send(4, 5, {.peer = 0}).startCollective(9, 9, 1, "MPI_Ibarrier");
    trace.on(1).waitCollective(9, 10, OTF2_COLLECTIVE_OP_BARRIER, {}, 1).leave(12);
    const Findings found(trace);
    EXPECT_NEAR(found.at("critical_path", "main/MPI_Waitall", 0), 0.001, kExact);  // 9 to 10
    EXPECT_NEAR(found.total("critical_path"), 0.012, kExact);
}

/// The message was received before it was sent.
TEST(CriticalPath, waitThatClocksContradict_hasNoMomentTwice) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").recv(1, 3, {.peer = 1}).call(3, 10, "work").leave(12);
    trace.on(1).enter(0, "main").call(0, 8, "slow").send(8, 9, {.peer = 0}).leave(12);
    const Findings found(trace);
    EXPECT_NEAR(found.at("critical_path", "main/work", 0), 0.007, kExact);
    EXPECT_NEAR(found.at("critical_path", "main/slow", 1), 0.003, kExact);  // 0 to 3: then it is rank 0
    EXPECT_NEAR(found.total("critical_path"), 0.012, kExact);
}

TEST(CriticalPath, noTimeAtAll_isEmpty) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").leave(0);
    trace.on(1).enter(0, "main").leave(0);
    EXPECT_EQ(Findings(trace).total("critical_path"), 0);
}

/// No creation of threads is recorded.
TEST(CriticalPath, threadsWithoutAnythingInCommon_isTheLongest) {
    TraceBuilder trace(1, 3);
    trace.on(0, 0).call(0, 2, "work");
    trace.on(0, 1).call(0, 9, "work");
    trace.on(0, 2).call(0, 5, "work");
    const Findings found(trace);
    EXPECT_NEAR(found.at("critical_path", "work", 0, 1), 0.009, kExact);
    EXPECT_NEAR(found.total("critical_path"), 0.009, kExact);
}

TEST(CriticalPath, firstThreadWithoutEvents_isThatOfAnother) {
    TraceBuilder trace(1, 2);
    trace.on(0, 1).call(3, 9, "work");
    EXPECT_NEAR(Findings(trace).total("critical_path"), 0.006, kExact);
}

}  // namespace
}  // namespace holos::testing
