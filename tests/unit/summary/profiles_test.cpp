// SPDX-License-Identifier: BSD-3-Clause
// A profile has no wait states: what it says of communication has to include them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "algebra/model/profile_attribute.h"
#include "algebra/summary/summary.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Two processes that spend 4 of their 10 s in one group of MPI's or OpenMP's calls, by its metric.
testing::SmallExperiment spending(const std::string& metric) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {6, 6}}, {"main/call", {4, 4}}});
    build.metric(testing::seconds(metric), "time", {{"main/call", {4, 4}}});
    return build;
}

Experiment asProfile(Experiment experiment) {
    experiment.attributes.emplace_back(kProfileAttribute, "1");
    return experiment;
}

Problem onlyProblemOf(const Experiment& experiment) {
    const auto summary = summarize(experiment);
    EXPECT_EQ(summary->problems.size(), 1U);
    return summary->problems.empty() ? Problem() : summary->problems.front();
}

void expectWaitingIncluded(const Problem& problem) {
    EXPECT_THAT(problem.what, HasSubstr("waiting"));
    EXPECT_THAT(problem.what, Not(HasSubstr("themselves")));
    EXPECT_THAT(problem.why, HasSubstr("a profile does not know how much"));
    EXPECT_THAT(problem.remedy, HasSubstr("find out with a trace how much is waiting: `holos record`"));
    EXPECT_THAT(problem.remedy, HasSubstr("--trace-phase"));
}

TEST(SummaryOfProfiles, collectiveOperations_includeWaiting) {
    testing::SmallExperiment build = spending("mpi_collective");
    build.counter("comms_coll", {{"main/call", {50, 50}}});
    Experiment experiment = build.take();
    EXPECT_EQ(onlyProblemOf(experiment).what, "Collective operations themselves take long");
    EXPECT_EQ(onlyProblemOf(experiment).who,
              "100 calls of all processes together, 80.0 ms each beside waiting");
    const Problem problem = onlyProblemOf(asProfile(std::move(experiment)));
    EXPECT_EQ(problem.kind, "collectives");
    EXPECT_EQ(problem.who, "100 calls of all processes together, 80.0 ms each with waiting");
    expectWaitingIncluded(problem);
}

TEST(SummaryOfProfiles, messages_includeWaitingAndAreNotBlamedForTheirSize) {
    testing::SmallExperiment build = spending("mpi_point2point");
    build.counter("comms_send", {{"main/call", {50, 50}}});
    build.counter("bytes_sent", {{"main/call", {400, 400}}});
    Experiment experiment = build.take();
    EXPECT_EQ(onlyProblemOf(experiment).kind, "small-messages");
    const Problem problem = onlyProblemOf(asProfile(std::move(experiment)));
    EXPECT_EQ(problem.kind, "communication");
    expectWaitingIncluded(problem);
}

TEST(SummaryOfProfiles, barriersOfThreads_includeWaiting) {
    Experiment experiment = spending("omp_barrier").take();
    EXPECT_THAT(onlyProblemOf(experiment).what, HasSubstr("so short"));
    expectWaitingIncluded(onlyProblemOf(asProfile(std::move(experiment))));
}

TEST(SummaryOfProfiles, lostTime_isNotCalledCommunicationItself) {
    Experiment experiment = spending("mpi_communication").take();
    EXPECT_THAT(summarize(experiment)->run, HasSubstr("40 % communication itself"));
    EXPECT_THAT(summarize(asProfile(std::move(experiment)))->run,
                HasSubstr("40 % communication and waiting in it"));
}

/// As in a campaign, whose first run is a trace.
TEST(SummaryOfProfiles, mergedWithATrace_knowsItsWaits) {
    testing::SmallExperiment build = spending("mpi_collective");
    build.metric(testing::seconds("mpi_wait_nxn"), "mpi_collective", {{"main/call", {1, 1}}});
    const auto summary = summarize(asProfile(build.take()));
    const auto found = std::ranges::find(summary->problems, "collectives", &Problem::kind);
    ASSERT_NE(found, summary->problems.end());
    EXPECT_EQ(found->what, "Collective operations themselves take long");
    EXPECT_DOUBLE_EQ(found->cost, 6);
    for (const Doubt& doubt : summary->doubts) EXPECT_THAT(doubt.text, Not(HasSubstr("A profile")));
}

std::vector<std::string> doubtsAbout(const std::string& notes, bool isProfile) {
    Experiment made = spending("mpi").file("holos.diagnoses", notes).take();
    if (isProfile) made = asProfile(std::move(made));
    std::vector<std::string> texts;
    const auto summary = summarize(made);
    for (const Doubt& doubt : summary->doubts) texts.push_back(doubt.text);
    return texts;
}

TEST(SummaryOfProfiles, notesOfTheRecording_areRepeatedAndLostEventsComeFirst) {
    const std::string notes = "disk full\nthe second\nprocess 0 lost 7 events\nthe third\nthe fourth\n";
    const auto texts = doubtsAbout(notes, true);
    ASSERT_GE(texts.size(), 4U);
    const std::vector<std::string> last(texts.end() - 4, texts.end());
    EXPECT_THAT(last[0], HasSubstr("process 0 lost 7 events: "));
    EXPECT_THAT(last[0], HasSubstr("counts as computation"));
    EXPECT_EQ(last[1], "disk full");
    EXPECT_EQ(last[2], "the second");
    EXPECT_THAT(last[3], HasSubstr("2 more notes"));
}

TEST(SummaryOfProfiles, notesOfATrace_areCountedOnly) {
    EXPECT_THAT(doubtsAbout("process 0 lost 7 events\n", false),
                ::testing::Contains("The trace has gaps or damage: 1 kind of it"));
}

}  // namespace
}  // namespace holos::algebra
