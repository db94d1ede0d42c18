// SPDX-License-Identifier: BSD-3-Clause
// How much shorter a run would be, by a replay or by a formula.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "algebra/insight/summary/replayed_gains.h"
#include "algebra/insight/summary/summary.h"
#include "algebra/model/processors.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// Two processes of 10 s. The second works 2 s longer in `solve`; both read files for 3 s.
Experiment runOfTwoProblems() {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "",
                 {{"main/solve", {5, 7}}, {"main/read", {3, 3}}, {"main/sum", {2, 0}}});
    build.metric(testing::seconds("comp"), "time", {{"main/solve", {5, 7}}});
    build.metric(testing::seconds("file_io"), "time", {{"main/read", {3, 3}}});
    build.metric(testing::seconds("mpi_wait_nxn"), "time", {{"main/sum", {2, 0}}});
    build.metric(testing::seconds("delay"), "", {{"main/solve", {0, 0}}});
    build.metric(testing::seconds("delay_n2n_aggregate"), "delay", {{"main/solve", {0, 2}}});
    return build.take();
}

Problem problemOfKind(const Experiment& experiment, const char* kind) {
    const auto summary = summarize(experiment);
    for (const Problem& problem : summary->problems)
        if (problem.kind == kind) return problem;
    throw std::runtime_error(kind);
}

TEST(Gains, withoutAReplay_areCalledEstimates) {
    const auto summary = summarize(runOfTwoProblems());
    ASSERT_THAT(summary->problems, SizeIs(2));
    for (const Problem& problem : summary->problems) {
        EXPECT_EQ(problem.replayedWith, "");
        EXPECT_THAT(gainText(*summary, problem), StartsWith("perhaps "));
        EXPECT_THAT(gainText(*summary, problem), HasSubstr("no replay has tested"));
    }
}

/// Replays do not know where threads meet that are in no team of OpenMP.
TEST(Gains, ofAReplayOfThreadsAtTheirOwnBarriers_areNotSaid) {
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "", {{"main/solve", {5, 7}}, {"main/meet", {2, 0}}});
    build.metric(testing::seconds("comp"), "time", {{"main/solve", {5, 7}}});
    build.metric(testing::seconds("pthread_barrier_wait"), "time", {{"main/meet", {2, 0}}});
    build.metric(testing::seconds("delay"), "", {{"main/solve", {0, 2}}});
    build.metric(testing::seconds("delay_pthread_barrier_aggregate"), "delay", {{"main/solve", {0, 2}}});
    Experiment experiment = build.take();
    const Problem late = problemOfKind(experiment, "imbalance");
    keepReplayedGains({{"imbalance", keyOf(experiment, late.path), "balance main/solve", 0}}, experiment);
    const Problem found = problemOfKind(experiment, "imbalance");
    EXPECT_EQ(found.replayedWith, "");
    EXPECT_DOUBLE_EQ(*found.gain, *late.gain);
}

/// Replays leave tasks with the threads that executed them.
TEST(Gains, ofAReplayOfTasks_areNotSaid) {
    constexpr auto *kTask = "main/!$omp task", *kMeet = "main/!$omp implicit barrier";
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "", {{kTask, {5, 7}}, {kMeet, {2, 0}}});
    build.metric(testing::seconds("comp"), "time", {{kTask, {5, 7}}});
    build.metric(testing::seconds("omp_ibarrier_wait"), "time", {{kMeet, {2, 0}}});
    build.metric(testing::seconds("delay"), "", {{kTask, {0, 2}}});
    build.metric(testing::seconds("delay_ompbarrier_aggregate"), "delay", {{kTask, {0, 2}}});
    Experiment experiment = build.take();
    const Problem late = problemOfKind(experiment, "imbalance");
    keepReplayedGains({{"imbalance", keyOf(experiment, late.path), "balance !$omp task", 0}}, experiment);
    const Problem found = problemOfKind(experiment, "imbalance");
    EXPECT_EQ(found.replayedWith, "");
    EXPECT_EQ(found.remedy, late.remedy);
    EXPECT_EQ(found.gain, late.gain);
}

/// What a program does between tests for messages stays as it was.
TEST(Gains, ofAReplayOfTestsForMessages_areNotSaid) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main/solve", {5, 7}}, {"main/MPI_Test", {2, 0}}});
    build.metric(testing::seconds("comp"), "time", {{"main/solve", {5, 7}}});
    build.metric(testing::seconds("mpi_latesender_polling"), "time", {{"main/MPI_Test", {2, 0}}});
    build.metric(testing::seconds("delay"), "", {{"main/solve", {0, 2}}});
    build.metric(testing::seconds("delay_latesender_aggregate"), "delay", {{"main/solve", {0, 2}}});
    Experiment experiment = build.take();
    const Problem late = problemOfKind(experiment, "imbalance");
    keepReplayedGains({{"imbalance", keyOf(experiment, late.path), "balance main/solve", 0}}, experiment);
    const Problem found = problemOfKind(experiment, "imbalance");
    EXPECT_EQ(found.replayedWith, "");
    EXPECT_EQ(found.remedy, late.remedy);
}

TEST(Gains, ofAReplay_areThoseThatAreSaid) {
    Experiment experiment = runOfTwoProblems();
    const Problem late = problemOfKind(experiment, "imbalance");
    keepReplayedGains({{"imbalance", keyOf(experiment, late.path), "balance main/solve", 0.97}}, experiment);
    const auto summary = summarize(experiment);
    const Problem found = problemOfKind(experiment, "imbalance");
    EXPECT_DOUBLE_EQ(*found.gain, 0.97);
    EXPECT_EQ(gainText(*summary, found),
              "at most 970 ms of 10.0 s (9.7 %), by a replay with `balance main/solve`");
    EXPECT_EQ(problemOfKind(experiment, "files").replayedWith, "");
}

/// Who is late has no more to do, or others end no earlier.
TEST(Gains, ofAReplayThatEvenWorkDoesNotShorten_leaveNoAdviceToShareItOut) {
    Experiment experiment = runOfTwoProblems();
    const std::string advice = problemOfKind(experiment, "imbalance").remedy;
    const std::string path = keyOf(experiment, problemOfKind(experiment, "imbalance").path);
    keepReplayedGains({{"imbalance", path, "balance main/solve", 0.05}}, experiment);
    const Problem found = problemOfKind(experiment, "imbalance");
    EXPECT_NE(found.remedy, advice);
    EXPECT_THAT(found.remedy, HasSubstr("more even work alone does not help"));
    EXPECT_THAT(found.why, HasSubstr("a replay in which all work equally long there is hardly shorter"));
    keepReplayedGains({{"imbalance", path, "balance main/solve", 0.5}}, experiment);
    EXPECT_EQ(problemOfKind(experiment, "imbalance").remedy, advice);
}

/// Messages of a run that lacked processors take longer because of that, too.
TEST(Gains, ofAnIdealNetwork_areNoMoreThanEachLosesWhereProcessorsLacked) {
    Experiment experiment = runOfTwoProblems();
    const Problem files = problemOfKind(experiment, "files");
    ASSERT_DOUBLE_EQ(*files.gain, 3);
    keepReplayedGains({{"files", keyOf(experiment, files.path), "network=ideal", 5}}, experiment);
    EXPECT_DOUBLE_EQ(*problemOfKind(experiment, "files").gain, 5);
    for (Location& thread : experiment.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "7000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "3000000000"}};
    EXPECT_DOUBLE_EQ(*problemOfKind(experiment, "files").gain, 3);
}

/// Who lacks a processor is late in the replay instead of those who have more to do.
TEST(Gains, ofEvenWork_areAnEstimateWhereProcessorsLacked) {
    Experiment experiment = runOfTwoProblems();
    const Problem late = problemOfKind(experiment, "imbalance");
    keepReplayedGains({{"imbalance", keyOf(experiment, late.path), "balance main/solve", 0.01}}, experiment);
    EXPECT_DOUBLE_EQ(*problemOfKind(experiment, "imbalance").gain, 0.01);
    for (Location& thread : experiment.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "7000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "3000000000"},
                             {std::string(kShortageAttribute), "3000000000"}};
    const Problem found = problemOfKind(experiment, "imbalance");
    EXPECT_DOUBLE_EQ(*found.gain, *late.gain / 2);  // each of two has its part then
    EXPECT_EQ(found.replayedWith, "");
    EXPECT_EQ(found.remedy, late.remedy);
    EXPECT_THAT(gainText(*summarize(experiment), found), StartsWith("perhaps "));
}

TEST(Gains, areNeverMoreThanTheCosts) {
    Summary summary;
    summary.seconds = 10;
    Problem problem;
    problem.percent = 9.7;
    problem.gain = 3.7;
    EXPECT_EQ(costText(summary, problem), "9.7 % of the time of all threads");
    EXPECT_EQ(gainText(summary, problem),
              "perhaps 970 ms of 10.0 s (9.7 %), an estimate that no replay has tested");
    // A replay knows that others end earlier, too.
    problem.replayedWith = "balance main/solve";
    EXPECT_EQ(costText(summary, problem), "37 % of the run, 9.7 % of the time of all threads");
    EXPECT_THAT(gainText(summary, problem), StartsWith("at most 3.70 s of 10.0 s (37 %)"));
    problem.gain = 0.97;
    EXPECT_EQ(costText(summary, problem), "9.7 % of the time of all threads");
}

/// One of two sleeps for 4 s, or works for 4 s more: without that sleep the run is 4 s shorter, and of the
/// work the other one does half.
TEST(Gains, ofSleep_areAllOfItAndOfWorkWhatSharingItOutBrings) {
    Summary summary;
    summary.seconds = 10;
    Problem problem;
    problem.kind = "imbalance";
    problem.percent = 20;  // 4 of 20 s
    problem.gain = 4;
    EXPECT_DOUBLE_EQ(gainSeconds(summary, problem), 2);
    EXPECT_EQ(
        gainText(summary, problem),
        "perhaps 2.00 s of 10.0 s (20 %) if that work is shared out, an estimate that no replay has tested");
    problem.isSleep = true;
    EXPECT_DOUBLE_EQ(gainSeconds(summary, problem), 4);
    EXPECT_EQ(gainText(summary, problem),
              "perhaps 4.00 s of 10.0 s (40 %), an estimate that no replay has tested");
    EXPECT_EQ(costText(summary, problem), "40 % of the run, 20.0 % of the time of all threads");
}

TEST(Gains, ofAReplayOfALongCallPath_doNotRepeatIt) {
    Summary summary;
    summary.seconds = 10;
    Problem problem;
    problem.percent = 50;
    problem.gain = 1;
    problem.path = CallPathId(0);
    problem.replayedWith = "balance main/" + std::string(200, 'x');
    EXPECT_EQ(gainText(summary, problem),
              "at most 1.00 s of 10.0 s (10 %), by a replay with `balance` of this call path");
    problem.replayedWith = "limit main/" + std::string(200, 'x') + "=2s";
    EXPECT_THAT(gainText(summary, problem), HasSubstr("by a replay with `limit …=2s` of this call path"));
}

TEST(Gains, ofAReplay_ofAnotherPlaceAreNotTaken) {
    Experiment experiment = runOfTwoProblems();
    keepReplayedGains({{"imbalance", "/main/other", "balance main/other", 0.97}}, experiment);
    EXPECT_EQ(problemOfKind(experiment, "imbalance").replayedWith, "");
}

TEST(Gains, ofAReplay_areReadBackAndDamagedOnesPassedOver) {
    Experiment experiment = runOfTwoProblems();
    keepReplayedGains({{"files", "/main/read", "remove main/read", 3}, {"lock", "", "locks free", 0.5}},
                      experiment);
    const auto gains = replayedGainsOf(experiment);
    ASSERT_THAT(gains, SizeIs(2));
    EXPECT_EQ(gains[1].condition, "locks free");
    EXPECT_EQ(gains[0].path, "/main/read");
    EXPECT_DOUBLE_EQ(gains[1].seconds, 0.5);
    for (const char* text : {"", "lock", "lock\t1", "lock\tx\na\nb\n", "\n\n\n"}) {
        experiment.files["holos.gains"] = text;
        EXPECT_THAT(replayedGainsOf(experiment), IsEmpty()) << text;
    }
}

TEST(Gains, together_areNoMoreThanTheRunAndEachNoMoreThanItsCost) {
    Experiment experiment = runOfTwoProblems();
    keepReplayedGains(
        {{"files", keyOf(experiment, problemOfKind(experiment, "files").path), "remove main/read", 9.5},
         {"imbalance", keyOf(experiment, problemOfKind(experiment, "imbalance").path), "b", 9}},
        experiment);
    const auto summary = summarize(experiment);
    double all = 0;
    for (const Problem& problem : summary->problems) {
        all += *problem.gain;
        EXPECT_LE(*problem.gain, problem.cost);
    }
    EXPECT_LE(all, summary->seconds);
    EXPECT_DOUBLE_EQ(*summary->problems.front().gain, 6);  // the first is not cut for those behind it
}

/// On two processors the 12 s of work of both take 6 of 10 s at least, and on one all of them.
TEST(Gains, together_areNoMoreThanTheRunTakesBeyondItsWorkOnAllProcessors) {
    Experiment experiment = runOfTwoProblems();
    const std::string files = keyOf(experiment, problemOfKind(experiment, "files").path),
                      late = keyOf(experiment, problemOfKind(experiment, "imbalance").path);
    keepReplayedGains({{"files", files, "remove main/read", 3}, {"imbalance", late, "balance main/solve", 2}},
                      experiment);
    const auto gains = [&] {
        return std::pair(*problemOfKind(experiment, "files").gain,
                         *problemOfKind(experiment, "imbalance").gain);
    };
    EXPECT_EQ(gains(), std::pair(3.0, 2.0));
    for (Location& thread : experiment.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "7000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "0"}};
    const auto onProcessors = [&](const char* number) {
        for (const SystemNodeId node : experiment.system.nodes.ids())
            experiment.system.nodes[node].attributes = {{std::string(kSocketsAttribute), "1"},
                                                        {std::string(kCoresAttribute), number},
                                                        {std::string(kUnitsAttribute), "1"}};
        return gains();
    };
    EXPECT_EQ(onProcessors("4"), std::pair(3.0, 2.0));
    EXPECT_EQ(onProcessors("2"), std::pair(3.0, 1.0));
    EXPECT_EQ(onProcessors("1"), std::pair(0.0, 0.0));
}

}  // namespace
}  // namespace holos::algebra
