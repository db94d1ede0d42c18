// SPDX-License-Identifier: BSD-3-Clause
// What a recording says of its run stands first, and nothing is concluded from a run of which something is
// missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/insight/summary/summary.h"
#include "algebra/operators/history/recorded_run.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Two processes that spend 4 of their 10 s in collective operations.
Experiment run() {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {6, 6}}, {"main/call", {4, 4}}});
    build.metric(testing::seconds("mpi_collective"), "time", {{"main/call", {4, 4}}});
    build.counter("comms_coll", {{"main/call", {50, 50}}});
    return build.take();
}

TEST(SummaryOfRun, endsOfItsProcesses_standFirst) {
    Experiment experiment = run();
    experiment.attributes.emplace_back(kEndsAttribute, "Rank 0 was ended by signal 9 (SIGKILL)");
    const auto summary = summarize(experiment);
    EXPECT_THAT(summary->first, ElementsAre("Rank 0 was ended by signal 9 (SIGKILL)"));
    EXPECT_FALSE(summary->problems.empty());
}

/// As with the newest events of each thread only.
TEST(SummaryOfRun, ofWhichAPartWasRecorded_saysHowLongThatIs) {
    EXPECT_THAT(summarize(run())->run, StartsWith("2 processes ran for 10.0 s."));
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {6, 6}}, {"main/call", {4, 4}}});
    build.metric(testing::seconds("mpi_collective"), "time", {{"main/call", {4, 4}}});
    build.metric(testing::seconds("unrecorded"), "", {{"main", {30, 30}}});
    EXPECT_THAT(summarize(build.take())->run,
                StartsWith("2 processes were recorded for 10.0 s of their run."));
}

TEST(SummaryOfIncompleteRun, isNotJudged) {
    Experiment experiment = run();
    ASSERT_FALSE(summarize(experiment)->problems.empty());
    experiment.attributes.emplace_back(std::string(kBrokenLawAttribute) + "processor time",
                                       "process 0 used 2.00 s, its recorded threads 0.90 s");
    const auto summary = summarize(experiment);
    EXPECT_TRUE(summary->problems.empty());
    EXPECT_FALSE(summary->isHealthy);
    EXPECT_THAT(summary->run, HasSubstr("not all of the run is there"));
    EXPECT_THAT(summary->first, ElementsAre(HasSubstr("processor time: process 0 used 2.00 s")));
    EXPECT_THAT(summary->run, ::testing::Not(HasSubstr("lost")));
}

TEST(SummaryOfIncompleteRun, brokenLawStandsBeforeItsEnd) {
    Experiment experiment = run();
    experiment.attributes.emplace_back(kEndsAttribute, "All 2 processes exited with code 0");
    experiment.attributes.emplace_back(std::string(kBrokenLawAttribute) + "span", "1 event lies outside");
    EXPECT_THAT(summarize(experiment)->first,
                ElementsAre(HasSubstr("span: 1 event lies outside"), "All 2 processes exited with code 0"));
}

/// Two processes that compute equally long.
Experiment healthyRun() {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {10, 10}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {10, 10}}});
    build.metric(testing::seconds("overhead"), "time", {{"main", {0, 0}}});
    build.metric(testing::seconds("imbalance"), "", {{"main", {0, 0}}});
    return build.take();
}

/// As a program that does not find its input.
TEST(SummaryOfRun, whoseProcessesFailed_isNotCalledHealthy) {
    Experiment experiment = healthyRun();
    experiment.attributes.emplace_back(kFailedAttribute, "2");
    const auto summary = summarize(experiment);
    EXPECT_FALSE(summary->isHealthy);
    EXPECT_THAT(
        summary->run,
        HasSubstr("Whether the run is healthy is not known: not all of its processes exited with code 0"));
}

TEST(SummaryOfRun, ofWhichMpiWasNotRecorded_isNotCalledHealthy) {
    Experiment experiment = healthyRun();
    ASSERT_TRUE(summarize(experiment)->isHealthy);
    const std::string note = "2 processes (0, 1): MPI is not recorded: the program uses another one";
    experiment.attributes.emplace_back(std::string(kNotRecordedAttribute) + "MPI", note);
    const auto summary = summarize(experiment);
    EXPECT_FALSE(summary->isHealthy);
    EXPECT_THAT(summary->run, HasSubstr("Whether the run is healthy is not known: MPI was not measured"));
    EXPECT_EQ(summary->doubts.front().text, note);
}

TEST(SummaryOfASnapshot, whatIsNotChecked_isSaid) {
    Experiment experiment = run();
    experiment.attributes.emplace_back(kNotCheckedAttribute,
                                       "A snapshot: whether all is there is not checked");
    const auto summary = summarize(experiment);
    EXPECT_THAT(summary->first, ElementsAre("A snapshot: whether all is there is not checked"));
    EXPECT_FALSE(summary->problems.empty());
}

}  // namespace
}  // namespace holos::algebra
