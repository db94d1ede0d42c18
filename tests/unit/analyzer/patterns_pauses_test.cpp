// SPDX-License-Identifier: BSD-3-Clause
// The recorder writes its buffer while a call waits: that is its own time, and none of the wait.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

void writeBuffer(TraceBuilder& trace, LocationScript& location, Tick begin, Tick end) {
    location.record([from = trace.timestamp(begin), to = trace.timestamp(end)](auto* out) {
        return OTF2_EvtWriter_BufferFlush(out, nullptr, from, to);
    });
}

TEST(PausesInWaits, ofCollectiveOperations_areNotPartOfThem) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").enter(1, "MPI_Barrier").collectiveBegin(1);
    writeBuffer(trace, trace.on(0), 2, 5);
    writeBuffer(trace, trace.on(0), 11, 13);
    trace.on(0).collectiveEnd(15, OTF2_COLLECTIVE_OP_BARRIER, {.sent = 0, .received = 0}).leave(15).leave(20);
    trace.on(1).enter(0, "main").call(0, 8, "work").barrier(8, 10).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_barrier_wait", "main/MPI_Barrier", 0), 0.004, kExact);        // 8 - 1 - 3
    EXPECT_NEAR(found.at("mpi_barrier_completion", "main/MPI_Barrier", 0), 0.003, kExact);  // 15 - 10 - 2
    EXPECT_NEAR(found.at("time", "main/MPI_Barrier", 0), 0.009, kExact);                    // 14 - 3 - 2
}

TEST(PausesInWaits, ofReceives_areNotPartOfThem) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(9, 10, {.peer = 1}).leave(20);
    trace.on(1).enter(0, "main").enter(1, "MPI_Recv");
    writeBuffer(trace, trace.on(1), 2, 5);
    trace.on(1).received(10, {.peer = 0}).leave(10).leave(20);
    EXPECT_NEAR(Findings(trace).total("mpi_latesender"), 0.005, kExact);  // 9 - 1 - 3
}

TEST(PausesInWaits, atBarriersOfTeams_areNotPartOfThem) {
    const std::string barrier = "!$omp barrier @test.c:12";
    TraceBuilder trace(1, 2);
    trace.on(0).enter(0, "main").fork(1, 2);
    for (unsigned thread = 0; thread < 2; ++thread)
        trace.on(0, thread).teamBegin(1).enter(1, "!$omp parallel @test.c:10");
    trace.on(0, 0).enter(2, barrier);
    writeBuffer(trace, trace.on(0, 0), 3, 6);
    trace.on(0, 0).leave(12);
    trace.on(0, 1).call(11, 12, barrier);
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).leave(13).teamEnd(13);
    trace.on(0).join(13).leave(14);
    EXPECT_NEAR(Findings(trace).total("omp_ebarrier_wait"), 0.006, kExact);  // 11 - 2 - 3
}

TEST(PausesInWaits, forASignal_areNotPartOfThem) {
    TraceBuilder trace(1, 2);
    for (const char* region : {"pthread_mutex_lock", "pthread_mutex_unlock", "pthread_cond_wait"})
        trace.region(region, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
    LocationScript& worker = trace.on(0, 1);
    worker.enter(0, "work").enter(1, "pthread_mutex_lock").acquire(1, 1, 1).leave(1);
    worker.enter(2, "pthread_cond_wait").release(2, 1, 1);
    writeBuffer(trace, worker, 3, 6);
    worker.acquire(9, 1, 2).leave(9).enter(10, "pthread_mutex_unlock").release(10, 1, 2).leave(10).leave(20);
    trace.on(0).enter(0, "work").leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.total("pthread_condition_signal_wait"), 0.004, kExact);  // 9 - 2 - 3
    EXPECT_NEAR(found.total("pthread_conditional"), 0.004, kExact);
}

/// Nor are others blamed for what the recorder takes.
TEST(PausesInWaits, ofThreadsForEachOther_areNotPartOfThem) {
    TraceBuilder trace(1, 2);
    for (const char* region : {"pthread_mutex_lock", "pthread_mutex_unlock", "sem_wait", "sem_post"})
        trace.region(region, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "pthread"});
    LocationScript& holder = trace.on(0, 0);
    holder.enter(0, "main").enter(1, "pthread_mutex_lock").acquire(1, 1, 1).leave(1).call(1, 12, "work");
    holder.enter(12, "pthread_mutex_unlock").release(12, 1, 1).leave(12).call(12, 22, "more work");
    holder.enter(22, "sem_post").release(22, 2, 1).leave(22).leave(30);
    LocationScript& waiter = trace.on(0, 1);
    waiter.enter(0, "main").enter(2, "pthread_mutex_lock");
    writeBuffer(trace, waiter, 3, 6);
    waiter.acquire(12, 1, 2).leave(12).enter(13, "pthread_mutex_unlock").release(13, 1, 2).leave(13);
    waiter.enter(14, "sem_wait");
    writeBuffer(trace, waiter, 16, 18);
    waiter.acquire(23, 2, 2).leave(23).leave(30);
    const Findings found(trace);
    EXPECT_NEAR(found.total("pthread_lock_contention_mutex_lock"), 0.007, kExact);  // 12 - 2 - 3
    EXPECT_NEAR(found.total("delay_pthread_lock"), 0.007, kExact);
    EXPECT_NEAR(found.total("pthread_semaphore_wait"), 0.006, kExact);  // 22 - 14 - 2
    EXPECT_NEAR(found.total("delay_pthread_semaphore"), 0.006, kExact);
}

}  // namespace
}  // namespace holos::testing
