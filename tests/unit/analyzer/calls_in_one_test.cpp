// SPDX-License-Identifier: BSD-3-Clause
// Calls that stand for several, one directly after the other.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

/// Two ticks each: the first alone, then four that are one call.
TEST(CallsInOne, visits_areThoseOfAll_andTimesStay) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").call(10, 12, "MPI_Test").severalCalls(22, 30, "MPI_Test", 4, 16).leave(40);
    const Findings found(trace);
    EXPECT_EQ(found.at("visits", "main/MPI_Test", 0), 5);
    EXPECT_NEAR(found.at("time", "main/MPI_Test", 0), 0.010, kExact);
    EXPECT_NEAR(found.at("time", "main", 0), 0.030, kExact);
}

/// `main` calls `isHere` in a loop, which calls MPI once.
TEST(CallsInOne, functionsOnTheWay_areVisitedAsOften) {
    TraceBuilder trace(1);
    const auto main = trace.callingContext("main", 10);
    const auto here = trace.callingContext("isHere", 5, main);
    trace.callOrder(main, "0: 0").callOrder(here, "0:");
    trace.on(0).callFrom(10, 12, "MPI_Test", here).severalCalls(18, 20, "MPI_Test", 4, 6, here);
    EXPECT_EQ(Findings(trace).total("visits"), 5 + 5 + 1);
}

/// Where the function may have stayed, it is met once.
TEST(CallsInOne, functionWithALoop_isVisitedOnce) {
    TraceBuilder trace(1);
    const auto main = trace.callingContext("main", 10);
    const auto here = trace.callingContext("isHere", 5, main);
    trace.callOrder(main, "0: 0").callOrder(here, "0: 0");
    trace.on(0).callFrom(10, 12, "MPI_Test", here).severalCalls(18, 20, "MPI_Test", 4, 6, here);
    EXPECT_EQ(Findings(trace).total("visits"), 5 + 1 + 1);
}

}  // namespace
}  // namespace holos::testing
