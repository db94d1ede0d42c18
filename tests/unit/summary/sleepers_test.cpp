// SPDX-License-Identifier: BSD-3-Clause
// Who is late because of sleep does not work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algebra/insight/findings/efficiencies.h"
#include "algebra/insight/summary/summary.h"
#include "algebra/operators/history/recorded_run.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Two processes; the second waits at a barrier while the first one computes and sleeps for so long.
Problem lateBy(double computing, double asleep) {
    const double late = computing + asleep;
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main/step", {late, 0}}, {"main/MPI_Barrier", {0, late}}});
    build.metric(testing::seconds("comp"), "time", {{"main/step", {computing, 0}}});
    build.metric(testing::seconds("system_waiting"), "time", {{"main/step", {asleep, 0}}});
    build.metric(testing::seconds("mpi_barrier_wait"), "time", {{"main/MPI_Barrier", {0, late}}});
    build.metric(testing::seconds("delay"), "", {{"main/step", {late, 0}}});
    build.metric(testing::seconds("delay_barrier_aggregate"), "delay", {{"main/step", {late, 0}}});
    return summarize(build.take()).value().problems.at(0);
}

TEST(SleepersProblem, oneSleepsAlone_isNotSaidToWork) {
    const Problem problem = lateBy(0.1, 0.9);
    EXPECT_EQ(problem.kind, "serial");
    EXPECT_EQ(problem.what, "One process sleeps alone, and the others wait");
    EXPECT_THAT(problem.who, HasSubstr("sleeps 1.00 s alone"));
    EXPECT_THAT(problem.remedy, HasSubstr("sleeps"));
    EXPECT_TRUE(problem.isSleep);
}

TEST(SleepersProblem, oneThatMostlyComputes_works) {
    const Problem problem = lateBy(0.9, 0.1);
    EXPECT_EQ(problem.what, "One process works alone, and the others wait");
    EXPECT_THAT(problem.who, HasSubstr("works 900 ms alone; besides, it sleeps 100 ms there"));
    EXPECT_THAT(problem.remedy, Not(HasSubstr("sleeps")));
    EXPECT_FALSE(problem.isSleep);
}

/// As the kernel counts what a thread was on processors for, and nobody knows when it was not.
TEST(SleepersProblem, oneThatHadNoProcessor_isNotSaidToWorkMeanwhile) {
    const auto lateOne = [](double off) {
        testing::SmallExperiment build(2, 1);
        build.barriers({.work = {{"main/step", {2.5, 0}}},
                        .waits = {{"main/MPI_Barrier", {0, 2.5}}},
                        .delays = {{"main/step", {2.5, 0}}}});
        build.metric(testing::seconds("off_processor"), "", {{"main", {off, 0}}});
        return summarize(build.take()).value().problems.at(0);
    };
    EXPECT_THAT(lateOne(0.1).who, HasSubstr("works 2.50 s alone"));
    const Problem problem = lateOne(1.5);
    EXPECT_THAT(problem.who,
                HasSubstr("takes 2.50 s alone; for at least 1.50 s of that it slept or had no processor"));
    EXPECT_NEAR(problem.gain.value(), 0.5, 1e-9);  // one second of work, by two
}

/// A process is compared by its first thread: what the others lack is no part of that.
TEST(SleepersProblem, processOfSeveralThreads_lacksNoMoreThanItsFirstOne) {
    testing::SmallExperiment build(2, 2);
    build.barriers({.work = {{"main/step", {2.5, 2.5, 0, 0}}},
                    .waits = {{"main/MPI_Barrier", {0, 0, 2.5, 0}}},
                    .delays = {{"main/step", {2.5, 0, 0, 0}}}});
    build.metric(testing::seconds("off_processor"), "", {{"main", {1.5, 2, 0, 0}}});
    const Problem problem = summarize(build.take()).value().problems.at(0);
    EXPECT_THAT(problem.who, HasSubstr("for at least 1.50 s of that it slept or had no processor"));
}

/// Nor is who takes longer by that alone.
TEST(SleepersProblem, oneThatTakesLongerForWantOfAProcessorAlone_isSaidToDoNoMore) {
    testing::SmallExperiment build(2, 1);
    build.barriers({.work = {{"main/step", {2.5, 2}}},
                    .waits = {{"main/MPI_Barrier", {0, 0.5}}},
                    .delays = {{"main/step", {0.5, 0}}}});
    build.metric(testing::seconds("off_processor"), "", {{"main", {0.5, 0}}});
    const Problem problem = summarize(build.take()).value().problems.at(0);
    EXPECT_THAT(
        problem.who,
        HasSubstr(
            "takes 2.50 s, the other one 2.00 s; the difference is no more than the time in which it slept or had no processor"));
    EXPECT_EQ(problem.gain.value(), 0);
}

/// Three processes: the last one computes longer, and then the first one sleeps in a function of its own.
/// They meet behind both.
TEST(SleepersProblem, whoSleepsInAnotherPlace_isNotSaidToWorkLongerThere) {
    testing::SmallExperiment build(3, 1);
    build.barriers({.work = {{"main", {0.4, 0.4, 1.2}}},
                    .sleep = {{"main/save", {1, 0, 0}}},
                    .waits = {{"main/MPI_Barrier", {0.8, 1.8, 1}}},
                    .delays = {{"main", {0, 0, 1.6}}, {"main/save", {2, 0, 0}}}});
    const auto problems = summarize(build.take()).value().problems;
    ASSERT_EQ(problems.size(), 2U);
    EXPECT_THAT(problems[0].who, HasSubstr("sleeps 1.00 s alone"));
    EXPECT_EQ(problems[1].what, "One process works longer than the others, and they wait");
    EXPECT_THAT(problems[1].who, HasSubstr("takes 1.20 s, the others 400 ms"));
}

/// Two processes: the second one asks for a message, and sleeps before it asks again; the first one computes
/// for two seconds before it sends.
TEST(SleepersProblem, sleepBetweenTwoLooks_isNoWorkOfThoseWhoWait) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "",
                 {{"main", {2, 0}}, {"main/nap", {0, 0.9}}, {"main/MPI_Test", {0, 1.1}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {2, 0}}});
    build.metric(testing::seconds("system_waiting"), "time", {{"main/nap", {0, 0.9}}});
    build.metric(testing::seconds("mpi_latesender_polling"), "time", {{"main/MPI_Test", {0, 1.1}}});
    build.metric(testing::seconds("delay"), "", {{"main", {1.1, 0}}});
    build.metric(testing::seconds("delay_latesender_aggregate"), "delay", {{"main", {1.1, 0}}});
    const Problem problem = summarize(build.take()).value().problems.at(0);
    EXPECT_EQ(problem.what, "One process works, and others wait for a part of that");
    EXPECT_THAT(problem.who, HasSubstr("works 2.00 s there; another one waits 1.10 s for it"));
}

/// Two threads; the second one sleeps nearly always, and the first one waits at a barrier for some of that.
Experiment sleepingThread(double waited) {
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "",
                 {{"main/step", {10 - waited, 10}}, {"main/!$omp barrier", {waited, 0}}});
    build.metric(testing::seconds("comp"), "time", {{"main/step", {10 - waited, 0.1}}});
    build.metric(testing::seconds("system_waiting"), "time", {{"main/step", {0, 9.9}}});
    build.metric(testing::seconds("omp_ebarrier_wait"), "time", {{"main/!$omp barrier", {waited, 0}}});
    build.metric(testing::seconds("delay"), "", {{"main/step", {0, waited}}});
    build.metric(testing::seconds("delay_ompbarrier_aggregate"), "delay", {{"main/step", {0, waited}}});
    return build.take();
}

TEST(SleepersProblem, threadThatNearlyAlwaysSleeps_countsWhereOthersWaitForIt) {
    const auto summary = summarize(sleepingThread(6));
    ASSERT_TRUE(summary);
    ASSERT_FALSE(summary->problems.empty());
    EXPECT_THAT(summary->problems.front().what, HasSubstr("sleeps longer than the others"));
    EXPECT_EQ(summary->problems.front().locations, std::vector<LocationId>{LocationId(1)});
    EXPECT_TRUE(summarize(sleepingThread(0))->problems.empty());
}

/// Nor is anybody late for one that only sleeps, whoever signals in the end.
TEST(SleepersProblem, thatOnlyWaitsForSignals_makesNobodyLate) {
    constexpr auto* kWait = "serve/pthread_cond_wait";
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "", {{"main/step", {10, 0}}, {kWait, {0, 9.9}}});
    build.metric(testing::seconds("comp"), "time", {{"main/step", {10, 0}}});
    build.metric(testing::seconds("pthread_conditional"), "time", {{kWait, {0, 9.9}}});
    build.metric(testing::seconds("pthread_condition_signal_wait"), "pthread_conditional",
                 {{kWait, {0, 9.9}}});
    build.metric(testing::seconds("delay"), "", {{"main/step", {9.9, 0}}});
    build.metric(testing::seconds("delay_pthread_condition_aggregate"), "delay", {{"main/step", {9.9, 0}}});
    const auto summary = summarize(build.take());
    EXPECT_TRUE(summary->problems.empty());
    EXPECT_TRUE(summary->losses.empty());
    EXPECT_THAT(
        summary->run,
        HasSubstr("1 process with 1 thread (one more nearly always sleeps and does not count) ran for"));
}

/// The workers of a pool, which wait for so many of 10 s.
std::size_t counted(const std::vector<double>& waits, bool sameFunction) {
    testing::SmallExperiment build(1, static_cast<int>(waits.size()) + 1);
    testing::SmallExperiment::Rows times{{"main", std::vector<double>(waits.size() + 1, 0.0)}}, asleep;
    times.front().values[0] = 10;
    for (std::size_t i = 0; i < waits.size(); ++i) {
        const std::string function =
            "THREADS/start/" + std::string(sameFunction ? "serve" : "serve" + std::to_string(i));
        for (const bool waiting : {true, false}) {
            std::vector<double> values(waits.size() + 1, 0.0);
            values[i + 1] = waiting ? waits[i] : 10 - waits[i];
            const std::string path = function + (waiting ? "/pthread_cond_wait" : "/work");
            const auto row = std::ranges::find(times, path, &testing::SmallExperiment::Row::path);
            if (row == times.end())
                times.push_back({path, values});
            else
                row->values[i + 1] = values[i + 1];
        }
    }
    for (const auto& row : times)
        if (row.path.ends_with("wait")) asleep.push_back(row);
    build.metric(testing::seconds("time"), "", times);
    build.metric(testing::seconds("pthread_condition_signal_wait"), "time", asleep);
    return countedProcesses(build.take()).at(0).threads.size() - 1;
}

TEST(SleepersProblem, workersOfAPool_areJudgedTogether) {
    EXPECT_EQ(counted({9.9, 9.8, 9.6, 9.4}, true), 0U);   // 96.8 % on average
    EXPECT_EQ(counted({9.9, 9.6, 9.4, 9.0}, true), 4U);   // 94.8 %
    EXPECT_EQ(counted({9.9, 9.6, 9.4, 9.0}, false), 2U);  // they do different things
    EXPECT_EQ(counted({9.9, 9.6, 2.0}, false), 1U);
}

/// A thread waits at a condition for 6 s, because the one that signals sleeps, or computes, before it does
/// so.
Problem waitingForOne(const std::string& metric) {
    constexpr auto* kWait = "main/pthread_cond_wait";
    constexpr auto* kBefore = "tick/pause";
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "",
                 {{"main", {4, 0}}, {kWait, {6, 0}}, {"tick", {0, 1}}, {kBefore, {0, 9}}});
    testing::SmallExperiment::Rows computes{{"main", {4, 0}}, {"tick", {0, 1}}};
    if (metric == "comp") computes.push_back({kBefore, {0, 9}});
    build.metric(testing::seconds("comp"), "time", computes);
    if (metric != "comp") build.metric(testing::seconds(metric), "time", {{kBefore, {0, 9}}});
    build.metric(testing::seconds("pthread_conditional"), "time", {{kWait, {6, 0}}});
    build.metric(testing::seconds("pthread_condition_signal_wait"), "pthread_conditional", {{kWait, {6, 0}}});
    build.metric(testing::seconds("delay"), "", {{kBefore, {0, 6}}});
    build.metric(testing::seconds("delay_pthread_condition_aggregate"), "delay", {{kBefore, {0, 6}}});
    return summarize(build.take()).value().problems.at(0);
}

TEST(SleepersProblem, whoSleepsBeforeItSignals_isNotToldToDoLess) {
    const Problem asleep = waitingForOne("system_waiting");
    EXPECT_EQ(asleep.kind, "signal");
    EXPECT_TRUE(asleep.isSleep);
    EXPECT_THAT(asleep.why, HasSubstr("sleep meanwhile"));
    EXPECT_THAT(asleep.remedy, HasSubstr("see what the program sleeps for there"));
    const Problem awake = waitingForOne("comp");
    EXPECT_EQ(awake.kind, "signal");
    EXPECT_FALSE(awake.isSleep);
    EXPECT_THAT(awake.remedy, HasSubstr("do less before it"));
}

/// Two processes, of which the first one sleeps 3 s longer than the other one, which waits 5.9 s for it, as
/// it sleeps at another time.
TEST(SleepersProblem, gain_isNoMoreThanTheExcessThatIsNamed) {
    testing::SmallExperiment build(2, 1);
    build.barriers({.work = {{"main", {0.1, 0.1}}},
                    .sleep = {{"main/write", {6.13, 3.13}}},
                    .waits = {{"main/MPI_Barrier", {2.9, 5.9}}},
                    .delays = {{"main/write", {5.9, 0}}}});
    const auto summary = summarize(build.take());
    const auto problem = std::ranges::find(summary->problems, "imbalance", &Problem::kind);
    ASSERT_NE(problem, summary->problems.end());
    EXPECT_THAT(problem->who, HasSubstr("takes 6.13 s, the other one 3.13 s"));
    EXPECT_NEAR(gainSeconds(*summary, *problem), 3, 1e-9);
}

/// Two processes of 10 s that sleep in the same function.
Experiment sleepingTogether(double first, double second) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "",
                 {{"main", {10 - first, 10 - second}}, {"main/nap", {first, second}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {10 - first, 10 - second}}});
    build.metric(testing::seconds("system_waiting"), "time", {{"main/nap", {first, second}}});
    return build.take();
}

TEST(SleepersProblem, allSleep_isSaidOfWhatAllSleep) {
    const auto summary = summarize(sleepingTogether(3, 4));
    ASSERT_TRUE(summary);
    ASSERT_EQ(summary->problems.size(), 1U);
    const Problem& problem = summary->problems.front();
    EXPECT_EQ(problem.kind, "sleep");
    EXPECT_EQ(problem.what, "All processes sleep");
    EXPECT_THAT(problem.where, HasSubstr("nap"));
    EXPECT_EQ(problem.who, "each of them for 3.00 s or more");
    EXPECT_DOUBLE_EQ(problem.cost, 6);
}

/// Whether it waits for that nobody knows, so that no gain is known.
TEST(SleepersProblem, oneSleepsWhileAnotherOneWorks_isSaidWithBoth) {
    const auto summary = summarize(sleepingTogether(0, 4));
    ASSERT_EQ(summary->problems.size(), 1U);
    const Problem& problem = summary->problems.front();
    EXPECT_EQ(problem.kind, "sleep-beside-work");
    EXPECT_EQ(problem.what, "One of 2 processes sleeps while another one works");
    EXPECT_EQ(problem.who, "MPI Rank 1 does so for 4.00 s; MPI Rank 0 works meanwhile, for at least 4.00 s");
    EXPECT_DOUBLE_EQ(problem.cost, 4);
    EXPECT_FALSE(problem.gain);
}

/// Ranks 0 and 1 read a flag now and then, and sleep between, until rank 2 sets it, which works for 3 s and
/// lacks a processor for 2 s of 6 s; they start MPI for 1 s together.
TEST(SleepersProblem, severalSleepWhileOneWorksOrLacksAProcessor_isSaidOfAll) {
    testing::SmallExperiment build(3, 1);
    const testing::SmallExperiment::Rows start{{"main/MPI_Init", {1, 1, 1}}}, nap{{"main/usleep", {4, 5, 0}}},
        lack{{"main/WAITING FOR A PROCESSOR", {0, 0, 2}}};
    build.metric(testing::seconds("time"), "",
                 {start.front(), nap.front(), lack.front(), {"main", {1, 0, 3}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {1, 0, 3}}});
    build.metric(testing::seconds("mpi_init_exit"), "time", start);
    build.metric(testing::seconds("system_waiting"), "time", nap);
    build.metric(testing::seconds("processor_waiting"), "time", lack);
    const auto summary = summarize(build.take());
    const auto problem = std::ranges::find(summary->problems, "sleep-beside-work", &Problem::kind);
    ASSERT_NE(problem, summary->problems.end());
    EXPECT_EQ(problem->what, "2 of 3 processes sleep while another one works");
    EXPECT_EQ(problem->who,
              "MPI Rank 1 does so for 5.00 s, another one, too; MPI Rank 2 works meanwhile or has no "
              "processor, for at least 5.00 s");
    EXPECT_DOUBLE_EQ(problem->cost, 9);  // 5 of 5 s, and 4 of 4 s beside 5 of the 5 s behind the start
}

/// Each has the lock in turn, and would not gain what it waits for the others.
TEST(SleepersProblem, allWaitForLocksOfFiles_isNotToldToSleepLess) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {6, 6}}, {"main/flock", {4, 4}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {6, 6}}});
    build.metric(testing::seconds("system_waiting"), "time", {{"main/flock", {4, 4}}});
    const Problem problem = summarize(build.take()).value().problems.at(0);
    EXPECT_EQ(problem.what, "All processes wait for locks of files");
    EXPECT_THAT(problem.remedy, HasSubstr("hold the lock for a shorter time"));
    EXPECT_FALSE(problem.gain);
}

/// The second one waits for a lock of a file for 4 s, and the first one for the second one.
TEST(SleepersProblem, whoIsLateBecauseOfALockOfAFile_doesNotGainIt) {
    testing::SmallExperiment build(2, 1);
    build.barriers({.work = {{"main", {1, 1}}},
                    .sleep = {{"main/flock", {0, 4}}},
                    .waits = {{"main/MPI_Barrier", {4, 0}}},
                    .delays = {{"main/flock", {0, 4}}}});
    const Problem problem = summarize(build.take()).value().problems.at(0);
    EXPECT_THAT(problem.remedy, HasSubstr("hold the lock for a shorter time"));
    EXPECT_FALSE(problem.gain);
}

/// Two threads of a parallel region write and compute, and nobody knows whether they write at the same time.
TEST(SleepersProblem, threadsOfATeam_areNotCalledTheProcess) {
    constexpr auto* kRegion = "main/!$omp parallel";
    constexpr auto* kSync = "main/!$omp parallel/fsync";
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "", {{kRegion, {6, 5}}, {kSync, {4, 5}}});
    build.metric(testing::seconds("comp"), "time", {{kRegion, {6, 5}}});
    build.metric(testing::seconds("system_waiting"), "time", {{kSync, {4, 5}}});
    const Problem problem = summarize(build.take()).value().problems.at(0);
    EXPECT_EQ(problem.what, "Each thread sleeps");
    EXPECT_EQ(problem.who, "each of them for 4.00 s or more");
    EXPECT_DOUBLE_EQ(problem.gain.value(), 4);
}

/// What they compute is not there to see.
TEST(SleepersProblem, whileForkedProcessesRunThatNobodyRecorded_promisesNothing) {
    testing::SmallExperiment build(1, 1);
    build.metric(testing::seconds("time"), "", {{"main", {1}}, {"main/read", {9}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {1}}});
    build.metric(testing::seconds("system_waiting"), "time", {{"main/read", {9}}});
    Experiment forked = build.take();
    EXPECT_TRUE(summarize(forked).value().problems.at(0).gain);
    const std::string note = "3 forked processes were not recorded, and what was done there is missing";
    forked.attributes.emplace_back(std::string(kNotRecordedAttribute) + kForked, note);
    const auto summary = summarize(forked);
    EXPECT_FALSE(summary->problems.at(0).gain);
    EXPECT_THAT(summary->problems.at(0).why, HasSubstr("the forked processes, which were not recorded"));
    EXPECT_EQ(summary->doubts.front().text, note);
}

/// Two threads write what they have in turn, and the other one waits.
TEST(SleepersProblem, threadsThatSleepAsLongInTurn_areNotToldToShareWork) {
    constexpr auto* kSync = "main/!$omp parallel/fsync";
    constexpr auto* kBarrier = "main/!$omp parallel/!$omp implicit barrier";
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "", {{"main", {4, 4}}, {kSync, {3, 3}}, {kBarrier, {3, 3}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {4, 4}}});
    build.metric(testing::seconds("system_waiting"), "time", {{kSync, {3, 3}}});
    build.metric(testing::seconds("omp_ibarrier_wait"), "time", {{kBarrier, {3, 3}}});
    build.metric(testing::seconds("delay"), "", {{kSync, {3, 3}}});
    build.metric(testing::seconds("delay_ompbarrier_aggregate"), "delay", {{kSync, {3, 3}}});
    const auto summary = summarize(build.take());
    const Problem& problem = summary->problems.at(0);
    EXPECT_EQ(problem.what, "Threads sleep in turn, and the others wait");
    EXPECT_TRUE(problem.isSleep);
    EXPECT_THAT(problem.remedy, HasSubstr("what the program sleeps for"));
    EXPECT_EQ(summary->problems.size(), 1U) << "it is told once";
}

/// The first thread joins two others for 10 s; one of them sleeps for 9 s, and the other one waits for what
/// that one hands on, and sleeps for 1.8 s. So much of the sleep is on the critical path, and so long others
/// wait because of it.
Summary joiningSleepers(double critical, double blamed, double yielding = 0) {
    constexpr auto *kJoin = "main/pthread_join", *kSleep = "THREADS/produce/nanosleep",
                   *kWait = "THREADS/consume/pthread_cond_wait";
    constexpr auto* kYield = "THREADS/produce/sched_yield";
    const testing::SmallExperiment::Rows works{{"THREADS/produce", {0, 1, 0}},
                                               {"THREADS/consume", {0, 0, 0.2}}};
    const testing::SmallExperiment::Rows naps{{kSleep, {0, 9, 0}},
                                              {"THREADS/consume/nanosleep", {0, 0, 1.8}}};
    testing::SmallExperiment build(1, 3);
    build.metric(testing::seconds("time"), "",
                 {{kJoin, {10, 0, 0}}, naps[0], {kWait, {0, 0, 8}}, naps[1], works[0], works[1]});
    build.metric(testing::seconds("comp"), "time", works);
    build.metric(testing::seconds("system_waiting"), "time", naps);
    build.metric(testing::seconds("pthread_condition_signal_wait"), "time", {{kWait, {0, 0, 8}}});
    build.metric(testing::seconds("pthread_join_wait"), "time", {{kJoin, {10, 0, 0}}});
    build.metric(testing::seconds("pthread_join_wait_uneven"), "pthread_join_wait", {{kJoin, {0.1, 0, 0}}});
    build.metric(testing::seconds("critical_path"), "",
                 {{kSleep, {0, critical, 0}}, works[0], {kYield, {0, yielding, 0}}});
    build.metric(testing::seconds("delay"), "", {{kSleep, {0, blamed, 0}}, {"THREADS/produce", {0, 1, 0}}});
    build.metric(testing::seconds("delay_pthread_join_aggregate"), "delay",
                 {{kSleep, {0, blamed, 0}}, {"THREADS/produce", {0, 1, 0}}});
    return summarize(build.take()).value();
}

TEST(SleepersProblem, producerThatSleeps_isToldWhereItsConsumerDoesNotCount) {
    const Summary summary = joiningSleepers(9, 9);
    ASSERT_EQ(summary.problems.size(), 1U);
    const Problem& problem = summary.problems.front();
    EXPECT_EQ(problem.kind, "sleep-of-one");
    EXPECT_EQ(problem.who, "Thread 1 sleeps there for 9.00 s, of which others wait for 9.00 s or more");
    EXPECT_THAT(problem.where, HasSubstr("nanosleep"));
    EXPECT_DOUBLE_EQ(problem.cost, 9);
    EXPECT_DOUBLE_EQ(problem.gain.value(), 8);  // the other one works and sleeps for 2 of the 10 s
}

/// The first thread joins two others for 10 s, each of which sleeps for 9 s and works for 1 s.
TEST(SleepersProblem, threadsThatSleepAsLong_areNotToldAsOne) {
    constexpr auto *kJoin = "main/pthread_join", *kStep = "THREADS/step", *kSleep = "THREADS/step/nanosleep";
    const testing::SmallExperiment::Rows asleep{{kSleep, {0, 9, 9}}}, works{{kStep, {0, 1, 1}}};
    testing::SmallExperiment build(1, 3);
    build.metric(testing::seconds("time"), "", {{kJoin, {10, 0, 0}}, asleep.front(), works.front()});
    build.metric(testing::seconds("comp"), "time", works);
    build.metric(testing::seconds("system_waiting"), "time", asleep);
    build.metric(testing::seconds("pthread_join_wait"), "time", {{kJoin, {10, 0, 0}}});
    build.metric(testing::seconds("critical_path"), "", {{kSleep, {0, 5, 4}}, {kStep, {0, 1, 0}}});
    build.metric(testing::seconds("delay"), "", {{kSleep, {0, 5, 4}}, {kStep, {0, 1, 0}}});
    build.metric(testing::seconds("delay_pthread_join_aggregate"), "delay",
                 {{kSleep, {0, 5, 4}}, {kStep, {0, 1, 0}}});
    const Summary summary = summarize(build.take()).value();
    ASSERT_FALSE(summary.problems.empty());
    const Problem& problem = summary.problems.front();
    EXPECT_EQ(problem.what, "Threads sleep, and others wait until they end");
    EXPECT_EQ(problem.who, "2 threads sleep there for 9.00 s, of which others wait for 5.00 s or more");
    EXPECT_EQ(problem.locations, (std::vector<LocationId>{LocationId(1), LocationId(2)}));
    EXPECT_DOUBLE_EQ(problem.gain.value(), 5);
}

/// Three processes sleep at the same time, each in a function of its own, the second one for 0.6 s and the
/// third one for `third`: what a sleeper costs the others is the difference.
Problem sleepOfThree(double third) {
    constexpr auto *kLong = "main/long/nanosleep", *kShort = "main/short/nanosleep",
                   *kWait = "main/MPI_Barrier";
    const testing::SmallExperiment::Rows asleep{{kLong, {0, 0.6, 0}}, {kShort, {0.25, 0, third}}};
    const testing::SmallExperiment::Rows waits{{kWait, {0.35, 0, 0.6 - third}}},
        works{{"main", {0.4, 0.4, 0.4}}}, delays{{kLong, {0, 0.95 - third, 0}}};
    testing::SmallExperiment build(3, 1);
    build.metric(testing::seconds("time"), "", {asleep[0], asleep[1], waits.front(), works.front()});
    build.metric(testing::seconds("comp"), "time", works);
    build.metric(testing::seconds("system_waiting"), "time", asleep);
    build.metric(testing::seconds("mpi_barrier_wait"), "time", waits);
    build.metric(testing::seconds("delay"), "", delays);
    build.metric(testing::seconds("delay_barrier_aggregate"), "delay", delays);
    return summarize(build.take()).value().problems.at(0);
}

TEST(SleepersProblem, oneWhoseFellowsSleepElsewhere_isNotSaidToSleepAlone) {
    const Problem problem = sleepOfThree(0.25);
    EXPECT_EQ(problem.what, "One process sleeps, and others wait for a part of that");
    EXPECT_EQ(problem.who, "MPI Rank 1 sleeps 600 ms there; 2 others wait 350 ms for it on average");
    EXPECT_NEAR(problem.gain.value(), 0.35, 1e-9);
}

/// The others go on with what they do.
TEST(SleepersProblem, oneWhoseFellowsSleepElsewhere_costsWhatTheOneWaitsWhoWaitsLeast) {
    EXPECT_NEAR(sleepOfThree(0.5).gain.value(), 0.1, 1e-9);
}

/// The first two of three processes sleep in functions of their own, partly at the same time, and all meet
/// afterwards, after 10 s.
Summary twoSleepers(const std::vector<double>& critical) {
    constexpr auto *kFirst = "main/first/nanosleep", *kSecond = "main/second/nanosleep",
                   *kWait = "main/MPI_Barrier";
    const testing::SmallExperiment::Rows asleep{{kFirst, {6.3, 0.1, 0.1}}, {kSecond, {0.1, 2.6, 0.1}}},
        works{{"main", {2, 2, 2}}}, waits{{kWait, {1.6, 5.3, 7.8}}},
        delays{{kFirst, {11, 0, 0}}, {kSecond, {0, 3.7, 0}}};
    testing::SmallExperiment build(3, 1);
    build.metric(testing::seconds("time"), "", {asleep[0], asleep[1], works.front(), waits.front()});
    build.metric(testing::seconds("comp"), "time", works);
    build.metric(testing::seconds("system_waiting"), "time", asleep);
    build.metric(testing::seconds("mpi_barrier_wait"), "time", waits);
    build.metric(testing::seconds("delay"), "", delays);
    build.metric(testing::seconds("delay_barrier_aggregate"), "delay", delays);
    if (!critical.empty())
        build.metric(testing::seconds("critical_path"), "",
                     {{kFirst, {critical[0], 0, 0}}, {kSecond, {0, critical[1], 0}}});
    return summarize(build.take()).value();
}

/// Without the sleep of one the other one sleeps all the same; without both, the third one has its work.
TEST(SleepersProblem, twoThatSleepAtTheSameTime_gainNoMoreThanTheThirdOneWaits) {
    const Summary summary = twoSleepers({});
    ASSERT_EQ(summary.problems.size(), 2U);
    EXPECT_NEAR(summary.problems[0].gain.value(), 5.3, 1e-9);
    EXPECT_NEAR(summary.problems[1].gain.value(), 2.5, 1e-9);
    EXPECT_LE(summary.problems[0].gain.value() + summary.problems[1].gain.value(), 7.8 + 1e-9);
}

TEST(SleepersProblem, twoThatSleepAtTheSameTime_gainNoMoreThanIsCritical) {
    const Summary summary = twoSleepers({4.5, 2});
    ASSERT_EQ(summary.problems.size(), 2U);
    EXPECT_NEAR(summary.problems[0].gain.value(), 4.5, 1e-9);
    EXPECT_NEAR(summary.problems[1].gain.value(), 2, 1e-9);
}

/// A thread of the first process sleeps for 6 s, and the other one waits for 5 s of that; those of the second
/// process have next to nothing to wait for at their barriers, but wait for the first process.
TEST(SleepersProblem, threadThatItsProcessWaitsFor_isNotMeasuredByThoseOfOtherProcesses) {
    constexpr auto *kWork = "main/!$omp parallel/work", *kSleep = "main/!$omp parallel/nanosleep",
                   *kBarrier = "main/!$omp parallel/!$omp implicit barrier", *kMeet = "main/MPI_Barrier";
    const testing::SmallExperiment::Rows works{{"main", {0.5, 0, 0.5, 0}}, {kWork, {2, 1, 2, 2.1}}},
        asleep{{kSleep, {0, 6, 0, 0}}}, waits{{kBarrier, {5, 0, 0.1, 0}}}, meets{{kMeet, {0, 0, 4.9, 0}}},
        idle{{"main", {0, 0.5, 0, 5.4}}}, delays{{kSleep, {0, 5, 0, 0}}, {kWork, {0, 0, 0, 0.1}}};
    testing::SmallExperiment build(2, 2);
    build.metric(testing::seconds("time"), "",
                 {{"main", {0.5, 0.5, 0.5, 5.4}}, works[1], asleep.front(), waits.front(), meets.front()});
    build.metric(testing::seconds("comp"), "time", works);
    build.metric(testing::seconds("system_waiting"), "time", asleep);
    build.metric(testing::seconds("omp_idle_threads"), "time", idle);
    build.metric(testing::seconds("omp_time"), "time", waits);
    build.metric(testing::seconds("omp_ibarrier_wait"), "omp_time", waits);
    build.metric(testing::seconds("mpi_barrier_wait"), "time", meets);
    build.metric(testing::seconds("delay"), "", delays);
    build.metric(testing::seconds("delay_ompbarrier_aggregate"), "delay", delays);
    const auto problems = summarize(build.take())->problems;
    const auto asleepOne = std::ranges::find_if(problems, [](const Problem& one) { return one.isSleep; });
    ASSERT_NE(asleepOne, problems.end());
    EXPECT_THAT(asleepOne->who, HasSubstr("another one waits 5.00 s for it"));
    EXPECT_NEAR(asleepOne->gain.value(), 5, 1e-9);
}

/// A thread that is told to end when it looks again makes others wait for that one look.
TEST(SleepersProblem, threadThatNobodyWaitsForLong_isNotToldToSleepLess) {
    EXPECT_TRUE(joiningSleepers(9, 0.1).problems.empty());
    EXPECT_TRUE(joiningSleepers(0.1, 9).problems.empty());
}

/// Whom it waits for meanwhile is not known: that one may be what all wait for.
TEST(SleepersProblem, threadThatAlsoYields_mayNotBeTheOneThatIsWaitedFor) {
    EXPECT_TRUE(joiningSleepers(6, 9, 3).problems.empty());
}

/// Two threads sleep for 3 s each in a parallel region, and wait for each other meanwhile.
std::vector<Problem> sleepingInTurn(const std::string& sleep, const std::string& call, const char* wait,
                                    const char* delay) {
    const testing::SmallExperiment::Rows asleep{{sleep, {3, 3}}}, waits{{call, {3, 3}}};
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "", {{"main", {4, 4}}, asleep.front(), waits.front()});
    build.metric(testing::seconds("comp"), "time", {{"main", {4, 4}}});
    build.metric(testing::seconds("system_waiting"), "time", asleep);
    build.metric(testing::seconds(wait), "time", waits);
    build.metric(testing::seconds("delay"), "", asleep);
    build.metric(testing::seconds(delay), "delay", asleep);
    return summarize(build.take())->problems;
}

/// Under a lock, in its turn or in a task: told where the others wait for it.
TEST(SleepersProblem, whatOthersOfATeamWaitFor_isToldOnce) {
    const std::string team = "main/!$omp parallel/";
    for (const auto& problems :
         {sleepingInTurn(team + "nanosleep", team + "omp_set_lock", "omp_lock_contention_api",
                         "delay_omp_lock_aggregate"),
          sleepingInTurn(team + "!$omp ordered/!$omp ordered sblock/nanosleep", team + "!$omp ordered",
                         "omp_ordered_wait", "delay_omp_ordered_aggregate"),
          sleepingInTurn(team + "!$omp task/nanosleep", team + "!$omp taskwait", "omp_taskwait_wait",
                         "delay_omp_task_aggregate")}) {
        ASSERT_EQ(problems.size(), 1U);
        EXPECT_TRUE(problems.front().isSleep) << problems.front().what;
        EXPECT_THAT(problems.front().why, HasSubstr("sleep"));
    }
}

/// A process of two threads, which are there for 10 s. The first one waits for 6 s in `wait` while the other
/// one computes: in a parallel region, in which the first one does so for as long, or not.
Experiment waitingForAThread(const char* wait, double computing, bool inRegion) {
    const std::string work = inRegion ? "main/!$omp parallel" : "work";
    const std::string place = std::string("main/") + wait;
    const double first = inRegion ? computing : 0;
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "",
                 {{"main", {4 - first, 0}},
                  {place, {6, 0}},
                  {work, {first, computing}},
                  {"idle", {0, 10 - computing}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {4 - first, 0}}, {work, {first, computing}}});
    build.metric(testing::seconds("system_waiting"), "time", {{place, {6, 0}}});
    return build.take();
}

TEST(SleepersProblem, whileAnotherThreadWorks_theProcessDoesNotSleep) {
    const auto all = summarize(waitingForAThread("nap", 6, false));
    ASSERT_EQ(all->problems.size(), 1U);
    EXPECT_EQ(all->problems.front().what, "One of 2 threads sleeps while another one works");
    EXPECT_DOUBLE_EQ(all->problems.front().cost, 2);  // 6 + 6 of 10 s
    const auto some = summarize(waitingForAThread("nap", 2, false));
    ASSERT_EQ(some->problems.size(), 1U);
    EXPECT_EQ(some->problems.front().what, "The process sleeps");
    EXPECT_DOUBLE_EQ(some->problems.front().cost, 4);
}

/// Of OpenMP the first thread works in it, too, and sleeps elsewhere.
TEST(SleepersProblem, whatOtherThreadsWorkInParallelRegions_doesNotCount) {
    const auto summary = summarize(waitingForAThread("nap", 4, true));
    ASSERT_EQ(summary->problems.size(), 1U);
    EXPECT_DOUBLE_EQ(summary->problems.front().cost, 6);
}

/// In the region the first thread lets others have its processor until the second one has worked: the process
/// works all the time.
TEST(SleepersProblem, whatOtherThreadsWorkInARegionInWhichTheFirstOneWaits_counts) {
    constexpr auto* kRegion = "main/!$omp parallel";
    constexpr auto* kYield = "main/!$omp parallel/sched_yield";
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "", {{kRegion, {0, 10}}, {kYield, {10, 0}}});
    build.metric(testing::seconds("comp"), "time", {{kRegion, {0, 10}}});
    build.metric(testing::seconds("system_waiting"), "time", {{kYield, {10, 0}}});
    EXPECT_TRUE(summarize(build.take())->problems.empty());
}

/// Of the sleep of both, 2 of 3 s and 2 of 4 s are waiting for a thread that wakes them.
TEST(SleepersProblem, untilAnotherThreadWakesThem_isNoSleep) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {7, 6}}, {"main/futex", {3, 4}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {7, 6}}});
    build.metric(testing::seconds("system_waiting"), "time", {{"main/futex", {3, 4}}});
    build.metric(testing::seconds("futex_wait"), "system_waiting", {{"main/futex", {2, 2}}});
    const auto summary = summarize(build.take());
    ASSERT_EQ(summary->problems.size(), 2U);
    EXPECT_EQ(summary->problems.front().kind, "wake");
    EXPECT_EQ(summary->problems.back().kind, "sleep");
    EXPECT_DOUBLE_EQ(summary->problems.back().cost, 2);
}

TEST(SleepersProblem, whoYields_isNotSaidToSleep) {
    const auto summary = summarize(waitingForAThread("sched_yield", 0, false));
    ASSERT_EQ(summary->problems.size(), 1U);
    EXPECT_EQ(summary->problems.front().kind, "sleep");
    EXPECT_EQ(summary->problems.front().what,
              "The process waits and lets others have its processor, again and again");
    EXPECT_EQ(summary->losses.front().name, "sleeping or letting others have the processor");
}

}  // namespace
}  // namespace holos::algebra
