// SPDX-License-Identifier: BSD-3-Clause
// Waiting for the end of a thread, and what that costs.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/findings.h"
#include "tests/support/joining_trace.h"

namespace holos::testing {
namespace {

constexpr const char* kThreadJoin = "pthread_join";
constexpr const char* kJoinWait = "pthread_join_wait";
constexpr Tick kLastTick = 20;

Findings findingsOf(JoiningTrace& run, const analyzer::AnalysisOptions& options = {}) {
    run.on(0).leave(kLastTick);
    return Findings(run.trace, options);
}

/// Thread 0 makes thread 1 at 2, which works from 3 until it ends, and joins it.
Findings joinedOnce(Tick joins, Tick returns, Tick ends, unsigned number = 1,
                    const analyzer::AnalysisOptions& options = {}) {
    JoiningTrace run(2);
    run.on(0).call(0, 2, "early");
    run.make(0, 1, 2);
    run.on(1).call(3, ends, "work");
    run.end(1, ends);
    run.join(0, number, joins, returns);
    return findingsOf(run, options);
}

TEST(ThreadJoinWait, threadHasNotEnded_lastsUntilItHas) {
    const Findings found = joinedOnce(10, 15, 14);
    EXPECT_NEAR(found.at(kJoinWait, "main/pthread_join", 0, 0), 0.004, kExact);             // 14 - 10
    EXPECT_NEAR(found.at("pthread_management", "main/pthread_join", 0, 0), 0.005, kExact);  // 15 - 10
    EXPECT_NEAR(found.total(kJoinWait), 0.004, kExact);
}

TEST(ThreadJoinWait, threadEndedBeforeOrAsTheCallBegins_isNone) {
    EXPECT_EQ(joinedOnce(10, 11, 8).total(kJoinWait), 0);
    EXPECT_EQ(joinedOnce(10, 11, 10).total(kJoinWait), 0);
}

TEST(ThreadJoinWait, threadEndsAfterTheCall_lastsNoLongerThanTheCall) {
    EXPECT_NEAR(joinedOnce(10, 12, 13).total(kJoinWait), 0.002, kExact);
}

TEST(ThreadJoinWait, threadIsNotKnown_isNone) {
    EXPECT_EQ(joinedOnce(10, 15, 14, 7).total(kJoinWait), 0);
    JoiningTrace run(2);  // where no event says which thread it is
    run.make(0, 1, 2);
    run.end(1, 14);
    run.on(0).call(10, 15, kThreadJoin);
    const Findings found = findingsOf(run);
    EXPECT_EQ(found.total(kJoinWait), 0);
    EXPECT_NEAR(found.total("pthread_management"), 0.005, kExact);
}

constexpr const char* kUneven = "pthread_join_wait_uneven";
constexpr const char* kSingle = "pthread_join_wait_single";

/// Thread 0 makes two threads at 2, which end then, and joins one after the other from 4 on.
Findings twoTogether(Tick firstEnds, Tick secondEnds) {
    JoiningTrace run(3);
    run.make(0, 1, 2);
    run.make(0, 2, 2);
    run.end(1, firstEnds);
    run.end(2, secondEnds);
    run.join(0, 1, 4, firstEnds);
    run.join(0, 2, firstEnds, secondEnds);
    return findingsOf(run);
}

TEST(ThreadJoinWait, oneEndsLater_halfOfWhatItIsLeftAloneIsBeyondEvenWork) {
    const Findings found = twoTogether(8, 14);
    EXPECT_NEAR(found.total(kJoinWait), 0.010, kExact);                        // 14 - 4
    EXPECT_NEAR(found.at(kUneven, "main/pthread_join", 0, 0), 0.003, kExact);  // (14 - 8) / 2
    EXPECT_EQ(found.total(kSingle), 0);
}

TEST(ThreadJoinWait, allEndTogether_nothingIsBeyondEvenWork) {
    const Findings found = twoTogether(14, 14);
    EXPECT_NEAR(found.total(kJoinWait), 0.010, kExact);
    EXPECT_EQ(found.total(kUneven), 0);
    EXPECT_EQ(found.total(kSingle), 0);
}

TEST(ThreadJoinWait, oneThreadAtATime_isForASingleOne) {
    EXPECT_NEAR(joinedOnce(10, 15, 14).total(kSingle), 0.004, kExact);
    JoiningTrace run(3);
    run.make(0, 1, 2);
    run.end(1, 6);
    run.join(0, 1, 3, 6);
    run.make(0, 2, 7);
    run.end(2, 12);
    run.join(0, 2, 8, 12);
    const Findings found = findingsOf(run);
    EXPECT_NEAR(found.total(kSingle), 0.007, kExact);  // 6 - 3, 12 - 8
    EXPECT_EQ(found.total(kUneven), 0);
}

/// Thread 1 starts one thread after the other and joins it, so often that its times are summed up once for
/// all of them. Since the start of each, thread 1 works for 10 in its body; the other one for 20, and for 20
/// of another function.
TEST(ThreadJoinCauses, ofVeryManyJoinedThreads_areThoseOfEach) {
    constexpr unsigned kThreads = 100;
    JoiningTrace run(kThreads);
    run.make(0, 1, 0);
    Tick now = 0;
    for (unsigned thread = 2; thread < kThreads; ++thread) {
        run.make(1, thread, now);
        run.on(thread).call(now + 20, now + 40, "work");
        run.end(thread, now + 40);
        run.join(1, thread, now + 10, now + 40);
        now += 40;
    }
    run.end(1, now);
    const Findings found = findingsOf(run);
    for (const unsigned thread : {2U, 50U, kThreads - 1}) {
        EXPECT_NEAR(found.at("delay_pthread_join", "THREADS/body", 0, thread), 0.010, kExact) << thread;
        EXPECT_NEAR(found.at("delay_pthread_join", "THREADS/body/work", 0, thread), 0.020, kExact) << thread;
    }
}

TEST(ThreadJoinCauses, threadHasNotEnded_whatItDidSinceItWasMadePays) {
    const Findings found = joinedOnce(10, 15, 14);
    // Since 2, thread 1 has 1 in its body and 11 of work; thread 0 has never been there.
    EXPECT_NEAR(found.at("delay_pthread_join", "THREADS/body", 0, 1), 0.004 * 1 / 12, kExact);
    EXPECT_NEAR(found.at("delay_pthread_join", "THREADS/body/work", 0, 1), 0.004 * 11 / 12, kExact);
    EXPECT_NEAR(found.total("delay_pthread"), 0.004, kExact);
    EXPECT_NEAR(found.total("delay"), 0.004, kExact);
    EXPECT_FALSE(found.result().experiment.findMetric("delay_pthread_lock"));
}

TEST(ThreadJoinCauses, threadHasNotEnded_criticalPathGoesThroughIt) {
    const Findings found = joinedOnce(10, 15, 14);
    EXPECT_NEAR(found.at("critical_path", "main/early", 0, 0), 0.002, kExact);
    EXPECT_NEAR(found.at("critical_path", "THREADS/body/work", 0, 1), 0.011, kExact);  // 3 to 14
    EXPECT_NEAR(found.at("critical_path", "main/pthread_join", 0, 0), 0.001, kExact);  // 14 to 15
    EXPECT_NEAR(found.at("critical_path", "main", 0, 0), 0.005, kExact);               // 15 to 20
    EXPECT_NEAR(found.total("critical_path"), 0.020, kExact);
}

TEST(ThreadJoinCauses, threadHasEnded_criticalPathStaysWithTheOneThatJoins) {
    const Findings found = joinedOnce(10, 11, 8);
    EXPECT_EQ(found.total("delay"), 0);
    EXPECT_EQ(found.at("critical_path", "THREADS/body/work", 0, 1), 0);
    EXPECT_NEAR(found.total("critical_path"), 0.020, kExact);
}

TEST(ThreadJoinCauses, asScalasca_thereAreNone) {
    analyzer::AnalysisOptions options;
    options.causesAsScalasca = true;
    const Findings found = joinedOnce(10, 15, 14, 1, options);
    EXPECT_NEAR(found.total(kJoinWait), 0.004, kExact);
    EXPECT_EQ(found.total("delay"), 0);
}

// Thread 0 waits for thread 1, which waited for thread 2.
TEST(ThreadJoinCauses, chainOfJoins_costsAreHandedOn) {
    JoiningTrace run(3);
    run.make(0, 1, 0);
    run.make(1, 2, 1);
    run.on(2).call(1, 9, "work");
    run.end(2, 9);
    run.join(1, 2, 2, 9);
    run.on(1).call(9, 10, "after");
    run.end(1, 10);
    run.join(0, 1, 3, 10);
    const Findings found = findingsOf(run);
    EXPECT_NEAR(found.total(kJoinWait), 0.014, kExact);  // 9 - 2, 10 - 3
    // Thread 2 works for 8. Thread 1 has 2 in its body, 1 behind it, and a wait of 7.
    EXPECT_NEAR(found.at("delay_pthread_join", "THREADS/body/work", 0, 2), 0.007, kExact);
    EXPECT_NEAR(found.at("delay_pthread_join", "THREADS/body", 0, 1), 0.007 * 2 / 10, kExact);
    EXPECT_NEAR(found.at("delay_pthread_join", "THREADS/body/after", 0, 1), 0.007 * 1 / 10, kExact);
    EXPECT_NEAR(found.at("delay_pthread_join_longterm", "THREADS/body/work", 0, 2), 0.007 * 7 / 10, kExact);
    EXPECT_NEAR(found.total("delay"), 0.014, kExact);
    EXPECT_NEAR(found.at("critical_path", "THREADS/body/work", 0, 2), 0.008, kExact);
    EXPECT_NEAR(found.total("critical_path"), 0.020, kExact);
}

/// The first thread waits three times, 4 ticks each, for a thread that ends at 14, and has it the fourth
/// time.
TEST(ThreadJoin, callsWhoseTimeIsOver_waitForTheThreadThatIsJoinedAtLast) {
    JoiningTrace trace(2);
    trace.make(0, 1, 1);
    for (const Tick begin : {2, 6, 10}) trace.joinInVain(0, begin, begin + 4);
    trace.end(1, 16);
    trace.join(0, 1, 14, 16);
    const Findings found = findingsOf(trace);
    const std::string path = std::string("main/") + kThreadJoin;
    EXPECT_NEAR(found.at(kJoinWait, path, 0), 0.014, kExact);                          // 2 to 16
    EXPECT_NEAR(found.at("pthread_join_wait_single", path, 0), 0.014, kExact);         // nobody else is there
    EXPECT_NEAR(found.at("delay_pthread_join", "THREADS/body", 0, 1), 0.012, kExact);  // of the longest one
    EXPECT_NEAR(found.total("pthread_management") - found.total(kJoinWait), 0, kExact);
}

/// Who does not join at last waits for nobody that is known.
TEST(ThreadJoin, callsWhoseTimeIsOver_withoutOneThatJoins_areNoWait) {
    JoiningTrace trace(2);
    trace.make(0, 1, 1);
    trace.joinInVain(0, 2, 6);
    trace.end(1, 16);
    EXPECT_EQ(findingsOf(trace).total(kJoinWait), 0);
}

}  // namespace
}  // namespace holos::testing
