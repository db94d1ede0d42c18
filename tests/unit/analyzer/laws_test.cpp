// SPDX-License-Identifier: BSD-3-Clause
// What holds of every trace, and is said where it does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/operators/history/recorded_run.h"
#include "analyzer/analyze.h"
#include "analyzer/laws.h"
#include "tests/support/known_trace.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LawsOfTraces : public ::testing::Test {
  protected:
    std::vector<std::string> brokenOf(const TraceBuilder& trace,
                                      const analyzer::AnalysisOptions& options = {}) {
        return algebra::brokenLawsOf(analyzer::analyze(trace.write(directory_.path()), options).experiment);
    }
    TemporaryDirectory directory_;
};

TEST_F(LawsOfTraces, ofASoundTrace_hold) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(5000, 6000, {.peer = 1}).leave(10'000);
    trace.on(1).enter(100, "main").recv(1000, 6000, {.peer = 0}).leave(9000);
    EXPECT_THAT(brokenOf(trace), IsEmpty());
}

/// Tasks, teams, locks, gaps between calls, and all else that there is.
TEST_F(LawsOfTraces, ofATraceWithEverything_hold) {
    EXPECT_THAT(
        algebra::brokenLawsOf(
            analyzer::analyze(
                writeKnownTrace(directory_.path(), {.processes = 4, .threads = 3, .rounds = 3}).anchor)
                .experiment),
        IsEmpty());
}

TEST_F(LawsOfTraces, eventsBehindTheEndOfTheRun_breakTheirSpan) {
    TraceBuilder trace(3);
    for (const unsigned rank : {0U, 1U, 2U}) trace.on(rank).enter(0, "main").leave(rank == 0 ? 4000 : 10'000);
    trace.claimLength(5000);
    EXPECT_THAT(brokenOf(trace), ElementsAre("span of locations: Master thread of MPI Rank 1 has events from "
                                             "0 s to 10 s, but the run is from 0 s "
                                             "to 5 s; so does 1 more location"));
}

/// A part of a run is no run.
TEST_F(LawsOfTraces, ofAPartOfARun_areNotChecked) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").leave(10'000);
    trace.claimLength(5000);
    analyzer::AnalysisOptions options;
    options.range = analyzer::RunRange{1, 2};
    EXPECT_THAT(brokenOf(trace, options), IsEmpty());
}

/// A location of which the call tree has other times than its events.
TEST_F(LawsOfTraces, timesThatDoNotAddUp_breakTheTimeOfLocations) {
    analyzer::trace::Definitions definitions;
    definitions.clock.ticksPerSecond = 1000;
    definitions.processes.emplace_back().name = "Rank 0";
    definitions.locations.emplace_back().name = "Thread 0";
    const std::vector<analyzer::trace::RegionClass> classes;
    analyzer::replay::ReplayedCalls calls{
        definitions, classes, analyzer::ByLocation<analyzer::replay::LocationCalls>(1), {}};
    analyzer::replay::ReplayedTrace trace{definitions,
                                          analyzer::ByLocation<analyzer::replay::LocationTrace>(1)};
    calls.locations.own(0).events = 2;
    calls.locations.own(0).tree[analyzer::replay::kProgram].exclusive = 3000;
    trace.locations.own(0).end = 2000;
    algebra::Experiment experiment;
    experiment.attributes = analyzer::brokenLaws(calls, trace);
    EXPECT_THAT(
        algebra::brokenLawsOf(experiment),
        ElementsAre("time of locations: the call paths of Thread 0 of Rank 0 take 3 s, but from its first "
                    "event to its last one are 2 s"));
}

}  // namespace
}  // namespace holos::testing
