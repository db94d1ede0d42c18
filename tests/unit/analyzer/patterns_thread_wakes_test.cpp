// SPDX-License-Identifier: BSD-3-Clause
// Waits at barriers, semaphores, read-write locks and words of memory, and what they cost.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr const char* kBarrier = "pthread_barrier_wait";
constexpr Tick kEnd = 20;

/// Threads of one process. Who ends the waiting of others leaves a release, who waited an acquisition with
/// the number behind it.
class WakingTrace {
  public:
    explicit WakingTrace(unsigned threads) : trace(1, threads) {
        for (const char* region : {kBarrier, "sem_wait", "sem_post", "pthread_rwlock_rdlock",
                                   "pthread_rwlock_wrlock", "pthread_rwlock_unlock"})
            trace.region(region, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "pthread"});
        trace.region("futex", {OTF2_PARADIGM_NONE, OTF2_REGION_ROLE_WRAPPER, "system"});
        for (unsigned thread = 0; thread < threads; ++thread) on(thread).enter(0, "main");
    }
    LocationScript& on(unsigned thread) { return trace.on(0, thread); }
    void wake(unsigned thread, Tick tick, std::uint32_t order, const char* region) {
        on(thread).enter(tick, region).release(tick, 0, order).leave(tick);
    }
    void wait(unsigned thread, Tick from, Tick to, std::uint32_t order, const char* region) {
        on(thread).enter(from, region).acquire(to, 0, order).leave(to);
    }
    /// The `number`-th thread to come to a barrier, the last one of the round is the `last`-th.
    void meet(unsigned thread, Tick from, Tick to, std::uint32_t number, std::uint32_t last) {
        on(thread).enter(from, kBarrier).release(from, 0, number).acquire(to, 0, last + 1).leave(to);
    }
    Findings findings() {
        for (unsigned thread = 0; thread < trace.threads(); ++thread) on(thread).leave(kEnd);
        return Findings(trace);
    }

    TraceBuilder trace;
};

TEST(PthreadBarrier, oneComesLater_othersWaitForIt) {
    WakingTrace run(3);
    const Tick comes[] = {2, 5, 9};
    for (const unsigned thread : {0U, 1U, 2U}) {
        run.on(thread).call(0, comes[thread], "work");
        run.meet(thread, comes[thread], 10, thread + 1, 3);
    }
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("pthread_barrier_wait", "main/pthread_barrier_wait", 0, 0), 0.007, kExact);
    EXPECT_NEAR(found.at("pthread_barrier_wait", "main/pthread_barrier_wait", 0, 1), 0.004, kExact);
    EXPECT_EQ(found.at("pthread_barrier_wait", "main/pthread_barrier_wait", 0, 2), 0);
    EXPECT_NEAR(found.total("pthread_barrier"), 0.014, kExact);  // 8 + 5 + 1
    EXPECT_NEAR(found.at("delay_pthread_barrier", "main/work", 0, 2), 0.011, kExact);
    EXPECT_NEAR(found.total("delay"), 0.011, kExact);
    EXPECT_NEAR(found.at("critical_path", "main/work", 0, 2), 0.009, kExact);
}

TEST(PthreadBarrier, allComeAtOnce_nobodyWaits) {
    WakingTrace run(2);
    run.meet(0, 4, 5, 1, 2);
    run.meet(1, 4, 5, 2, 2);
    const Findings found = run.findings();
    EXPECT_EQ(found.total("pthread_barrier_wait"), 0);
    EXPECT_NEAR(found.total("pthread_barrier"), 0.002, kExact);
    EXPECT_EQ(found.total("delay"), 0);
}

/// Thread 2 is late first, then thread 1, for which threads wait that were together at the first meeting.
TEST(PthreadBarrier, metBefore_onlyTimeSinceThenCounts) {
    WakingTrace run(3);
    for (const unsigned thread : {0U, 1U, 2U}) {
        const Tick comes = thread == 2 ? 6 : 2;
        run.on(thread).call(0, comes, "work");
        run.meet(thread, comes, 6, thread + 1, 3);
        const Tick again = thread == 1 ? 11 : 7;
        run.on(thread).call(6, again, "more");
        run.meet(thread, again, 11, thread == 1 ? 6 : 4 + thread / 2, 6);
    }
    const Findings found = run.findings();
    EXPECT_NEAR(found.total("pthread_barrier_wait"), 0.016, kExact);  // 4 + 4, twice
    EXPECT_NEAR(found.at("delay_pthread_barrier", "main/work", 0, 2), 0.008, kExact);
    EXPECT_NEAR(found.at("delay_pthread_barrier", "main/more", 0, 1), 0.008, kExact);
    EXPECT_NEAR(found.total("delay"), 0.016, kExact);
    EXPECT_EQ(found.total("delay_pthread_barrier_longterm"), 0);
}

TEST(Semaphore, isPostedLater_waitsForWhoPosts) {
    WakingTrace run(2);
    run.on(1).call(0, 8, "work");
    run.wake(1, 8, 1, "sem_post");
    run.wait(0, 3, 9, 2, "sem_wait");
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("pthread_semaphore_wait", "main/sem_wait", 0, 0), 0.005, kExact);  // 8 - 3
    EXPECT_NEAR(found.at("pthread_semaphore", "main/sem_wait", 0, 0), 0.006, kExact);
    EXPECT_NEAR(found.at("delay_pthread_semaphore", "main/work", 0, 1), 0.005, kExact);
    EXPECT_NEAR(found.at("critical_path", "main/work", 0, 1), 0.008, kExact);
}

TEST(Semaphore, wasPostedBefore_orByNobodyWhoIsKnown_isNoKnownWait) {
    WakingTrace run(2);
    run.wait(0, 1, 2, 1, "sem_wait");  // by another process
    run.wake(1, 3, 1, "sem_post");
    run.wait(0, 3, 9, 2, "sem_wait");
    const Findings found = run.findings();
    EXPECT_EQ(found.total("pthread_semaphore_wait"), 0);
    EXPECT_NEAR(found.total("pthread_semaphore"), 0.007, kExact);
    EXPECT_EQ(found.total("delay"), 0);
}

TEST(Semaphore, isPostedByTheThreadItself_isNoWaitForAnother) {
    WakingTrace run(2);
    run.on(0).enter(2, "sem_wait").release(4, 0, 1).acquire(6, 0, 2).leave(6);
    EXPECT_EQ(run.findings().total("pthread_semaphore_wait"), 0);
}

TEST(ReadWriteLock, isReadBySeveral_writerWaitsForTheLast) {
    WakingTrace run(3);
    run.wait(0, 3, 10, 3, "pthread_rwlock_wrlock");
    run.on(1).call(0, 5, "read little");
    run.wake(1, 5, 1, "pthread_rwlock_unlock");
    run.on(2).call(0, 9, "read much");
    run.wake(2, 9, 2, "pthread_rwlock_unlock");
    const Findings found = run.findings();
    EXPECT_NEAR(found.total("pthread_lock_contention_rwlock"), 0.006, kExact);  // 9 - 3
    EXPECT_NEAR(found.at("pthread_lock_api", "main/pthread_rwlock_wrlock", 0, 0), 0.007, kExact);
    EXPECT_NEAR(found.at("delay_pthread_lock", "main/read much", 0, 2), 0.006, kExact);
    EXPECT_EQ(found.total("pthread_lock_contention_mutex_lock"), 0);
}

TEST(ReadWriteLock, isWritten_allReadersWaitForTheWriter) {
    WakingTrace run(3);
    run.on(0).call(0, 7, "write");
    run.wake(0, 7, 1, "pthread_rwlock_unlock");
    run.wait(1, 2, 8, 2, "pthread_rwlock_rdlock");
    run.wait(2, 4, 8, 2, "pthread_rwlock_rdlock");
    const Findings found = run.findings();
    EXPECT_NEAR(found.total("pthread_lock_contention_rwlock"), 0.008, kExact);  // 7 - 2 + 7 - 4
    EXPECT_NEAR(found.at("delay_pthread_lock", "main/write", 0, 0), 0.008, kExact);
}

/// Thread 0 has the first turn until 6, thread 1 the second one.
TEST(Ordered, isAnothersTurn_waitsForItsEnd) {
    constexpr auto* kOrdered = "!$omp ordered @x.c:2";
    constexpr auto* kBlock = "!$omp ordered sblock @x.c:2";
    WakingTrace run(2);
    run.on(0).enter(1, kOrdered).acquire(1, 0, 1).enter(1, kBlock).release(6, 0, 1).leave(6).leave(6);
    run.on(1).enter(2, kOrdered).acquire(7, 0, 2).enter(7, kBlock).release(8, 0, 2).leave(8).leave(8);
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("omp_ordered_wait", std::string("main/") + kOrdered, 0, 1), 0.004, kExact);
    EXPECT_NEAR(found.total("omp_ordered_wait"), 0.004, kExact);
    EXPECT_NEAR(found.total("delay_omp_ordered"), 0.004, kExact);
    for (const unsigned thread : {0U, 1U})
        for (const char* path : {"main", "main/!$omp ordered @x.c:2"})
            EXPECT_LE(found.at("critical_path_imbalance", path, 0, thread),
                      found.at("critical_path", path, 0, thread) + kExact);
}

TEST(Futex, sleeperIsWoken_waitedForWhoWokeIt) {
    WakingTrace run(2);
    run.on(1).call(0, 6, "work");
    run.wake(1, 6, 1, "futex");
    run.wait(0, 2, 7, 2, "futex");
    const Findings found = run.findings();
    EXPECT_NEAR(found.at("futex_wait", "main/futex", 0, 0), 0.004, kExact);
    EXPECT_NEAR(found.at("system_waiting", "main/futex", 0, 0), 0.005, kExact);
    EXPECT_NEAR(found.at("delay_futex", "main/work", 0, 1), 0.004, kExact);
}

TEST(Futex, nobodyWaits_hasNoMetric) {
    TraceBuilder trace(1, 1);
    trace.on(0).enter(0, "main").leave(2);
    EXPECT_FALSE(Findings(trace).result().experiment.findMetric("futex_wait"));
}

}  // namespace
}  // namespace holos::testing
