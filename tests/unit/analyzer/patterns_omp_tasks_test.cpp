// SPDX-License-Identifier: BSD-3-Clause
// Threads that wait for explicit tasks of others.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/findings.h"
#include "tests/support/lawful.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto* kRegionOfTeam = "!$omp parallel @x.c:1";
constexpr auto* kEndOfRegion = "!$omp implicit barrier @x.c:1";
constexpr auto* kEndOfSingle = "!$omp implicit barrier @x.c:2";
constexpr auto* kTaskwait = "!$omp taskwait @x.c:5";
constexpr auto* kLargeTask = "!$omp task @x.c:3";
const std::string kTasks = "TASKS/" + std::string(kLargeTask);

void runTask(LocationScript& thread, Tick begin, Tick end, std::uint32_t task) {
    thread.switchTask(begin, task).call(begin, end, kLargeTask).completeTask(end, task).switchTask(end, 0);
}

void nameRoles(TraceBuilder& trace) {
    trace.region(kLargeTask, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK, "x.c"});
    trace.region(kTaskwait, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK_WAIT, "x.c"});
}

/// Thread 0 creates tasks, of which it runs one at a taskwait, from 2 to 12. Thread 1 runs another one at the
/// barrier, from 2 to 62; the taskwait ends with it. Thread 0 works until 67, where the region ends.
Findings unequalTasks() {
    TraceBuilder trace(1, 2);
    nameRoles(trace);
    trace.on(0).enter(0, "main").fork(0, 2);
    trace.on(0, 0).teamBegin(0).enter(0, kRegionOfTeam).enter(1, kTaskwait);
    runTask(trace.on(0, 0), 2, 12, 1);
    trace.on(0, 0).leave(62).call(62, 67, "work").call(67, 67, kEndOfRegion).leave(67).teamEnd(67);
    trace.on(0, 1).teamBegin(0).enter(0, kRegionOfTeam).enter(1, kEndOfRegion);
    runTask(trace.on(0, 1), 2, 62, 2);
    trace.on(0, 1).leave(67).leave(67).teamEnd(67);
    trace.on(0).join(67).leave(70);
    return Findings(trace);
}

TEST(OmpTasks, taskThatAnotherThreadRuns_isWaitedForAtTaskwait) {
    const Findings found = unequalTasks();
    EXPECT_NEAR(found.total("omp_taskwait_wait"), 0.050, kExact);  // 62 - 12
    EXPECT_EQ(found.total("omp_ibarrier_task_wait"), 0);
    EXPECT_NEAR(found.total("delay_omp_task"), 0.050, kExact);
}

TEST(OmpTasks, criticalPath_goesThroughTheTaskAndIsNoLongerThanTheRun) {
    const Findings found = unequalTasks();
    EXPECT_NEAR(found.at("critical_path", kTasks, 0, 1), 0.060, kExact);
    EXPECT_EQ(found.at("critical_path", kTasks, 0, 0), 0);
    EXPECT_LE(found.total("critical_path"), 0.070 + kExact);
    EXPECT_GE(found.total("critical_path"), 0.068);
}

/// Thread 1 runs a task at the barrier of a construct, from 2 to 62, and waits there until thread 0 comes at
/// 67, which has waited for that task. Then thread 0 waits for thread 1, which works until 70.
TEST(OmpTasks, criticalPath_hasTasksAtABarrierOnlyOnceBeforeAllHaveCome) {
    TraceBuilder trace(1, 2);
    nameRoles(trace);
    trace.on(0).enter(0, "main").fork(0, 2);
    trace.on(0, 0).teamBegin(0).enter(0, kRegionOfTeam).enter(1, kTaskwait);
    runTask(trace.on(0, 0), 2, 12, 1);
    trace.on(0, 0).leave(62).call(62, 67, "work").call(67, 67, kEndOfSingle);
    trace.on(0, 0).call(67, 70, kEndOfRegion).leave(70).teamEnd(70);
    trace.on(0, 1).teamBegin(0).enter(0, kRegionOfTeam).enter(1, kEndOfSingle);
    runTask(trace.on(0, 1), 2, 62, 2);
    trace.on(0, 1).leave(67).call(67, 70, "work").call(70, 70, kEndOfRegion).leave(70).teamEnd(70);
    trace.on(0).join(70).leave(75);
    const Findings found(trace);
    EXPECT_NEAR(found.at("critical_path", kTasks, 0, 1), 0.060, kExact);
    EXPECT_LE(found.total("critical_path"), 0.075 + kExact);
    EXPECT_GE(found.total("critical_path"), 0.073);
}

TEST(OmpTasks, lastTaskAtABarrier_isWaitedForOnceAllHaveCome) {
    TraceBuilder trace(1, 2);
    nameRoles(trace);
    trace.on(0).enter(0, "main").fork(0, 2);
    for (unsigned thread = 0; thread < 2; ++thread) {
        auto& on = trace.on(0, thread);
        on.teamBegin(0).enter(0, kRegionOfTeam).enter(thread == 0 ? 5 : 1, kEndOfRegion);
        on.call(6, 6, kTaskwait);
        runTask(on, 6, thread == 0 ? 10 : 76, thread + 1);
        on.leave(76).leave(76).teamEnd(76);
    }
    trace.on(0).join(76).leave(80);
    const Findings found(trace);
    EXPECT_NEAR(found.total("omp_ibarrier_task_wait"), 0.066, kExact);  // 76 - 10
    EXPECT_EQ(found.total("omp_taskwait_wait"), 0);
}

/// Thread 0 runs a detached task at a taskwait, from 2 to 12, which ends when thread 1 fulfills its event
/// at 62.
TEST(OmpTasks, detachedTask_isWaitedForSinceTheThreadLeftIt) {
    TraceBuilder trace(1, 2);
    nameRoles(trace);
    trace.on(0).enter(0, "main").fork(0, 2);
    trace.on(0, 0).teamBegin(0).enter(0, kRegionOfTeam).enter(1, kTaskwait);
    trace.on(0, 0).switchTask(2, 1).call(2, 12, kLargeTask).switchTask(12, 0).leave(62);
    trace.on(0, 0).call(62, 67, kEndOfRegion).leave(67).teamEnd(67);
    trace.on(0, 1).teamBegin(0).enter(0, kRegionOfTeam).call(0, 62, "work").completeTask(62, 1);
    trace.on(0, 1).call(67, 67, kEndOfRegion).leave(67).teamEnd(67);
    trace.on(0).join(67).leave(70);
    const Findings found(trace);
    EXPECT_NEAR(found.total("omp_taskwait_wait"), 0.050, kExact);  // 62 - 12
    EXPECT_NEAR(found.total("omp_taskwait"), 0.051, kExact);       // 61 without the task
}

/// Two threads run tasks in turn, of which each one waits for the one before: from 2 on, ten ticks each. Both
/// come to the barrier of the region, thread 0 at `comes`, or wait for the tasks.
Findings chainOfTasks(Tick comes, bool waitsForTasks) {
    TraceBuilder trace(1, 2);
    nameRoles(trace);
    trace.on(0).enter(0, "main").fork(0, 2);
    for (unsigned thread = 0; thread < 2; ++thread) {
        auto& on = trace.on(0, thread);
        on.teamBegin(0).enter(0, kRegionOfTeam).call(0, 0, kTaskwait);
        const bool isWaiting = thread == 0 && waitsForTasks;
        if (isWaiting) on.enter(1, kTaskwait);
        if (!isWaiting) on.enter(thread == 0 ? comes : 1, kEndOfRegion);
        for (Tick task = thread; task < 6; task += 2)
            runTask(on, 2 + 10 * task, 12 + 10 * task, static_cast<std::uint32_t>(task) + 1);
        on.leave(62);
        if (isWaiting) on.call(62, 62, kEndOfRegion);
        on.leave(62).teamEnd(62);
    }
    trace.on(0).join(62).leave(70);
    return Findings(trace);
}

TEST(OmpTasks, tasksThatFollowEachOther_areWaitedForBetweenThoseOfAThreadAtTaskwait) {
    const Findings found = chainOfTasks(0, true);
    EXPECT_NEAR(found.total("omp_taskwait_wait"), 0.030, kExact);  // 22 - 12, 42 - 32, 62 - 52
    EXPECT_NEAR(found.total("omp_ibarrier_wait"), 0.031, kExact);  // 62 - 1 - 30
    EXPECT_NEAR(found.total("delay_omp_task"), 0.020, kRounding);  // until 22 both ran one
    EXPECT_EQ(brokenLaws(found.result().experiment), "");
}

TEST(OmpTasks, tasksThatFollowEachOther_areWaitedForBetweenThoseOfAThreadAtABarrier) {
    const Findings found = chainOfTasks(1, false);
    EXPECT_NEAR(
        found.at("omp_ibarrier_task_wait", "main/" + std::string(kRegionOfTeam) + "/" + kEndOfRegion, 0, 0),
        0.030, kExact);
    EXPECT_NEAR(
        found.at("omp_ibarrier_task_wait", "main/" + std::string(kRegionOfTeam) + "/" + kEndOfRegion, 0, 1),
        0.031, kExact);  // 12 - 1, 32 - 22, 52 - 42
    EXPECT_EQ(found.total("omp_ibarrier_wait"), 0);
    EXPECT_GE(found.total("delay_omp_task"), 0.020);
    EXPECT_EQ(brokenLaws(found.result().experiment), "");
}

/// Thread 0 creates them, and comes at 2, with the first one: until then thread 1 waits for it, for whatever
/// it runs later.
TEST(OmpTasks, waitUntilAllHaveCome_isThatOfTheBarrierAlthoughTasksRunBehindIt) {
    const Findings found = chainOfTasks(2, false);
    EXPECT_NEAR(found.total("omp_ibarrier_wait"), 0.001, kExact);       // 2 - 1
    EXPECT_NEAR(found.total("omp_ibarrier_task_wait"), 0.060, kExact);  // 30 each
}

/// Thread 0 comes to a barrier at 5, where it runs something, from 10 to 30, of which no task is told.
TEST(OmpTasks, callAtABarrierInNoKnownTask_isNoWaiting) {
    TraceBuilder trace(1, 2);
    nameRoles(trace);
    trace.on(0).enter(0, "main").fork(0, 2);
    trace.on(0, 0).teamBegin(0).enter(0, kRegionOfTeam).call(1, 1, kTaskwait).enter(5, kEndOfRegion);
    trace.on(0, 0).call(10, 30, "work");
    trace.on(0, 0).leave(100).leave(100).teamEnd(100);
    trace.on(0, 1).teamBegin(0).enter(0, kRegionOfTeam).enter(40, kEndOfRegion);
    runTask(trace.on(0, 1), 50, 100, 1);
    trace.on(0, 1).leave(100).leave(100).teamEnd(100);
    trace.on(0).join(100).leave(110);
    const Findings found(trace);
    EXPECT_NEAR(found.total("omp_ibarrier_wait"), 0.015, kExact);       // 40 - 5 - 20
    EXPECT_NEAR(found.total("omp_ibarrier_task_wait"), 0.060, kExact);  // 100 - 40
    EXPECT_NEAR(found.total("omp_ibarrier"), 0.085, kExact);            // 75 and 10
}

}  // namespace
}  // namespace holos::testing
