// SPDX-License-Identifier: BSD-3-Clause
// Times in which threads could run and had no processor.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace holos::testing
