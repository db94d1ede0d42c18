// SPDX-License-Identifier: BSD-3-Clause
// Explicit tasks of traces that tell which calls created them.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/ranks_in_threads.h"
#include "tests/support/stack_trace.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

constexpr auto* kCreate = "!$omp create task @code.c:40";
constexpr auto* kTask = "!$omp task @code.c:40";
constexpr auto* kInnerCreate = "!$omp create task @code.c:60";
constexpr auto* kInnerTask = "!$omp task @code.c:60";
constexpr auto* kBarrier = "!$omp implicit barrier @code.c:21";
const std::string kRegion = "main/" + std::string(kParallel);

/// In each process `main` makes a parallel region at line 10. Its threads create tasks, and run those of each
/// other.
class CallPathsOfTasks : public ::testing::Test {
  protected:
    static constexpr unsigned kThreads = 3;

    void SetUp() override {
        for (const auto* create : {kCreate, kInnerCreate})
            trace.region(create, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK_CREATE, "code.c"});
        for (const auto* task : {kTask, kInnerTask})
            trace.region(task, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK, "code.c"});
        for (const auto* body : {"main._omp_fn.0", "produce._omp_fn.1", "refine._omp_fn.2"})
            trace.region(body, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_FUNCTION, "code.c"});
    }

    /// The calls from a thread's start to the construct in `produce`, as that thread sees them.
    OTF2_CallingContextRef producer(unsigned thread, std::uint32_t line = 40) {
        const auto outer = thread == 0 ? stack(trace, "main", 10) : OTF2_UNDEFINED_CALLING_CONTEXT;
        return stack(trace, "produce", line, trace.callingContext("main._omp_fn.0", 30, outer));
    }
    /// A path to a function that a task calls.
    OTF2_CallingContextRef inTask(OTF2_CallingContextRef created, std::uint32_t line) {
        return stack(trace, "refine", line, trace.callingContext("produce._omp_fn.1", 50, created));
    }

    void begin(unsigned rank, Tick time) {
        trace.on(rank).fork(time, kThreads);
        for (unsigned thread = 0; thread < kThreads; ++thread) {
            trace.on(rank, thread).teamBegin(time);
            if (thread == 0)
                trace.on(rank).enterFrom(time, kParallel, stack(trace, "main", 10));
            else
                trace.on(rank, thread).enter(time, kParallel);
        }
    }
    void end(unsigned rank, Tick time) {
        for (unsigned thread = 0; thread < kThreads; ++thread)
            trace.on(rank, thread).leave(time).leave(time).teamEnd(time);
        trace.on(rank).join(time);
    }
    /// Thread 0 creates a task, which thread 2 runs from 4 to 9; it calls a critical section from 5 to 7. Its
    /// own thread runs another one.
    void tellProcess(unsigned rank) {
        begin(rank, 0);
        trace.on(rank).callFrom(1, 2, kCreate, producer(0)).callFrom(2, 3, kCreate, producer(0));
        for (unsigned thread = 0; thread < kThreads; ++thread) trace.on(rank, thread).enter(3, kBarrier);
        run(rank, 2, 4);
        run(rank, 0, 12);
        end(rank, 20);
    }
    void run(unsigned rank, unsigned thread, Tick from) {
        trace.on(rank, thread).switchTask(from, from).enterFrom(from, kTask, producer(0));
        trace.on(rank, thread)
            .callFrom(from + 1, from + 3, "!$omp critical @code.c:70", inTask(producer(0), 70));
        trace.on(rank, thread).leave(from + 5).completeTask(from + 5, from).switchTask(from + 5, 0);
    }

    TraceBuilder trace{2, kThreads};
};

TEST_F(CallPathsOfTasks, runByAnotherThread_standBelowWhatCreatedThem) {
    tellProcess(0);
    const Findings found(trace);
    const std::string produce = kRegion + "/produce @code.c:30";
    const std::string task = produce + "/" + kTask;
    for (const unsigned thread : {0U, 2U}) {
        EXPECT_EQ(found.at("visits", task, 0, thread), 1);
        EXPECT_NEAR(found.at("time", task, 0, thread), 0.003, kExact);
        EXPECT_NEAR(found.at("time", task + "/refine @code.c:50/!$omp critical @code.c:70", 0, thread), 0.002,
                    kExact);
    }
    EXPECT_EQ(found.at("visits", produce + "/" + kCreate, 0, 0), 2);
    EXPECT_EQ(found.at("visits", task, 0, 1), 0);
    EXPECT_THROW(found.at("time", "TASKS", 0), std::out_of_range);
    EXPECT_TRUE(found.result().diagnoses.empty());
}

TEST_F(CallPathsOfTasks, allTime_isThatOfTheTraceWithoutCalls) {
    tellProcess(0);
    tellProcess(1);
    const Findings found(trace);
    EXPECT_NEAR(found.total("time"), 2 * kThreads * 0.020, kExact);
    // Tasks are no time of the barriers in which they ran.
    EXPECT_NEAR(found.total("omp_ibarrier"), 2 * (kThreads * 0.017 - 0.010), kExact);
}

TEST_F(CallPathsOfTasks, createdByTasks_standBelowThem) {
    begin(0, 0);
    trace.on(0, 1).callFrom(1, 2, kCreate, producer(1));
    for (unsigned thread = 0; thread < kThreads; ++thread) trace.on(0, thread).enter(3, kBarrier);
    const auto inner = inTask(producer(1), 60);
    trace.on(0).switchTask(4, 1).enterFrom(4, kTask, producer(1)).callFrom(5, 6, kInnerCreate, inner);
    trace.on(0).leave(8).completeTask(8, 1).switchTask(8, 0);
    trace.on(0, 2).switchTask(9, 2).enterFrom(9, kInnerTask, inner);
    const auto body = trace.callingContext("refine._omp_fn.2", 65, inner);
    trace.on(0, 2).callFrom(10, 12, "!$omp critical @code.c:70", stack(trace, "work", 70, body));
    trace.on(0, 2).leave(13).completeTask(13, 2).switchTask(13, 0);
    end(0, 20);
    const Findings found(trace);
    const std::string outer = kRegion + "/produce @code.c:30/" + kTask;
    const std::string task = outer + "/refine @code.c:50/" + kInnerTask;
    EXPECT_NEAR(found.at("time", outer, 0, 0), 0.003, kExact);
    EXPECT_NEAR(found.at("time", task, 0, 2), 0.002, kExact);
    EXPECT_NEAR(found.at("time", task + "/work @code.c:65/!$omp critical @code.c:70", 0, 2), 0.002, kExact);
}

/// As of a recursive function: the recorder says of tasks created below one of their own construct where that
/// was created.
TEST_F(CallPathsOfTasks, createdBelowOneOfTheirOwn_areOneNode) {
    begin(0, 0);
    trace.on(0).callFrom(1, 2, kCreate, producer(0));
    for (unsigned thread = 0; thread < kThreads; ++thread) trace.on(0, thread).enter(3, kBarrier);
    for (unsigned task = 1; task < 10; ++task) {
        auto& thread = trace.on(0, task % kThreads);
        const Tick from = 4 * task;
        thread.switchTask(from, task).enterFrom(from, kTask, producer(0));
        thread.callFrom(from + 1, from + 2, kCreate, inTask(producer(0), 40));
        thread.leave(from + 3).completeTask(from + 3, task).switchTask(from + 3, 0);
    }
    end(0, 50);
    const Findings found(trace);
    const std::string task = kRegion + "/produce @code.c:30/" + kTask;
    EXPECT_EQ(
        found.at("visits", task, 0, 0) + found.at("visits", task, 0, 1) + found.at("visits", task, 0, 2), 9);
    EXPECT_EQ(found.at("visits", task + "/refine @code.c:50/" + kCreate, 0, 1), 3);
    EXPECT_THROW(found.at("time", task + "/refine/" + kTask, 0), std::out_of_range);
}

TEST_F(CallPathsOfTasks, createdWhereNobodyWasRecorded_standBelowTasks) {
    begin(0, 0);
    for (unsigned thread = 0; thread < kThreads; ++thread) trace.on(0, thread).enter(3, kBarrier);
    run(0, 2, 4);
    end(0, 20);
    const Findings found(trace);
    const std::string task = kRegion + "/TASKS/" + kTask;
    EXPECT_NEAR(found.at("time", task, 0, 2), 0.003, kExact);
    EXPECT_NEAR(found.total("time"), kThreads * 0.020, kExact);
}

/// The newest events alone are kept of many a thread: its parallel region was overwritten, its tasks were
/// not.
TEST_F(CallPathsOfTasks, withoutTheirParallelRegion_countOnce) {
    auto& thread = trace.on(0);
    thread.enter(0, kBarrier);
    thread.switchTask(2, 7).enterFrom(5, kTask, producer(0)).leave(9).completeTask(10, 7).switchTask(10, 0);
    thread.leave(11);
    const Findings found(trace);
    EXPECT_NEAR(found.at("time", "TASKS/" + std::string(kTask), 0), 0.004, kExact);
    EXPECT_NEAR(found.at("time", "TASKS", 0), 0.004, kExact);  // before and after its region
    EXPECT_NEAR(found.at("time", kBarrier, 0), 0.003, kExact);
    EXPECT_NEAR(found.total("execution"), 0.011, kExact);
}

TEST_F(CallPathsOfTasks, oneConstructInTwoUserRegions_standsBelowWhatTheseHaveInCommon) {
    begin(0, 0);
    trace.on(0).enter(1, "coarse").callFrom(1, 2, kCreate, producer(0)).leave(2);
    trace.on(0).enter(2, "fine").callFrom(2, 3, kCreate, producer(0)).leave(3);
    for (unsigned thread = 0; thread < kThreads; ++thread) trace.on(0, thread).enter(3, kBarrier);
    run(0, 2, 4);
    end(0, 20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("time", kRegion + "/" + kTask, 0, 2), 0.003, kExact);
}

TEST_F(CallPathsOfTasks, anyNumberOfWorkersAndRanks_sameResult) {
    tellProcess(0);
    tellProcess(1);
    const TemporaryDirectory directory;
    expectSameByAnyWorkersAndRanks(trace.write(directory.path()));
}

}  // namespace
}  // namespace holos::testing
