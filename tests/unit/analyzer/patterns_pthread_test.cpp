// SPDX-License-Identifier: BSD-3-Clause
// Contention of POSIX threads.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr const char* kLock = "pthread_mutex_lock";
constexpr const char* kUnlock = "pthread_mutex_unlock";
constexpr const char* kWait = "pthread_cond_wait";

/// Two threads of one process that use a mutex.
class MutexTrace {
  public:
    MutexTrace() {
        for (const char* region : {kLock, kUnlock, kWait})
            trace.region(region, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
        for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).enter(0, "work");
    }
    /// A call that gets the mutex, as the `order`-th one.
    void acquire(unsigned thread, Tick from, Tick to, std::uint32_t order, const char* region = kLock) {
        trace.on(0, thread).enter(from, region).acquire(to, 1, order).leave(to);
    }
    void release(unsigned thread, Tick tick, std::uint32_t order, const char* region = kUnlock) {
        trace.on(0, thread).enter(tick, region).release(tick, 1, order).leave(tick);
    }
    Findings findings() {
        for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).leave(20);
        return Findings(trace);
    }

    TraceBuilder trace{1, 2};
};

TEST(PthreadMutex, isTaken_waitsUntilItIsFree) {
    MutexTrace run;
    run.acquire(0, 1, 1, 1);
    run.acquire(1, 3, 7, 2);
    run.release(0, 6, 1);
    run.release(1, 9, 2);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("pthread_lock_contention_mutex_lock", "work/pthread_mutex_lock", 0, 1), 0.003,
                kExact);  // 6 - 3
    EXPECT_EQ(found.at("pthread_lock_contention_mutex_lock", "work/pthread_mutex_lock", 0, 0), 0);
    EXPECT_NEAR(found.at("pthread_lock_api", "work/pthread_mutex_lock", 0, 1), 0.004, kExact);  // 7 - 3
    EXPECT_EQ(found.total("pthread_lock_contention_conditional"), 0);
    EXPECT_EQ(found.total("omp_lock_contention_api"), 0);
}

TEST(PthreadMutex, isFreedBeforeOrAsItIsWanted_noWait) {
    MutexTrace run;
    run.acquire(0, 1, 1, 1);
    run.release(0, 3, 1);
    run.acquire(1, 3, 5, 2);
    run.release(1, 6, 2);
    run.acquire(0, 8, 8, 3);
    EXPECT_EQ(run.findings().total("pthread_lock_contention_mutex_lock"), 0);
}

/// Thread 1 gives the mutex back while it waits for the condition; thread 0 keeps it until 8.
TEST(PthreadCondition, itsMutexIsTaken_waitsForSignalAndThenForTheMutex) {
    MutexTrace run;
    run.acquire(1, 1, 1, 1);
    run.trace.on(0, 1).enter(2, kWait).release(2, 1, 1).acquire(9, 1, 3).leave(9);
    run.acquire(0, 3, 3, 2);
    run.release(0, 8, 2);
    run.release(1, 10, 3);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("pthread_lock_contention_conditional", "work/pthread_cond_wait", 0, 1), 0.005,
                kExact);  // 8 - 3
    EXPECT_NEAR(found.at("pthread_condition_signal_wait", "work/pthread_cond_wait", 0, 1), 0.002,
                kExact);  // 9 - 2 - 5
    EXPECT_NEAR(found.at("pthread_conditional", "work/pthread_cond_wait", 0, 1), 0.007, kExact);
    EXPECT_EQ(found.total("pthread_lock_contention_mutex_lock"), 0);
}

/// An idle worker: thread 0 puts work into a queue at 12, for which it has the mutex for two ticks.
TEST(PthreadCondition, workComesLate_isWaitForTheSignalAndHardlyContention) {
    MutexTrace run;
    run.acquire(1, 1, 1, 1);
    run.trace.on(0, 1).enter(2, kWait).release(2, 1, 1).acquire(15, 1, 3).leave(15);
    run.acquire(0, 12, 12, 2);
    run.release(0, 14, 2);
    run.release(1, 16, 3);
    const Findings found = run.findings();
    EXPECT_NEAR(found.total("pthread_lock_contention_conditional"), 0.002, kExact);  // 14 - 12
    EXPECT_NEAR(found.total("pthread_condition_signal_wait"), 0.011, kExact);        // 15 - 2 - 2
}

TEST(PthreadCondition, timeIsOver_isWaitForTheSignalAlone) {
    MutexTrace run;
    run.acquire(1, 1, 1, 1);
    run.trace.on(0, 1).enter(2, kWait).release(3, 1, 1).acquire(9, 1, 2).leave(9);
    run.release(1, 10, 2);
    const Findings found = run.findings();
    EXPECT_EQ(found.total("pthread_lock_contention_conditional"), 0);
    EXPECT_NEAR(found.total("pthread_condition_signal_wait"), 0.007, kExact);  // 9 - 2
}

TEST(PthreadMutex, functionsThatDoNotTakeIt_doNotContend) {
    MutexTrace run;
    run.acquire(0, 1, 1, 1);
    run.trace.region("pthread_mutex_init", {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
    run.trace.on(0, 1).call(2, 5, "pthread_mutex_init");
    run.release(0, 6, 1);
    const Findings found = run.findings();
    EXPECT_EQ(found.total("pthread_lock_contention_mutex_lock"), 0);
    EXPECT_NEAR(found.at("pthread_lock_api", "work/pthread_mutex_init", 0, 1), 0.003, kExact);
}

}  // namespace
}  // namespace holos::testing
