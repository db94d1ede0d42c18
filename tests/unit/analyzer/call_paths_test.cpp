// SPDX-License-Identifier: BSD-3-Clause
// The calls that led to an event: our recorder's attribute of enters.
#include <gtest/gtest.h>

#include "algebra/model/call_names.h"
#include "tests/support/findings.h"
#include "tests/support/stack_trace.h"

namespace holos::testing {
namespace {

constexpr auto kNoCaller = OTF2_UNDEFINED_CALLING_CONTEXT;

/// `main` calls `solve` at line 10, which calls MPI at its lines 20 and 22; main calls it at line 12, too.
class CallPaths : public ::testing::Test {
  protected:
    CallPaths() {
        main10 = stack(trace, "main", 10);
        main12 = stack(trace, "main", 12);
        solve20 = stack(trace, "solve", 20, main10);
        solve22 = stack(trace, "solve", 22, main10);
    }

    double timeOf(const Findings& found, std::string_view path) { return found.at("time", path, 0) * 1000; }

    TraceBuilder trace{1};
    OTF2_CallingContextRef main10, main12, solve20, solve22;
};

TEST_F(CallPaths, twoCallSites_areTwoCallPaths) {
    trace.on(0).callFrom(1, 3, "MPI_Barrier", solve20).callFrom(5, 6, "MPI_Barrier", solve22);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/solve @code.c:10/MPI_Barrier @code.c:20"), 2, kExact);
    EXPECT_NEAR(timeOf(found, "main/solve @code.c:10/MPI_Barrier @code.c:22"), 1, kExact);
    EXPECT_NEAR(found.at("mpi_sync_collective", "main/solve/MPI_Barrier @code.c:20", 0), 0.002, kExact);
    const auto& tree = found.result().experiment.callTree;
    EXPECT_EQ(tree.size(), 4);  // with main and solve
    EXPECT_EQ(tree[algebra::CallPathId(2)].line, 20);
    EXPECT_EQ(tree[algebra::CallPathId(2)].module, "code.c");
    EXPECT_FALSE(found.reported(analyzer::Trouble::MissingDefinition));
}

TEST_F(CallPaths, timeBetweenEvents_isThatOfTheFunctionsThatBothHaveInCommon) {
    trace.on(0).callFrom(1, 2, "MPI_Barrier", solve20);  // then solve: 3
    trace.on(0).callFrom(5, 6, "MPI_Barrier", solve22);  // then main: 4
    trace.on(0).callFrom(10, 12, "MPI_Finalize", main12);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/solve"), 3, kExact);
    EXPECT_NEAR(timeOf(found, "main"), 4, kExact);
    EXPECT_NEAR(timeOf(found, "main/MPI_Finalize @code.c:12"), 2, kExact);
    EXPECT_NEAR(found.total("time"), 0.011, kExact);  // all of the run, from 1 to 12
}

TEST_F(CallPaths, visitsOfFunctions_countHowOftenTheyWereNewlyMet) {
    trace.on(0).callFrom(1, 2, "MPI_Barrier", solve20).callFrom(3, 4, "MPI_Barrier", solve22);
    trace.on(0).callFrom(5, 6, "MPI_Barrier", main12).callFrom(7, 8, "MPI_Barrier", solve20);
    const Findings found(trace);
    EXPECT_EQ(found.at("visits", "main", 0), 1);
    EXPECT_EQ(found.at("visits", "main/solve", 0), 2);
    EXPECT_EQ(found.at("visits", "main/solve/MPI_Barrier @code.c:20", 0), 2);
}

// Of MPI_Barrier: 20, 22, then 20 as nothing had followed 22, 22 as it followed 20 before, 20 again.
TEST_F(CallPaths, entersThatSayNothing_haveThePathThatFollowedTheLastTime) {
    auto& rank = trace.on(0);
    rank.callFrom(0, 1, "MPI_Barrier", solve20).call(2, 3, "MPI_Bcast");  // of which nothing is known
    rank.callFrom(4, 6, "MPI_Barrier", solve22).callFrom(7, 8, "MPI_Barrier", solve20);
    rank.callFrom(9, 10, "MPI_Bcast", main12);
    rank.call(20, 24, "MPI_Barrier").call(30, 38, "MPI_Barrier").call(40, 56, "MPI_Barrier");
    rank.callFrom(60, 61, "MPI_Barrier", kNoCaller).call(70, 80, "MPI_Bcast");
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/solve/MPI_Barrier @code.c:20"), 1 + 1 + 8, kExact);
    EXPECT_NEAR(timeOf(found, "main/solve/MPI_Barrier @code.c:22"), 2 + 4 + 16, kExact);
    EXPECT_NEAR(timeOf(found, "MPI_Barrier"), 1, kExact);
    EXPECT_NEAR(timeOf(found, "MPI_Bcast"), 1, kExact);
    EXPECT_NEAR(timeOf(found, "main/MPI_Bcast @code.c:12"), 1 + 10, kExact);
}

TEST_F(CallPaths, threads_arePredictedEachForItself) {
    TraceBuilder two{2};
    const auto main = stack(two, "main", 10);
    const auto other = stack(two, "main", 12);
    two.on(0).callFrom(0, 1, "work", main).callFrom(2, 3, "work", other).callFrom(4, 5, "work", main);
    two.on(1).call(0, 1, "work").callFrom(2, 3, "work", main).call(4, 5, "work");
    two.on(0).call(6, 7, "work");
    const Findings found(two);
    EXPECT_EQ(found.at("visits", "main/work @code.c:12", 0), 2);
    EXPECT_EQ(found.at("visits", "work", 1), 1);
    EXPECT_EQ(found.at("visits", "main/work @code.c:10", 1), 2);
    EXPECT_FALSE(found.reported(analyzer::Trouble::MissingDefinition));
}

TEST_F(CallPaths, predictionOfAnUndefinedContext_isReportedWhereItWasTold) {
    trace.on(0).callFrom(0, 1, "work", 123456).callFrom(2, 4, "work", main10).callFrom(5, 6, "work", 123456);
    trace.on(0).call(7, 9, "work").call(10, 14, "work");
    const Findings found(trace);
    EXPECT_TRUE(found.reported(analyzer::Trouble::MissingDefinition));
    EXPECT_NEAR(timeOf(found, "main/work"), 2 + 2, kExact);
    EXPECT_NEAR(timeOf(found, "work"), 1 + 1 + 4, kExact);
}

TEST_F(CallPaths, entersThatSayNothingInTracesOfEarlierVersions_haveThePathOfTheirRegionsLastEnter) {
    trace.callPathsAreOfTheLastEnter();
    trace.on(0).callFrom(1, 2, "MPI_Barrier", solve20).callFrom(3, 4, "MPI_Bcast", main12);
    trace.on(0).call(5, 7, "MPI_Barrier").call(8, 9, "MPI_Bcast").callFrom(10, 11, "MPI_Barrier", kNoCaller);
    trace.on(0).call(12, 15, "MPI_Barrier");
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/solve/MPI_Barrier @code.c:20"), 3, kExact);
    EXPECT_NEAR(timeOf(found, "main/MPI_Bcast @code.c:12"), 2, kExact);
    EXPECT_NEAR(timeOf(found, "MPI_Barrier"), 4, kExact);
}

TEST_F(CallPaths, regionsInside_haveOnlyWhatWasCalledSinceAboveThem) {
    const auto inner = stack(trace, "exchange", 30, solve22);
    trace.on(0).enterFrom(0, "phase", main10).enterFrom(2, "step", solve20);
    trace.on(0).callFrom(5, 6, "MPI_Send", inner).leave(8).leave(9);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/phase @code.c:10"), 3, kExact);  // 0 to 2, and 8 to 9
    EXPECT_NEAR(timeOf(found, "main/phase/solve @code.c:10/step @code.c:20"), 5, kExact);
    EXPECT_NEAR(timeOf(found, "main/phase/solve/step/exchange @code.c:22/MPI_Send @code.c:30"), 1, kExact);
    EXPECT_NEAR(found.total("time"), 0.009, kExact);
}

TEST_F(CallPaths, regionWithoutPathBetween_hidesNothing) {
    const auto inner = stack(trace, "exchange", 30, solve22);
    trace.on(0).enterFrom(0, "phase", solve20).enter(1, "!$omp master @a.c:1");
    trace.on(0).callFrom(2, 4, "MPI_Send", inner).leave(5).leave(6);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/solve/phase/!$omp master @a.c:1/exchange @code.c:22/MPI_Send"), 2,
                kExact);
}

TEST_F(CallPaths, functionThatACompilerTellsOf_isNotRepeated) {
    trace.region("work", {OTF2_PARADIGM_COMPILER, OTF2_REGION_ROLE_FUNCTION, "code.c"});
    const auto work = stack(trace, "seen work", 15, main10);
    const auto send = trace.callingContext("work", 40, work);
    trace.on(0).enter(0, "work").callFrom(2, 3, "MPI_Send", send).leave(5);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "work/MPI_Send @code.c:40"), 1, kExact);
    EXPECT_NEAR(timeOf(found, "work"), 4, kExact);
}

TEST_F(CallPaths, recursion_isOneFunctionPerDepthAndCallSite) {
    const auto twice = stack(trace, "solve", 20, solve22);
    const auto thrice = stack(trace, "solve", 20, twice);
    trace.on(0).callFrom(0, 1, "MPI_Barrier", solve20).callFrom(3, 4, "MPI_Barrier", twice);
    trace.on(0).callFrom(7, 8, "MPI_Barrier", thrice);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/solve/solve @code.c:22/MPI_Barrier"), 1, kExact);
    EXPECT_NEAR(timeOf(found, "main/solve/solve/solve @code.c:20/MPI_Barrier"), 1, kExact);
    EXPECT_NEAR(timeOf(found, "main/solve"), 2, kExact);
    EXPECT_NEAR(timeOf(found, "main/solve/solve"), 3, kExact);
}

TEST_F(CallPaths, bodiesOfConstructs_haveNoCallPathOfTheirOwn) {
    trace.region("solve._omp_fn.0", {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_FUNCTION, "code.c"});
    const auto body = trace.callingContext("solve._omp_fn.0", 25, solve20);
    const auto inner = stack(trace, "exchange", 30, body);
    trace.on(0).callFrom(0, 2, "MPI_Send", body).callFrom(3, 4, "MPI_Send", inner);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/solve @code.c:10/MPI_Send @code.c:25"), 2, kExact);
    EXPECT_NEAR(timeOf(found, "main/solve/exchange @code.c:25/MPI_Send @code.c:30"), 1, kExact);
}

TEST_F(CallPaths, walkThatEndsEarly_beginsWithAFunctionThatSaysSo) {
    trace.region("UNKNOWN CALLERS", {OTF2_PARADIGM_MEASUREMENT_SYSTEM, OTF2_REGION_ROLE_ARTIFICIAL, ""});
    const auto unknown = trace.callingContext("UNKNOWN CALLERS");
    trace.on(0).callFrom(0, 2, "MPI_Send", stack(trace, "jit", 3, unknown));
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "UNKNOWN CALLERS/jit/MPI_Send @code.c:3"), 2, kExact);
}

TEST_F(CallPaths, withoutLines_areToldApartByOffset) {
    stack(trace, "solve", 0);
    const auto here = trace.callingContextIn("/usr/lib/libsolve.so+0x1a2b", "solve", 0);
    const auto there = trace.callingContextIn("/usr/lib/libsolve.so+0x1b00", "solve", 0);
    trace.on(0).callFrom(0, 2, "MPI_Send", here).callFrom(3, 4, "MPI_Send", there);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "solve/MPI_Send @libsolve.so+0x1a2b"), 2, kExact);
    EXPECT_NEAR(timeOf(found, "solve/MPI_Send @libsolve.so+0x1b00"), 1, kExact);
}

TEST_F(CallPaths, counters_countWhereTheTimeIs) {
    const auto flops = trace.counters({{.name = "FLOPS"}});
    trace.on(0).counters(0, flops, {100}).enterFrom(0, "MPI_Barrier", solve20);
    trace.on(0).counters(2, flops, {101}).leave(2);
    trace.on(0).counters(5, flops, {111}).enterFrom(5, "MPI_Barrier", solve22);
    trace.on(0).counters(6, flops, {113}).leave(6);
    trace.on(0).counters(9, flops, {213}).enterFrom(9, "MPI_Barrier", main12);
    trace.on(0).counters(10, flops, {1213}).leave(10);
    const Findings found(trace);
    EXPECT_EQ(found.at("FLOPS", "main/solve/MPI_Barrier @code.c:20", 0), 1);
    EXPECT_EQ(found.at("FLOPS", "main/solve", 0), 10);
    EXPECT_EQ(found.at("FLOPS", "main/solve/MPI_Barrier @code.c:22", 0), 2);
    EXPECT_EQ(found.at("FLOPS", "main", 0), 100);
    EXPECT_EQ(found.at("FLOPS", "main/MPI_Barrier @code.c:12", 0), 1000);
}

TEST_F(CallPaths, samples_standBelowTheFunctionsThatTheyShareWithEvents) {
    const auto samples = trace.counters({{.name = "samples", .mode = OTF2_METRIC_ACCUMULATED_LAST}});
    const auto helper = stack(trace, "helper", 50, solve22);
    trace.on(0).enterFrom(0, "MPI_Barrier", solve20).sampleAt(1, samples, solve20).leave(2);
    trace.on(0).sampleAt(3, samples, helper).sampleAt(4, samples, main12);
    trace.on(0).callFrom(6, 7, "MPI_Barrier", solve22);
    const Findings found(trace);
    EXPECT_EQ(found.at("samples", "main/solve/MPI_Barrier @code.c:20", 0), 1);
    EXPECT_EQ(found.at("samples", "main/solve/helper @code.c:22/code.c:50", 0), 1);
    EXPECT_EQ(found.at("samples", "main/code.c:12", 0), 1);
    EXPECT_NEAR(timeOf(found, "main/solve"), 4, kExact);  // as without samples
    EXPECT_EQ(found.at("visits", "main/solve/helper", 0), 0);
}

TEST_F(CallPaths, samplesAfterTheLastEvent_tellThatTheProgramRan) {
    const auto samples = trace.counters({{.name = "samples", .mode = OTF2_METRIC_ACCUMULATED_LAST}});
    trace.on(0).enterFrom(0, "phase", main10).sampleAt(5, samples, main12);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/phase"), 5, kExact);
    EXPECT_EQ(found.at("samples", "main/phase/code.c:12", 0), 1);
}

TEST_F(CallPaths, undefinedReferences_areReportedAndTheRestIsAnalyzed) {
    const auto dangling = stack(trace, "lost", 5, 4711);
    trace.on(0).callFrom(0, 1, "MPI_Send", 123456).callFrom(2, 4, "MPI_Send", dangling);
    trace.on(0).callFrom(5, 6, "MPI_Recv", solve20);
    const Findings found(trace);
    EXPECT_TRUE(found.reported(analyzer::Trouble::MissingDefinition));
    EXPECT_NEAR(timeOf(found, "MPI_Send"), 1, kExact);
    EXPECT_NEAR(timeOf(found, "lost/MPI_Send @code.c:5"), 2, kExact);
    EXPECT_NEAR(timeOf(found, "main/solve/MPI_Recv"), 1, kExact);
    EXPECT_NEAR(found.total("time"), 0.004, kExact);  // between them nothing is known of the program
}

TEST_F(CallPaths, circleOfCallers_isReportedAndEnds) {
    const auto self = static_cast<OTF2_CallingContextRef>(trace.callingContext("loop", 1)) + 1;
    const auto circle = stack(trace, "circle", 2, self + 1);
    const auto other = stack(trace, "other", 3, circle);
    trace.on(0).callFrom(0, 1, "MPI_Send", other);
    const Findings found(trace);
    EXPECT_TRUE(found.reported(analyzer::Trouble::MissingDefinition));
    EXPECT_NEAR(timeOf(found, "circle/other @code.c:2/MPI_Send @code.c:3"), 1, kExact);
}

TEST_F(CallPaths, endlessRecursion_isCutAndReported) {
    auto deep = main10;
    for (int depth = 0; depth < 1500; ++depth) deep = stack(trace, "again", 7, deep);
    trace.on(0).callFrom(0, 1, "MPI_Send", deep).callFrom(3, 4, "MPI_Send", main12);
    const Findings found(trace);
    EXPECT_FALSE(found.result().diagnoses.empty());
    EXPECT_EQ(found.result().experiment.callTree.size(), 1000 + 2);
    EXPECT_NEAR(found.total("time"), 0.004, kExact);
}

TEST_F(CallPaths, runThatEndsWithinRegions_keepsWhatIsKnown) {
    trace.on(0).enterFrom(0, "phase", main10).enterFrom(2, "MPI_Send", solve20);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/phase"), 2, kExact);
    EXPECT_NEAR(timeOf(found, "main/phase/solve @code.c:10"), 0, kExact);
    EXPECT_EQ(found.at("visits", "main/phase/solve/MPI_Send", 0), 1);
}

TEST_F(CallPaths, regionThatOutlivesItsFunction_keepsItsPlace) {
    trace.on(0).enterFrom(0, "phase", solve20).callFrom(2, 3, "MPI_Send", main12).leave(4);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/solve/phase/MPI_Send @code.c:12"), 1, kExact);
}

}  // namespace
}  // namespace holos::testing
