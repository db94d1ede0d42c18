// SPDX-License-Identifier: BSD-3-Clause
// Between two events: whether a function stayed, by the order of its calls in the code.
#include <gtest/gtest.h>

#include "analyzer/trace/definitions.h"
#include "tests/support/findings.h"
#include "tests/support/stack_trace.h"

namespace holos::testing {
namespace {

using analyzer::trace::CallOrder;

TEST(CallOrder, text_saysAfterWhichCallsOneMayCome) {
    const CallOrder first("0: 2-3");
    EXPECT_TRUE(first.isKnown());
    EXPECT_FALSE(first.mayComeAfter(first));
    EXPECT_FALSE(first.mayComeAfter(CallOrder("1:")));
    EXPECT_TRUE(first.mayComeAfter(CallOrder("2:")));
    EXPECT_TRUE(first.mayComeAfter(CallOrder("3:")));
    EXPECT_FALSE(first.mayComeAfter(CallOrder("4:")));
    EXPECT_TRUE(CallOrder("5: 0 2 4-6").mayComeAfter(first));
}

TEST(CallOrder, unknown_mayComeAfterAll) {
    const CallOrder known("0:");
    for (const char* text : {"", "x", "1", "1:2", "1: ", "1: 2-", "1: 2 x", "99999999999: 0", "1:  2"}) {
        const CallOrder damaged{std::string_view(text)};
        EXPECT_FALSE(damaged.isKnown()) << text;
        EXPECT_TRUE(damaged.mayComeAfter(known)) << text;
        EXPECT_TRUE(known.mayComeAfter(damaged)) << text;
    }
}

/// `run` calls `exchange` in a loop (line 10) and once more behind it (line 15); `exchange` calls MPI twice,
/// one after the other.
class TimeBetweenEvents : public ::testing::Test {
  protected:
    TimeBetweenEvents() {
        main5 = stack(trace, "main", 5);
        run10 = stack(trace, "run", 10, main5);
        run15 = stack(trace, "run", 15, main5);
        isend = stack(trace, "exchange", 20, run10);
        wait = stack(trace, "exchange", 22, run10);
        lastIsend = stack(trace, "exchange", 20, run15);
        lastWait = stack(trace, "exchange", 22, run15);
        trace.callOrder(main5, "0:").callOrder(run10, "0: 0").callOrder(run15, "1: 0");
        for (const auto context : {isend, lastIsend}) trace.callOrder(context, "0:");
        for (const auto context : {wait, lastWait}) trace.callOrder(context, "1: 0");
    }

    double timeOf(const Findings& found, std::string_view path) { return found.at("time", path, 0) * 1000; }

    TraceBuilder trace{1};
    OTF2_CallingContextRef main5, run10, run15, isend, wait, lastIsend, lastWait;
};

TEST_F(TimeBetweenEvents, ofAFunctionThatWasCertainlyCalledAgain_isItsCallers) {
    auto& rank = trace.on(0);
    rank.callFrom(0, 1, "MPI_Isend", isend).callFrom(3, 4, "MPI_Wait", wait);    // between: exchange, 2
    rank.callFrom(8, 9, "MPI_Isend", isend).callFrom(11, 12, "MPI_Wait", wait);  // before: run, 4
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/run @code.c:5/exchange @code.c:10"), 2 + 2, kExact);
    EXPECT_NEAR(timeOf(found, "main/run"), 4, kExact);
    EXPECT_NEAR(timeOf(found, "main"), 0, kExact);
    EXPECT_EQ(found.at("visits", "main/run/exchange", 0), 2);
    EXPECT_EQ(found.at("visits", "main/run", 0), 1);
}

TEST_F(TimeBetweenEvents, ofAOneCallFunction_isItsCallers) {
    auto& rank = trace.on(0);
    rank.callFrom(0, 1, "MPI_Wait", wait).callFrom(5, 6, "MPI_Wait", wait).callFrom(16, 17, "MPI_Wait", wait);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/run"), 4 + 10, kExact);
    EXPECT_EQ(found.at("visits", "main/run/exchange", 0), 3);
}

TEST_F(TimeBetweenEvents, ofAFunctionThatMayHaveStayed_isItsOwn) {
    trace.callOrder(isend, "0: 0-1").callOrder(wait, "1: 0-1");
    auto& rank = trace.on(0);
    rank.callFrom(0, 1, "MPI_Isend", isend).callFrom(3, 4, "MPI_Wait", wait);
    rank.callFrom(8, 9, "MPI_Isend", isend);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/run/exchange"), 2 + 4, kExact);
    EXPECT_EQ(found.at("visits", "main/run/exchange", 0), 1);
}

TEST_F(TimeBetweenEvents, ofAFunctionOfWhichNothingIsKnown_isItsOwn) {
    trace.callOrder(isend, "").callOrder(wait, "");
    auto& rank = trace.on(0);
    rank.callFrom(0, 1, "MPI_Isend", isend).callFrom(3, 4, "MPI_Wait", wait);
    rank.callFrom(8, 9, "MPI_Isend", isend);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/run/exchange"), 2 + 4, kExact);
}

// The loop is over: `run` was called again, as it makes no call at 10 after that at 15.
TEST_F(TimeBetweenEvents, betweenTwoLines_isThatOfTheFunctionThatMayReachOneFromTheOther) {
    trace.callOrder(main5, "0: 0");
    auto& rank = trace.on(0);
    rank.callFrom(0, 1, "MPI_Wait", wait).callFrom(4, 5, "MPI_Wait", lastWait);  // run: 3
    rank.callFrom(10, 11, "MPI_Wait", wait);                                     // main: 5
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/run"), 3, kExact);
    EXPECT_NEAR(timeOf(found, "main"), 5, kExact);
    EXPECT_EQ(found.at("visits", "main/run", 0), 2);
    EXPECT_EQ(found.at("visits", "main/run/exchange @code.c:10", 0), 2);
    EXPECT_EQ(found.at("visits", "main/run/exchange @code.c:15", 0), 1);
}

TEST_F(TimeBetweenEvents, betweenCallsThatCannotFollowAnywhere_isAsIfNothingWereKnown) {
    auto& rank = trace.on(0);
    rank.callFrom(0, 1, "MPI_Wait", lastWait).callFrom(4, 5, "MPI_Wait", wait);
    rank.callFrom(10, 11, "MPI_Wait", lastWait).callFrom(12, 13, "MPI_Wait", lastWait);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/run"), 3 + 5, kExact);
    EXPECT_NEAR(timeOf(found, "main/run/exchange @code.c:15"), 1, kExact);
    EXPECT_EQ(found.at("visits", "main", 0), 1);
}

// `exchange` calls MPI twice in line 20; `run` calls `exchange` twice in line 10.
TEST_F(TimeBetweenEvents, ofTwoCallsInOneLine_isThatOfTheFunctionThatStayed) {
    const auto again = stack(trace, "run", 10, main5);
    trace.callOrder(main5, "0: 0").callOrder(run10, "0:").callOrder(again, "1: 0");
    const auto send = stack(trace, "exchange", 20, again);
    const auto receive = stack(trace, "exchange", 20, again);
    trace.callOrder(send, "0:").callOrder(receive, "1: 0");
    auto& rank = trace.on(0);
    rank.callFrom(0, 1, "MPI_Isend", isend).callFrom(3, 4, "MPI_Isend", send);        // between: run, 2
    rank.callFrom(9, 10, "MPI_Isend", receive).callFrom(17, 18, "MPI_Isend", isend);  // exchange 5, main 7
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main"), 7, kExact);
    EXPECT_NEAR(timeOf(found, "main/run @code.c:5"), 2, kExact);
    EXPECT_NEAR(timeOf(found, "main/run @code.c:5/exchange @code.c:10"), 5, kExact);
    EXPECT_EQ(found.at("visits", "main/run", 0), 2);
    EXPECT_EQ(found.at("visits", "main/run/exchange @code.c:10", 0), 3);
    EXPECT_EQ(found.at("visits", "main/run/exchange @code.c:10/MPI_Isend @code.c:20", 0), 4);
}

TEST_F(TimeBetweenEvents, withinARegion_staysBelowIt) {
    trace.callOrder(run10, "0:");
    auto& rank = trace.on(0);
    rank.enterFrom(0, "phase", run10);
    rank.callFrom(1, 2, "MPI_Wait", wait).callFrom(5, 6, "MPI_Wait", wait).leave(8);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/run/phase @code.c:10"), 1 + 3 + 2, kExact);
    EXPECT_EQ(found.at("visits", "main/run/phase/exchange", 0), 2);
}

TEST_F(TimeBetweenEvents, ofAFunctionThatCallsItself_isThatOfTheDepthThatMayHaveStayed) {
    TraceBuilder deep{1};
    const auto outer = stack(deep, "f", 1);
    const auto middle = stack(deep, "f", 1, outer);
    const auto inner = stack(deep, "f", 2, middle);
    deep.callOrder(outer, "0: 0").callOrder(middle, "0: 0").callOrder(inner, "0:");
    deep.on(0).callFrom(0, 1, "MPI_Wait", inner).callFrom(5, 6, "MPI_Wait", inner);
    const Findings found(deep);
    EXPECT_NEAR(timeOf(found, "f/f @code.c:1"), 4, kExact);
    EXPECT_NEAR(timeOf(found, "f/f @code.c:1/f @code.c:1"), 0, kExact);
}

}  // namespace
}  // namespace holos::testing
