// SPDX-License-Identifier: BSD-3-Clause
// Threads of one process that wait for each other: who is waited for, and what of that is a loss.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algebra/insight/summary/summary.h"
#include "algebra/model/wait_files.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::seconds;
using testing::SmallExperiment;

/// The first thread joins the others; two of these wait nearly all the time at a latch for the third one,
/// which works.
TEST(ThreadsThatWait, atALatch_areNoSleepers) {
    constexpr auto* kLatch = "THREADS/arrive/futex";
    constexpr auto* kStep = "THREADS/step";
    const SmallExperiment::Rows asleep{{kLatch, {0, 0.98, 0.98, 0}}},
        joins{{"main/pthread_join", {1, 0, 0, 0}}};
    SmallExperiment build(1, 4);
    build.metric(seconds("time"), "", {asleep.front(), joins.front(), {kStep, {0, 0.02, 0.02, 1}}});
    build.metric(seconds("comp"), "time", {{kStep, {0, 0.02, 0.02, 1}}});
    build.metric(seconds("system_waiting"), "time", asleep);
    build.metric(seconds("futex_wait"), "system_waiting", asleep);
    build.metric(seconds("pthread_management"), "time", joins);
    build.metric(seconds("pthread_join_wait"), "pthread_management", joins);
    build.metric(seconds("delay"), "", {{kStep, {0, 0, 0, 1.96}}});
    build.metric(seconds("delay_futex_aggregate"), "delay", {{kStep, {0, 0, 0, 1.96}}});
    const Summary summary = summarize(build.take()).value();
    EXPECT_THAT(summary.run, HasSubstr("1 process with 4 threads in all ran for"));
    ASSERT_EQ(summary.problems.size(), 1U);
    EXPECT_EQ(summary.problems.front().kind, "wake");
    EXPECT_DOUBLE_EQ(summary.problems.front().cost, 1.96);
    EXPECT_NEAR(summary.percentLost, 49, 1e-9);
}

/// One thread waits for 9.9 s, and does not count; another one for 0.5 s. Whoever signals is late for the
/// latter alone.
TEST(ThreadsThatWait, thatDoNotCount_makeNobodyLate) {
    const SmallExperiment::Rows waits{{"serve/sem_wait", {0, 9.9, 0.5}}};
    SmallExperiment build(1, 3);
    build.metric(seconds("time"), "", {waits.front(), {"main/step", {10, 0, 9.5}}});
    build.metric(seconds("comp"), "time", {{"main/step", {10, 0, 9.5}}});
    build.metric(seconds("pthread_semaphore"), "time", waits);
    build.metric(seconds("pthread_semaphore_wait"), "pthread_semaphore", waits);
    build.metric(seconds("delay"), "", {{"main/step", {10.4, 0, 0}}});
    build.metric(seconds("delay_pthread_semaphore_aggregate"), "delay", {{"main/step", {10.4, 0, 0}}});
    EXPECT_TRUE(summarize(build.take())->problems.empty());
    const SmallExperiment::Rows longer{{"serve/sem_wait", {0, 9.9, 2}}};
    SmallExperiment again(1, 3);
    again.metric(seconds("time"), "", {longer.front(), {"main/step", {10, 0, 8}}});
    again.metric(seconds("comp"), "time", {{"main/step", {10, 0, 8}}});
    again.metric(seconds("pthread_semaphore"), "time", longer);
    again.metric(seconds("pthread_semaphore_wait"), "pthread_semaphore", longer);
    again.metric(seconds("delay"), "", {{"main/step", {11.9, 0, 0}}});
    again.metric(seconds("delay_pthread_semaphore_aggregate"), "delay", {{"main/step", {11.9, 0, 0}}});
    const Summary summary = summarize(again.take()).value();
    ASSERT_EQ(summary.problems.size(), 1U);
    EXPECT_DOUBLE_EQ(summary.problems.front().cost, 2);
}

}  // namespace
}  // namespace holos::algebra
