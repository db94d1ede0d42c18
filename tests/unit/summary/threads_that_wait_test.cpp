// SPDX-License-Identifier: BSD-3-Clause
// Threads of one process that wait for each other: who is waited for, and what of that is a loss.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "algebra/insight/summary/summary.h"
#include "algebra/model/processors.h"
#include "algebra/model/wait_files.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::seconds;
using testing::SmallExperiment;

/// The first thread joins the others; two of these wait nearly all the time at a latch for the third one,
/// which works.
TEST(ThreadsThatWait, atALatch_areNoSleepers) {
    constexpr auto* kLatch = "THREADS/arrive/futex";
    constexpr auto* kStep = "THREADS/step";
    const SmallExperiment::Rows asleep{{kLatch, {0, 0.98, 0.98, 0}}},
        joins{{"main/pthread_join", {1, 0, 0, 0}}};
    SmallExperiment build(1, 4);
    build.metric(seconds("time"), "", {asleep.front(), joins.front(), {kStep, {0, 0.02, 0.02, 1}}});
    build.metric(seconds("comp"), "time", {{kStep, {0, 0.02, 0.02, 1}}});
    build.metric(seconds("system_waiting"), "time", asleep);
    build.metric(seconds("futex_wait"), "system_waiting", asleep);
    build.metric(seconds("pthread_management"), "time", joins);
    build.metric(seconds("pthread_join_wait"), "pthread_management", joins);
    build.metric(seconds("delay"), "", {{kStep, {0, 0, 0, 1.96}}});
    build.metric(seconds("delay_futex_aggregate"), "delay", {{kStep, {0, 0, 0, 1.96}}});
    const Summary summary = summarize(build.take()).value();
    EXPECT_THAT(summary.run, HasSubstr("1 process with 4 threads in all ran for"));
    ASSERT_EQ(summary.problems.size(), 1U);
    EXPECT_EQ(summary.problems.front().kind, "wake");
    EXPECT_DOUBLE_EQ(summary.problems.front().cost, 1.96);
    EXPECT_NEAR(summary.percentLost, 49, 1e-9);
}

/// Two threads of a process that have a semaphore in turn, as a lock, or of which only one waits.
TEST(ThreadsThatWait, atASemaphoreThatTheyHaveInTurn_waitForEachOther) {
    const auto waiting = [](double first, double second) {
        const SmallExperiment::Rows waits{{"work/sem_wait", {first, second}}};
        SmallExperiment build(1, 2);
        build.metric(seconds("time"), "", {waits.front(), {"work", {10 - first, 10 - second}}});
        build.metric(seconds("comp"), "time", {{"work", {10 - first, 10 - second}}});
        build.metric(seconds("pthread_semaphore"), "time", waits);
        build.metric(seconds("pthread_semaphore_wait"), "pthread_semaphore", waits);
        build.metric(seconds("delay"), "", {{"work", {second, first}}});
        build.metric(seconds("delay_pthread_semaphore_aggregate"), "delay", {{"work", {second, first}}});
        return summarize(build.take())->problems.at(0);
    };
    const Problem inTurn = waiting(4, 5);
    EXPECT_EQ(inTurn.what, "Threads wait for each other to post a semaphore or to wake them");
    EXPECT_EQ(inTurn.who, "2 threads wait and are waited for, Thread 1 waits longest: 5.00 s");
    EXPECT_THAT(inTurn.remedy, HasSubstr("used as a lock"));
    EXPECT_EQ(waiting(0, 5).what, "Threads wait until another one posts a semaphore or wakes them");
}

/// Two threads wait for each other's semaphore, each in a function of its own: in each place another one is
/// waited for.
TEST(ThreadsThatWait, forEachOtherInTwoPlaces_areToldWhoIsWaitedForInEach) {
    constexpr auto *kPing = "THREADS/ping", *kPong = "THREADS/pong";
    const SmallExperiment::Rows waits{{"THREADS/ping/sem_wait", {5, 0}}, {"THREADS/pong/sem_wait", {0, 4}}};
    const SmallExperiment::Rows works{{kPing, {5, 0}}, {kPong, {0, 6}}};
    SmallExperiment build(1, 2);
    build.metric(seconds("time"), "", {waits[0], waits[1], works[0], works[1]});
    build.metric(seconds("comp"), "time", works);
    build.metric(seconds("pthread_semaphore"), "time", waits);
    build.metric(seconds("pthread_semaphore_wait"), "pthread_semaphore", waits);
    const SmallExperiment::Rows delays{{kPing, {4, 0}}, {kPong, {0, 5}}};
    build.metric(seconds("delay"), "", delays);
    build.metric(seconds("delay_pthread_semaphore_aggregate"), "delay", delays);
    const auto problems = summarize(build.take())->problems;
    ASSERT_EQ(problems.size(), 2U);
    for (const Problem& problem : problems) {
        EXPECT_EQ(problem.what, "Threads wait for each other to post a semaphore or to wake them");
        EXPECT_EQ(problem.who, problem.where.ends_with("ping")
                                   ? "others wait 4.00 s for Thread 0; it waits 5.00 s for others itself"
                                   : "others wait 5.00 s for Thread 1; it waits 4.00 s for others itself");
    }
}

/// The first thread starts eight others, one after the other, each for half a second, and waits for each for
/// a quarter of a second.
TEST(ThreadsThatWait, forOneOfManyAlike_areToldOfAllOfThese) {
    constexpr auto *kStep = "THREADS/step", *kWait = "main/sem_wait";
    const std::vector<double> each{0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    const std::vector<double> blamed{0, 0.25, 0.25, 0.26, 0.24, 0.25, 0.25, 0.25, 0.25};
    const SmallExperiment::Rows works{{"main", {2, 0, 0, 0, 0, 0, 0, 0, 0}}, {kStep, each}};
    const SmallExperiment::Rows waits{{kWait, {2, 0, 0, 0, 0, 0, 0, 0, 0}}};
    SmallExperiment build(1, 9);
    build.metric(seconds("time"), "", {works[0], works[1], waits.front()});
    build.metric(seconds("comp"), "time", works);
    build.metric(seconds("pthread_semaphore"), "time", waits);
    build.metric(seconds("pthread_semaphore_wait"), "pthread_semaphore", waits);
    build.metric(seconds("delay"), "", {{kStep, blamed}});
    build.metric(seconds("delay_pthread_semaphore_aggregate"), "delay", {{kStep, blamed}});
    const Problem problem = summarize(build.take())->problems.at(0);
    EXPECT_EQ(problem.kind, "wake");
    EXPECT_EQ(problem.who, "others wait most for 8 threads, 260 ms at most for each");
    EXPECT_EQ(problem.locations.size(), 8U);
    EXPECT_NEAR(problem.gain.value(), 1, 1e-9);  // there are two at a time
}

/// One of two threads waits 0.3 s for a signal of the other one, which has no processor for 0.4 s, or always
/// has one: in the former case it may be late by no more than that.
TEST(ThreadsThatWait, forOneThatLackedAProcessorForLonger_mayBeSoForThatAlone) {
    constexpr auto *kStep = "THREADS/step", *kWait = "main/pthread_cond_wait";
    const SmallExperiment::Rows waits{{kWait, {0.3, 0}}}, works{{"main", {3.7, 0}}, {kStep, {0, 4}}};
    for (const bool isLacking : {false, true}) {
        SmallExperiment build(1, 2);
        build.metric(seconds("time"), "", {waits.front(), works[0], works[1]});
        build.metric(seconds("comp"), "time", works);
        build.metric(seconds("pthread_conditional"), "time", waits);
        build.metric(seconds("pthread_condition_signal_wait"), "pthread_conditional", waits);
        build.metric(seconds("delay"), "", {{kStep, {0, 0.3}}});
        build.metric(seconds("delay_pthread_condition_aggregate"), "delay", {{kStep, {0, 0.3}}});
        Experiment experiment = build.take();
        experiment.system.locations[1].attributes = {
            {std::string(kOnProcessorsAttribute), "3600000000"},
            {std::string(kWaitingForProcessorsAttribute), isLacking ? "400000000" : "0"}};
        const auto problems = summarize(experiment)->problems;
        const auto signal = std::ranges::find(problems, "signal", &Problem::kind);
        ASSERT_NE(signal, problems.end());
        EXPECT_EQ(signal->why.find("uncertain: threads waited for processors") != std::string::npos,
                  isLacking);
    }
}

/// The first of three threads joins the others, which meet at a barrier.
Problem meetingBeside(const std::vector<double>& works, const std::vector<double>& waits,
                      const std::vector<double>& blamed) {
    constexpr auto *kStep = "THREADS/step", *kWait = "THREADS/step/pthread_barrier_wait";
    SmallExperiment build(1, 3);
    build.metric(seconds("time"), "", {{"main/pthread_join", {2, 0, 0}}, {kStep, works}, {kWait, waits}});
    build.metric(seconds("comp"), "time", {{kStep, works}});
    build.metric(seconds("pthread_barrier_wait"), "time", {{kWait, waits}});
    build.metric(seconds("delay"), "", {{kStep, blamed}});
    build.metric(seconds("delay_pthread_barrier_aggregate"), "delay", {{kStep, blamed}});
    return summarize(build.take())->problems.at(0);
}

TEST(ThreadsThatWait, atABarrier_areNotComparedWithOneThatOnlyJoinsThem) {
    EXPECT_EQ(meetingBeside({0, 1, 1}, {0, 1, 1}, {0, 1, 1}).what,
              "Threads are late in turn, and the others wait");
    const Problem uneven = meetingBeside({0, 1.5, 0.5}, {0, 0, 1}, {0, 1, 0});
    EXPECT_EQ(uneven.what, "One thread works longer than the others, and they wait");
    EXPECT_EQ(uneven.who, "Thread 1 takes 1.50 s, the other one 500 ms");
}

/// One thread waits for 9.9 s, and does not count; another one for 0.5 s. Whoever signals is late for the
/// latter alone.
TEST(ThreadsThatWait, thatDoNotCount_makeNobodyLate) {
    const SmallExperiment::Rows waits{{"serve/sem_wait", {0, 9.9, 0.5}}};
    SmallExperiment build(1, 3);
    build.metric(seconds("time"), "", {waits.front(), {"main/step", {10, 0, 9.5}}});
    build.metric(seconds("comp"), "time", {{"main/step", {10, 0, 9.5}}});
    build.metric(seconds("pthread_semaphore"), "time", waits);
    build.metric(seconds("pthread_semaphore_wait"), "pthread_semaphore", waits);
    build.metric(seconds("delay"), "", {{"main/step", {10.4, 0, 0}}});
    build.metric(seconds("delay_pthread_semaphore_aggregate"), "delay", {{"main/step", {10.4, 0, 0}}});
    EXPECT_TRUE(summarize(build.take())->problems.empty());
    const SmallExperiment::Rows longer{{"serve/sem_wait", {0, 9.9, 2}}};
    SmallExperiment again(1, 3);
    again.metric(seconds("time"), "", {longer.front(), {"main/step", {10, 0, 8}}});
    again.metric(seconds("comp"), "time", {{"main/step", {10, 0, 8}}});
    again.metric(seconds("pthread_semaphore"), "time", longer);
    again.metric(seconds("pthread_semaphore_wait"), "pthread_semaphore", longer);
    again.metric(seconds("delay"), "", {{"main/step", {11.9, 0, 0}}});
    again.metric(seconds("delay_pthread_semaphore_aggregate"), "delay", {{"main/step", {11.9, 0, 0}}});
    const Summary summary = summarize(again.take()).value();
    ASSERT_EQ(summary.problems.size(), 1U);
    EXPECT_DOUBLE_EQ(summary.problems.front().cost, 2);
}

/// Three threads meet four times at a barrier: the first one calls the function by `main`. The second one is
/// late twice, the others once, by 0.25 s each; of the second one a part is known of its caller alone.
Experiment meetFourTimes() {
    constexpr auto *kFirst = "app/main/meet", *kStart = "app/THREADS/start",
                   *kOther = "app/THREADS/start/meet";
    const SmallExperiment::Rows waits{{"app/main/meet/pthread_barrier_wait", {0.75, 0, 0}},
                                      {"app/THREADS/start/meet/pthread_barrier_wait", {0, 0.5, 0.75}}};
    const SmallExperiment::Rows works{
        {kFirst, {0.25, 0, 0}}, {kStart, {0, 0.25, 0}}, {kOther, {0, 0.25, 0.25}}};
    SmallExperiment::Rows all = works;
    all.insert(all.end(), waits.begin(), waits.end());
    const SmallExperiment::Rows delays{{kFirst, {0.5, 0, 0}}, {kStart, {0, 0.5, 0}}, {kOther, {0, 0.5, 0.5}}};
    SmallExperiment build(1, 3);
    build.metric(seconds("time"), "", all);
    build.metric(seconds("comp"), "time", works);
    build.metric(seconds("pthread_barrier_wait"), "time", waits);
    build.metric(seconds("delay"), "", delays);
    build.metric(seconds("delay_pthread_barrier_aggregate"), "delay", delays);
    return build.take();
}

TEST(ThreadsThatWait, atABarrier_areComparedWhereverTheyComeFrom) {
    const Summary summary = summarize(meetFourTimes()).value();
    ASSERT_EQ(summary.problems.size(), 1U);
    const Problem& problem = summary.problems.front();
    EXPECT_DOUBLE_EQ(problem.cost, 2);
    EXPECT_EQ(problem.what, "Threads are late in turn, and the others wait");
    EXPECT_THAT(problem.where, HasSubstr("meet"));
    EXPECT_EQ(problem.who,
              "Thread 1 takes 500 ms, the others 250 ms on average; now one is late, now another");
}

/// Each of them had no processor for a while, and nobody knows when: that makes threads late in turn.
TEST(ThreadsThatWait, inTurnForNoLongerThanTheyHadNoProcessor_areNotTold) {
    for (const auto& [without, isTold] : {std::pair{"900000000", false}, {"400000000", true}}) {
        Experiment made = meetFourTimes();
        for (Location& thread : made.system.locations)
            thread.attributes = {{std::string(kOnProcessorsAttribute), "100000000"},
                                 {std::string(kWaitingForProcessorsAttribute), without}};
        const Summary summary = summarize(made).value();
        const auto late = std::ranges::find_if(summary.problems, [](const Problem& problem) {
            return problem.what == "Threads are late in turn, and the others wait";
        });
        ASSERT_EQ(late != summary.problems.end(), isTold) << without;
        if (isTold) {
            EXPECT_THAT(late->why, HasSubstr("uncertain: threads waited for processors"));
        }
    }
}

/// Others wait while the recorder writes what it has: nobody works there.
TEST(ThreadsThatWait, whileTheRecorderWrites_areNoUnevenWork) {
    constexpr auto *kRegion = "main/!$omp parallel @a.c:1",
                   *kFlush = "main/!$omp parallel @a.c:1/TRACE BUFFER FLUSH";
    constexpr auto* kBarrier = "main/!$omp parallel @a.c:1/!$omp implicit barrier @a.c:1";
    SmallExperiment build(1, 2);
    build.metric(seconds("time"), "", {{kRegion, {8, 8}}, {kFlush, {0, 2}}, {kBarrier, {2, 0}}});
    build.metric(seconds("comp"), "time", {{kRegion, {8, 8}}});
    build.metric(seconds("overhead"), "time", {{kFlush, {0, 2}}});
    build.metric(seconds("omp_ibarrier_wait"), "time", {{kBarrier, {2, 0}}});
    build.metric(seconds("delay"), "", {{kFlush, {0, 2}}});
    build.metric(seconds("delay_ompbarrier_aggregate"), "delay", {{kFlush, {0, 2}}});
    const auto summary = summarize(build.take());
    for (const Problem& problem : summary->problems) EXPECT_EQ(problem.kind, "recording") << problem.where;
}

/// Two threads wait for a task: because of the one that runs it, and because that one came to it late, in the
/// barrier, where nobody works.
TEST(ThreadsThatWait, whereNobodyWorks_areToldWithThoseWhoDo) {
    constexpr auto *kTask = "main/!$omp parallel @a.c:1/!$omp task @a.c:2",
                   *kBarrier = "main/!$omp parallel @a.c:1/!$omp implicit barrier @a.c:1";
    const SmallExperiment::Rows waits{{kBarrier, {3, 3, 0}}};
    SmallExperiment build(1, 3);
    build.metric(seconds("time"), "", {waits.front(), {kTask, {0, 0, 2}}, {"main", {7, 0, 0}}});
    build.metric(seconds("comp"), "time", {{kTask, {0, 0, 2}}, {"main", {7, 0, 0}}});
    build.metric(seconds("omp_ibarrier_task_wait"), "time", waits);
    const SmallExperiment::Rows delays{{kTask, {0, 0, 4}}, {kBarrier, {0, 0, 2}}};
    build.metric(seconds("delay"), "", delays);
    build.metric(seconds("delay_omp_task_aggregate"), "delay", delays);
    const auto summary = summarize(build.take());
    ASSERT_EQ(summary->problems.size(), 1U);
    EXPECT_EQ(summary->problems.front().kind, "large-task");
    EXPECT_DOUBLE_EQ(summary->problems.front().cost, 6);
    EXPECT_THAT(summary->problems.front().who, Not(HasSubstr("0.00 s:")));
}

/// Three threads wait for their turn, for one that works in front of its ordered construct, or in it.
Problem waitingForTurn(const std::string& place) {
    const std::string loop = "main/!$omp for @a.c:1", turn = loop + "/!$omp ordered @a.c:2";
    const std::string work = loop + place;
    SmallExperiment build(1, 3);
    build.metric(seconds("time"), "", {{work, {3, 0, 0}}, {turn, {0, 3, 3}}});
    build.metric(seconds("comp"), "time", {{work, {3, 0, 0}}});
    build.metric(seconds("omp_time"), "time", {{turn, {0, 3, 3}}});
    build.metric(seconds("omp_ordered"), "omp_time", {{turn, {0, 3, 3}}});
    build.metric(seconds("omp_ordered_wait"), "omp_ordered", {{turn, {0, 3, 3}}});
    build.metric(seconds("delay"), "", {{work, {6, 0, 0}}});
    build.metric(seconds("delay_omp_ordered_aggregate"), "delay", {{work, {6, 0, 0}}});
    const Summary summary = summarize(build.take()).value();
    EXPECT_EQ(summary.problems.size(), 1U);
    return summary.problems.at(0);
}

TEST(ThreadsThatWait, forTheirTurn_areToldWhoIsLateAndWhere) {
    const Problem before = waitingForTurn("");
    EXPECT_EQ(before.kind, "ordered");
    EXPECT_EQ(before.what,
              "Threads wait for their turn in an ordered construct, for one that comes late to it");
    EXPECT_EQ(before.who, "Thread 0 takes 3.00 s, the others 0.00 s on average");
    EXPECT_THAT(before.remedy, HasSubstr("in front of it"));
    EXPECT_DOUBLE_EQ(before.gain.value(), 2);  // three seconds of work, by three
    const Problem in = waitingForTurn("/!$omp ordered @a.c:2/!$omp ordered sblock @a.c:2");
    EXPECT_EQ(in.kind, "ordered");
    EXPECT_EQ(in.what, "Threads wait for their turn in an ordered construct");
    EXPECT_THAT(in.remedy, HasSubstr("do less in it"));
}

/// A thread joins two others that work for 4 s each. One of them works for longer, or waits for a lock.
Summary endingLate(double atLock) {
    constexpr auto *kWork = "THREADS/work", *kLock = "THREADS/step/pthread_mutex_lock",
                   *kJoin = "main/pthread_join";
    const double longer = 3 - atLock;
    SmallExperiment build(1, 3);
    build.metric(seconds("time"), "",
                 {{kWork, {0, 4, 4 + longer}}, {kLock, {0, 0, atLock}}, {kJoin, {7, 0, 0}}});
    build.metric(seconds("comp"), "time", {{kWork, {0, 4, 4 + longer}}});
    build.metric(seconds("pthread_lock_contention_mutex_lock"), "time", {{kLock, {0, 0, atLock}}});
    build.metric(seconds("pthread_management"), "time", {{kJoin, {7, 0, 0}}});
    build.metric(seconds("pthread_join_wait"), "pthread_management", {{kJoin, {7, 0, 0}}});
    build.metric(seconds("pthread_join_wait_uneven"), "pthread_join_wait", {{kJoin, {1.5, 0, 0}}});
    build.metric(seconds("delay"), "", {{kWork, {0, atLock, 7}}});
    build.metric(seconds("delay_pthread_lock_aggregate"), "delay", {{kWork, {0, atLock, 0}}});
    build.metric(seconds("delay_pthread_join_aggregate"), "delay", {{kWork, {0, 0, 7}}});
    return summarize(build.take()).value();
}

TEST(ThreadsThatWait, forTheEndOfOneThatHadToWaitForALock_areToldToLookAtTheLock) {
    const Summary uneven = endingLate(0);
    ASSERT_EQ(uneven.problems.size(), 1U);
    EXPECT_EQ(uneven.problems.front().kind, "join");
    EXPECT_EQ(uneven.problems.front().remedy, "divide the work evenly among them");
    const Summary locked = endingLate(3);
    ASSERT_EQ(locked.problems.size(), 1U);
    EXPECT_EQ(locked.problems.front().kind, "lock");
    EXPECT_NEAR(locked.problems.front().cost, 3 + 1.5, 1e-9);
}

/// The first thread waits for the end of the second, which waits for that of the third, which works; or the
/// first two read what the third one writes. That one has no processor for so many seconds of nine.
Summary chain(const char* metric, double without = 0) {
    const std::string call = std::string(metric) == "system_waiting" ? "read" : "pthread_join";
    const SmallExperiment::Rows waits{{"main/" + call, {10, 0, 0}}, {"THREADS/start/" + call, {0, 9, 0}}};
    constexpr auto* kWork = "THREADS/start/work";
    constexpr auto* kWithout = "THREADS/start/WAITING FOR A PROCESSOR";
    SmallExperiment::Rows all = waits;
    all.push_back({kWork, {0, 1, 9 - without}});
    all.push_back({kWithout, {0, 0, without}});
    SmallExperiment build(1, 3);
    build.metric(seconds("time"), "", all);
    build.metric(seconds("comp"), "time", {{kWork, {0, 1, 9 - without}}});
    build.metric(seconds("processor_waiting"), "time", {{kWithout, {0, 0, without}}});
    build.metric(seconds(metric), "time", waits);
    build.metric(seconds("critical_path"), "", {{kWork, {0, 1, 9 - without}}, {kWithout, {0, 0, without}}});
    build.metric(seconds("delay"), "", {{kWork, {0, 0, 0}}});
    return summarize(build.take()).value();
}

TEST(ThreadsThatWait, forEachOtherInARow_areToldWhoWorksAlone) {
    for (const char* const metric : {"system_waiting", "pthread_join_wait"}) {
        const Summary summary = chain(metric);
        ASSERT_EQ(summary.problems.size(), 1U) << metric;
        const Problem& problem = summary.problems.front();
        EXPECT_EQ(problem.kind, "serial");
        EXPECT_EQ(problem.what, "One thread works at a time, and others wait meanwhile");
        EXPECT_THAT(problem.who,
                    HasSubstr("Thread 2 works 9.00 s; Thread 0 sleeps or waits for 10.0 s or more"));
        EXPECT_DOUBLE_EQ(problem.cost, 10 + 8);
        EXPECT_DOUBLE_EQ(problem.gain.value(), 6);
        EXPECT_EQ(problem.locations, std::vector<LocationId>{LocationId(2)});
        EXPECT_GT(summary.percentLost, 60) << metric;
    }
}

/// The lack of a processor is another problem, and nothing that can be shared out.
TEST(ThreadsThatWait, forOneThatLacksAProcessor_areNotToldThatItWorksMeanwhile) {
    const Summary summary = chain("pthread_join_wait", 6);
    const auto lone = std::ranges::find_if(summary.problems,
                                           [](const Problem& problem) { return problem.kind == "serial"; });
    ASSERT_NE(lone, summary.problems.end());
    EXPECT_THAT(lone->who, HasSubstr("Thread 2 works 3.00 s; "));
    EXPECT_THAT(lone->where, ::testing::EndsWith("work"));
    EXPECT_NEAR(lone->cost, 0.4 * (10 + 8), 1e-9);
    EXPECT_GT(summary.percentLost, 60);  // all of that, and the lack of a processor
}

/// Two threads work at the same time, and the first one sleeps: half of their work is critical.
TEST(ThreadsThatWait, whileSeveralWork_areNotToldThatOneWorks) {
    SmallExperiment build(1, 3);
    build.metric(seconds("time"), "", {{"main/read", {10, 0, 0}}, {"THREADS/work", {0, 10, 10}}});
    build.metric(seconds("comp"), "time", {{"THREADS/work", {0, 10, 10}}});
    build.metric(seconds("system_waiting"), "time", {{"main/read", {10, 0, 0}}});
    build.metric(seconds("critical_path"), "", {{"THREADS/work", {0, 10, 0}}});
    EXPECT_TRUE(summarize(build.take())->problems.empty());
}

/// What children of the process do while it waits for them is known: they work.
TEST(ThreadsThatWait, forChildrenOfTheirProcess_areNotToldToSleepLess) {
    SmallExperiment build(1, 1);
    build.metric(seconds("time"), "", {{"main", {1}}, {"main/waitpid", {9}}});
    build.metric(seconds("comp"), "time", {{"main", {1}}});
    build.metric(seconds("system_waiting"), "time", {{"main/waitpid", {9}}});
    const Summary summary = summarize(build.take()).value();
    ASSERT_EQ(summary.problems.size(), 1U);
    const Problem& problem = summary.problems.front();
    EXPECT_EQ(problem.what, "The process waits until processes end that it started");
    EXPECT_FALSE(problem.gain.has_value());
    EXPECT_THAT(problem.remedy, HasSubstr("at the same time"));
    EXPECT_EQ(summary.losses.front().name, "sleeping or waiting for processes that it started");
}

/// Two ranks; the second one sleeps longer, which the recorder did not see: nobody can share that out. It
/// works for two seconds at most.
TEST(ThreadsThatWait, forOneWhoseSleepWasNotSeen_gainWhatIsKnownOfIt) {
    SmallExperiment build(2, 1);
    build.barriers({.work = {{"main/step", {1, 5}}},
                    .waits = {{"main/MPI_Barrier", {4, 0}}},
                    .delays = {{"main/step", {0, 4}}}});
    build.metric(seconds("off_processor"), "", {{"main", {0, 4}}});
    build.metric(seconds("unseen_sleep"), "off_processor", {{"main", {0, 3}}});
    const Problem problem = summarize(build.take())->problems.at(0);
    EXPECT_EQ(problem.what, "One process sleeps longer than the others, and they wait");
    EXPECT_THAT(problem.who, HasSubstr("it sleeps for at least 3.00 s of that"));
    EXPECT_TRUE(problem.isSleep);
    EXPECT_NEAR(problem.gain.value(), 3, 1e-9);
}

/// Three ranks: the second one sleeps until the first one has worked, and the third one waits for it at a
/// barrier.
TEST(ThreadsThatWait, forOneThatSleepsWhileAnotherOneWorks_areNotPromisedItsSleep) {
    constexpr auto *kSleep = "main/take/read", *kWork = "main/make", *kBarrier = "main/MPI_Barrier";
    const auto sleeping = [&](double works) {
        SmallExperiment build(3, 1);
        build.barriers({.work = {{kWork, {works, 1, 1}}},
                        .sleep = {{kSleep, {0, 9, 0}}},
                        .waits = {{kBarrier, {10 - works, 0, 9}}},
                        .delays = {{kSleep, {0, 19 - works, 0}}}});
        return summarize(build.take())->problems.at(0);
    };
    EXPECT_EQ(sleeping(2).what, "One process sleeps alone, and the others wait");
    EXPECT_DOUBLE_EQ(sleeping(2).gain.value(), 8);
    const Problem problem = sleeping(8);
    EXPECT_EQ(problem.what, "One process sleeps, and others wait for a part of that");
    EXPECT_THAT(problem.who, HasSubstr("; MPI Rank 0 works meanwhile, for at least 7.00 s"));
    EXPECT_FALSE(problem.gain);
}

/// Two ranks read now and then whether the first one has set a flag, and sleep meanwhile.
TEST(ThreadsThatWait, forAFlagOfAnotherProcess_areToldWhoWorks) {
    SmallExperiment build(3, 1);
    build.metric(seconds("time"), "", {{"main/make", {10, 0.5, 0.5}}, {"main/usleep", {0, 9.5, 9.5}}});
    build.metric(seconds("comp"), "time", {{"main/make", {10, 0.5, 0.5}}});
    build.metric(seconds("system_waiting"), "time", {{"main/usleep", {0, 9.5, 9.5}}});
    build.metric(seconds("critical_path"), "", {{"main/make", {10, 0, 0}}});
    const Summary summary = summarize(build.take()).value();
    ASSERT_EQ(summary.problems.size(), 1U);
    EXPECT_EQ(summary.problems.front().what, "One process works at a time, and others wait meanwhile");
    EXPECT_THAT(summary.problems.front().who, HasSubstr("MPI Rank 0 works 10.0 s; MPI Rank 1 "));
}

/// A barrier within which one thread runs longer tasks: what the other one waits between its own is one wait.
TEST(ThreadsThatWait, atABarrierInWhichTasksRun_areNotSaidToWaitOnce) {
    const auto chanceOf = [](const std::string& place) {
        const std::string region = "main/!$omp parallel @a.c:1",
                          barrier = region + "/!$omp implicit barrier @a.c:1";
        const SmallExperiment::Rows works{{region + place, {8, 2}}}, waits{{barrier, {0, 6}}};
        SmallExperiment build(1, 2);
        build.metric(seconds("time"), "", {works.front(), waits.front()});
        build.metric(seconds("comp"), "time", works);
        build.metric(seconds("omp_ibarrier_wait"), "time", waits);
        build.metric(seconds("delay"), "", {{region + place, {6, 0}}});
        build.metric(seconds("delay_ompbarrier_aggregate"), "delay", {{region + place, {6, 0}}});
        Experiment experiment = build.take();
        experiment.files[kInstancesFile] =
            "metric\twait\tbegin\tlocation\tawaited\tcall path\nomp_ibarrier_wait\t6\t0\tThread 1\t\t" +
            barrier + "\n";
        return summarize(experiment)->problems.at(0).chance;
    };
    EXPECT_THAT(chanceOf("/work"), HasSubstr("100 % of it is waited at one time"));
    EXPECT_EQ(chanceOf("/!$omp task"), "");
}

/// One rank waits once, at the end, for one that others have waited for four times meanwhile.
TEST(ThreadsThatWait, onceForOneThatIsLateAgainAndAgain_areNotDoubted) {
    SmallExperiment build(3, 1);
    constexpr auto *kBarrier = "main/MPI_Barrier", *kReceive = "main/MPI_Recv";
    const SmallExperiment::Rows all{{"main/step", {0, 8, 0}}, {kReceive, {8, 0, 0}}, {kBarrier, {0, 0, 8}}};
    build.metric(seconds("time"), "", all);
    build.metric(seconds("comp"), "time", {{"main/step", {0, 8, 0}}});
    build.metric(seconds("mpi_latesender"), "time", {{kReceive, {8, 0, 0}}});
    build.metric(seconds("mpi_barrier_wait"), "time", {{kBarrier, {0, 0, 8}}});
    build.metric(seconds("delay"), "", {{"main/step", {0, 16, 0}}});
    build.metric(seconds("delay_latesender_aggregate"), "delay", {{"main/step", {0, 7.9, 0}}});
    build.metric(seconds("delay_barrier_aggregate"), "delay", {{"main/step", {0, 8, 0}}});
    Experiment experiment = build.take();
    std::string waits = "metric\twait\tbegin\tlocation\tawaited\tcall path\n";
    waits += "mpi_barrier_wait\t8\t0\tMPI Rank 2\t\tmain/MPI_Barrier\n";
    experiment.files[kInstancesFile] = waits;
    EXPECT_THAT(summarize(experiment)->problems.at(0).chance, HasSubstr("of it is waited at one time"));
    for (const char* const begin : {"0", "2", "4", "6"})
        waits += std::string("mpi_latesender\t1.9\t") + begin + "\tMPI Rank 0\t\tmain/MPI_Recv\n";
    experiment.files[kInstancesFile] = waits;
    EXPECT_EQ(summarize(experiment)->problems.at(0).chance, "");
    // The longest wait of each call path is kept, of the others when they begin.
    experiment.files[kInstancesFile] = waits.substr(0, waits.find("mpi_latesender"));
    WaitCourse course{"mpi_latesender", std::vector<double>(kCourseParts, 0.0),
                      std::vector<double>(kCourseParts, 0.0), std::vector<double>(kCourseParts, 0.0)};
    for (const std::size_t part : {0U, 5U, 10U, 15U}) {
        course.seconds[part] = course.typical[part] = 1.9;
        course.waits[part] = 1;
    }
    experiment.files[kWaitCourseFile] = waitCourseText({course});
    EXPECT_EQ(summarize(experiment)->problems.at(0).chance, "");
    course.typical[10] = course.typical[15] = course.seconds[10] = course.seconds[15] = 0;
    experiment.files[kWaitCourseFile] = waitCourseText({course});  // half as often: for less than half
    EXPECT_NE(summarize(experiment)->problems.at(0).chance, "");
}

/// The first thread joins two others, which work 4 s each side by side and have no processor for 6 s: it has
/// lost nothing itself, and no problem may cost more than the run loses.
TEST(ThreadsThatWait, forTheEndOfThreadsWithoutProcessors_loseNoMoreThanThese) {
    constexpr auto *kJoin = "main/pthread_join", *kWork = "THREADS/work",
                   *kWithout = "THREADS/WAITING FOR A PROCESSOR";
    SmallExperiment build(1, 3);
    build.metric(seconds("time"), "", {{kJoin, {10, 0, 0}}, {kWork, {0, 4, 4}}, {kWithout, {0, 6, 6}}});
    build.metric(seconds("comp"), "time", {{kWork, {0, 4, 4}}});
    build.metric(seconds("processor_waiting"), "time", {{kWithout, {0, 6, 6}}});
    build.metric(seconds("pthread_management"), "time", {{kJoin, {10, 0, 0}}});
    build.metric(seconds("pthread_join_wait"), "pthread_management", {{kJoin, {10, 0, 0}}});
    build.metric(seconds("pthread_join_wait_uneven"), "pthread_join_wait", {{kJoin, {0, 0, 0}}});
    build.metric(seconds("delay"), "", {{kWork, {0, 0, 4}}, {kWithout, {0, 0, 6}}});
    build.metric(seconds("delay_pthread_join_aggregate"), "delay",
                 {{kWork, {0, 0, 4}}, {kWithout, {0, 0, 6}}});
    Experiment experiment = build.take();
    for (Location& thread : experiment.system.locations) {
        const bool isFirst = &thread == &experiment.system.locations.front();
        const std::string without = isFirst ? "0" : "6000000000";
        thread.attributes = {{std::string(kOnProcessorsAttribute), isFirst ? "0" : "4000000000"},
                             {std::string(kWaitingForProcessorsAttribute), without},
                             {std::string(kShortageAttribute), without}};
    }
    const Summary summary = summarize(experiment).value();
    EXPECT_NEAR(summary.percentLost, 40, 1e-9);
    ASSERT_EQ(summary.problems.size(), 1U);
    EXPECT_EQ(summary.problems.front().kind, "lost-processors");
    EXPECT_NEAR(summary.problems.front().cost, 12, 1e-9);
}

/// Two threads wait 3 s each for a lock of `table`, and two others 1 s each for one of `journal`. Others wait
/// most for whoever is in `table`: that one never has the second lock.
TEST(ThreadsThatWait, forTwoLocks_areToldOfTheHolderThatTheyMayWaitFor) {
    constexpr auto *kTable = "main/table", *kJournal = "main/journal",
                   *kFirst = "main/table/pthread_mutex_lock", *kSecond = "main/journal/pthread_mutex_lock";
    const SmallExperiment::Rows waits{{kFirst, {3, 3, 0, 0}}, {kSecond, {0, 0, 1, 1}}};
    const SmallExperiment::Rows work{{kTable, {7, 7, 0, 0}}, {kJournal, {0, 0, 9, 9}}};
    const SmallExperiment::Rows delays{{kTable, {3, 3, 0, 0}}, {kJournal, {0, 0, 1, 1}}};
    SmallExperiment build(1, 4);
    build.metric(seconds("time"), "", {work[0], work[1], waits[0], waits[1]});
    build.metric(seconds("comp"), "time", work);
    build.metric(seconds("pthread_lock_contention_mutex_lock"), "time", waits);
    build.metric(seconds("delay"), "", delays);
    build.metric(seconds("delay_pthread_lock_aggregate"), "delay", delays);
    const Summary summary = summarize(build.take()).value();
    ASSERT_EQ(summary.problems.size(), 2U);
    EXPECT_THAT(summary.problems[0].where, HasSubstr("table"));
    EXPECT_THAT(summary.problems[0].why, HasSubstr("its holder is in main › table"));
    EXPECT_THAT(summary.problems[1].where, HasSubstr("journal"));
    EXPECT_THAT(summary.problems[1].why, Not(HasSubstr("holder")));
}

/// Of two threads that work in turn the first one works 4 s in `read`, the second one 3.5 s in `parse` and 2
/// s in `read`.
TEST(ThreadsThatWait, forEachOther_areToldWhoWorksMostInThePlaceThatIsNamed) {
    constexpr auto *kRead = "THREADS/read", *kParse = "THREADS/parse", *kSleep = "THREADS/futex";
    const SmallExperiment::Rows work{{kRead, {4, 2}}, {kParse, {0, 3.5}}};
    SmallExperiment build(1, 2);
    build.metric(seconds("time"), "", {work[0], work[1], {kSleep, {5.5, 4}}});
    build.metric(seconds("comp"), "time", work);
    build.metric(seconds("system_waiting"), "time", {{kSleep, {5.5, 4}}});
    build.metric(seconds("critical_path"), "", {{kRead, {4, 2}}, {kParse, {0, 3.5}}});
    build.metric(seconds("delay"), "", {{kRead, {0, 0}}});
    const Problem problem = summarize(build.take())->problems.at(0);
    EXPECT_EQ(problem.what, "One thread works at a time, and others wait meanwhile");
    EXPECT_THAT(problem.where, ::testing::EndsWith("read"));
    EXPECT_THAT(problem.who, ::testing::StartsWith("Thread 0 works 4.00 s; "));
    EXPECT_EQ(problem.locations, std::vector<LocationId>{LocationId(0)});
}

/// Two of three threads meet the third one at a barrier, which works for 3 s instead of 1 s, and lets others
/// have the processor for 4 s, waiting for something: it does not sleep, and that is no work.
TEST(ThreadsThatWait, forOneThatYields_areNotToldThatItSleeps) {
    constexpr auto *kStep = "main/step", *kYield = "main/step/sched_yield",
                   *kWait = "main/pthread_barrier_wait";
    SmallExperiment build(1, 3);
    build.metric(seconds("time"), "", {{kStep, {1, 1, 3}}, {kYield, {0, 0, 4}}, {kWait, {6, 6, 0}}});
    build.metric(seconds("comp"), "time", {{kStep, {1, 1, 3}}});
    build.metric(seconds("system_waiting"), "time", {{kYield, {0, 0, 4}}});
    build.metric(seconds("pthread_barrier_wait"), "time", {{kWait, {6, 6, 0}}});
    const SmallExperiment::Rows delays{{kStep, {0, 0, 4}}, {kYield, {0, 0, 8}}};
    build.metric(seconds("delay"), "", delays);
    build.metric(seconds("delay_pthread_barrier_aggregate"), "delay", delays);
    const Summary summary = summarize(build.take()).value();
    ASSERT_FALSE(summary.problems.empty());
    bool isTold = false;
    for (const Problem& problem : summary.problems) {
        EXPECT_FALSE(problem.isSleep) << problem.what;
        EXPECT_THAT(problem.remedy, Not(HasSubstr("sleep"))) << problem.what;
        isTold = isTold ||
                 problem.who.ends_with(" for Thread 2; Thread 2 takes 3.00 s, the others 1.00 s on average");
    }
    EXPECT_TRUE(isTold);
}

/// Three threads work as long, and one of them ends last because it yields.
TEST(ThreadsThatWait, forTheEndOfOneThatYields_areNotToldToShareItsWork) {
    constexpr auto *kStart = "THREADS/start", *kYield = "THREADS/start/sched_yield",
                   *kJoin = "main/pthread_join";
    SmallExperiment build(1, 4);
    build.metric(seconds("time"), "",
                 {{kStart, {0, 2, 2, 2}}, {kYield, {0, 0, 0, 4}}, {kJoin, {6, 0, 0, 0}}});
    build.metric(seconds("comp"), "time", {{kStart, {0, 2, 2, 2}}});
    build.metric(seconds("system_waiting"), "time", {{kYield, {0, 0, 0, 4}}});
    build.metric(seconds("pthread_time"), "time", {{kJoin, {6, 0, 0, 0}}});
    build.metric(seconds("pthread_management"), "pthread_time", {{kJoin, {6, 0, 0, 0}}});
    build.metric(seconds("pthread_join_wait"), "pthread_management", {{kJoin, {6, 0, 0, 0}}});
    build.metric(seconds("pthread_join_wait_uneven"), "pthread_join_wait", {{kJoin, {4, 0, 0, 0}}});
    const SmallExperiment::Rows delays{{kStart, {0, 0, 0, 2}}, {kYield, {0, 0, 0, 4}}};
    build.metric(seconds("delay"), "", delays);
    build.metric(seconds("delay_pthread_join_aggregate"), "delay", delays);
    const auto summary = summarize(build.take());
    for (const Problem& problem : summary->problems) {
        EXPECT_FALSE(problem.isSleep) << problem.what;
        if (problem.kind != "join") continue;
        EXPECT_THAT(problem.who, ::testing::StartsWith("3 threads take 2.00 s on average; "));
        EXPECT_FALSE(problem.gain.has_value());
        EXPECT_THAT(problem.why, HasSubstr("does not work longer than the others, but waits longer"));
    }
}

/// Two threads start one each, again and again, and wait for its end, and the first one waits for these: more
/// even work can spare no more than the 0.2 s that they differ by.
TEST(ThreadsThatWait, forTheEndOfThreadsWithEvenWork_areNotToldToDivideItEvenly) {
    constexpr auto *kStart = "THREADS/start", *kJoin = "main/pthread_join";
    const std::vector<double> work{0, 0, 0, 2, 2, 2.1, 1.9}, joins{6, 6, 6, 0, 0, 0, 0};
    SmallExperiment build(1, 7);
    build.metric(seconds("time"), "", {{kStart, work}, {kJoin, joins}});
    build.metric(seconds("comp"), "time", {{kStart, work}});
    build.metric(seconds("pthread_time"), "time", {{kJoin, joins}});
    build.metric(seconds("pthread_management"), "pthread_time", {{kJoin, joins}});
    build.metric(seconds("pthread_join_wait"), "pthread_management", {{kJoin, joins}});
    build.metric(seconds("pthread_join_wait_uneven"), "pthread_join_wait", {{kJoin, {3, 3, 3, 0, 0, 0, 0}}});
    const SmallExperiment::Rows delays{{kStart, {0, 0, 0, 4.5, 4.5, 4.5, 4.5}}};
    build.metric(seconds("delay"), "", delays);
    build.metric(seconds("delay_pthread_join_aggregate"), "delay", delays);
    const auto problems = summarize(build.take())->problems;
    const auto join = std::ranges::find(problems, "join", &Problem::kind);
    ASSERT_NE(join, problems.end());
    EXPECT_THAT(join->what, HasSubstr("although all do about as much"));
    EXPECT_THAT(join->remedy, Not(HasSubstr("evenly")));
    EXPECT_FALSE(join->gain.has_value());
}

/// The first thread joins others, which it starts two at a time; they seem to compute for so long. Of that
/// the first of them lacked a processor for a while, by the kernel's count.
Problem joinedPairs(const std::vector<double>& work, const char* lacked) {
    constexpr auto *kStart = "THREADS/start", *kJoin = "main/pthread_join";
    const std::vector<double> joins{12, 0, 0, 0, 0};
    SmallExperiment build(1, 5);
    build.metric(seconds("time"), "", {{kStart, work}, {kJoin, joins}});
    build.metric(seconds("comp"), "time", {{kStart, work}});
    build.metric(seconds("pthread_time"), "time", {{kJoin, joins}});
    build.metric(seconds("pthread_management"), "pthread_time", {{kJoin, joins}});
    build.metric(seconds("pthread_join_wait"), "pthread_management", {{kJoin, joins}});
    build.metric(seconds("pthread_join_wait_uneven"), "pthread_join_wait", {{kJoin, {9, 0, 0, 0, 0}}});
    const SmallExperiment::Rows delays{{kStart, {0, 6, 0, 6, 0}}};
    build.metric(seconds("delay"), "", delays);
    build.metric(seconds("delay_pthread_join_aggregate"), "delay", delays);
    Experiment made = build.take();
    for (Location& thread : made.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "9000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "0"}};
    made.system.locations[1].attributes[1].second = lacked;
    const auto problems = summarize(made)->problems;
    const auto join = std::ranges::find(problems, "join", &Problem::kind);
    return join != problems.end() ? *join : Problem{};
}

/// Of 6 and 1 s in each pair, each thread has 3.5 s afterwards: 2.5 s less in each.
TEST(ThreadsThatWait, forTheEndOfThreadsInPairs_gainWhatEvenWorkOfEachPairSpares) {
    EXPECT_NEAR(joinedPairs({0, 6, 1, 6, 1}, "0").gain.value(), 2 * 2.5, 1e-9);
}

/// One that seems to compute longer had no processor meanwhile.
TEST(ThreadsThatWait, forTheEndOfThreadsWithoutAProcessor_areNotToldThatTheseWorkMore) {
    EXPECT_THAT(joinedPairs({0, 6, 1, 1, 1}, "0").who, HasSubstr("takes 6.00 s"));
    EXPECT_THAT(joinedPairs({0, 6, 1, 1, 1}, "5000000000").what, HasSubstr("all do about as much"));
}

/// Two threads work for 6 s each and wait for 4 s each until they give up to take a lock.
TEST(ThreadsThatWait, forALockUntilATimeout_areToldOfTheLock) {
    constexpr auto *kWork = "THREADS/work", *kLock = "THREADS/pthread_mutex_clocklock";
    const SmallExperiment::Rows waits{{kLock, {4, 4}}};
    SmallExperiment build(1, 2);
    build.metric(seconds("time"), "", {{kWork, {6, 6}}, waits.front()});
    build.metric(seconds("comp"), "time", {{kWork, {6, 6}}});
    build.metric(seconds("pthread_lock_api"), "time", waits);
    build.metric(seconds("pthread_lock_timeout"), "pthread_lock_api", waits);
    const Summary summary = summarize(build.take()).value();
    EXPECT_THAT(summary.run, HasSubstr("40 % waiting for locks"));
    ASSERT_EQ(summary.problems.size(), 1U);
    EXPECT_EQ(summary.problems.front().kind, "lock");
    EXPECT_DOUBLE_EQ(summary.problems.front().cost, 8);
}

/// Two threads wait for their turn for 5 s each, in 1 s of which they have no processor: that is lost once.
TEST(ThreadsThatWait, forTheirTurnWithoutAProcessor_loseThatOnce) {
    constexpr auto* kOrdered = "main/!$omp ordered";
    SmallExperiment build(1, 2);
    build.metric(seconds("time"), "", {{kOrdered, {5, 5}}, {"main/nanosleep", {5, 5}}});
    build.metric(seconds("omp_ordered"), "time", {{kOrdered, {5, 5}}});
    build.metric(seconds("omp_ordered_wait"), "omp_ordered", {{kOrdered, {4, 4}}});
    build.metric(seconds("omp_ordered_processor_waiting"), "omp_ordered", {{kOrdered, {1, 1}}});
    build.metric(seconds("system_waiting"), "time", {{"main/nanosleep", {5, 5}}});
    EXPECT_NEAR(summarize(build.take())->percentLost, 100, 1e-9);
}

/// Three threads test for a lock that one of them has, and sleep for a while where it is not free.
TEST(ThreadsThatWait, inPausesBetweenTestsOfALock_areToldOfTheLock) {
    constexpr auto *kWork = "main/held", *kTest = "main/omp_test_lock", *kPause = "main/usleep";
    SmallExperiment build(1, 3);
    build.metric(seconds("time"), "", {{kWork, {5, 5, 5}}, {kTest, {1, 1, 1}}, {kPause, {4, 4, 4}}});
    build.metric(seconds("comp"), "time", {{kWork, {5, 5, 5}}});
    build.metric(seconds("omp_time"), "time", {{kTest, {1, 1, 1}}});
    build.metric(seconds("omp_lock_contention_polling"), "omp_time", {{kTest, {1, 1, 1}}});
    build.metric(seconds("system_waiting"), "time", {{kPause, {4, 4, 4}}});
    build.metric(seconds("system_waiting_lock_polling"), "system_waiting", {{kPause, {4, 4, 4}}});
    build.metric(seconds("delay"), "", {{kWork, {5, 5, 5}}});
    build.metric(seconds("delay_omp_lock_aggregate"), "delay", {{kWork, {5, 5, 5}}});
    const Summary summary = summarize(build.take()).value();
    ASSERT_EQ(summary.problems.size(), 1U);
    const Problem& problem = summary.problems.front();
    EXPECT_EQ(problem.kind, "lock");
    EXPECT_EQ(problem.where, "main › usleep");
    EXPECT_DOUBLE_EQ(problem.cost, 15);
    EXPECT_THAT(problem.why, HasSubstr("its holder is in main › held"));
    EXPECT_THAT(problem.why, HasSubstr("sleep meanwhile"));
}

/// The first thread joins a producer for 4 s, for which a consumer has waited for so long at a condition.
TEST(ThreadsThatWait, forOneBeforeItsEndAndThen_areToldForWhatTheyWait) {
    constexpr auto *kProduce = "THREADS/produce", *kWait = "THREADS/consume/pthread_cond_wait",
                   *kJoin = "main/pthread_join";
    const auto kindWith = [&](double waited) {
        SmallExperiment build(1, 3);
        build.metric(seconds("time"), "",
                     {{kJoin, {10, 0, 0}}, {kProduce, {0, 10, 10 - waited}}, {kWait, {0, 0, waited}}});
        build.metric(seconds("comp"), "time", {{kProduce, {0, 10, 10 - waited}}});
        build.metric(seconds("pthread_condition_signal_wait"), "time", {{kWait, {0, 0, waited}}});
        build.metric(seconds("pthread_management"), "time", {{kJoin, {10, 0, 0}}});
        build.metric(seconds("pthread_join_wait"), "pthread_management", {{kJoin, {10, 0, 0}}});
        build.metric(seconds("pthread_join_wait_uneven"), "pthread_join_wait", {{kJoin, {4, 0, 0}}});
        build.metric(seconds("delay"), "", {{kProduce, {0, 10 + waited, 0}}});
        build.metric(seconds("delay_pthread_join_aggregate"), "delay", {{kProduce, {0, 10, 0}}});
        build.metric(seconds("delay_pthread_condition_aggregate"), "delay", {{kProduce, {0, waited, 0}}});
        const auto summary = summarize(build.take());
        return summary->problems.at(0).kind;
    };
    EXPECT_EQ(kindWith(3), "signal");
    EXPECT_EQ(kindWith(1), "join");
}

}  // namespace
}  // namespace holos::algebra
