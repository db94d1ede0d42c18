// SPDX-License-Identifier: BSD-3-Clause
// What calls cost by themselves, and what is none of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algebra/insight/summary/summary.h"
#include "algebra/model/processors.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

bool isNamed(const Experiment& experiment, const char* kind) {
    const auto summary = summarize(experiment);
    return std::ranges::count(summary->problems, kind, &Problem::kind) > 0;
}

/// Two processes of 10 s, which are in calls that write files for 5 s and have no processor for part of it.
Experiment writing(double withoutProcessor) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {5, 5}}, {"main/write", {5, 5}}});
    build.metric(testing::seconds("mpi_io"), "time", {{"main/write", {5, 5}}});
    build.metric(testing::seconds("mpi_io_collective_processor_waiting"), "mpi_io",
                 {{"main/write", {withoutProcessor, withoutProcessor}}});
    return build.take();
}

TEST(SummaryOfFiles, timeWithoutProcessors_isNoTimeOfFiles) {
    EXPECT_TRUE(isNamed(writing(0), "files"));
    EXPECT_FALSE(isNamed(writing(4.9), "files"));
}

/// The first thread starts 100 threads, which work for 0.5 ms each or for 5 ms, and takes 50 ms for that.
Experiment startingThreads(double work) {
    constexpr std::size_t kThreads = 100;
    std::vector<double> first(kThreads + 1, 0.0), managing = first, others(kThreads + 1, work);
    managing[0] = 0.05;
    first[0] = 0.05;
    others[0] = 0;
    testing::SmallExperiment build(1, static_cast<int>(kThreads + 1));
    build.metric(testing::seconds("time"), "",
                 {{"main", first}, {"main/pthread_create", managing}, {"THREADS/item", others}});
    build.metric(testing::seconds("comp"), "time", {{"main", first}, {"THREADS/item", others}});
    build.metric(testing::seconds("pthread_management"), "time", {{"main/pthread_create", managing}});
    return build.take();
}

TEST(SummaryOfThreads, thatLiveShorterThanTheirStartMatters_isSaid) {
    EXPECT_FALSE(isNamed(startingThreads(5e-3), "short-threads"));
    const auto summary = summarize(startingThreads(5e-4));
    ASSERT_EQ(summary->problems.size(), 1U);
    const Problem& problem = summary->problems.front();
    EXPECT_EQ(problem.kind, "short-threads");
    EXPECT_EQ(problem.who,
              "100 threads live for 500 µs on average, and starting and ending one takes 500 µs");
    EXPECT_DOUBLE_EQ(problem.gain.value(), 0.05);
}

/// Two threads start 100 others one after the other, which work for 0.5 ms each.
TEST(SummaryOfThreads, thatAreStartedByOtherThreads_areShortToo) {
    constexpr std::size_t kThreads = 103;
    std::vector<double> none(kThreads, 0.0), main = none, starters = none, joins = none,
                                             items(kThreads, 5e-4), mainJoins = none, creates = none;
    main[0] = 0.001;
    mainJoins[0] = 0.06;
    for (const std::size_t starter : {1U, 2U}) {
        joins[starter] = 0.03;
        creates[starter] = 0.025;
        starters[starter] = 0.001;
    }
    items[0] = items[1] = items[2] = 0;
    const std::string create = "THREADS/starter/pthread_create", join = "THREADS/starter/pthread_join";
    testing::SmallExperiment build(1, static_cast<int>(kThreads));
    build.metric(testing::seconds("time"), "",
                 {{"main", main},
                  {"main/pthread_join", mainJoins},
                  {"THREADS/starter", starters},
                  {create, creates},
                  {join, joins},
                  {"THREADS/item", items}});
    build.metric(testing::seconds("comp"), "time",
                 {{"main", main}, {"THREADS/starter", starters}, {"THREADS/item", items}});
    build.metric(testing::seconds("pthread_management"), "time",
                 {{"main/pthread_join", mainJoins}, {create, creates}, {join, joins}});
    build.metric(testing::seconds("pthread_join_wait"), "pthread_management",
                 {{"main/pthread_join", mainJoins}, {join, joins}});
    const auto summary = summarize(build.take());
    const auto problem = std::ranges::find(summary->problems, "short-threads", &Problem::kind);
    ASSERT_NE(problem, summary->problems.end());
    EXPECT_THAT(problem->who, ::testing::StartsWith(
                                  "100 threads live for 500 µs on average, and starting and ending one takes "
                                  "500 µs"));
}

/// One thread creates 10,000 tasks, in 3 s; those in the barrier do them in `work` seconds. The others wait.
Experiment creatingTasks(double work) {
    testing::SmallExperiment build(1, 2);
    const std::string create = "main/!$omp parallel/!$omp create task",
                      task = "main/!$omp parallel/!$omp task",
                      barrier = "main/!$omp parallel/!$omp implicit barrier";
    build.metric(testing::seconds("time"), "",
                 {{"main", {0.5, 0}}, {create, {3, 0}}, {task, {0, work}}, {barrier, {0, 3.5 - work}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {0.5, 0}}, {create, {3, 0}}, {task, {0, work}}});
    build.metric(testing::seconds("omp_ibarrier_wait"), "time", {{barrier, {0, 3 - work}}});
    build.metric(testing::seconds("delay"), "", {{"main", {0, 0}}});
    build.metric(testing::seconds("delay_ompbarrier_aggregate"), "delay", {{create, {3 - work, 0}}});
    algebra::Metric visits;
    visits.uniqueName = visits.displayName = "visits";
    visits.unit = "occ";
    build.metric(visits, "", {{create, {10'000, 0}}, {task, {0, 10'000}}});
    Experiment experiment = build.take();
    for (Region& region : experiment.regions) {
        if (region.name == "!$omp create task") region.role = "task create";
        if (region.name == "!$omp task") region.role = "task";
    }
    return experiment;
}

TEST(SummaryOfTasks, thatDoLessThanTheirCreationTakes_areTooSmall) {
    EXPECT_TRUE(isNamed(creatingTasks(1), "small-tasks"));
    EXPECT_FALSE(isNamed(creatingTasks(3), "small-tasks"));
    const auto summary = summarize(creatingTasks(1));
    const Problem& problem = summary->problems.front();
    EXPECT_EQ(problem.kind, "small-tasks");
    EXPECT_EQ(problem.who, "10000 tasks do 100 µs each on average, and creating one takes 300 µs");
    for (const Problem& other : summary->problems) EXPECT_NE(other.kind, "imbalance") << other.what;
}

/// Threads that end soon, while the first one goes on for long, which is no waiting.
TEST(SummaryOfThreads, thatEndLongBeforeTheFirstOne_areNoted) {
    const auto notesOf = [](double other) {
        testing::SmallExperiment build(1, 2);
        build.metric(testing::seconds("time"), "", {{"main", {9, 0}}, {"THREADS/work", {0, other}}});
        build.metric(testing::seconds("comp"), "time", {{"main", {9, 0}}, {"THREADS/work", {0, other}}});
        std::string notes;
        const auto summary = summarize(build.take());
        for (const Doubt& doubt : summary->doubts) notes += doubt.text + '\n';
        return notes;
    };
    EXPECT_THAT(notesOf(1), ::testing::HasSubstr("For at least 8.00 s of 9.00 s the first thread works while "
                                                 "there is no other one"));
    EXPECT_THAT(notesOf(8), ::testing::Not(::testing::HasSubstr("the first thread works")));
}

/// Rank 1 sleeps for 4 s before it calls MPI again, and rank 0 waits for that in a send.
TEST(SummaryOfMessages, whoSleepsBeforeItCallsMpiAgain_isNotToldToWorkLess) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "",
                 {{"main", {6, 6}}, {"main/usleep", {0, 4}}, {"main/MPI_Send", {4, 0}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {6, 6}}});
    build.metric(testing::seconds("system_waiting"), "time", {{"main/usleep", {0, 4}}});
    build.metric(testing::seconds("mpi_lateprogress"), "time", {{"main/MPI_Send", {4, 0}}});
    build.metric(testing::seconds("delay"), "", {{"main/usleep", {0, 4}}});
    build.metric(testing::seconds("delay_lateprogress_aggregate"), "delay", {{"main/usleep", {0, 4}}});
    const auto summary = summarize(build.take());
    ASSERT_EQ(summary->problems.size(), 1U);
    const Problem& problem = summary->problems.front();
    EXPECT_EQ(problem.what,
              "Communication waits until those who sleep longer than the others call MPI again");
    EXPECT_TRUE(problem.isSleep);
    EXPECT_THAT(problem.remedy, ::testing::StartsWith("see what the program sleeps for there"));
}

TEST(SummaryOfWindows, whoHoldsALock_isNamedAndNotWhoWorksAsLongElsewhere) {
    testing::SmallExperiment build(3, 1);
    build.metric(testing::seconds("time"), "",
                 {{"main/step", {10, 10, 4}}, {"main/MPI_Win_lock", {0, 0, 6}}});
    build.metric(testing::seconds("comp"), "time", {{"main/step", {10, 10, 4}}});
    build.metric(testing::seconds("mpi_rma_sync_lock_competition"), "time",
                 {{"main/MPI_Win_lock", {0, 0, 6}}});
    build.metric(testing::seconds("delay"), "", {{"main/step", {0, 6, 0}}});
    build.metric(testing::seconds("delay_rma"), "delay", {{"main/step", {0, 6, 0}}});
    const auto summary = summarize(build.take());
    ASSERT_FALSE(summary->problems.empty());
    const Problem& problem = summary->problems.front();
    EXPECT_EQ(problem.kind, "window-lock");
    EXPECT_EQ(problem.locations, std::vector<LocationId>{LocationId(1)});
    EXPECT_THAT(problem.who, ::testing::HasSubstr("others wait 6.00 s for"));
}

/// Rank 1 holds the lock for 6 s, for 2 of which it has no processor: that is told with the lack of
/// processors.
TEST(SummaryOfWindows, whoHoldsALockWithoutAProcessor_isWaitedForNoLongerThanTheProblemCosts) {
    constexpr auto* kWaiting = "main/step/WAITING FOR A PROCESSOR";
    testing::SmallExperiment build(3, 1);
    build.metric(testing::seconds("time"), "",
                 {{"main/step", {10, 8, 4}}, {kWaiting, {0, 2, 0}}, {"main/MPI_Win_lock", {0, 0, 6}}});
    build.metric(testing::seconds("comp"), "time", {{"main/step", {10, 8, 4}}});
    build.metric(testing::seconds("processor_waiting"), "time", {{kWaiting, {0, 2, 0}}});
    build.metric(testing::seconds("mpi_rma_sync_lock_competition"), "time",
                 {{"main/MPI_Win_lock", {0, 0, 6}}});
    build.metric(testing::seconds("delay"), "", {{"main/step", {0, 4, 0}}, {kWaiting, {0, 2, 0}}});
    build.metric(testing::seconds("delay_rma"), "delay", {{"main/step", {0, 4, 0}}, {kWaiting, {0, 2, 0}}});
    const auto summary = summarize(build.take());
    const auto problem = std::ranges::find(summary->problems, "window-lock", &Problem::kind);
    ASSERT_NE(problem, summary->problems.end());
    EXPECT_DOUBLE_EQ(problem->cost, 4);
    EXPECT_THAT(problem->who, ::testing::HasSubstr("others wait 4.00 s for"));
}

/// Four processes take a window's lock one after the other, and work as long under it; all lack a processor
/// for 1 s in all, for which three others can wait for 3 s.
TEST(SummaryOfWindows, waitsForALock_areForALackOfProcessorsNoLongerThanThatCanBe) {
    constexpr auto* kWaiting = "main/step/WAITING FOR A PROCESSOR";
    testing::SmallExperiment build(4, 1);
    build.metric(testing::seconds("time"), "",
                 {{"main/step", {1, 1, 1, 1}},
                  {kWaiting, {0.25, 0.25, 0.25, 0.25}},
                  {"main/MPI_Win_lock", {2, 2, 2, 2}}});
    build.metric(testing::seconds("comp"), "time", {{"main/step", {1, 1, 1, 1}}});
    build.metric(testing::seconds("processor_waiting"), "time", {{kWaiting, {0.25, 0.25, 0.25, 0.25}}});
    build.metric(testing::seconds("mpi_rma_sync_lock_competition"), "time",
                 {{"main/MPI_Win_lock", {2, 2, 2, 2}}});
    const testing::SmallExperiment::Rows delays{{"main/step", {0.25, 0.25, 0.25, 0.25}},
                                                {kWaiting, {1.75, 1.75, 1.75, 1.75}}};
    build.metric(testing::seconds("delay"), "", delays);
    build.metric(testing::seconds("delay_rma"), "delay", delays);
    const auto summary = summarize(build.take());
    const auto lock = std::ranges::find(summary->problems, "window-lock", &Problem::kind);
    ASSERT_NE(lock, summary->problems.end());
    EXPECT_NEAR(lock->cost, 8 - 3, 1e-9);
}

/// Thread 1 holds the lock for which the others wait 9 s, for some of which it has no processor.
Experiment lockedThreads(double starved) {
    constexpr auto* kWaiting = "main/held/WAITING FOR A PROCESSOR";
    constexpr auto* kLock = "main/pthread_mutex_lock";
    testing::SmallExperiment build(1, 4);
    build.metric(
        testing::seconds("time"), "",
        {{"main/held", {7, 10 - starved, 7, 7}}, {kWaiting, {0, starved, 0, 0}}, {kLock, {3, 0, 3, 3}}});
    build.metric(testing::seconds("comp"), "time", {{"main/held", {7, 10 - starved, 7, 7}}});
    build.metric(testing::seconds("processor_waiting"), "time", {{kWaiting, {0, starved, 0, 0}}});
    build.metric(testing::seconds("pthread_lock_contention_mutex_lock"), "time", {{kLock, {3, 0, 3, 3}}});
    const testing::SmallExperiment::Rows blamed{{"main/held", {0, 9 - 3 * starved, 0, 0}},
                                                {kWaiting, {0, 3 * starved, 0, 0}}};
    build.metric(testing::seconds("delay"), "", blamed);
    build.metric(testing::seconds("delay_pthread_lock_aggregate"), "delay", blamed);
    Experiment made = build.take();
    for (Location& thread : made.system.locations) {
        const std::string lacked = std::to_string(
            static_cast<long>(thread.name == made.system.locations[1].name ? starved * 1e9 : 0));
        thread.attributes = {{std::string(kOnProcessorsAttribute), "7000000000"},
                             {std::string(kWaitingForProcessorsAttribute), lacked},
                             {std::string(kShortageAttribute), lacked}};
    }
    return made;
}

/// Each second of the waiting is told once: with the lock, or with the lack of processors.
TEST(SummaryOfStarvation, lockWhoseHolderLacksAProcessor_isOneEntryForEachLoss) {
    const auto costs = [](double starved) {
        std::map<std::string, double> byKind;
        const auto summary = summarize(lockedThreads(starved));
        for (const Problem& problem : summary->problems) {
            byKind[problem.kind] += std::round(1e6 * problem.cost) / 1e6;
            EXPECT_THAT(problem.why, ::testing::Not(::testing::HasSubstr("holder is in main/held/WAITING")));
        }
        return byKind;
    };
    EXPECT_EQ(costs(0), (std::map<std::string, double>{{"lock", 9}}));
    EXPECT_EQ(costs(1), (std::map<std::string, double>{{"lock", 6}, {"lost-processors", 1 + 3}}));
    EXPECT_EQ(costs(3), (std::map<std::string, double>{{"lost-processors", 3 + 9}}));
    EXPECT_THAT(summarize(lockedThreads(1))->problems.front().why,
                ::testing::AllOf(::testing::HasSubstr("its holder is in main › held"),
                                 ::testing::HasSubstr(
                                     "in about 33 % of the waiting for locks the holder had no processor")));
}

/// Threads wait for a lock for 4 s of 40 s and lacked processors for 1.6 s while they computed, and, by the
/// kernel's count, for 8 s more between events, as they computed for the rest of the time or slept.
Experiment threadsOfUnknownLack(bool compute) {
    constexpr auto *kRest = "main/rest", *kLock = "main/pthread_mutex_lock",
                   *kLacking = "main/rest/WAITING FOR A PROCESSOR";
    const testing::SmallExperiment::Rows rest{{kRest, {8.6, 8.6, 8.6, 8.6}}}, waits{{kLock, {1, 1, 1, 1}}},
        lacks{{kLacking, {0.4, 0.4, 0.4, 0.4}}};
    testing::SmallExperiment build(1, 4);
    build.metric(testing::seconds("time"), "", {rest.front(), waits.front(), lacks.front()});
    build.metric(testing::seconds("comp"), "time",
                 compute ? rest : testing::SmallExperiment::Rows{{kRest, {0, 0, 0, 0}}});
    build.metric(testing::seconds("system_waiting"), "time",
                 compute ? testing::SmallExperiment::Rows{{kRest, {0, 0, 0, 0}}} : rest);
    build.metric(testing::seconds("processor_waiting"), "time", lacks);
    build.metric(testing::seconds("pthread_lock_contention_mutex_lock"), "time", waits);
    Experiment made = build.take();
    for (Location& thread : made.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "1000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "2400000000"},
                             {std::string(kShortageAttribute), "400000000"}};
    return made;
}

/// What nobody knows may be a part of computation, and cost more than all else; but not of sleep.
TEST(SummaryOfStarvation, lackThatMayCostMost_comesFirstWhereThreadsCompute) {
    const auto position = [](bool compute) {
        const auto problems = summarize(threadsOfUnknownLack(compute))->problems;
        const auto lost = std::ranges::find(problems, "lost-processors", &Problem::kind);
        const auto lock = std::ranges::find(problems, "lock", &Problem::kind);
        EXPECT_TRUE(lost != problems.end() && lock != problems.end());
        return lost < lock;
    };
    EXPECT_TRUE(position(true));
    EXPECT_FALSE(position(false));
}

/// Two processes lack processors for 16 s in 200 receives, or, as long, in what they compute.
TEST(SummaryOfStarvation, lackInCallsOfMpi_isSaidWithTheirNumber) {
    for (const bool inCalls : {true, false}) {
        const char* const kLacking = inCalls ? "main/MPI_Recv" : "main/work/WAITING FOR A PROCESSOR";
        const testing::SmallExperiment::Rows lacks{{kLacking, {8, 8}}};
        testing::SmallExperiment build(2, 1);
        build.metric(testing::seconds("time"), "", {{"main/work", {2, 2}}, lacks.front()});
        build.metric(testing::seconds("comp"), "time", {{"main/work", {2, 2}}});
        build.metric(testing::seconds("processor_waiting"), "time",
                     inCalls ? testing::SmallExperiment::Rows{{kLacking, {0, 0}}} : lacks);
        build.metric(testing::seconds("mpi_point2point"), "time",
                     {{"main/MPI_Recv", {inCalls * 8.0, inCalls * 8.0}}});
        build.metric(testing::seconds("mpi_point2point_processor_waiting"), "mpi_point2point",
                     {{"main/MPI_Recv", {inCalls * 8.0, inCalls * 8.0}}});
        build.metric(testing::seconds("visits"), "", {{"main/MPI_Recv", {100, 100}}});
        Experiment made = build.take();
        for (Location& thread : made.system.locations)
            thread.attributes = {{std::string(kOnProcessorsAttribute), "2000000000"},
                                 {std::string(kWaitingForProcessorsAttribute), "8000000000"},
                                 {std::string(kShortageAttribute), "8000000000"}};
        const auto problems = summarize(made)->problems;
        const auto lost = std::ranges::find(problems, "lost-processors", &Problem::kind);
        ASSERT_NE(lost, problems.end());
        const bool isSaid = lost->why.find("16.0 s of it was in 200 calls of MPI") != std::string::npos;
        EXPECT_EQ(isSaid, inCalls) << lost->why;
    }
}

/// Three threads are in a critical section one after the other/// Three threads are in a critical section one
/// after the other for 9 s, in 1 s of which they have no processor; they lack one for 2 s before that, and
/// for 1 s as they wait.
Experiment criticalThreads() {
    const std::string region = "main/!$omp parallel", critical = region + "/!$omp critical @x.c:2",
                      section = critical + "/!$omp critical sblock @x.c:2";
    const std::string kOutside = region + "/WAITING FOR A PROCESSOR",
                      kBefore = critical + "/WAITING FOR A PROCESSOR",
                      kWithin = section + "/WAITING FOR A PROCESSOR";
    testing::SmallExperiment build(1, 3);
    build.metric(testing::seconds("time"), "",
                 {{region, {1, 1, 1}},
                  {kOutside, {2, 0, 0}},
                  {critical, {5, 7, 6}},
                  {section, {3, 2, 3}},
                  {kWithin, {0, 1, 0}}});
    build.metric(testing::seconds("comp"), "time", {{region, {1, 1, 1}}, {section, {3, 2, 3}}});
    build.metric(testing::seconds("processor_waiting"), "time",
                 {{kOutside, {2, 0, 0}}, {kWithin, {0, 1, 0}}});
    build.metric(testing::seconds("omp_critical_processor_waiting"), "time", {{critical, {0, 1, 0}}});
    build.metric(testing::seconds("omp_lock_contention_critical"), "time", {{critical, {5, 6, 6}}});
    const testing::SmallExperiment::Rows blamed{
        {section, {2, 1, 2}}, {kOutside, {5, 0, 0}}, {kBefore, {0, 3, 0}}, {kWithin, {0, 4, 0}}};
    build.metric(testing::seconds("delay"), "", blamed);
    build.metric(testing::seconds("delay_omp_lock_aggregate"), "delay", blamed);
    Experiment made = build.take();
    for (Location& thread : made.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "4000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "1500000000"},
                             {std::string(kShortageAttribute), "1500000000"}};
    return made;
}

/// Who has no processor before it has the lock makes nobody wait for that, and who has none for 1 s while it
/// has the lock makes two others wait for 1 s each.
TEST(SummaryOfStarvation, lackOutsideOfTheSection_isNoPartOfTheWaitsForIt) {
    const auto summary = summarize(criticalThreads());
    const auto lock = std::ranges::find(summary->problems, "lock", &Problem::kind);
    ASSERT_NE(lock, summary->problems.end());
    EXPECT_NEAR(lock->cost, 17 - 2, 1e-9);
    EXPECT_THAT(lock->why, ::testing::AllOf(::testing::HasSubstr("its holder is in"),
                                            ::testing::HasSubstr("in about 12 % of the waiting for locks")));
    const auto lost = std::ranges::find(summary->problems, "lost-processors", &Problem::kind);
    ASSERT_NE(lost, summary->problems.end());
    EXPECT_NEAR(lost->cost, 4 + 2, 1e-9);
}

/// The evidence of the lack of processors adds up to what it costs.
TEST(SummaryOfStarvation, lackOfProcessors_restsOnWhatOthersWaitedToo) {
    const auto summary = summarize(lockedThreads(1));
    const auto problem = std::ranges::find(summary->problems, "lost-processors", &Problem::kind);
    ASSERT_NE(problem, summary->problems.end());
    double sum = 0;
    for (const Evidence& evidence : problem->evidence) sum += evidence.value;
    EXPECT_DOUBLE_EQ(sum, problem->cost);
    EXPECT_EQ(problem->evidence.back().says, "waiting of others meanwhile");
}

/// Two threads start ten teams of two each; two of the four threads are in the inner regions only.
TEST(SummaryOfRegions, lengthOfRegions_isThatOfTheirOwnThreads) {
    const char* const outer = "main/!$omp parallel";
    const char* const inner = "main/!$omp parallel/!$omp parallel";
    testing::SmallExperiment build(1, 4);
    build.metric(testing::seconds("time"), "", {{outer, {1, 1, 0, 0}}, {inner, {9, 9, 9, 9}}});
    build.metric(testing::seconds("omp_management"), "time", {{inner, {2, 2, 2, 2}}});
    build.metric(testing::seconds("visits"), "", {{outer, {10, 10, 0, 0}}, {inner, {10, 10, 10, 10}}});
    const auto summary = summarize(build.take());
    ASSERT_FALSE(summary->problems.empty());
    EXPECT_EQ(summary->problems.front().kind, "managing-threads");
    EXPECT_EQ(
        summary->problems.front().who,
        "parallel regions take 933 ms on average in the whole program, those there 900 ms");  // (20 + 36) /
                                                                                              // 60, 36 / 40
}

/// Four regions of 2.5 s, of which starting and ending threads takes 0.1 s; both threads had no processor for
/// so long in all.
TEST(SummaryOfRegions, whatALittleLackOfProcessorsExplains_isNotTheirs) {
    for (const char* lacked : {"0", "250000000"}) {
        const char* const region = "main/!$omp parallel";
        testing::SmallExperiment build(1, 2);
        build.metric(testing::seconds("time"), "", {{region, {10, 10}}});
        build.metric(testing::seconds("omp_management"), "time", {{region, {0.4, 0.4}}});
        build.metric(testing::seconds("visits"), "", {{region, {4, 4}}});
        Experiment made = build.take();
        for (Location& thread : made.system.locations)
            thread.attributes = {{std::string(kOnProcessorsAttribute), "9000000000"},
                                 {std::string(kWaitingForProcessorsAttribute), lacked},
                                 {std::string(kShortageAttribute), lacked}};
        const auto problems = summarize(made)->problems;
        EXPECT_EQ(std::ranges::count(problems, "managing-threads", &Problem::kind),
                  lacked == std::string("0") ? 1 : 0);
    }
}

/// Of two places with collective operations the first one/// Of two places with collective operations the
/// first one has few calls, which take long.
TEST(SummaryOfCollectives, callsThatAreCounted_areThoseThatTheProblemNames) {
    testing::SmallExperiment build(2, 1);
    const testing::SmallExperiment::Rows calls{{"main/solve/MPI_Allreduce", {3, 3}},
                                               {"main/log/MPI_Allreduce", {1, 1}}};
    build.metric(testing::seconds("time"), "", {{"main", {6, 6}}, calls[0], calls[1]});
    build.metric(testing::seconds("mpi_collective"), "time", calls);
    build.metric(testing::seconds("mpi_wait_nxn"), "mpi_collective", {{"main/log/MPI_Allreduce", {0, 0}}});
    build.metric(testing::seconds("visits"), "",
                 {{"main/solve/MPI_Allreduce", {10, 10}}, {"main/log/MPI_Allreduce", {100, 100}}});
    build.counter("comms_coll",
                  {{"main/solve/MPI_Allreduce", {10, 10}}, {"main/log/MPI_Allreduce", {100, 100}}});
    const auto summary = summarize(build.take());
    ASSERT_FALSE(summary->problems.empty());
    const Problem& problem = summary->problems.front();
    EXPECT_EQ(problem.kind, "collectives");
    EXPECT_THAT(problem.where, ::testing::HasSubstr("solve"));
    EXPECT_EQ(problem.who,
              "20 calls of all processes together there, 300 ms each beside waiting; 220 calls in the whole "
              "program, 36.4 ms each");
}

/// Of threads that live for a short time the kernel's count is not there.
TEST(SummaryOfStarvation, timesThatAreKnownWithoutTheKernelsCount_makeCallsDoubtful) {
    for (const double lacking : {0.0, 3.0}) {
        testing::SmallExperiment build(2, 1);
        build.metric(testing::seconds("time"), "",
                     {{"main", {8 - lacking, 8 - lacking}},
                      {"main/MPI_Allreduce", {2, 2}},
                      {"main/WAITING", {lacking, lacking}}});
        build.metric(testing::seconds("mpi_collective"), "time", {{"main/MPI_Allreduce", {2, 2}}});
        build.metric(testing::seconds("mpi_wait_nxn"), "mpi_collective", {{"main/MPI_Allreduce", {0, 0}}});
        build.metric(testing::seconds("processor_waiting"), "time", {{"main/WAITING", {lacking, lacking}}});
        EXPECT_EQ(isNamed(build.take(), "collectives"), lacking == 0) << lacking;
    }
}

/// The second process waits in `call` for the first one, while a message that was sent before is there.
Experiment waitingInWrongOrder(const std::string& call) {
    testing::SmallExperiment build(2, 1);
    const std::string path = "main/" + call;
    build.metric(testing::seconds("time"), "", {{"main/step", {10, 4}}, {path, {0, 6}}});
    build.metric(testing::seconds("comp"), "time", {{"main/step", {10, 4}}});
    build.metric(testing::seconds("mpi_latesender"), "time", {{path, {0, 6}}});
    build.metric(testing::seconds("mpi_latesender_wo"), "mpi_latesender", {{path, {0, 6}}});
    build.metric(testing::seconds("delay"), "", {{"main/step", {6, 0}}});
    build.metric(testing::seconds("delay_latesender_aggregate"), "delay", {{"main/step", {6, 0}}});
    return build.take();
}

TEST(SummaryOfMessages, whoTakesThemAsTheyCome_hasNoWrongOrder) {
    EXPECT_TRUE(isNamed(waitingInWrongOrder("MPI_Recv"), "wrong-order"));
    EXPECT_FALSE(isNamed(waitingInWrongOrder("MPI_Recv"), "imbalance"));
    EXPECT_FALSE(isNamed(waitingInWrongOrder("MPI_Waitany"), "wrong-order"));
    EXPECT_TRUE(isNamed(waitingInWrongOrder("MPI_Waitany"), "imbalance"));
}

/// Of three processes the second waits for the first one in wrong order, and the third one for the second, in
/// part, at a barrier for which the first one works longest by itself.
TEST(SummaryOfMessages, inWrongOrder_gainWhatOthersWaitForWhoeverWaited) {
    const auto problemsOf = [](double handedOn, double receives = 0) {
        testing::SmallExperiment build(3, 1);
        build.metric(testing::seconds("time"), "",
                     {{"main/exchange/step", {10, 4, 4}},
                      {"main/exchange/MPI_Recv", {0, 6, 0}},
                      {"main/solve", {12, 0, 0}},
                      {"main/MPI_Barrier", {0, 12, 18}}});
        build.metric(testing::seconds("comp"), "time",
                     {{"main/exchange/step", {10, 4, 4}}, {"main/solve", {12, 0, 0}}});
        build.metric(testing::seconds("mpi_latesender"), "time", {{"main/exchange/MPI_Recv", {0, 6, 0}}});
        build.metric(testing::seconds("mpi_latesender_wo"), "mpi_latesender",
                     {{"main/exchange/MPI_Recv", {0, 6, 0}}});
        build.metric(testing::seconds("mpi_barrier_wait"), "time", {{"main/MPI_Barrier", {0, 12, 18}}});
        build.metric(testing::seconds("delay"), "",
                     {{"main/exchange/step", {6 + handedOn, 0, 0}}, {"main/solve", {30 - handedOn, 0, 0}}});
        build.metric(testing::seconds("delay_latesender_aggregate"), "delay",
                     {{"main/exchange/step", {6, 0, 0}}});
        build.metric(testing::seconds("delay_barrier_aggregate"), "delay",
                     {{"main/exchange/step", {handedOn, 0, 0}}, {"main/solve", {30 - handedOn, 0, 0}}});
        build.metric(testing::seconds("delay_barrier_longterm"), "delay_barrier_aggregate",
                     {{"main/exchange/step", {handedOn, 0, 0}}});
        if (receives > 0)
            build.metric(testing::seconds("visits"), "",
                         {{"main/exchange", {1, 1, 1}}, {"main/exchange/MPI_Recv", {0, receives, 0}}});
        return summarize(build.take()).value().problems;
    };
    const auto wrongOrderIn = [](const std::vector<Problem>& problems) {
        return *std::ranges::find_if(problems, [](const Problem& one) { return one.kind == "wrong-order"; });
    };
    EXPECT_NEAR(wrongOrderIn(problemsOf(0)).gain.value(), 0, 1e-9);
    EXPECT_NEAR(wrongOrderIn(problemsOf(6)).gain.value(), 3, 1e-9);
    EXPECT_NEAR(wrongOrderIn(problemsOf(6)).cost, 12, 1e-9);
    // Of 4 s of work at two messages it can do 2 s earlier; of one message for each call nothing is known.
    EXPECT_NEAR(wrongOrderIn(problemsOf(6, 2)).gain.value(), 2, 1e-9);
    EXPECT_NEAR(wrongOrderIn(problemsOf(6, 1)).gain.value(), 3, 1e-9);
}

TEST(SummaryOfLocks, atAnAtomicOperation_nobodyIsToldToUseOne) {
    for (const std::string construct : {"!$omp atomic", "!$omp critical"}) {
        testing::SmallExperiment build(1, 2);
        const std::string path = "main/" + construct;
        build.metric(testing::seconds("time"), "", {{"main", {5, 5}}, {path, {5, 5}}});
        build.metric(testing::seconds("omp_lock_contention_critical"), "time", {{path, {4, 4}}});
        const auto summary = summarize(build.take());
        ASSERT_FALSE(summary->problems.empty());
        EXPECT_EQ(summary->problems.front().kind, "lock");
        const bool isTold = summary->problems.front().remedy.find("use an atomic") != std::string::npos;
        EXPECT_EQ(isTold, construct != "!$omp atomic");
    }
}

/// The second thread runs tasks for 6 s, and the first one waits; this many tasks are run by each.
std::string taskProblem(std::vector<double> tasks) {
    testing::SmallExperiment build(1, 2);
    const std::string task = "main/!$omp parallel/!$omp task";
    const std::string barrier = "main/!$omp parallel/!$omp ibarrier";
    build.metric(testing::seconds("time"), "", {{task, {0, 6}}, {barrier, {6, 0}}});
    build.metric(testing::seconds("comp"), "time", {{task, {0, 6}}});
    build.metric(testing::seconds("omp_ibarrier_task_wait"), "time", {{barrier, {6, 0}}});
    build.metric(testing::seconds("visits"), "", {{task, std::move(tasks)}});
    build.metric(testing::seconds("delay"), "", {{task, {0, 6}}});
    build.metric(testing::seconds("delay_omp_task_aggregate"), "delay", {{task, {0, 6}}});
    return summarize(build.take())->problems.at(0).what;
}

TEST(SummaryOfTasks, manyThatOneThreadRuns_areNotCalledLarge) {
    EXPECT_EQ(taskProblem({0, 40}), "One thread of a process runs all of its tasks, and the others wait");
    for (const std::vector<double>& tasks : {std::vector<double>{0, 1}, std::vector<double>{39, 1}})
        EXPECT_EQ(taskProblem(tasks), "Threads wait for tasks that others run");
}

/// The second thread runs all tasks of one construct, and the first one those of another.
TEST(SummaryOfTasks, ofDifferentConstructs_areNotSaidToBeRunByOneThread) {
    const std::string task = "main/!$omp parallel/!$omp task", other = "main/before/!$omp task";
    const std::string barrier = "main/!$omp parallel/!$omp ibarrier";
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "", {{task, {0, 6}}, {other, {3, 0}}, {barrier, {6, 0}}});
    build.metric(testing::seconds("comp"), "time", {{task, {0, 6}}, {other, {3, 0}}});
    build.metric(testing::seconds("omp_ibarrier_task_wait"), "time", {{barrier, {6, 0}}});
    build.metric(testing::seconds("visits"), "", {{task, {0, 40}}, {other, {20, 0}}});
    build.metric(testing::seconds("delay"), "", {{task, {0, 6}}});
    build.metric(testing::seconds("delay_omp_task_aggregate"), "delay", {{task, {0, 6}}});
    EXPECT_EQ(summarize(build.take())->problems.at(0).what, "Threads wait for tasks that others run");
}

/// Two threads run tasks for 6 s in all, the first one for so long, and each waits for so long.
std::string sharedTasks(double first, double waited) {
    testing::SmallExperiment build(1, 2);
    const std::string task = "main/!$omp parallel/!$omp task";
    const std::string barrier = "main/!$omp parallel/!$omp ibarrier";
    build.metric(testing::seconds("time"), "",
                 {{task, {first, 6 - first}}, {barrier, {waited / 2, waited / 2}}});
    build.metric(testing::seconds("comp"), "time", {{task, {first, 6 - first}}});
    build.metric(testing::seconds("omp_ibarrier_task_wait"), "time", {{barrier, {waited / 2, waited / 2}}});
    build.metric(testing::seconds("visits"), "", {{task, {20, 20}}});
    build.metric(testing::seconds("delay"), "", {{task, {waited / 2, waited / 2}}});
    build.metric(testing::seconds("delay_omp_task_aggregate"), "delay", {{task, {waited / 2, waited / 2}}});
    return summarize(build.take())->problems.at(0).what;
}

TEST(SummaryOfTasks, whileOneRunsAllOthersWait_runOneAtATime) {
    constexpr auto* kInTurn =
        "Tasks run one at a time, now in one thread, now in another, and the others wait";
    constexpr auto* kWait = "Threads wait for tasks that others run";
    EXPECT_EQ(sharedTasks(3, 6), kInTurn);
    EXPECT_EQ(sharedTasks(3, 4), kWait);    // for 2 s both were busy
    EXPECT_EQ(sharedTasks(0.1, 6), kWait);  // it may be one large task
}

}  // namespace
}  // namespace holos::algebra
