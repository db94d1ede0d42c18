// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "algebra/insight/summary/summary.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::HasSubstr;

/// Two threads; the second is idle while the first one is in these functions of a step, for so long.
Summary idleIn(const testing::SmallExperiment::Rows& rows) {
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "", {{"main/step", {10, 10}}});
    build.metric(testing::seconds("omp_idle_threads"), "time", rows);
    build.metric(testing::seconds("delay"), "", rows);
    build.metric(testing::seconds("delay_ompidle_aggregate"), "delay", rows);
    return summarize(build.take()).value();
}

TEST(IdleThreadsProblem, oneFunction_isNamed) {
    const Summary summary = idleIn({{"main/step/read", {5, 0}}});
    ASSERT_EQ(summary.problems.size(), 1U);
    EXPECT_EQ(summary.problems[0].kind, "serial");
    EXPECT_EQ(summary.problems[0].where, "main › step › read");
    EXPECT_DOUBLE_EQ(summary.problems[0].percent, 25);
}

/// The second process works alone for 4 s; the first one only starts MPI.
TEST(IdleThreadsProblem, whoWorksAlone_isNotWhoStartsMpiThere) {
    testing::SmallExperiment build(2, 2);
    build.metric(testing::seconds("time"), "", {{"main", {6, 10, 10, 10}}, {"main/MPI_Init", {4, 0, 0, 0}}});
    build.metric(testing::seconds("mpi_init_exit"), "time", {{"main/MPI_Init", {4, 0, 0, 0}}});
    build.metric(testing::seconds("omp_idle_threads"), "time",
                 {{"main", {0, 0.05, 0, 4}}, {"main/MPI_Init", {0, 4, 0, 0}}});
    const testing::SmallExperiment::Rows delays{{"main", {0.05, 0, 4, 0}}, {"main/MPI_Init", {4, 0, 0, 0}}};
    build.metric(testing::seconds("delay"), "", delays);
    build.metric(testing::seconds("delay_ompidle_aggregate"), "delay", delays);
    const auto problems = summarize(build.take())->problems;
    const auto serial = std::ranges::find(problems, "serial", &Problem::kind);
    ASSERT_NE(serial, problems.end());
    EXPECT_EQ(serial->who, "MPI Rank 1 with 2 threads in all");
}

/// Without causes it may wait there for others: that is no work that could be shared out.
TEST(IdleThreadsProblem, inMpiOfAProfile_promisesNothing) {
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "", {{"main/step", {5, 5}}, {"main/step/MPI_Recv", {5, 5}}});
    build.metric(testing::seconds("comp"), "time", {{"main/step", {5, 5}}});
    build.metric(testing::seconds("omp_idle_threads"), "time", {{"main/step/MPI_Recv", {0, 5}}});
    Experiment profile = build.take();
    for (Region& region : profile.regions)
        if (region.name == "MPI_Recv") region.paradigm = "mpi";
    profile.attributes.emplace_back(kProfileAttribute, "1");
    const Summary summary = summarize(profile).value();
    ASSERT_EQ(summary.problems.size(), 1U);
    EXPECT_EQ(summary.problems[0].what, "Threads are idle while the first one of their process is in MPI");
    EXPECT_EQ(summary.problems[0].why, "it is not known whether it waits there for other processes");
    EXPECT_FALSE(summary.problems[0].gain);
}

/// While MPI starts, no thread has anything to do: nobody works whom they wait for.
TEST(IdleThreadsProblem, whileMpiStarts_areAPartOfTheStart) {
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "", {{"main/step", {1, 1}}, {"main/MPI_Init", {9, 9}}});
    build.metric(testing::seconds("comp"), "time", {{"main/step", {1, 1}}});
    build.metric(testing::seconds("mpi_init_exit"), "time", {{"main/MPI_Init", {9, 0}}});
    build.metric(testing::seconds("omp_idle_threads"), "time", {{"main/MPI_Init", {0, 9}}});
    const Summary summary = summarize(build.take()).value();
    ASSERT_EQ(summary.losses.size(), 1U);
    EXPECT_EQ(summary.losses[0].name, "starting and ending MPI");
    EXPECT_DOUBLE_EQ(summary.losses[0].percent, 90);
}

/// Where the system loads the program, nobody can share anything out.
TEST(IdleThreadsProblem, beforeMain_isNone) {
    const auto kinds = [](const char* path) {
        testing::SmallExperiment build(1, 2);
        build.metric(testing::seconds("time"), "", {{"app", {0, 0}}, {"app/main/step", {10, 10}}});
        build.metric(testing::seconds("omp_idle_threads"), "time", {{path, {0, 5}}});
        build.metric(testing::seconds("delay"), "", {{path, {5, 0}}});
        build.metric(testing::seconds("delay_ompidle_aggregate"), "delay", {{path, {5, 0}}});
        return summarize(build.take()).value().problems.size();
    };
    EXPECT_EQ(kinds("app/main"), 1U);
    EXPECT_EQ(kinds("app"), 0U);
}

/// Nothing can be shared out while the first thread has no processor.
TEST(IdleThreadsProblem, whileTheFirstOneHasNoProcessor_isNone) {
    EXPECT_TRUE(idleIn({{"main/step/WAITING FOR A PROCESSOR", {5, 0}}}).problems.empty());
}

TEST(IdleThreadsProblem, manyFunctions_areOneProblemOfTheirCaller) {
    const Summary summary =
        idleIn({{"main/step/read", {1, 0}}, {"main/step/sort", {3, 0}}, {"main/step/write", {2, 0}}});
    ASSERT_EQ(summary.problems.size(), 1U);
    EXPECT_EQ(summary.problems[0].where, "main › step");
    EXPECT_THAT(summary.problems[0].why, HasSubstr("most of it in main › step › sort"));
    EXPECT_DOUBLE_EQ(summary.problems[0].cost, 6);
}

/// Of four threads so many run a region for 10 s, of which the first one has no processor for 4 s; the rest
/// is idle meanwhile.
Summary limitedTo(int runners) {
    constexpr auto *kRegion = "main/!$omp parallel",
                   *kWithout = "main/!$omp parallel/WAITING FOR A PROCESSOR";
    std::vector<double> works{6, 0, 0, 0}, idle{0, 10, 10, 10}, times{6, 10, 10, 10};
    for (std::size_t at = 1; at < static_cast<std::size_t>(runners); ++at) {
        works[at] = 10;
        idle[at] = 0;
    }
    testing::SmallExperiment build(1, 4);
    build.metric(testing::seconds("time"), "", {{kRegion, times}, {kWithout, {4, 0, 0, 0}}});
    build.metric(testing::seconds("comp"), "time", {{kRegion, works}});
    build.metric(testing::seconds("processor_waiting"), "time", {{kWithout, {4, 0, 0, 0}}});
    build.metric(testing::seconds("omp_idle_threads"), "time", {{kRegion, idle}});
    build.metric(testing::seconds("omp_limited_parallelism"), "omp_idle_threads", {{kRegion, idle}});
    build.metric(testing::seconds("delay"), "", {{kRegion, {0, 0, 0, 0}}});
    return summarize(build.take()).value();
}

TEST(IdleThreadsProblem, inARegionOfOneThread_isToldWithWhoRunsIt) {
    const Summary summary = limitedTo(1);
    ASSERT_EQ(summary.problems.size(), 1U);
    const Problem& problem = summary.problems.front();
    EXPECT_EQ(problem.what, "One thread runs a parallel region, while the others of its process are idle");
    EXPECT_EQ(problem.where, "main › !$omp parallel");
    EXPECT_EQ(problem.who, "Thread 0 runs it for 10.0 s");
    EXPECT_DOUBLE_EQ(problem.cost, 0.6 * 30);  // for the rest nobody has a processor
    EXPECT_DOUBLE_EQ(problem.gain.value(), 0.6 * 30 / 4);
}

TEST(IdleThreadsProblem, inARegionOfFewThreads_isNotOfOneAlone) {
    const Summary summary = limitedTo(2);
    ASSERT_EQ(summary.problems.size(), 1U);
    EXPECT_EQ(summary.problems.front().what,
              "A parallel region has fewer threads than its process, and the others are idle");
    EXPECT_THAT(summary.problems.front().who, HasSubstr("2 of 4 threads run it, "));
    EXPECT_DOUBLE_EQ(summary.problems.front().cost, 0.8 * 20);
    EXPECT_TRUE(limitedTo(4).problems.empty());
}

/// Two teams of two threads within one region; the fourth thread has no work while its team's first one waits
/// for the other team.
TEST(IdleThreadsProblem, inARegionAroundOthers_isNoLackOfThreads) {
    constexpr auto *kOuter = "main/!$omp parallel", *kInner = "main/!$omp parallel/!$omp parallel for";
    testing::SmallExperiment build(1, 4);
    build.metric(testing::seconds("time"), "", {{kOuter, {6, 0, 0, 6}}, {kInner, {4, 10, 10, 4}}});
    build.metric(testing::seconds("comp"), "time", {{kInner, {4, 10, 10, 4}}});
    build.metric(testing::seconds("omp_ibarrier_wait"), "time", {{kOuter, {6, 0, 0, 0}}});
    build.metric(testing::seconds("omp_idle_threads"), "time", {{kOuter, {0, 0, 0, 6}}});
    build.metric(testing::seconds("omp_limited_parallelism"), "omp_idle_threads", {{kOuter, {0, 0, 0, 6}}});
    build.metric(testing::seconds("delay"), "", {{kInner, {0, 6, 0, 0}}});
    build.metric(testing::seconds("delay_ompbarrier_aggregate"), "delay", {{kInner, {0, 6, 0, 0}}});
    const Summary summary = summarize(build.take()).value();
    EXPECT_FALSE(summary.problems.empty());
    for (const Problem& problem : summary.problems) EXPECT_NE(problem.kind, "serial");
}

/// Two processes of two threads. The first thread of the second process writes to a file for 4 s: the other
/// one has nothing to do, and the first process waits.
TEST(IdleThreadsProblem, whileTheFirstOneOfOneProcessSleeps_isToldOnceAndOfThatProcess) {
    for (const double waiting : {4.0, 0.0}) {
        testing::SmallExperiment build(2, 2);
        constexpr auto* kSync = "main/fsync";
        build.metric(testing::seconds("time"), "",
                     {{"main/step", {6, 6, 6, 6}},
                      {kSync, {0, 0, 4, 0}},
                      {"main/MPI_Barrier", {waiting, 0, 0, 0}},
                      {"main/idle", {0, 0, 0, 4}}});
        build.metric(testing::seconds("comp"), "time", {{"main/step", {6, 6, 6, 6}}});
        build.metric(testing::seconds("system_waiting"), "time", {{kSync, {0, 0, 4, 0}}});
        build.metric(testing::seconds("mpi_barrier_wait"), "time",
                     {{"main/MPI_Barrier", {waiting, 0, 0, 0}}});
        build.metric(testing::seconds("omp_idle_threads"), "time", {{"main/idle", {0, 0, 0, 4}}});
        build.metric(testing::seconds("delay"), "", {{kSync, {0, 0, 4 + waiting, 0}}});
        build.metric(testing::seconds("delay_barrier_aggregate"), "delay", {{kSync, {0, 0, waiting, 0}}});
        build.metric(testing::seconds("delay_ompidle_aggregate"), "delay", {{kSync, {0, 0, 4, 0}}});
        const Summary summary = summarize(build.take()).value();
        ASSERT_EQ(summary.problems.size(), 1U);
        const Problem& problem = summary.problems[0];
        EXPECT_TRUE(problem.isSleep);
        EXPECT_DOUBLE_EQ(problem.cost, 4 + waiting);
        if (waiting > 0) {
            EXPECT_EQ(problem.what, "One process sleeps alone, and the others wait");
        } else {
            EXPECT_EQ(problem.what, "Threads are idle while the first one of their process sleeps");
            EXPECT_EQ(problem.who, "MPI Rank 1 with 2 threads in all");
            EXPECT_DOUBLE_EQ(problem.gain.value(), 4);
        }
    }
}

}  // namespace
}  // namespace holos::algebra
