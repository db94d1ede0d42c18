// SPDX-License-Identifier: BSD-3-Clause
// What only looks like a pattern, or like another problem: threads that happen to run a task, threads that
// are too short to run side by side, locks of windows whose holders lack a processor, and one thing told
// twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algebra/insight/summary/summary.h"
#include "algebra/model/experiment.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::HasSubstr;

/// Four threads run a construct for 1, 2, 3 and 4 s, and wait for each other.
Problem stairsIn(const std::string& construct, const std::string& role,
                 const std::vector<double>& blamed = {0, 0.5, 2, 3.5}) {
    const std::string path = "main/!$omp parallel/" + construct;
    constexpr auto* kBarrier = "main/!$omp parallel/!$omp barrier";
    testing::SmallExperiment build(1, 4);
    build.metric(testing::seconds("time"), "", {{path, {1, 2, 3, 4}}, {kBarrier, {3, 2, 1, 0}}});
    build.metric(testing::seconds("comp"), "time", {{path, {1, 2, 3, 4}}});
    build.metric(testing::seconds("omp_ibarrier_wait"), "time", {{kBarrier, {3, 2, 1, 0}}});
    build.metric(testing::seconds("delay"), "", {{path, blamed}});
    build.metric(testing::seconds("delay_ompbarrier_aggregate"), "delay", {{path, blamed}});
    Experiment experiment = build.take();
    for (Region& region : experiment.regions) {
        if (region.name.starts_with("!$omp")) region.paradigm = "openmp";
        if (region.name == construct) region.role = role;
        if (region.name == "!$omp parallel") region.role = "parallel";
    }
    return summarize(experiment).value().problems.at(0);
}

TEST(Chance, whichThreadRunsATask_isNoPattern) {
    EXPECT_EQ(stairsIn("!$omp for", "loop").pattern, "gradient");
    const Problem problem = stairsIn("!$omp task", "task");
    EXPECT_NE(problem.pattern, "gradient");
    EXPECT_THAT(problem.who, HasSubstr("which thread has how much of it is chance"));
}

TEST(Chance, whichThreadExecutesASection_isNoPattern) {
    const Problem problem = stairsIn("!$omp sections", "sections");
    EXPECT_NE(problem.pattern, "gradient");
    EXPECT_THAT(problem.who, HasSubstr("which thread has how much of it is chance"));
}

/// In a dynamic loop each of them is the last one now and then.
TEST(Chance, threadsOfWhichNowOneIsLastNowAnother_haveNoPatternByTheirNumbers) {
    EXPECT_NE(stairsIn("!$omp for", "loop", {0.5, 1, 2, 2.5}).pattern, "gradient");
}

/// The first thread starts so many, one after the other, and waits for 2 s in all; each works for so long.
std::string titleOfJoined(int threads, double work) {
    const int all = threads + 1;
    std::vector<double> works(static_cast<std::size_t>(all), work), waits(static_cast<std::size_t>(all), 0.0);
    works.front() = 0;
    waits.front() = 2;
    testing::SmallExperiment build(1, all);
    build.metric(testing::seconds("time"), "", {{"THREADS/step", works}, {"main/pthread_join", waits}});
    build.metric(testing::seconds("comp"), "time", {{"THREADS/step", works}});
    build.metric(testing::seconds("pthread_time"), "time", {{"main/pthread_join", waits}});
    build.metric(testing::seconds("pthread_management"), "pthread_time", {{"main/pthread_join", waits}});
    build.metric(testing::seconds("pthread_join_wait"), "pthread_management", {{"main/pthread_join", waits}});
    build.metric(testing::seconds("pthread_join_wait_uneven"), "pthread_join_wait",
                 {{"main/pthread_join", std::vector<double>(waits.size(), 0.0)}});
    build.metric(testing::seconds("pthread_join_wait_single"), "pthread_join_wait",
                 {{"main/pthread_join", waits}});
    build.metric(testing::seconds("delay"), "", {{"THREADS/step", works}});
    build.metric(testing::seconds("delay_pthread_join_aggregate"), "delay", {{"THREADS/step", works}});
    const auto summary = summarize(build.take());
    for (const Problem& problem : summary->problems)
        if (problem.kind == "join" || problem.kind == "short-threads") return problem.what;
    return "";
}

TEST(Chance, threadsThatEndBeforeTheNextBegins_areTooShort) {
    EXPECT_THAT(titleOfJoined(3, 0.6), HasSubstr("started one after the other"));
    EXPECT_THAT(titleOfJoined(400, 0.0005), HasSubstr("Threads are so short"));
}

}  // namespace
}  // namespace holos::algebra
