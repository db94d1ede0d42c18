// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto* kParallel = "!$omp parallel @test.c:10";
constexpr auto* kParallelPath = "main/!$omp parallel @test.c:10";
constexpr auto* kExplicit = "!$omp barrier @test.c:12";
constexpr auto* kImplicit = "!$omp implicit barrier @test.c:15";

/// Opens `main` and a parallel region on all threads of the process, all at these ticks.
void forkTeam(TraceBuilder& trace, Tick fork, Tick begin) {
    trace.on(0).enter(0, "main").fork(fork, trace.threads());
    for (unsigned thread = 0; thread < trace.threads(); ++thread)
        trace.on(0, thread).teamBegin(begin).enter(begin, kParallel);
}

void joinTeam(TraceBuilder& trace, Tick end, Tick join) {
    for (unsigned thread = 0; thread < trace.threads(); ++thread) trace.on(0, thread).leave(end).teamEnd(end);
    trace.on(0).join(join).leave(join + 1);
}

std::string below(const char* region) {
    return std::string(kParallelPath).append("/").append(region);
}

TEST(OpenMpBarrier, oneThreadLate_othersWaitForIt) {
    TraceBuilder trace(1, 3);
    forkTeam(trace, 1, 1);
    trace.on(0, 0).call(2, 9, kExplicit);
    trace.on(0, 1).call(5, 9, kExplicit);
    trace.on(0, 2).call(8, 9, kExplicit);
    joinTeam(trace, 10, 10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("omp_ebarrier_wait", below(kExplicit), 0, 0), 0.006, kExact);  // 8 - 2
    EXPECT_NEAR(found.at("omp_ebarrier_wait", below(kExplicit), 0, 1), 0.003, kExact);  // 8 - 5
    EXPECT_EQ(found.at("omp_ebarrier_wait", below(kExplicit), 0, 2), 0);
    EXPECT_EQ(found.total("omp_ibarrier_wait"), 0);
    EXPECT_TRUE(found.result().diagnoses.empty());
}

TEST(OpenMpBarrier, implicitOne_isAMetricOfItsOwn) {
    TraceBuilder trace(1, 2);
    forkTeam(trace, 1, 1);
    trace.on(0, 0).call(2, 9, kImplicit);
    trace.on(0, 1).call(6, 9, kImplicit);
    joinTeam(trace, 10, 10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("omp_ibarrier_wait", below(kImplicit), 0, 0), 0.004, kExact);  // 6 - 2
    EXPECT_EQ(found.total("omp_ebarrier_wait"), 0);
}

TEST(OpenMpBarrier, allAtOnce_noWait) {
    TraceBuilder trace(1, 2);
    forkTeam(trace, 1, 1);
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).call(5, 9, kExplicit);
    joinTeam(trace, 10, 10);
    EXPECT_EQ(Findings(trace).total("omp_ebarrier_wait"), 0);
}

TEST(OpenMpBarrier, severalInOneRegion_areMatchedInOrder) {
    TraceBuilder trace(1, 2);
    forkTeam(trace, 1, 1);
    trace.on(0, 0).call(2, 4, kExplicit).call(8, 9, kExplicit);
    trace.on(0, 1).call(3, 4, kExplicit).call(6, 9, kExplicit);
    joinTeam(trace, 10, 10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("omp_ebarrier_wait", below(kExplicit), 0, 0), 0.001, kExact);  // 3 - 2
    EXPECT_NEAR(found.at("omp_ebarrier_wait", below(kExplicit), 0, 1), 0.002, kExact);  // 8 - 6
}

TEST(OpenMpBarrier, teamsOfTwoProcesses_doNotMix) {
    TraceBuilder trace(2, 2);
    for (unsigned rank = 0; rank < 2; ++rank) {
        trace.on(rank).enter(0, "main").fork(1, 2);
        for (unsigned thread = 0; thread < 2; ++thread) {
            const Tick begin = 2 + 2 * rank + (rank + 1) * thread;  // rank 0: 2 and 3; rank 1: 4 and 6
            trace.on(rank, thread)
                .teamBegin(1)
                .enter(1, kParallel)
                .call(begin, 8, kExplicit)
                .leave(9)
                .teamEnd(9);
        }
        trace.on(rank).join(9).leave(10);
    }
    const Findings found(trace);
    EXPECT_NEAR(found.at("omp_ebarrier_wait", below(kExplicit), 0, 0), 0.001, kExact);  // 3 - 2
    EXPECT_NEAR(found.at("omp_ebarrier_wait", below(kExplicit), 1, 0), 0.002, kExact);  // 6 - 4
    EXPECT_NEAR(found.total("omp_ebarrier_wait"), 0.003, kExact);
}

TEST(OpenMpManagement, forkAndJoin_costEveryThreadOfTheTeam) {
    TraceBuilder trace(1, 2);
    forkTeam(trace, 2, 5);
    joinTeam(trace, 9, 11);
    const Findings found(trace);
    const std::string path = kParallelPath;
    for (unsigned thread = 0; thread < 2; ++thread) {
        EXPECT_NEAR(found.at("omp_management", path, 0, thread), 0.005, kExact);  // (5 - 2) + (11 - 9)
        EXPECT_NEAR(found.at("omp_fork", path, 0, thread), 0.003, kExact);        // 5 - 2
    }
}

TEST(CriticalContention, sectionIsTaken_waitsUntilItIsFree) {
    constexpr auto* kCritical = "!$omp critical @test.c:20";
    TraceBuilder trace(1, 2);
    forkTeam(trace, 1, 1);
    trace.on(0, 0).enter(2, kCritical).acquire(2, 0, 1).release(6, 0, 1).leave(6);
    trace.on(0, 1).enter(3, kCritical).acquire(6, 0, 2).release(8, 0, 2).leave(8);
    joinTeam(trace, 10, 10);
    const Findings found(trace);
    EXPECT_EQ(found.at("omp_lock_contention_critical", below(kCritical), 0, 0), 0);
    EXPECT_NEAR(found.at("omp_lock_contention_critical", below(kCritical), 0, 1), 0.003, kExact);  // 6 - 3
    EXPECT_EQ(found.total("omp_lock_contention_api"), 0);
}

/// A recorder may leave out calls that found the lock free: others learn of such an acquisition later.
TEST(LockContention, acquisitionOutsideOfItsCall_wasFree) {
    constexpr auto* kLoop = "!$omp for @test.c:20";
    TraceBuilder trace(1, 2);
    forkTeam(trace, 1, 1);
    trace.on(0, 0).enter(1, kLoop).acquire(4, 0, 1).enter(5, "omp_unset_lock").release(5, 0, 1).leave(6);
    trace.on(0, 0).acquire(8, 0, 3).release(8, 0, 3).leave(9);
    trace.on(0, 1).enter(1, kLoop).enter(4, "omp_set_lock").acquire(5, 0, 2).leave(5);
    trace.on(0, 1).enter(6, "omp_unset_lock").release(6, 0, 2).leave(7).leave(9);
    joinTeam(trace, 10, 10);
    const Findings found(trace);
    EXPECT_NEAR(found.total("omp_lock_contention_api"), 0.001, kExact);  // 5 - 4 of thread 1
    EXPECT_EQ(found.at("omp_lock_contention_api", below(kLoop), 0, 0), 0);
}

TEST(LockContention, atomicIsTaken_waitsAsForACriticalSection) {
    constexpr auto* kAtomic = "!$omp atomic @test.c:20";
    TraceBuilder trace(1, 2);
    trace.region(kAtomic, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_ATOMIC, "test.c"});
    forkTeam(trace, 1, 1);
    trace.on(0, 0).enter(2, kAtomic).acquire(2, 0, 1).release(6, 0, 1).leave(6);
    trace.on(0, 1).enter(3, kAtomic).acquire(6, 0, 2).release(8, 0, 2).leave(8);
    joinTeam(trace, 10, 10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("omp_lock_contention_critical", below(kAtomic), 0, 1), 0.003, kExact);  // 6 - 3
    EXPECT_EQ(found.total("omp_lock_contention_api"), 0);
}

TEST(CriticalContention, sectionWasFreed_noWait) {
    constexpr auto* kCritical = "!$omp critical @test.c:20";
    TraceBuilder trace(1, 2);
    forkTeam(trace, 1, 1);
    trace.on(0, 0).enter(2, kCritical).acquire(2, 0, 1).release(4, 0, 1).leave(4);
    trace.on(0, 1).enter(4, kCritical).acquire(5, 0, 2).release(8, 0, 2).leave(8);  // just as it was freed
    joinTeam(trace, 10, 10);
    EXPECT_EQ(Findings(trace).total("omp_lock_contention_critical"), 0);
}

TEST(CriticalContention, otherSection_isNotWaitedFor) {
    constexpr auto* kCritical = "!$omp critical @test.c:20";
    TraceBuilder trace(1, 2);
    forkTeam(trace, 1, 1);
    trace.on(0, 0).enter(2, kCritical).acquire(2, 0, 1).release(6, 0, 1).leave(6);
    trace.on(0, 1).enter(3, kCritical).acquire(6, 1, 1).release(8, 1, 1).leave(8);
    joinTeam(trace, 10, 10);
    EXPECT_EQ(Findings(trace).total("omp_lock_contention_critical"), 0);
}

TEST(LockContention, lockFunction_isAMetricOfItsOwn) {
    TraceBuilder trace(1, 2);
    forkTeam(trace, 1, 1);
    trace.on(0, 0).enter(2, "omp_set_lock").acquire(2, 5, 1).leave(3);
    trace.on(0, 0).enter(7, "omp_unset_lock").release(7, 5, 1).leave(7);
    trace.on(0, 1).enter(3, "omp_set_lock").acquire(7, 5, 2).leave(8);
    trace.on(0, 1).enter(9, "omp_unset_lock").release(9, 5, 2).leave(9);
    joinTeam(trace, 10, 10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("omp_lock_contention_api", below("omp_set_lock"), 0, 1), 0.004, kExact);  // 7 - 3
    EXPECT_EQ(found.total("omp_lock_contention_critical"), 0);
}

TEST(OpenMpTaskwait, tasksExecutedMeanwhile_areNotItsTime) {
    constexpr auto* kTaskwait = "!$omp taskwait @test.c:22";
    constexpr auto* kTask = "!$omp task @test.c:20";
    TraceBuilder trace(1, 2);
    trace.region(kTaskwait, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK_WAIT, "test.c"});
    trace.region(kTask, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK, "test.c"});
    forkTeam(trace, 1, 1);
    trace.on(0).enter(2, kTaskwait).switchTask(3, 1).enter(3, kTask).leave(7).completeTask(7, 1);
    trace.on(0).switchTask(7, 0).leave(8);
    joinTeam(trace, 10, 10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("omp_taskwait", below(kTaskwait), 0, 0), 0.002, kExact);  // 8 - 2 without 7 - 3
    EXPECT_NEAR(found.at("time", below(kTaskwait) + "/" + kTask, 0, 0), 0.004, kExact);
}

// Thread 0 executes a task at the barrier of a team; the task makes a team of its own, at whose barrier
// thread 0 executes another task.
TEST(OpenMpTasks, teamMadeByATask_itsTasksAreItsOwn) {
    constexpr auto* kTask = "!$omp task @test.c:20";
    constexpr auto* kInnerTask = "!$omp task @test.c:25";
    constexpr auto* kInner = "!$omp parallel @test.c:24";
    TraceBuilder trace(1, 3);
    for (const auto* task : {kTask, kInnerTask})
        trace.region(task, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK, "test.c"});
    const auto outer = trace.team(0, {0, 1});
    const auto inner = trace.team(0, {0, 2});
    trace.on(0).enter(0, "main").fork(0, 2);
    for (unsigned thread = 0; thread < 2; ++thread)
        trace.on(0, thread).teamBegin(0, outer).enter(0, kParallel);
    trace.on(0).enter(1, kExplicit).switchTask(2, 1, outer).enter(2, kTask);
    trace.on(0).fork(3, 2).teamBegin(3, inner).enter(3, kInner).enter(5, kExplicit);
    trace.on(0).switchTask(6, 1, inner).enter(6, kInnerTask).leave(8).completeTask(8, 1, inner);
    trace.on(0).switchTask(8, 0, inner).leave(11).leave(12).teamEnd(12, inner).join(12).leave(13);
    trace.on(0).completeTask(13, 1, outer).switchTask(13, 0, outer).leave(17).leave(18).teamEnd(18, outer);
    trace.on(0).join(18).leave(20);
    trace.on(0, 1).call(0, 16, "work").call(16, 17, kExplicit).leave(18).teamEnd(18, outer);
    trace.on(0, 2).teamBegin(3, inner).enter(3, kInner).call(3, 10, "work").call(10, 11, kExplicit);
    trace.on(0, 2).leave(12).teamEnd(12, inner);
    const Findings found(trace);
    EXPECT_TRUE(found.result().diagnoses.empty());
    const std::string team = "main/" + std::string(kParallel);
    const std::string body = "TASKS/" + std::string(kTask);
    EXPECT_NEAR(found.at("omp_ebarrier_wait", team + "/" + kExplicit, 0, 0), 0.004,
                kExact);  // 16 - 1 - (13 - 2)
    EXPECT_NEAR(found.at("omp_ebarrier_wait", body + "/" + kInner + "/" + kExplicit, 0, 0), 0.003,
                kExact);                                       // 10 - 5 - (8 - 6)
    EXPECT_NEAR(found.at("time", body, 0, 0), 0.002, kExact);  // 3 - 2 and 13 - 12
    EXPECT_NEAR(found.at("time", "TASKS/" + std::string(kInnerTask), 0, 0), 0.002, kExact);
    EXPECT_NEAR(found.at("time", team + "/" + kExplicit + "/" + kTask, 0, 0), 0.011, kExact);  // 13 - 2
}

// Damaged: the task ends inside of the team that it made, which goes on to the end of the file.
TEST(OpenMpTasks, completedInsideTheTeamThatItMade_isSaidAndLeftOut) {
    constexpr auto* kTask = "!$omp task @test.c:20";
    TraceBuilder trace(1, 2);
    trace.region(kTask, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK, "test.c"});
    const auto outer = trace.team(0, {0, 1});
    const auto inner = trace.team(0, {0});
    trace.on(0).enter(0, "main").fork(0, 2).teamBegin(0, outer).enter(0, kParallel).enter(1, kExplicit);
    trace.on(0).switchTask(2, 1, outer).enter(2, kTask).fork(3, 1).teamBegin(3, inner).enter(3, kParallel);
    trace.on(0).completeTask(5, 1, outer).switchTask(6, 1, outer).enter(6, "work");
    const Findings found(trace);
    EXPECT_TRUE(found.reported(analyzer::Trouble::UnbalancedCalls));
    EXPECT_NEAR(found.at("time", "main", 0, 0), 0, kExact);
}

TEST(OpenMpTaskwait, nothingToDoMeanwhile_allIsItsTime) {
    constexpr auto* kTaskwait = "!$omp taskwait @test.c:22";
    TraceBuilder trace(1, 2);
    trace.region(kTaskwait, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK_WAIT, "test.c"});
    forkTeam(trace, 1, 1);
    trace.on(0, 1).call(2, 8, kTaskwait);
    joinTeam(trace, 10, 10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("omp_taskwait", below(kTaskwait), 0, 1), 0.006, kExact);  // 8 - 2
    EXPECT_EQ(found.at("omp_taskwait", below(kTaskwait), 0, 0), 0);
}

TEST(OpenMpOrdered, constructWithoutItsBlock_isItsTime) {
    constexpr auto* kOrdered = "!$omp ordered @test.c:30";
    constexpr auto* kBlock = "!$omp ordered sblock @test.c:30";
    TraceBuilder trace(1, 2);
    trace.region(kBlock, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_ORDERED_SBLOCK, "test.c"});
    forkTeam(trace, 1, 1);
    trace.on(0, 1).enter(2, kOrdered).call(5, 7, kBlock).leave(8);
    joinTeam(trace, 10, 10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("omp_ordered", below(kOrdered), 0, 1), 0.004, kExact);  // 8 - 2 without 7 - 5
    EXPECT_NEAR(found.total("omp_ordered"), 0.004, kExact);
    EXPECT_NEAR(found.at("comp", below(kOrdered) + "/" + kBlock, 0, 1), 0.002, kExact);
}

TEST(OpenMpFlush, itsTime_isNoSynchronization) {
    constexpr auto* kFlush = "!$omp flush @test.c:40";
    TraceBuilder trace(1, 2);
    forkTeam(trace, 1, 1);
    trace.on(0, 0).call(3, 5, kFlush);
    joinTeam(trace, 10, 10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("omp_flush", below(kFlush), 0, 0), 0.002, kExact);
    EXPECT_EQ(found.at("omp_synchronization", below(kFlush), 0, 0), 0);
}

}  // namespace
}  // namespace holos::testing
