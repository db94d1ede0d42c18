// SPDX-License-Identifier: BSD-3-Clause
// Windows, tasks, several requests that are tested, and traces that know no functions.
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/unit/analyzer/window_trace.h"
#include "tests/unit/predict/predicted.h"

namespace holos::testing {
namespace {

/// Everybody works until a time of its own, is in a fence until 21, and works for 10 more.
TEST(OneSided, fence_endsWithTheLast) {
    WindowTrace run(2);
    for (const unsigned rank : {0U, 1U}) {
        const Tick work = rank == 0 ? 5 : 20;
        run.trace.on(rank).call(0, work, rank == 0 ? "quick" : "slow");
        run.fence(rank, work, 21);
        run.trace.on(rank).call(21, 31, "after").leave(31);
    }
    const Predicted predicted(run.trace);
    EXPECT_EQ(predicted.replayed(), 31);
    EXPECT_EQ(predicted.with("speedup slow=2"), 21);   // 10 + 1 + 10
    EXPECT_EQ(predicted.with("speedup slow=20"), 16);  // now the other one is the last, at 5
}

/// The target opens its window late, and the origin waits in MPI_Win_complete.
TEST(OneSided, complete_waitsForThePost) {
    WindowTrace run(2);
    run.trace.on(0).call(0, 5, "work");
    run.sync(0, 5, 6, "MPI_Win_start", {1});
    run.put(0, 6, 7, 1);
    run.sync(0, 7, 22, "MPI_Win_complete", {1});
    run.trace.on(0).call(22, 32, "after").leave(32);
    run.trace.on(1).call(0, 20, "late");
    run.sync(1, 20, 21, "MPI_Win_post", {0});
    run.sync(1, 21, 23, "MPI_Win_wait", {0});
    run.trace.on(1).leave(23);
    const Predicted predicted(run.trace);
    EXPECT_EQ(predicted.replayed(), 32);
    EXPECT_EQ(predicted.with("speedup late=2"), 22);   // opened at 10, 2 more for the call, 10
    EXPECT_EQ(predicted.with("speedup late=10"), 19);  // opened before 7, when the origin calls
}

/// Rank 1 waits until rank 0 has released the window at 10, and works for 10 with it.
TEST(OneSided, lock_waitsForWhoHadIt) {
    WindowTrace run(2);
    run.lock(0, 0, 0, 0);
    run.trace.on(0).call(0, 10, "first");
    run.unlock(0, 10, 10, 0);
    run.trace.on(0).leave(10);
    run.lock(1, 0, 10, 0);
    run.trace.on(1).call(10, 20, "second");
    run.unlock(1, 20, 20, 0);
    run.trace.on(1).leave(20);
    const Predicted predicted(run.trace);
    EXPECT_EQ(predicted.replayed(), 20);
    EXPECT_EQ(predicted.with("speedup second=2"), 15);
    EXPECT_EQ(predicted.with("speedup first=2"), 15);
}

constexpr auto* kTaskRegion = "!$omp parallel @x.c:1";
constexpr auto* kTaskBarrier = "!$omp implicit barrier @x.c:1";
constexpr auto* kTask = "!$omp task @x.c:2";

/// Both threads execute a task of 10 in the barrier. The first one comes there at 10, the other one at 5.
TEST(Tasks, inABarrier_delayItsEnd) {
    TraceBuilder trace(1, 2);
    for (const unsigned thread : {0U, 1U}) {
        const Tick work = thread == 0 ? 10 : 5;
        LocationScript& script = trace.on(0, thread);
        if (thread == 0) script.enter(0, "main").fork(0, 2);
        script.teamBegin(0).enter(0, kTaskRegion).call(0, work, "work").enter(work, kTaskBarrier);
        script.switchTask(work, thread + 1).enter(work, kTask).leave(work + 10);
        script.completeTask(work + 10, thread + 1).switchTask(work + 10, 0).leave(21).leave(21).teamEnd(21);
        if (thread == 0) script.join(21).leave(25);
    }
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 25);
    EXPECT_EQ(run.with("speedup " + std::string(kTask) + "=2"), 20);    // 10 + 5, then 1 and 4
    EXPECT_EQ(run.with("speedup " + std::string(kTask) + "=0.5"), 35);  // 10 + 20
    EXPECT_EQ(run.with("speedup work=2"), 20);                          // 5 + 10
}

/// Tests of several requests that found nothing wait for the message that they found at last.
TEST(Testany, endsWithTheMessage) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 25, "work").send(25, 26, {.peer = 1}).leave(26);
    trace.on(1).enter(0, "main").irecv(0, 2, 1).enter(2, "MPI_Testany").requestTested(4, 1).leave(4);
    trace.on(1).enter(4, "MPI_Testany").requestTested(26, 1).leave(26);
    trace.on(1).waitRecv(26, 28, {.peer = 0}, 1, "MPI_Testany").call(28, 40, "after").leave(40);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 40);
    EXPECT_EQ(run.with("speedup work=5"), 20);
}

/// Only calls of MPI were recorded: what is between them is computation of the program.
TEST(WithoutCallPaths, computationIsBetweenTheCalls) {
    TraceBuilder trace(2);
    trace.on(0).barrier(0, 1).send(21, 22, {.peer = 1}).barrier(30, 31);
    trace.on(1).barrier(0, 1).recv(1, 23, {.peer = 0}).barrier(30, 31);
    const Predicted run(trace);
    EXPECT_EQ(run.replayed(), 31);
    // Sent at 11, received at 13, and rank 1 goes on for 7 and is the last.
    EXPECT_EQ(run.with("cpu ratio MPI Rank 0=2"), 21);
    EXPECT_THROW(run.with("speedup main=2"), Error);
}

}  // namespace
}  // namespace holos::testing
