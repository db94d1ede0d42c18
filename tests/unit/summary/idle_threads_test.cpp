// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace holos::algebra
