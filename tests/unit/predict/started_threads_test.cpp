// SPDX-License-Identifier: BSD-3-Clause
// Threads that the program starts itself: what follows when they share their work evenly, or take no longer
// than told.
#include <gtest/gtest.h>

#include "tests/support/joining_trace.h"
#include "tests/unit/predict/predicted.h"

namespace holos::testing {
namespace {

/// Thread 0 starts three threads at `begin`, which work until these times, and joins them.
void startThree(JoiningTrace& run, unsigned first, Tick begin, const std::vector<Tick>& ends) {
    for (unsigned i = 0; i < ends.size(); ++i) {
        run.make(0, first + i, begin);
        run.on(first + i).call(begin, ends[i], "work");
        run.end(first + i, ends[i]);
    }
    Tick now = begin;
    for (unsigned i = 0; i < ends.size(); ++i) {
        run.join(0, first + i, now, std::max(now, ends[i]));
        now = std::max(now, ends[i]);
    }
}

/// Threads of 300, 1200 and 300 ms: evenly shared out, each has 600 ms.
TEST(JoinedThreadsBalanced, takeTheMeanOfThoseThatAreThereTogether) {
    JoiningTrace run(4);
    startThree(run, 1, 10, {310, 1210, 310});
    run.on(0).call(1210, 1310, "finish").leave(1310);
    const Predicted replay(run.trace);
    EXPECT_EQ(replay.replayed(), 1310);
    EXPECT_EQ(replay.with("joined threads balanced"), 710);
    EXPECT_FALSE(replay.changes("threads balanced"));  // they are no team
}

/// 100, 400 and 100 ms, and then 200, 200 and 500: 200 and 300 on average.
TEST(JoinedThreadsBalanced, ofSeveralRounds_haveTheMeanOfTheirRound) {
    JoiningTrace run(7);
    startThree(run, 1, 0, {100, 400, 100});
    startThree(run, 4, 400, {600, 600, 900});
    run.on(0).leave(900);
    const Predicted replay(run.trace);
    EXPECT_EQ(replay.with("joined threads balanced"), 500);
}

TEST(JoinedThreadsBalanced, thatAreThereOneAtATime_changeNothing) {
    JoiningTrace run(3);
    startThree(run, 1, 0, {100});
    startThree(run, 2, 100, {400});
    run.on(0).leave(400);
    const Predicted replay(run.trace);
    EXPECT_FALSE(replay.changes("joined threads balanced"));
    EXPECT_EQ(replay.with("speedup work=2"), 200);
}

TEST(Limit, letsNoThreadTakeLonger) {
    JoiningTrace run(4);
    startThree(run, 1, 10, {310, 1210, 310});
    run.on(0).call(1210, 1310, "finish").leave(1310);
    const Predicted replay(run.trace);
    EXPECT_EQ(replay.with("limit work=500ms"), 610);
    EXPECT_EQ(replay.with("limit work=200ms"), 310);
    EXPECT_EQ(replay.with("limit work=0"), 110);
    EXPECT_FALSE(replay.changes("limit work=1.2s"));
    EXPECT_EQ(replay.with("speedup work=2", "limit work=500ms"), 610);  // of 600 ms that are left
}

/// A thread works and sleeps for 400 ms each, in two parts.
TEST(Limit, isOfSleepToo) {
    TraceBuilder trace(1);
    trace.region("usleep", {OTF2_PARADIGM_NONE, OTF2_REGION_ROLE_WRAPPER, "system"});
    trace.on(0).enter(0, "main").enter(0, "step").call(0, 200, "usleep").call(200, 400, "work");
    trace.on(0).call(400, 600, "usleep").call(600, 800, "work").leave(800).leave(800);
    const Predicted run(trace);
    EXPECT_EQ(run.with("limit step=200ms"), 200);
    EXPECT_EQ(run.with("limit usleep=100ms"), 500);
}

/// Who waits for a message waits until it comes.
TEST(Limit, isOfNoWaiting) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 300, "work").send(300, 301, {.peer = 1}).leave(301);
    trace.on(1).enter(0, "main").recv(0, 302, {.peer = 0}).leave(302);
    const Predicted run(trace);
    EXPECT_FALSE(run.changes("limit MPI_Recv=10ms"));
    EXPECT_EQ(run.with("limit main=100ms"), 102);
}

}  // namespace
}  // namespace holos::testing
