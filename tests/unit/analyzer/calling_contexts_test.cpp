// SPDX-License-Identifier: BSD-3-Clause
// Call paths and samples of recorders that look at the call stack: Score-P with unwinding, lo2s.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto kTime = OTF2_INTERRUPT_GENERATOR_MODE_TIME;
constexpr auto kCount = OTF2_INTERRUPT_GENERATOR_MODE_COUNT;

/// One location, whose calls are told by calling contexts.
class ContextTrace {
  public:
    ContextTrace& enter(Tick tick, OTF2_CallingContextRef context) {
        return record([=, time = trace.timestamp(tick)](auto* out) {
            return OTF2_EvtWriter_CallingContextEnter(out, nullptr, time, context, 1);
        });
    }
    ContextTrace& leave(Tick tick, OTF2_CallingContextRef context) {
        return record([=, time = trace.timestamp(tick)](auto* out) {
            return OTF2_EvtWriter_CallingContextLeave(out, nullptr, time, context);
        });
    }
    ContextTrace& sample(Tick tick, OTF2_CallingContextRef context, OTF2_InterruptGeneratorRef by = 0) {
        return record([=, time = trace.timestamp(tick)](auto* out) {
            return OTF2_EvtWriter_CallingContextSample(out, nullptr, time, context, 1, by);
        });
    }

    TraceBuilder trace{1};

  private:
    ContextTrace& record(LocationScript::Record event) {
        trace.on(0).record(std::move(event));
        return *this;
    }
};

TEST(CallingContexts, enterAndLeave_areCallsAsOthers) {
    ContextTrace run;
    const auto main = run.trace.callingContext("main");
    const auto solve = run.trace.callingContext("solve", 0, main);
    run.enter(0, main).enter(2, solve).leave(5, solve).enter(6, solve).leave(7, solve).leave(10, main);
    const Findings found(run.trace);
    EXPECT_NEAR(found.at("time", "main/solve", 0), 0.004, kExact);  // 3 + 1
    EXPECT_NEAR(found.at("time", "main", 0), 0.006, kExact);
    EXPECT_EQ(found.at("visits", "main/solve", 0), 2);
    EXPECT_EQ(found.at("visits", "main", 0), 1);
    EXPECT_TRUE(found.result().diagnoses.empty());
}

// Of the functions only main and MPI_Barrier are entered; helper is known from the call stack.
TEST(CallingContexts, functionsOnTheWayThatWereNotEntered_areInTheCallPath) {
    ContextTrace run;
    const auto main = run.trace.callingContext("main", 10);
    const auto helper = run.trace.callingContext("helper", 20, main);
    const auto barrier = run.trace.callingContext("MPI_Barrier", 0, helper);
    run.enter(0, main).enter(2, barrier).leave(5, barrier).leave(10, main);
    const Findings found(run.trace);
    EXPECT_NEAR(found.at("time", "main/helper/MPI_Barrier", 0), 0.003, kExact);
    EXPECT_NEAR(found.at("mpi_sync_collective", "main/helper/MPI_Barrier", 0), 0.003, kExact);
    EXPECT_NEAR(found.at("time", "main", 0), 0.007, kExact);
    EXPECT_NEAR(found.at("time", "main/helper @code.c:10/MPI_Barrier @code.c:20", 0), 0.003, kExact);
    EXPECT_EQ(found.at("visits", "main/helper", 0), 1);  // newly met
    EXPECT_EQ(found.at("time", "main/helper", 0), 0);
}

TEST(CallingContexts, recursion_isOneCallPathPerDepth) {
    ContextTrace run;
    const auto outer = run.trace.callingContext("solve");
    const auto inner = run.trace.callingContext("solve", 0, outer);
    run.enter(0, outer).enter(2, inner).leave(5, inner).leave(6, outer);
    const Findings found(run.trace);
    EXPECT_NEAR(found.at("time", "solve", 0), 0.003, kExact);
    EXPECT_NEAR(found.at("time", "solve/solve", 0), 0.003, kExact);
}

TEST(CallingContexts, undefinedContext_isReportedAndKeepsTheBalance) {
    ContextTrace run;
    const auto main = run.trace.callingContext("main");
    run.enter(0, main).enter(2, 77).leave(5, 77).leave(6, main);
    const Findings found(run.trace);
    EXPECT_TRUE(found.reported(analyzer::Trouble::MissingDefinition));
    EXPECT_FALSE(found.reported(analyzer::Trouble::UnbalancedCalls));
    EXPECT_NEAR(found.at("time", "main", 0), 0.003, kExact);
}

TEST(Samples, withoutAnyCalls_makeACallTree) {
    ContextTrace run;
    run.trace.interrupts("timer", kTime, 10, -3);
    const auto main = run.trace.callingContext("main", 10);
    const auto solve = run.trace.callingContext("solve", 0, main);
    run.sample(0, main).sample(10, solve).sample(20, solve).sample(30, solve);
    const Findings found(run.trace);
    EXPECT_EQ(found.at("samples", "main/code.c:10", 0), 1);
    EXPECT_EQ(found.at("samples", "main/solve @code.c:10", 0), 3);
    EXPECT_NEAR(found.at("sampled_time", "main/solve @code.c:10", 0), 0.030, kExact);  // 3 times 10 ms
    EXPECT_EQ(found.total("samples"), 4);
    EXPECT_EQ(found.at("visits", "main", 0), 1);  // at least: both were seen
    EXPECT_EQ(found.at("visits", "main/solve", 0), 1);
    EXPECT_TRUE(found.result().diagnoses.empty());
}

TEST(Samples, withinEnteredFunctions_standBelowTheInnermost) {
    ContextTrace run;
    run.trace.interrupts("timer", kTime, 10, -3);
    const auto main = run.trace.callingContext("main");
    const auto solve = run.trace.callingContext("solve", 0, main);
    const auto helper = run.trace.callingContext("helper", 0, solve);
    run.enter(0, main).sample(1, main).enter(2, solve).sample(3, solve).sample(4, helper);
    run.leave(5, solve).sample(6, helper).leave(7, main);
    const Findings found(run.trace);
    EXPECT_EQ(found.at("samples", "main", 0), 1);
    EXPECT_EQ(found.at("samples", "main/solve", 0), 1);
    EXPECT_EQ(found.at("samples", "main/solve/helper", 0), 2);      // also where solve was not entered
    EXPECT_NEAR(found.at("time", "main/solve", 0), 0.001, kExact);  // shared with helper, in whole ticks
    EXPECT_NEAR(found.at("time", "main/solve/helper", 0), 0.004, kExact);
    EXPECT_EQ(found.at("visits", "main/solve", 0), 2);  // entered, and seen
}

TEST(Samples, ofEvents_areWorthTheirPeriod) {
    ContextTrace run;
    run.trace.interrupts("cycles", kCount, 5, 6);
    const auto timer = run.trace.interrupts("timer", kTime, 1, 0);
    const auto main = run.trace.callingContext("main");
    run.sample(0, main).sample(1, main).sample(2, main, timer);
    const Findings found(run.trace);
    EXPECT_EQ(found.at("sampled_cycles", "main", 0), 1e7);  // 2 times 5 millions
    EXPECT_NEAR(found.at("sampled_time", "main", 0), 1, kExact);
    EXPECT_EQ(found.at("samples", "main", 0), 3);
}

TEST(Samples, ofAnUndefinedGenerator_areReported) {
    ContextTrace run;
    const auto main = run.trace.callingContext("main");
    run.enter(0, main).sample(1, main, 5).leave(2, main);
    const Findings found(run.trace);
    EXPECT_TRUE(found.reported(analyzer::Trouble::MissingDefinition));
    EXPECT_EQ(found.total("samples"), 0);
}

}  // namespace
}  // namespace holos::testing
