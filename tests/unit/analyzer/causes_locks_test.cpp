// SPDX-License-Identifier: BSD-3-Clause
// Why threads wait for locks, and where the critical path goes from there.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/findings.h"
#include "tests/support/joining_trace.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto* kParallel = "!$omp parallel @x.c:1";
constexpr auto* kCritical = "!$omp critical @x.c:2";
constexpr auto* kBarrier = "!$omp barrier @x.c:3";
constexpr auto* kTask = "!$omp task @x.c:4";
constexpr auto* kSetLock = "omp_set_lock";
constexpr auto* kUnsetLock = "omp_unset_lock";
constexpr auto* kMutexLock = "pthread_mutex_lock";
constexpr auto* kMutexUnlock = "pthread_mutex_unlock";
constexpr auto* kConditionWait = "pthread_cond_wait";
constexpr Tick kEnd = 20;

std::string below(const char* region) {
    return std::string("main/") + kParallel + "/" + region;
}

/// One team of a process, from 0 to `kEnd`.
class TeamTrace {
  public:
    explicit TeamTrace(unsigned threads) : trace(1, threads) {
        on(0).enter(0, "main").fork(0, threads);
        for (unsigned thread = 0; thread < threads; ++thread) on(thread).teamBegin(0).enter(0, kParallel);
    }
    LocationScript& on(unsigned thread) { return trace.on(0, thread); }
    void critical(unsigned thread, Tick enter, Tick acquire, Tick release, std::uint32_t order,
                  std::uint32_t lock = 0) {
        on(thread).enter(enter, kCritical).acquire(acquire, lock, order);
        on(thread).release(release, lock, order).leave(release);
    }
    /// Works while it has the lock.
    void lock(unsigned thread, Tick enter, Tick acquire, Tick release, std::uint32_t order) {
        on(thread).enter(enter, kSetLock).acquire(acquire, 0, order).leave(acquire);
        on(thread).call(acquire, release, "work");
        on(thread).enter(release, kUnsetLock).release(release, 0, order).leave(release);
    }
    Findings findings(const analyzer::AnalysisOptions& options = {}) {
        for (unsigned thread = 0; thread < trace.threads(); ++thread) on(thread).leave(kEnd).teamEnd(kEnd);
        on(0).join(kEnd).leave(kEnd);
        return Findings(trace, options);
    }

    TraceBuilder trace;
};

/// Thread 1 works for 2, then it is in the critical section until 6. Thread 0 comes to it.
Findings twoSections(Tick comes, std::uint32_t lock = 0, const analyzer::AnalysisOptions& options = {}) {
    TeamTrace run(2);
    run.on(1).call(0, 2, "work");
    run.critical(1, 2, 2, 6, 1);
    run.critical(0, comes, lock == 0 ? 6 : comes, 8, lock == 0 ? 2 : 1, lock);
    return run.findings(options);
}

TEST(CriticalCauses, sectionIsTaken_whoIsInItPays) {
    const Findings found = twoSections(3);
    EXPECT_NEAR(found.total("omp_lock_contention_critical"), 0.003, kExact);  // 6 - 3
    // Thread 1 took longer in work (2) and in the section (4); in the region itself it was shorter.
    EXPECT_NEAR(found.at("delay_omp_lock", below("work"), 0, 1), 0.003 * 2 / 6, kExact);
    EXPECT_NEAR(found.at("delay_omp_lock", below(kCritical), 0, 1), 0.003 * 4 / 6, kExact);
    EXPECT_NEAR(found.total("delay"), 0.003, kExact);
    EXPECT_NEAR(found.total("delay_omp"), 0.003, kExact);
    EXPECT_EQ(found.total("delay_omp_lock_longterm"), 0);
    EXPECT_NEAR(found.at("lock_wait_direct", below(kCritical), 0, 0), 0.003, kExact);
    EXPECT_NEAR(found.at("lock_wait_terminal", below(kCritical), 0, 0), 0.003, kExact);
    EXPECT_EQ(found.total("lock_wait_indirect"), 0);
    EXPECT_EQ(found.total("lock_wait_propagating"), 0);
    EXPECT_FALSE(found.result().experiment.findMetric("delay_pthread"));
}

TEST(CriticalCauses, sectionIsTaken_criticalPathGoesOnInIt) {
    const Findings found = twoSections(3);
    EXPECT_NEAR(found.at("critical_path", below("work"), 0, 1), 0.002, kExact);
    EXPECT_NEAR(found.at("critical_path", below(kCritical), 0, 1), 0.004, kExact);  // 2 to 6
    EXPECT_NEAR(found.at("critical_path", below(kCritical), 0, 0), 0.002, kExact);  // 6 to 8
    EXPECT_NEAR(found.total("critical_path"), 0.020, kExact);
}

TEST(CriticalCauses, leftJustNow_nobodyIsToBlame) {
    const Findings found = twoSections(6);
    EXPECT_EQ(found.total("delay"), 0);
    EXPECT_EQ(found.at("critical_path", below("work"), 0, 1), 0);
}

TEST(CriticalCauses, anotherSection_nobodyIsToBlame) {
    const Findings found = twoSections(3, 7);
    EXPECT_EQ(found.total("delay"), 0);
    EXPECT_EQ(found.at("critical_path", below(kCritical), 0, 1), 0);
}

TEST(CriticalCauses, asScalasca_there_areNone) {
    analyzer::AnalysisOptions options;
    options.causesAsScalasca = true;
    const Findings found = twoSections(3, 0, options);
    EXPECT_NEAR(found.total("omp_lock_contention_critical"), 0.003, kExact);
    EXPECT_EQ(found.total("delay"), 0);
    EXPECT_EQ(found.at("critical_path", below(kCritical), 0, 1), 0);
}

// Thread 0 waits for thread 1, which waited for thread 2.
TEST(LockCauses, chainOfWaits_costsAreHandedOn) {
    TeamTrace run(3);
    run.on(2).call(0, 1, "work");
    run.on(1).call(0, 2, "work");
    run.on(0).call(0, 3, "work");
    run.lock(2, 1, 1, 5, 1);
    run.lock(1, 2, 5, 7, 2);
    run.lock(0, 3, 7, 9, 3);
    const Findings found = run.findings();
    EXPECT_NEAR(found.total("omp_lock_contention_api"), 0.007, kExact);  // 5 - 2, 7 - 3
    // Work: 5 of thread 2 against 2 of thread 1, and 4 of that one, which waited for 3, against 3 of thread
    // 0.
    EXPECT_NEAR(found.at("delay_omp_lock", below("work"), 0, 2), 0.003, kExact);
    EXPECT_NEAR(found.at("delay_omp_lock", below("work"), 0, 1), 0.001, kExact);
    EXPECT_NEAR(found.at("delay_omp_lock_longterm", below("work"), 0, 2), 0.003, kExact);
    EXPECT_NEAR(found.total("delay"), 0.007, kExact);
    EXPECT_NEAR(found.at("lock_wait_propagating", below(kSetLock), 0, 1), 0.003, kExact);
    EXPECT_NEAR(found.at("lock_wait_terminal", below(kSetLock), 0, 0), 0.004, kExact);
    EXPECT_NEAR(found.at("lock_wait_indirect", below(kSetLock), 0, 0), 0.003, kExact);
    EXPECT_NEAR(found.at("lock_wait_direct", below(kSetLock), 0, 0), 0.001, kExact);
    EXPECT_NEAR(found.at("lock_wait_direct", below(kSetLock), 0, 1), 0.003, kExact);
    EXPECT_NEAR(found.at("critical_path", below("work"), 0, 2), 0.005, kExact);
    EXPECT_NEAR(found.at("critical_path", below("work"), 0, 1), 0.002, kExact);
    EXPECT_NEAR(found.total("critical_path"), 0.020, kExact);
}

TEST(LockCauses, barrierInBetween_onlyTimeSinceThenCounts) {
    TeamTrace run(2);
    for (unsigned thread = 0; thread < 2; ++thread)
        run.on(thread).call(0, 4, thread == 0 ? "idle" : "early").call(4, 5, kBarrier);
    run.critical(1, 5, 5, 9, 1);
    run.critical(0, 6, 9, 9, 2);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("delay_omp_lock", below(kCritical), 0, 1), 0.003, kExact);  // 9 - 6
    EXPECT_NEAR(found.total("delay"), 0.003, kExact);
}

TEST(LockCauses, secondWaitForTheSame_onlyTimeSinceTheFirstCounts) {
    TeamTrace run(2);
    run.on(1).enter(0, kSetLock).acquire(0, 0, 1).leave(0).call(0, 4, "early");
    run.on(1).enter(4, kUnsetLock).release(4, 0, 1).leave(4);
    run.lock(0, 1, 4, 4, 2);
    run.on(1).enter(4, kSetLock).acquire(4, 0, 3).leave(4).call(4, 9, "late");
    run.on(1).enter(9, kUnsetLock).release(9, 0, 3).leave(9);
    run.on(0).call(4, 6, "work");
    run.lock(0, 6, 9, 9, 4);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("delay_omp_lock", below("early"), 0, 1), 0.003, kExact);  // 4 - 1
    EXPECT_NEAR(found.at("delay_omp_lock", below("late"), 0, 1), 0.003, kExact);   // 9 - 6
    EXPECT_NEAR(found.total("delay"), 0.006, kExact);
}

// Thread 0 comes to the barrier of a team that thread 1 is not in.
TEST(LockCauses, barrierOfAnotherTeamInBetween_timeBeforeCounts) {
    TraceBuilder trace(1, 3);
    const auto outer = trace.team(0, {0, 1});
    const auto inner = trace.team(0, {0, 2});
    trace.on(0, 0).enter(0, "main").fork(0, 2).teamBegin(0, outer).enter(0, kParallel).fork(3, 2);
    for (const unsigned thread : {0U, 2U})
        trace.on(0, thread)
            .teamBegin(3, inner)
            .enter(3, "!$omp parallel @x.c:9")
            .call(4, 4, kBarrier)
            .leave(5)
            .teamEnd(5, inner);
    trace.on(0, 0).join(5).enter(6, kCritical).acquire(8, 0, 2).release(8, 0, 2).leave(8);
    trace.on(0, 0).leave(kEnd).teamEnd(kEnd, outer).join(kEnd).leave(kEnd);
    trace.on(0, 1).teamBegin(0, outer).enter(0, kParallel).call(0, 2, "early");
    trace.on(0, 1).enter(2, kCritical).acquire(2, 0, 1).release(8, 0, 1).leave(8);
    trace.on(0, 1).leave(kEnd).teamEnd(kEnd, outer);
    const Findings found(trace);
    EXPECT_NEAR(found.at("delay_omp_lock", below("early"), 0, 1), 0.002 * 2 / 8, kExact);  // 8 - 6
    EXPECT_NEAR(found.at("delay_omp_lock", below(kCritical), 0, 1), 0.002 * 6 / 8, kExact);
}

// Thread 0 executes a task at the barrier, which thread 1 has not come to while it is in the section.
TEST(LockCauses, inATaskAtABarrier_theBarrierComesAfterIt) {
    TeamTrace run(2);
    run.trace.region(kTask, {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_TASK, "x.c"});
    run.on(0).enter(1, kBarrier).switchTask(2, 1).enter(2, kTask);
    run.critical(0, 3, 6, 7, 2);
    run.on(0).leave(7).completeTask(7, 1).switchTask(7, 0).leave(9);
    run.critical(1, 0, 0, 6, 1);
    run.on(1).call(6, 8, "work").call(8, 9, kBarrier);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("delay_omp_lock", below(kCritical), 0, 1), 0.003, kExact);  // 6 - 3
    EXPECT_NEAR(found.total("omp_ebarrier_wait"), 0.002, kExact);                    // 8 - 1 - (7 - 2)
    EXPECT_NEAR(found.total("delay_ompbarrier_aggregate"), 0.002, kExact);
    EXPECT_NEAR(found.total("delay"), 0.005, kExact);
}

/// Threads of a process that are in no team, from 0 to `kEnd`.
class ThreadsTrace {
  public:
    explicit ThreadsTrace(unsigned threads) : trace(1, threads) {
        for (const char* region : {kMutexLock, kMutexUnlock, kConditionWait})
            trace.region(region, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
        for (unsigned thread = 0; thread < threads; ++thread) on(thread).enter(0, "main");
    }
    LocationScript& on(unsigned thread) { return trace.on(0, thread); }
    void acquire(unsigned thread, Tick enter, Tick acquired, std::uint32_t order) {
        on(thread).enter(enter, kMutexLock).acquire(acquired, 0, order).leave(acquired);
    }
    void release(unsigned thread, Tick tick, std::uint32_t order) {
        on(thread).enter(tick, kMutexUnlock).release(tick, 0, order).leave(tick);
    }
    /// `released`: when the mutex is given back, behind the enter.
    void waitForCondition(unsigned thread, Tick enter, Tick released, std::uint32_t order, Tick acquired,
                          std::uint32_t next) {
        on(thread).enter(enter, kConditionWait).release(released, 0, order);
        on(thread).acquire(acquired, 0, next).leave(acquired);
    }
    Findings findings() {
        for (unsigned thread = 0; thread < trace.threads(); ++thread) on(thread).leave(kEnd);
        return Findings(trace);
    }

    TraceBuilder trace;
};

/// Thread 0 works until 5 and makes thread 1, which begins at 6. One of them has the mutex until 12, and the
/// other one wants it from 8 on.
Findings createdThread(unsigned owner) {
    TraceBuilder trace(1, 2);
    for (const char* region : {kMutexLock, kMutexUnlock, "pthread_create"})
        trace.region(region, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
    const auto threads = trace.team(0, {0, 1});
    const auto created = trace.timestamp(5);
    const auto begun = trace.timestamp(6);
    trace.on(0, 0).enter(0, "main").call(0, 5, "early").enter(5, "pthread_create").record([=](auto* out) {
        return OTF2_EvtWriter_ThreadCreate(out, nullptr, created, threads, 1);
    });
    trace.on(0, 0).leave(6);
    trace.on(0, 1).record(
        [=](auto* out) { return OTF2_EvtWriter_ThreadBegin(out, nullptr, begun, threads, 1); });
    trace.on(0, 1).enter(6, "body");
    const auto order = [&](unsigned thread) { return thread == owner ? 1U : 2U; };
    for (const unsigned thread : {0U, 1U}) {
        const Tick wanted = thread == owner ? 7 : 8;
        const Tick had = thread == owner ? 7 : 12;
        trace.on(0, thread).enter(wanted, kMutexLock).acquire(had, 0, order(thread)).leave(had);
        trace.on(0, thread).call(had, had + 5, "work");
        trace.on(0, thread).enter(had + 5, kMutexUnlock).release(had + 5, 0, order(thread)).leave(had + 5);
        trace.on(0, thread).leave(kEnd);
    }
    return Findings(trace);
}

TEST(MutexCauses, ofWhoMadeTheThread_onlyTimeSinceThenCounts) {
    const Findings found = createdThread(0);
    // Thread 0, since 5: 1 to make the thread, 1 in main, 5 of work. Thread 1: 2 in its body.
    EXPECT_NEAR(found.total("pthread_lock_contention_mutex_lock"), 0.004, kExact);  // 12 - 8
    EXPECT_EQ(found.at("delay_pthread_lock", "main/early", 0, 0), 0);
    EXPECT_NEAR(found.at("delay_pthread_lock", "main/work", 0, 0), 0.004 * 5 / 7, kExact);
    EXPECT_NEAR(found.at("delay_pthread_lock", "main/pthread_create", 0, 0), 0.004 * 1 / 7, kExact);
    EXPECT_NEAR(found.total("delay"), 0.004, kExact);
}

TEST(MutexCauses, ofTheThreadThatWasMade_criticalPathGoesOnWhereItWasMade) {
    const Findings found = createdThread(1);
    EXPECT_NEAR(found.total("pthread_lock_contention_mutex_lock"), 0.004, kExact);
    EXPECT_NEAR(found.at("critical_path", "main/early", 0, 0), 0.005, kExact);
    EXPECT_NEAR(found.at("critical_path", "THREADS/body/work", 0, 1), 0.005, kExact);  // 7 to 12
    EXPECT_NEAR(found.at("critical_path", "main/work", 0, 0), 0.005, kExact);          // 12 to 17
    EXPECT_NEAR(found.total("critical_path"), 0.019, kExact);  // but 5 to 6, until it began
}

/// Thread 1 has the mutex until 6 and works meanwhile. Thread 0 wants it.
Findings twoMutexes(Tick wanted) {
    ThreadsTrace run(2);
    run.acquire(1, 1, 1, 1);
    run.on(1).call(1, 6, "work");
    run.release(1, 6, 1);
    run.acquire(0, wanted, 6, 2);
    run.release(0, 7, 2);
    return run.findings();
}

TEST(MutexCauses, isTaken_whoHasItPays) {
    const Findings found = twoMutexes(3);
    EXPECT_NEAR(found.total("pthread_lock_contention_mutex_lock"), 0.003, kExact);  // 6 - 3
    EXPECT_NEAR(found.at("delay_pthread_lock", "main/work", 0, 1), 0.003, kExact);
    EXPECT_NEAR(found.total("delay_pthread"), 0.003, kExact);
    EXPECT_NEAR(found.total("delay"), 0.003, kExact);
    EXPECT_NEAR(found.at("lock_wait_direct", "main/pthread_mutex_lock", 0, 0), 0.003, kExact);
    EXPECT_FALSE(found.result().experiment.findMetric("delay_omp_lock"));
}

TEST(MutexCauses, isTaken_criticalPathGoesOnAtWhoHasIt) {
    const Findings found = twoMutexes(3);
    EXPECT_NEAR(found.at("critical_path", "main/work", 0, 1), 0.005, kExact);
    EXPECT_NEAR(found.at("critical_path", "main", 0, 1), 0.001, kExact);
    EXPECT_NEAR(found.total("critical_path"), 0.020, kExact);
}

TEST(MutexCauses, isFreedAsItIsWanted_nobodyIsToBlame) {
    const Findings found = twoMutexes(6);
    EXPECT_EQ(found.total("delay"), 0);
    EXPECT_EQ(found.at("critical_path", "main/work", 0, 1), 0);
}

TEST(ConditionCauses, itsMutexIsTaken_whoHasItPaysForTheTimeSinceItWasGivenBack) {
    ThreadsTrace run(2);
    run.acquire(0, 1, 1, 1);
    run.waitForCondition(0, 2, 3, 1, 9, 3);
    run.on(1).call(0, 4, "work");
    run.acquire(1, 4, 4, 2);
    run.on(1).call(4, 8, "work");
    run.release(1, 8, 2);
    const Findings found = run.findings();
    EXPECT_NEAR(found.total("pthread_lock_contention_conditional"), 0.004, kExact);      // 8 - 4
    EXPECT_NEAR(found.total("pthread_condition_signal_wait"), 0.003, kExact);            // 9 - 2 - 4
    EXPECT_NEAR(found.at("delay_pthread_condition", "main/work", 0, 1), 0.005, kExact);  // 8 - 3
    EXPECT_NEAR(found.total("delay"), 0.005, kExact);
    EXPECT_NEAR(found.at("critical_path", "main/work", 0, 1), 0.008, kExact);
    EXPECT_NEAR(found.at("critical_path", "main/pthread_cond_wait", 0, 0), 0.001, kExact);  // 8 to 9
}

TEST(ConditionCauses, severalAreWokenTogether_allWaitForWhoWakesThem) {
    ThreadsTrace run(3);
    run.acquire(0, 1, 1, 1);
    run.waitForCondition(0, 2, 2, 1, 13, 5);
    run.release(0, 14, 5);
    run.acquire(1, 3, 3, 2);
    run.waitForCondition(1, 4, 4, 2, 11, 4);
    run.release(1, 12, 4);
    run.on(2).call(0, 10, "work");
    run.acquire(2, 10, 10, 3);
    run.release(2, 11, 3);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("delay_pthread_condition", "main/work", 0, 2), 0.016, kExact);  // 11 - 2, 11 - 4
    EXPECT_NEAR(found.total("delay"), 0.016, kExact);
}

/// Thread 0 works and signals at 18 for the first time; thread 1 waits for that from `since` on, and works
/// before that.
Findings waitingSince(Tick since) {
    ThreadsTrace run(2);
    run.on(1).call(0, since, "own work");
    run.acquire(1, since, since, 1);
    run.waitForCondition(1, since, since, 1, kEnd, 3);
    run.on(0).call(0, 18, "work");
    run.acquire(0, 18, 18, 2);
    run.release(0, kEnd, 2);
    return run.findings();
}

TEST(ConditionCauses, ofAThreadThatNearlyAlwaysWaits_areNone) {
    EXPECT_NEAR(waitingSince(4).total("delay_pthread_condition"), 0.001 * (kEnd - 4), kExact);
    EXPECT_EQ(waitingSince(0).total("delay_pthread_condition"), 0);
    EXPECT_GT(waitingSince(0).total("pthread_condition_signal_wait"), 0);
}

/// Thread 0 starts two threads at 0, in one place or two, works, and wakes both at 18. The first of them has
/// waited all the time, the second one since 4.
Findings twoWorkers(bool areOfAPool) {
    constexpr Tick kWakes = 18;
    JoiningTrace run(3);
    run.trace.region(kConditionWait, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "pthread"});
    run.make(0, 1, 0);
    if (!areOfAPool) run.on(0).enter(0, "elsewhere");
    run.make(0, 2, 0);
    if (!areOfAPool) run.on(0).leave(0);
    run.on(2).call(0, 4, "own work");
    for (const unsigned thread : {1U, 2U}) {
        const Tick since = thread == 1 ? 0 : 4;
        run.on(thread).acquire(since, 1, thread).enter(since, kConditionWait).release(since, 1, thread);
        run.on(thread).acquire(kWakes, 1, thread + 3).leave(kWakes).release(kWakes, 1, thread + 3);
        run.end(thread, kWakes);
    }
    run.on(0).call(0, 17, "work").acquire(17, 1, 3).release(kWakes, 1, 3).leave(kEnd);
    return Findings(run.trace);
}

TEST(ConditionCauses, ofThreadsOfAPool_areThoseOfAllOrOfNone) {
    EXPECT_NEAR(twoWorkers(true).total("delay_pthread_condition"), 0.032, kExact);   // 18, and 18 - 4
    EXPECT_NEAR(twoWorkers(false).total("delay_pthread_condition"), 0.014, kExact);  // one is there to wait
}

TEST(ConditionCauses, itsMutexWasFreeBefore_nobodyIsToBlame) {
    ThreadsTrace run(2);
    run.acquire(1, 0, 0, 1);
    run.release(1, 2, 1);
    run.acquire(0, 2, 2, 2);
    run.waitForCondition(0, 4, 4, 2, 9, 3);
    EXPECT_EQ(run.findings().total("delay"), 0);
}

// Nobody else had the mutex meanwhile.
TEST(ConditionCauses, timeIsOver_nobodyIsToBlame) {
    ThreadsTrace run(2);
    run.acquire(0, 1, 1, 1);
    run.waitForCondition(0, 2, 3, 1, 9, 2);
    const Findings found = run.findings();
    EXPECT_EQ(found.total("pthread_lock_contention_conditional"), 0);
    EXPECT_EQ(found.total("delay"), 0);
}

// Damaged: each of two threads gets one mutex after the other one gave it back, which was after it got the
// other.
TEST(MutexCauses, threadsThatWaitForEachOther_doNotPayMoreThanTheyWait) {
    TraceBuilder trace(1, 2);
    for (const char* region : {kMutexLock, kMutexUnlock})
        trace.region(region, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
    for (const unsigned thread : {0U, 1U}) {
        const unsigned other = 1 - thread;
        trace.on(0, thread).enter(0, "main").enter(1, kMutexLock).acquire(10, thread, 2).leave(10);
        trace.on(0, thread).enter(11, kMutexUnlock).release(12, other, 1).leave(12).leave(kEnd);
    }
    const Findings found(trace);
    EXPECT_NEAR(found.total("pthread_lock_contention_mutex_lock"), 0.018,
                kExact);  // no longer than their calls
    EXPECT_GT(found.total("delay"), 0);
    EXPECT_LE(found.total("delay"), 0.018 + kExact);  // 10 - 1 each
    EXPECT_LE(found.total("critical_path"), 0.040);
}

// Damaged: a lock that its owner gets again, with the number of the time before and of the time after.
TEST(LockCauses, ownerGetsItAgain_nobodyIsToBlame) {
    TeamTrace run(2);
    run.on(0).enter(1, kSetLock).acquire(1, 0, 1).leave(1).enter(2, kSetLock).acquire(3, 0, 1).leave(3);
    run.on(0).enter(4, kUnsetLock).release(5, 0, 1).leave(5).enter(5, kUnsetLock).release(6, 0, 1).leave(6);
    run.on(0).enter(7, kSetLock).acquire(8, 0, 2).leave(8);
    EXPECT_EQ(run.findings().total("delay"), 0);
}

}  // namespace
}  // namespace holos::testing
