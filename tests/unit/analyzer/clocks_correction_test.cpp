// SPDX-License-Identifier: BSD-3-Clause
// Traces whose clocks disagree. One tick is a millisecond; at least 10 of them lie between events that follow
// each other, and a clock that jumped goes half as fast until it is back at its own time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/findings.h"
#include "tests/unit/analyzer/corrected_clocks.h"
#include "tests/unit/analyzer/window_trace.h"

namespace holos::testing {
namespace {

std::vector<std::string> violations(const Findings& found) {
    std::vector<std::string> all;
    for (const auto& diagnosis : found.result().diagnoses)
        if (diagnosis.trouble == analyzer::Trouble::ClockViolation)
            all.push_back(analyzer::diagnosisText(diagnosis));
    return all;
}

TEST(CorrectClocks, receiveBeforeSend_movesTheReceiveAndStretchesWhatCameBefore) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(20, 24, {.peer = 1}).leave(100);
    trace.on(1).enter(0, "main").call(4, 8, "work").recv(10, 12, {.peer = 0}).leave(100);
    const Findings found(trace, corrected());
    EXPECT_EQ(found.result().statistics.clockViolations, 1U);
    EXPECT_NEAR(found.result().statistics.largestCorrection, 0.018, kTolerance);
    // The receive comes to 20 + 10; from the start to where it was, every tick becomes 1 + 18 / 12.
    EXPECT_NEAR(found.at("time", "main/work", 1), 0.010, kTolerance);
    EXPECT_NEAR(found.at("time", "main/MPI_Recv", 1), 0.005, kTolerance);
    EXPECT_NEAR(found.at("time", "main", 1), 0.085, kTolerance);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Recv", 1), 0, kTolerance);
    EXPECT_NEAR(found.at("time", "main/MPI_Send", 0), 0.004, kTolerance);
}

TEST(CorrectClocks, sendBetween_keepsItsOwnReceive) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").recv(1, 18, {.peer = 1}).send(20, 24, {.peer = 1}).leave(100);
    trace.on(1).enter(0, "main").send(6, 8, {.peer = 0}).recv(10, 12, {.peer = 0}).leave(100);
    const Findings found(trace, corrected());
    // The send may come to 18 − 10 = 8, so that 6 … 12 becomes 8 … 30.
    EXPECT_NEAR(found.at("time", "main/MPI_Send", 1), 0.022 / 3, kTolerance);
    EXPECT_NEAR(found.at("time", "main/MPI_Recv", 1), 0.030 - (0.008 + 0.044 / 3), kTolerance);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Recv", 0), 0.007, kTolerance);
}

TEST(CorrectClocks, possibleOrder_changesNothing) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(20, 24, {.peer = 1}).leave(100);
    trace.on(1).enter(0, "main").recv(10, 32, {.peer = 0}).leave(100);
    const Findings found(trace, corrected());
    EXPECT_EQ(found.result().statistics.clockViolations, 0U);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Recv", 1), 0.010, kTolerance);
    EXPECT_NEAR(found.at("time", "main/MPI_Recv", 1), 0.022, kTolerance);
    EXPECT_FALSE(found.reported(analyzer::Trouble::ClockViolation));
}

TEST(CorrectClocks, barrierLeftTooEarly_isLeftAfterTheLastBegin) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").barrier(10, 20).leave(100);
    trace.on(1).enter(0, "main").barrier(30, 40).leave(100);
    const Findings found(trace, corrected());
    // The end comes from 20 to 30 + 10; the start from 10 to 20.
    EXPECT_NEAR(found.at("time", "main/MPI_Barrier", 0), 0.020, kTolerance);
    EXPECT_NEAR(found.at("mpi_barrier_wait", "main/MPI_Barrier", 0), 0.010, kTolerance);
    EXPECT_NEAR(found.at("time", "main/MPI_Barrier", 1), 0.010, kTolerance);
}

TEST(CorrectClocks, rootOfBroadcast_waitsForNobody) {
    TraceBuilder trace(2);
    const Share root{.sent = 16, .received = 8, .root = 0};
    const Share other{.sent = 0, .received = 8, .root = 0};
    trace.on(0).enter(0, "main").collective(10, 12, OTF2_COLLECTIVE_OP_BCAST, root).leave(100);
    trace.on(1).enter(0, "main").collective(50, 62, OTF2_COLLECTIVE_OP_BCAST, other).leave(100);
    const Findings found(trace, corrected());
    EXPECT_EQ(found.result().statistics.clockViolations, 0U);
    EXPECT_NEAR(found.at("time", "main/MPI_Bcast", 0), 0.002, kTolerance);
}

TEST(CorrectClocks, prefixReduction_followsLowerRanksOnly) {
    TraceBuilder trace(3);
    const Share share{.sent = 8, .received = 8};
    trace.on(0).enter(0, "main").collective(20, 31, OTF2_COLLECTIVE_OP_SCAN, share).leave(100);
    trace.on(1).enter(0, "main").collective(10, 20, OTF2_COLLECTIVE_OP_SCAN, share).leave(100);
    trace.on(2).enter(0, "main").collective(50, 61, OTF2_COLLECTIVE_OP_SCAN, share).leave(100);
    const Findings found(trace, corrected());
    EXPECT_EQ(found.result().statistics.clockViolations, 1U);  // of rank 1: from 20 to 20 + 10
    EXPECT_NEAR(found.result().statistics.largestCorrection, 0.010, kTolerance);
}

TEST(CorrectClocks, workerBeforeItsFork_beginsAfterIt) {
    TraceBuilder trace(1, 2);
    trace.on(0, 0).enter(0, "main").fork(20, 2).teamBegin(20).enter(20, "!$omp parallel @x.c:1");
    trace.on(0, 0).leave(50).teamEnd(50).join(52).leave(100);
    trace.on(0, 1).teamBegin(12).enter(12, "!$omp parallel @x.c:1").leave(40).teamEnd(40);
    const Findings found(trace, corrected());
    // Both teams begin at 20 + 10. The worker's region lasted 28 and goes half as fast, so that it ends at
    // 44; the master is back at its own time then and joins at 50 + 10 instead of 52.
    EXPECT_EQ(found.result().statistics.clockViolations, 3U);
    EXPECT_NEAR(found.at("omp_fork", "main/!$omp parallel @x.c:1", 0, 1), 0.010, kTolerance);
    EXPECT_NEAR(found.at("omp_fork", "main/!$omp parallel @x.c:1", 0, 0), 0.010, kTolerance);
    EXPECT_NEAR(found.at("omp_management", "main/!$omp parallel @x.c:1", 0, 0), 0.020, kTolerance);
    EXPECT_NEAR(found.at("omp_management", "main/!$omp parallel @x.c:1", 0, 1), 0.026, kTolerance);
}

TEST(CorrectClocks, clockThatDrifts_leavesNoViolation) {
    constexpr Tick kRounds = 200;
    constexpr Tick kPeriod = 1000;
    TraceBuilder trace(2);
    trace.clock(1'000'000, 0);
    trace.on(0).enter(0, "main");
    trace.on(1).enter(0, "main");
    for (Tick round = 1; round <= kRounds; ++round) {
        const Tick now = round * kPeriod;
        const Tick slow = now - now / 500;  // the second clock loses 2 of 1,000
        trace.on(0).send(now, now + 20, {.peer = 1});
        trace.on(1).recv(slow - 50, slow + 30, {.peer = 0});
    }
    trace.on(0).leave(kRounds * kPeriod + 100);
    trace.on(1).leave(kRounds * kPeriod + 100);

    const Findings asRecorded(trace);
    const auto before = violations(asRecorded);
    ASSERT_EQ(before.size(), 1U);
    // The call of round n ends at 998 n + 30, before its send at 1,000 n, when n is larger than 15.
    EXPECT_THAT(before[0], ::testing::HasSubstr("(185 times)"));
    EXPECT_THAT(before[0], ::testing::HasSubstr("location 1, "));
    EXPECT_THAT(before[0],
                ::testing::HasSubstr("location 0 was received before it was sent, by up to 0.000370"));
    analyzer::AnalysisOptions options;
    options.correctClocks.emplace();
    const Findings found(trace, options);
    EXPECT_EQ(found.result().statistics.clockViolations, 186U);  // in round 15, less than 1 µs lies between
    EXPECT_EQ(violations(found).size(), 1U);                     // what was recorded, and nothing new
    EXPECT_THAT(violations(found)[0], ::testing::HasSubstr("the clocks were corrected"));
    // All 80 µs of a receive remain but for what its clock is slower.
    EXPECT_NEAR(found.at("time", "main/MPI_Recv", 1), 200 * 80e-6, 0.05 * 200 * 80e-6);
    EXPECT_LE(found.total("mpi_latesender"), found.at("time", "main/MPI_Recv", 1));
}

TEST(ClockViolations, counted_byPairOfLocations) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").recv(1, 2, {.peer = 1}).recv(3, 4, {.peer = 1}).recv(5, 6, {.peer = 2});
    trace.on(0).barrier(7, 8).leave(100);
    trace.on(1)
        .enter(0, "main")
        .send(20, 21, {.peer = 0})
        .send(22, 23, {.peer = 0})
        .barrier(31, 50)
        .leave(100);
    trace.on(2).enter(0, "main").send(30, 31, {.peer = 0}).barrier(40, 50).leave(100);
    const Findings found(trace);
    EXPECT_THAT(
        violations(found),
        ::testing::UnorderedElementsAre(
            "location 0, event 3, 0.002000000 s: clock violation: a message of location 1 was received "
            "before it "
            "was sent, by up to 0.018000000 s; waiting ends with the call (2 times)",
            "location 0, event 9, 0.006000000 s: clock violation: a message of location 2 was received "
            "before it "
            "was sent, by up to 0.024000000 s; waiting ends with the call",
            "location 0, event 13, 0.008000000 s: clock violation: a collective operation was over before "
            "location 2 began it, by up to 0.032000000 s; waiting ends with the call"));
}

/// Rank 0 accesses the window of rank 1.
std::vector<std::string> violationsOfEpoch(Tick complete, Tick post, Tick wait, bool isGet) {
    WindowTrace run(2);
    run.sync(0, 1, 2, "MPI_Win_start", {1});
    isGet ? run.get(0, 2, 3, 1) : run.put(0, 2, 3, 1);
    run.sync(0, complete, complete + 1, "MPI_Win_complete", {1});
    run.sync(1, post, post + 1, "MPI_Win_post", {0});
    run.sync(1, wait, wait + 1, "MPI_Win_wait", {0});
    return violations(run.findings());
}

TEST(ClockViolations, bytesHadBeforeTheTargetGaveAccess_areCounted) {
    EXPECT_THAT(
        violationsOfEpoch(4, 10, 12, true),
        ::testing::ElementsAre("location 0, event 9, 0.005000000 s: clock violation: an access to the "
                               "window of location 1 was over before it gave access, by up to "
                               "0.005000000 s; waiting ends with the call"));  // 10 - 5
}

TEST(ClockViolations, bytesPutBeforeTheTargetGaveAccess_wereKept) {
    EXPECT_THAT(violationsOfEpoch(4, 10, 12, false), ::testing::IsEmpty());
}

TEST(ClockViolations, windowTakenBackBeforeTheAccessEnded_isCounted) {
    EXPECT_THAT(
        violationsOfEpoch(20, 1, 5, false),
        ::testing::ElementsAre("location 1, event 6, 0.006000000 s: clock violation: a window was taken "
                               "back before location 0 came to the end of its access, by up to "
                               "0.014000000 s; waiting ends with the call"));  // 20 - 6
}

TEST(ClockViolations, windowTakenBackAsTheAccessEnded_isNone) {
    EXPECT_THAT(violationsOfEpoch(6, 1, 5, true), ::testing::IsEmpty());
}

TEST(ClockViolations, fenceAfterAnAccess_isLeftByNobodyBeforeAllCame) {
    WindowTrace run(2);
    run.fence(0, 1, 3);
    run.fence(1, 2, 3);
    run.put(0, 3, 4, 1);
    run.fence(0, 4, 5);
    run.fence(1, 9, 10);
    const auto found = violations(run.findings());
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0],
                ::testing::HasSubstr("a collective operation was over before location 1 began it, by "
                                     "up to 0.004000000 s"));  // 9 - 5
}

TEST(ClockViolations, fenceWithoutAccess_mayBeLeftAtAnyTime) {
    WindowTrace run(2);
    run.fence(0, 4, 5);
    run.fence(1, 9, 10);
    EXPECT_THAT(violations(run.findings()), ::testing::IsEmpty());
}

}  // namespace
}  // namespace holos::testing
