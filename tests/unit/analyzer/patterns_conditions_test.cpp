// SPDX-License-Identifier: BSD-3-Clause
// Waits at condition variables whose signals and timeouts are recorded.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr const char* kLockMutex = "pthread_mutex_lock";
constexpr const char* kUnlockMutex = "pthread_mutex_unlock";
constexpr const char* kTimedWait = "pthread_cond_timedwait";
constexpr const char* kSignalOne = "pthread_cond_signal";
constexpr const char* kPathOfWait = "main/pthread_cond_timedwait";
constexpr Tick kEndOfRun = 40;

/// Threads of one process with the mutex 1 and the condition 2.
class ConditionTrace {
  public:
    explicit ConditionTrace(unsigned threads = 2) : trace(1, threads) {
        for (const char* region : {kLockMutex, kUnlockMutex, kTimedWait, kSignalOne, "sem_timedwait",
                                   "pthread_rwlock_timedrdlock"})
            trace.region(region, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "pthread"});
        trace.tellsTimeouts();
        for (unsigned thread = 0; thread < threads; ++thread) on(thread).enter(0, "main");
    }
    LocationScript& on(unsigned thread) { return trace.on(0, thread); }
    void lock(unsigned thread, Tick tick, std::uint32_t order) {
        on(thread).enter(tick, kLockMutex).acquire(tick, 1, order).leave(tick);
    }
    void unlock(unsigned thread, Tick tick, std::uint32_t order) {
        on(thread).enter(tick, kUnlockMutex).release(tick, 1, order).leave(tick);
    }
    void signal(unsigned thread, Tick tick, std::uint32_t number) {
        on(thread).enter(tick, kSignalOne).wakes(tick, 2, number).leave(tick);
    }
    /// Gives the mutex back, and has it again; `signal` is the number of the last one before.
    void waitForSignal(unsigned thread, Tick from, Tick to, std::uint32_t order, std::uint32_t next,
                       std::uint32_t signal) {
        on(thread).enter(from, kTimedWait).release(from, 1, order).isWoken(to, 2, signal + 1);
        on(thread).acquire(to, 1, next).leave(to);
    }
    void waitInVain(unsigned thread, Tick from, Tick to, std::uint32_t order, std::uint32_t next,
                    Tick since = 0) {
        on(thread)
            .enter(from, kTimedWait)
            .release(from, 1, order)
            .acquire(to, 1, next)
            .leaveTimedOut(to, since);
    }
    Findings findings() {
        for (unsigned thread = 0; thread < trace.threads(); ++thread) on(thread).leave(kEndOfRun);
        return Findings(trace);
    }

    TraceBuilder trace;
};

/// Thread 1 had the mutex last, but thread 2 signals, without it.
TEST(Condition, isSignalledByAThreadWithoutTheMutex_waitsForThatOne) {
    ConditionTrace run(3);
    run.lock(0, 1, 1);
    run.waitForSignal(0, 2, 13, 1, 3, 1);
    run.on(1).call(0, 4, "in passing");
    run.lock(1, 4, 2);
    run.unlock(1, 6, 2);
    run.on(2).call(0, 12, "work");
    run.signal(2, 12, 1);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("pthread_condition_signal_wait", kPathOfWait, 0, 0), 0.011, kExact);  // 13 - 2
    EXPECT_EQ(found.total("pthread_lock_contention_conditional"), 0);
    EXPECT_NEAR(found.at("delay_pthread_condition", "main/work", 0, 2), 0.010, kExact);  // 12 - 2
    EXPECT_NEAR(found.total("delay"), 0.010, kExact);
    EXPECT_EQ(found.total("pthread_condition_timeout"), 0);
}

/// Thread 1 signals at 10 with the mutex, which it has until 12.
TEST(Condition, isSignalledByTheHolder_waitsForTheMutexAfterTheSignal) {
    ConditionTrace run;
    run.lock(0, 1, 1);
    run.waitForSignal(0, 2, 13, 1, 3, 1);
    run.on(1).call(0, 9, "work");
    run.lock(1, 9, 2);
    run.signal(1, 10, 1);
    run.unlock(1, 12, 2);
    const Findings found = run.findings();
    EXPECT_NEAR(found.total("pthread_lock_contention_conditional"), 0.002, kExact);  // 12 - 10
    EXPECT_NEAR(found.total("pthread_condition_signal_wait"), 0.009, kExact);        // 13 - 2 - 2
    EXPECT_NEAR(found.at("delay_pthread_condition", "main/work", 0, 1), 0.008, kExact);
}

/// Thread 1 has the mutex for much longer than it was waited for the signal.
TEST(Condition, mutexIsKeptLongAfterTheSignal_waitsForItsHolder) {
    ConditionTrace run;
    run.lock(0, 1, 1);
    run.waitForSignal(0, 2, 21, 1, 3, 1);
    run.lock(1, 3, 2);
    run.signal(1, 4, 1);
    run.on(1).call(4, 20, "keeps it");
    run.unlock(1, 20, 2);
    const Findings found = run.findings();
    EXPECT_NEAR(found.total("pthread_lock_contention_conditional"), 0.016, kExact);  // 20 - 4
    EXPECT_NEAR(found.total("pthread_condition_signal_wait"), 0.003, kExact);
    EXPECT_NEAR(found.at("delay_pthread_condition", "main/keeps it", 0, 1), 0.016, kExact);
}

TEST(Condition, timeIsOver_isNoWaitForWhoHadTheMutexMeanwhile) {
    ConditionTrace run;
    run.lock(0, 1, 1);
    run.waitInVain(0, 2, 12, 1, 3);
    run.on(1).call(0, 5, "work");
    run.lock(1, 5, 2);
    run.unlock(1, 8, 2);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("pthread_condition_timeout", kPathOfWait, 0, 0), 0.010, kExact);
    EXPECT_EQ(found.total("pthread_condition_signal_wait"), 0);
    EXPECT_EQ(found.total("pthread_lock_contention_conditional"), 0);
    EXPECT_EQ(found.total("delay"), 0);
    EXPECT_NEAR(found.total("pthread_conditional"), 0.010, kExact);
}

/// The timeout was at 5; thread 1 had the mutex until 15.
TEST(Condition, timeIsOverAndTheMutexIsTaken_waitsForItSinceThen) {
    ConditionTrace run;
    run.lock(0, 1, 1);
    run.waitInVain(0, 2, 15, 1, 3, 10);
    run.lock(1, 2, 2);
    run.on(1).call(2, 15, "keeps it");
    run.unlock(1, 15, 2);
    const Findings found = run.findings();
    EXPECT_NEAR(found.total("pthread_condition_timeout"), 0.003, kExact);            // 5 - 2
    EXPECT_NEAR(found.total("pthread_lock_contention_conditional"), 0.010, kExact);  // 15 - 5
    EXPECT_NEAR(found.at("delay_pthread_condition", "main/keeps it", 0, 1), 0.010, kExact);
}

/// A loop that looks each 5 ticks whether there is work, which thread 1 signals at 17.
TEST(Condition, waitsInARowUntilASignal_areAllForTheSignal) {
    ConditionTrace run;
    run.lock(0, 0, 1);
    run.waitInVain(0, 0, 5, 1, 2);
    run.waitInVain(0, 5, 10, 2, 3);
    run.waitForSignal(0, 10, 18, 3, 5, 1);
    run.on(1).call(0, 16, "work");
    run.lock(1, 16, 4);
    run.signal(1, 17, 1);
    run.unlock(1, 17, 4);
    const Findings found = run.findings();
    EXPECT_NEAR(found.total("pthread_condition_signal_wait"), 0.018, kExact);
    EXPECT_EQ(found.total("pthread_condition_timeout"), 0);
    EXPECT_NEAR(found.at("delay_pthread_condition", "main/work", 0, 1), 0.016, kExact);
}

/// The thread works with the mutex for longer than it waited before.
TEST(Condition, worksBetweenItsWaits_areNoRow) {
    ConditionTrace run;
    run.lock(0, 0, 1);
    run.waitInVain(0, 0, 5, 1, 2);
    run.on(0).call(5, 10, "own work");
    run.waitForSignal(0, 10, 18, 2, 3, 1);
    run.on(1).call(0, 17, "work");
    run.signal(1, 17, 1);
    const Findings found = run.findings();
    EXPECT_NEAR(found.total("pthread_condition_timeout"), 0.005, kExact);
    EXPECT_NEAR(found.total("pthread_condition_signal_wait"), 0.008, kExact);
}

/// A signal before the wait, as where a signal was not seen or none was needed.
TEST(Condition, goesOnWithoutASignalSinceItWaits_nobodyIsToBlame) {
    ConditionTrace run;
    run.signal(1, 1, 1);
    run.on(1).call(1, 9, "work");
    run.lock(0, 2, 1);
    run.waitForSignal(0, 3, 9, 1, 2, 1);
    const Findings found = run.findings();
    EXPECT_NEAR(found.total("pthread_condition_signal_wait"), 0.006, kExact);
    EXPECT_EQ(found.total("delay"), 0);
}

TEST(Timeouts, ofSemaphoresAndLocks_areWaitsForNobody) {
    ConditionTrace run;
    run.on(0).enter(2, "sem_timedwait").leaveTimedOut(7);
    run.on(1).enter(3, "pthread_rwlock_timedrdlock").leaveTimedOut(6);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("pthread_semaphore_timeout", "main/sem_timedwait", 0, 0), 0.005, kExact);
    EXPECT_NEAR(found.at("pthread_lock_timeout", "main/pthread_rwlock_timedrdlock", 0, 1), 0.003, kExact);
    EXPECT_EQ(found.total("delay"), 0);
}

TEST(Timeouts, thatAreNotRecorded_haveNoMetric) {
    TraceBuilder trace(1, 1);
    trace.region(kTimedWait, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "pthread"});
    trace.on(0).enter(0, "main").call(1, 2, kTimedWait).leave(3);
    EXPECT_FALSE(Findings(trace).result().experiment.findMetric("pthread_condition_timeout"));
}

}  // namespace
}  // namespace holos::testing
