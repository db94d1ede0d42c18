// SPDX-License-Identifier: BSD-3-Clause
// Who works one after the other is not late in turn; nor is who makes no progress while others work
// elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algebra/insight/summary/summary.h"
#include "tests/support/findings.h"
#include "tests/support/small_experiment.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

/// Waves that pass all ranks, forth and back, in four parts: each rank works on a part for ten ticks, after
/// the one before has.
algebra::Summary waves(unsigned ranks) {
    TraceBuilder trace(ranks);
    std::vector<Tick> now(ranks, 1);
    for (unsigned rank = 0; rank < ranks; ++rank) trace.on(rank).enter(0, "main");
    for (unsigned wave = 0; wave < 8; ++wave)
        for (unsigned part = 0; part < 4; ++part) {
            Tick sent = 0;
            for (unsigned place = 0; place < ranks; ++place) {
                const bool isBack = wave % 2 == 1;
                const unsigned rank = isBack ? ranks - 1 - place : place;
                const unsigned before = isBack ? rank + 1 : rank - 1, next = isBack ? rank - 1 : rank + 1;
                if (place > 0) {
                    const Tick arrival = std::max(now[rank], sent) + 1;
                    trace.on(rank).recv(now[rank], arrival, {.peer = before});
                    now[rank] = arrival;
                }
                trace.on(rank).call(now[rank], now[rank] + 10, "sweep");
                now[rank] += 10;
                if (place + 1 == ranks) continue;
                trace.on(rank).send(now[rank], now[rank] + 1, {.peer = next});
                sent = now[rank] += 1;
            }
        }
    for (unsigned rank = 0; rank < ranks; ++rank) trace.on(rank).leave(now[rank]);
    return algebra::summarize(Findings(trace).result().experiment).value();
}

TEST(Turns, wavesOfEqualWork_areWorkOneAfterTheOther) {
    for (const unsigned ranks : {3U, 4U, 6U}) {
        const algebra::Summary summary = waves(ranks);
        ASSERT_FALSE(summary.problems.empty()) << ranks;
        EXPECT_EQ(summary.problems.front().kind, "in-turn") << ranks;
        EXPECT_EQ(summary.problems.front().who, "all work about as long there, 320 ms") << ranks;
    }
}

/// Three ranks work one after the other, and the last one works longer in another place later.
TEST(Turns, workOneAfterTheOther_isThatAlsoWhereOneOfThemWorksMoreLater) {
    TraceBuilder trace(3);
    for (unsigned rank = 0; rank < 3; ++rank) {
        const Tick begin = rank == 0 ? 0 : 101 * rank, end = begin + 100;
        trace.on(rank).enter(0, "main");
        if (rank > 0) trace.on(rank).recv(0, begin, {.peer = rank - 1});
        trace.on(rank).call(begin, end, rank == 0 ? "begin" : "token");
        if (rank < 2) trace.on(rank).send(end, end + 1, {.peer = rank + 1});
        trace.on(rank).barrier(rank < 2 ? end + 1 : end, 303);
        if (rank == 2) trace.on(rank).call(303, 603, "finish");
        trace.on(rank).barrier(rank == 2 ? 603 : 303, 604);
        trace.on(rank).leave(605);
    }
    const auto problems = algebra::summarize(Findings(trace).result().experiment).value().problems;
    const auto ofToken =
        std::ranges::find_if(problems, [](const auto& one) { return one.where.ends_with("token"); });
    ASSERT_NE(ofToken, problems.end());
    EXPECT_EQ(ofToken->kind, "in-turn");
}

/// Each of three ranks is late in every third step, and all meet then: none waits for another one's wait.
TEST(Turns, anotherOneLateEachTime_isNoRow) {
    TraceBuilder trace(3);
    for (const unsigned rank : {0U, 1U, 2U}) {
        trace.on(rank).enter(0, "main");
        for (Tick step = 0; step < 12; ++step) {
            const Tick begin = 100 * step, end = begin + (step % 3 == rank ? 90 : 30);
            trace.on(rank).call(begin, end, "work").barrier(end, begin + 91);
        }
        trace.on(rank).leave(1200);
    }
    const auto summary = algebra::summarize(Findings(trace).result().experiment);
    ASSERT_TRUE(summary && !summary->problems.empty());
    EXPECT_EQ(summary->problems.front().kind, "imbalance");
    EXPECT_EQ(summary->problems.front().pattern, "in turn");
}

/// In each of five steps all ranks meet in two operations, which they come to after work: before the first
/// one each works for its own number of ticks; before the second one the third rank works 70 ticks,
/// others 20.
std::vector<algebra::Problem> lateInTwoCalls(const std::vector<Tick>& firstWork) {
    TraceBuilder trace(static_cast<unsigned>(firstWork.size()));
    for (unsigned rank = 0; rank < firstWork.size(); ++rank) {
        trace.on(rank).enter(0, "main");
        for (Tick step = 0; step < 5; ++step) {
            const Tick begin = 200 * step, first = begin + firstWork[rank];
            trace.on(rank).call(begin, first, "work");
            trace.on(rank).collective(first, begin + 91, OTF2_COLLECTIVE_OP_ALLREDUCE, {});
            const Tick second = begin + 91 + (rank == 2 ? 70 : 20);
            trace.on(rank).call(begin + 91, second, "work").barrier(second, begin + 162);
            trace.on(rank).call(begin + 162, begin + 200, "together");
        }
        trace.on(rank).leave(1000);
    }
    return algebra::summarize(Findings(trace).result().experiment).value().problems;
}

/// In each of five steps the second rank is late for one operation, by 60 ticks, and the third one for
/// another, by 50.
TEST(Turns, twoWhoAreLateInDifferentCalls_areToldApart) {
    const auto problems = lateInTwoCalls({30, 90, 30});
    ASSERT_EQ(problems.size(), 2U);
    EXPECT_THAT(problems[0].who, ::testing::StartsWith("others wait 600 ms for "));
    EXPECT_THAT(problems[0].why, ::testing::HasSubstr("MPI_Allreduce"));
    EXPECT_EQ(problems[0].locations, std::vector<algebra::LocationId>{algebra::LocationId(1)});
    EXPECT_NEAR(problems[0].gain.value(), 0.3, 1e-6);
    EXPECT_THAT(problems[1].who, ::testing::StartsWith("others wait 500 ms for "));
    EXPECT_THAT(problems[1].why, ::testing::HasSubstr("MPI_Barrier"));
    EXPECT_EQ(problems[1].locations, std::vector<algebra::LocationId>{algebra::LocationId(2)});
}

/// The second and the fourth rank are late by about as much for one operation, of which the last one alone is
/// blamed, and the third one for another: less to do for one of the two would hardly help.
TEST(Turns, twoWhoAreLateForTheSameCall_areNotToldAsOne) {
    const auto problems = lateInTwoCalls({30, 90, 30, 89});
    ASSERT_FALSE(problems.empty());
    for (const auto& problem : problems) EXPECT_EQ(problem.what.find("comes late"), std::string::npos);
}

const algebra::Problem* problemAt(const algebra::Summary& summary, const std::string& place) {
    const auto found = std::ranges::find_if(
        summary.problems, [&](const auto& problem) { return problem.where.ends_with(place); });
    return found == summary.problems.end() ? nullptr : &*found;
}

/// In each step the second rank saves for 20 ticks while the first one waits; then the first one works 30
/// ticks longer: in all it works more, and that is nothing that anybody waits for at the first barrier.
TEST(Turns, oneForWhomOthersWait_isNamedAlsoWhereAnotherOneWorksMoreInAll) {
    TraceBuilder trace(2);
    for (const unsigned rank : {0U, 1U}) {
        trace.on(rank).enter(0, "main");
        for (Tick step = 0; step < 5; ++step) {
            const Tick begin = 100 * step, saved = begin + 10 + (rank == 1 ? 20 : 0);
            trace.on(rank).call(begin, begin + 10, "work");
            if (rank == 1) trace.on(rank).call(begin + 10, saved, "save");
            trace.on(rank).barrier(saved, begin + 31);
            const Tick end = begin + 31 + (rank == 0 ? 40 : 10);
            trace.on(rank).call(begin + 31, end, "solve").barrier(end, begin + 72);
            trace.on(rank).call(begin + 72, begin + 100, "together");
        }
        trace.on(rank).leave(500);
    }
    const auto summary = algebra::summarize(Findings(trace).result().experiment).value();
    const algebra::Problem* const saving = problemAt(summary, "save");
    ASSERT_NE(saving, nullptr);
    EXPECT_EQ(saving->kind, "serial");
    EXPECT_THAT(saving->who, ::testing::EndsWith(" works 100 ms alone"));
    EXPECT_EQ(saving->locations, std::vector<algebra::LocationId>{algebra::LocationId(1)});
}

/// In each step one rank works for 30 ticks in one function, and the other one for 10 in another one, at the
/// same time.
TEST(Turns, oneWhoseFellowWorksInAnotherFunction_isNotSaidToWorkAlone) {
    TraceBuilder trace(2);
    for (const unsigned rank : {0U, 1U}) {
        trace.on(rank).enter(0, "main");
        for (Tick step = 0; step < 5; ++step) {
            const Tick begin = 100 * step, end = begin + (rank == 0 ? 30 : 10);
            trace.on(rank).call(begin, end, rank == 0 ? "assemble" : "prepare").barrier(end, begin + 31);
            trace.on(rank).call(begin + 31, begin + 100, "together");
        }
        trace.on(rank).leave(500);
    }
    const auto summary = algebra::summarize(Findings(trace).result().experiment).value();
    const algebra::Problem* const late = problemAt(summary, "assemble");
    ASSERT_NE(late, nullptr);
    EXPECT_EQ(late->what, "One process works, and others wait for a part of that");
    EXPECT_THAT(late->who, ::testing::EndsWith(" works 150 ms there; another one waits 100 ms for it"));
    EXPECT_LE(late->gain.value(), 0.1 + 1e-6);
}

/// A thread that the first rank has started works for 480 ms, for the messages of which its first thread
/// waits, and because of that the second rank.
TEST(Turns, threadThatWorksForAllOthers_isNotInTurnWithThem) {
    constexpr auto *kHelper = "THREADS/helper", *kReceive = "main/MPI_Recv", *kReduce = "main/MPI_Allreduce";
    const SmallExperiment::Rows works{{"main", {0.12, 0, 0.12, 0}}, {kHelper, {0, 0.48, 0, 0}}};
    SmallExperiment build(2, 2);
    build.metric(seconds("time"), "",
                 {works[0], works[1], {kReceive, {0.36, 0, 0, 0}}, {kReduce, {0, 0, 0.36, 0}}});
    build.metric(seconds("comp"), "time", works);
    build.metric(seconds("mpi_latesender"), "time", {{kReceive, {0.36, 0, 0, 0}}});
    build.metric(seconds("mpi_wait_nxn"), "time", {{kReduce, {0, 0, 0.36, 0}}});
    const SmallExperiment::Rows half{{kHelper, {0, 0.36, 0, 0}}};
    build.metric(seconds("delay"), "", {{kHelper, {0, 0.72, 0, 0}}});
    build.metric(seconds("delay_latesender_aggregate"), "delay", half);
    build.metric(seconds("delay_n2n_aggregate"), "delay", half);
    build.metric(seconds("delay_n2n_longterm"), "delay_n2n_aggregate", half);
    const algebra::Problem problem = algebra::summarize(build.take())->problems.at(0);
    EXPECT_NE(problem.kind, "in-turn");
    EXPECT_EQ(problem.who, "MPI Rank 0 works 480 ms there; 2 others wait 360 ms for it on average");
}

/// In each step the first rank waits for 31 ticks for a message that is sent last, then works for 20, takes
/// the other one, works for 20 more, and is the last one at the barrier.
TEST(Turns, oneThatIsAlwaysLast_isNotSaidToBeLateInTurn) {
    TraceBuilder trace(2);
    for (const unsigned rank : {0U, 1U}) trace.on(rank).enter(0, "main");
    for (Tick step = 0; step < 5; ++step) {
        const Tick begin = 100 * step, met = begin + 74;
        trace.on(0).enter(begin, "step").recv(begin, begin + 31, {.peer = 1, .tag = 1});
        trace.on(0).recv(begin + 51, begin + 52, {.peer = 1, .tag = 2}).barrier(begin + 72, met).leave(met);
        trace.on(1).enter(begin, "step").send(begin + 3, begin + 4, {.peer = 0, .tag = 2});
        trace.on(1).send(begin + 29, begin + 30, {.peer = 0, .tag = 1}).barrier(begin + 30, met).leave(met);
        for (const unsigned rank : {0U, 1U}) trace.on(rank).call(met, begin + 100, "together");
    }
    for (const unsigned rank : {0U, 1U}) trace.on(rank).leave(500);
    const auto summary = algebra::summarize(Findings(trace).result().experiment).value();
    for (const auto& problem : summary.problems) EXPECT_EQ(problem.what.find("in turn"), std::string::npos);
    const auto late = std::ranges::find_if(summary.problems, [](const auto& problem) {
        return problem.locations == std::vector<algebra::LocationId>{algebra::LocationId(0)} &&
               problem.what == "One process comes late, and the others wait" &&
               problem.who.starts_with("others wait 2");
    });
    EXPECT_NE(late, summary.problems.end());
}

/// The second rank unpacks for 28 ticks what the first one sends, of which this one works 15 elsewhere
/// meanwhile, and waits 13. In all they work about as long.
TEST(Turns, oneForWhomOthersWaitForAPart_isNamedWithThatPart) {
    TraceBuilder trace(2);
    for (const unsigned rank : {0U, 1U}) trace.on(rank).enter(0, "main");
    for (Tick step = 0; step < 5; ++step) {
        const Tick begin = 50 * step, sent = begin + 11, replied = begin + 41;
        trace.on(0).call(begin, begin + 10, "assemble").send(begin + 10, sent, {.peer = 1});
        trace.on(0).call(sent, sent + 15, "solve").recv(sent + 15, replied, {.peer = 1});
        trace.on(1).recv(begin, sent + 1, {.peer = 0}).call(sent + 1, sent + 29, "unpack");
        trace.on(1).send(sent + 29, replied, {.peer = 0});
        for (const unsigned rank : {0U, 1U}) trace.on(rank).call(replied, begin + 50, "together");
    }
    for (const unsigned rank : {0U, 1U}) trace.on(rank).leave(250);
    const auto summary = algebra::summarize(Findings(trace).result().experiment).value();
    for (const auto& problem : summary.problems)
        EXPECT_THAT(problem.who, ::testing::Not(::testing::HasSubstr("all take about the same")));
    const algebra::Problem* const unpacking = problemAt(summary, "unpack");
    ASSERT_NE(unpacking, nullptr);
    EXPECT_EQ(unpacking->what, "One process comes late, and the others wait");
    EXPECT_EQ(unpacking->locations, std::vector<algebra::LocationId>{algebra::LocationId(1)});
}

/// Two ranks build for 100 ticks, or for 99, each in every second step, while the third one reads for 90.
TEST(Turns, workThatIsComparedInTheCaller_isSaidToBeThat) {
    TraceBuilder trace(3);
    for (const unsigned rank : {0U, 1U, 2U}) {
        trace.on(rank).enter(0, "main");
        for (Tick step = 0; step < 6; ++step) {
            const Tick begin = 110 * step;
            const Tick end = begin + (rank == 2 ? 90 : step % 2 == rank ? 100 : 99);
            trace.on(rank).call(begin, end, rank == 2 ? "read" : "build").barrier(end, begin + 101);
            trace.on(rank).call(begin + 101, begin + 110, "together");
        }
        trace.on(rank).leave(660);
    }
    const auto summary = algebra::summarize(Findings(trace).result().experiment).value();
    const algebra::Problem* const building = problemAt(summary, "build");
    ASSERT_NE(building, nullptr);
    EXPECT_THAT(building->who, ::testing::StartsWith("in main, "));
    EXPECT_THAT(building->who, ::testing::HasSubstr(" take "));
}

/// Ten times all ranks meet, for which the second one works ten ticks more, and then work one after the
/// other.
TEST(Turns, oneOfARowThatWorksMore_isToldBesideTheRow) {
    TraceBuilder trace(4);
    std::vector<Tick> now(4, 1);
    for (unsigned rank = 0; rank < 4; ++rank) trace.on(rank).enter(0, "main");
    for (unsigned step = 0; step < 10; ++step) {
        for (unsigned rank = 0; rank < 4; ++rank) {
            const Tick work = rank == 1 ? 15 : 5;
            trace.on(rank).call(now[rank], now[rank] + work, "work");
            now[rank] += work;
        }
        const Tick last = *std::ranges::max_element(now) + 1;
        for (unsigned rank = 0; rank < 4; ++rank) trace.on(rank).barrier(now[rank], last);
        for (unsigned rank = 0; rank < 4; ++rank) {
            now[rank] = last + 11 * rank;
            if (rank > 0) trace.on(rank).recv(last, now[rank], {.peer = rank - 1});
            trace.on(rank).call(now[rank], now[rank] + 10, "work");
            now[rank] += 10;
            if (rank < 3) trace.on(rank).send(now[rank], now[rank] + 1, {.peer = rank + 1});
            now[rank] += rank < 3 ? 1 : 0;
        }
    }
    for (unsigned rank = 0; rank < 4; ++rank) trace.on(rank).leave(now[rank]);
    const auto problems = algebra::summarize(Findings(trace).result().experiment).value().problems;
    ASSERT_EQ(problems.size(), 2U);
    EXPECT_EQ(problems[0].kind, "in-turn");
    EXPECT_THAT(problems[0].who, ::testing::StartsWith("without what "));
    EXPECT_THAT(problems[0].who, ::testing::EndsWith("all work about as long there, 150 ms"));
    EXPECT_EQ(problems[1].kind, "imbalance");
    EXPECT_EQ(problems[1].locations, std::vector<algebra::LocationId>{algebra::LocationId(1)});
    EXPECT_GT(problems[1].cost, 0.1);
    EXPECT_LE(problems[1].cost, 0.3 + 1e-6);  // three others wait 0.1 s each for what it does more
    EXPECT_NEAR(problems[1].gain.value(), 0.1, 1e-6);
}

/// Of four threads, one at a time executes a `single` construct for 1 s, the first one twice. `work`: what it
/// does there.
algebra::Problem ofASingleConstruct(const char* work) {
    constexpr auto* kSingle = "main/!$omp parallel @a.c:1/!$omp single @a.c:2";
    constexpr auto* kBarrier = "main/!$omp parallel @a.c:1/!$omp implicit barrier @a.c:2";
    const SmallExperiment::Rows works{{kSingle, {2, 1, 0, 1}}}, waits{{kBarrier, {2, 3, 4, 3}}};
    const algebra::Experiment experiment =
        SmallExperiment(1, 4)
            .metric(seconds("time"), "", {works.front(), waits.front()})
            .metric(seconds(work), "time", works)
            .metric(seconds("omp_time"), "time", waits)
            .metric(seconds("omp_barrier"), "omp_time", waits)
            .metric(seconds("omp_ibarrier_wait"), "omp_barrier", waits)
            .metric(seconds("overhead"), "time", {{"main", {0, 0, 0, 0}}})
            .metric(seconds("imbalance"), "", {{"main", {0, 0, 0, 0}}})
            .metric(seconds("delay"), "", {{kSingle, {6, 3, 0, 3}}})
            .metric(seconds("delay_ompbarrier_aggregate"), "delay", {{kSingle, {6, 3, 0, 3}}})
            .take();
    return algebra::summarize(experiment).value().problems.at(0);
}

TEST(Turns, workOfASingleConstruct_isForOneThread) {
    const algebra::Problem problem = ofASingleConstruct("comp");
    EXPECT_EQ(problem.kind, "serial");
    EXPECT_EQ(problem.who, "now one thread works there, now another, 4.00 s in all");
    EXPECT_DOUBLE_EQ(problem.gain.value(), 4);
}

TEST(Turns, sleepInASingleConstruct_isNoWork) {
    const algebra::Problem problem = ofASingleConstruct("system_waiting");
    EXPECT_EQ(problem.what, "One thread sleeps in a single construct, and the others wait");
    EXPECT_EQ(problem.who, "now one thread sleeps there, now another, 4.00 s in all");
    EXPECT_THAT(problem.remedy, ::testing::HasSubstr("sleep"));
    EXPECT_DOUBLE_EQ(problem.gain.value(), 4);
}

/// One thread executes a `single` construct for 280 ms in all, and creates tasks in it, which it shares with
/// another one.
TEST(Turns, tasksOfASingleConstruct_areNoWorkOfTheOneThatExecutesIt) {
    const std::string region = "main/!$omp parallel @a.c:1", single = region + "/!$omp single @a.c:2";
    const SmallExperiment::Rows works{{single, {0.28, 0}}, {single + "/!$omp task", {0.07, 0.07}}},
        waits{{region + "/!$omp implicit barrier @a.c:2", {0, 0.28}}};
    SmallExperiment build(1, 2);
    build.metric(seconds("time"), "", {works[0], works[1], waits.front()});
    build.metric(seconds("comp"), "time", works);
    build.metric(seconds("omp_ibarrier_wait"), "time", waits);
    build.metric(seconds("delay"), "", {{single, {0.28, 0}}});
    build.metric(seconds("delay_ompbarrier_aggregate"), "delay", {{single, {0.28, 0}}});
    const algebra::Problem problem = algebra::summarize(build.take())->problems.at(0);
    EXPECT_EQ(problem.what, "The work of a single construct is for one thread, and the others wait");
    EXPECT_THAT(problem.who, ::testing::EndsWith(" works 280 ms there"));
    EXPECT_EQ(problem.locations, std::vector<algebra::LocationId>{algebra::LocationId(0)});
}

/// Of three threads the last one works longer, or hands on later, for which the others wait.
/// `known`: another metric below the parent, without values.
algebra::Summary lateThread(const char* call, const char* parent, const char* wait, const char* delay,
                            const char* known = nullptr) {
    constexpr auto* kStep = "main/step";
    const SmallExperiment::Rows works{{kStep, {1, 1, 3}}};
    const SmallExperiment::Rows waits{{std::string("main/") + call, {2, 2, 0}}};
    SmallExperiment build(1, 3);
    build.metric(seconds("time"), "", {works.front(), waits.front()})
        .metric(seconds("comp"), "time", works)
        .metric(seconds("pthread_time"), "time", waits)
        .metric(seconds(parent), "pthread_time", waits)
        .metric(seconds(wait), parent, waits);
    if (known != nullptr) build.metric(seconds(known), parent, {{"main", {0, 0, 0}}});
    build.metric(seconds("overhead"), "time", {{"main", {0, 0, 0}}})
        .metric(seconds("imbalance"), "", {{"main", {0, 0, 0}}})
        .metric(seconds("delay"), "", {{kStep, {0, 0, 4}}})
        .metric(seconds(delay), "delay", {{kStep, {0, 0, 4}}});
    return algebra::summarize(build.take()).value();
}

TEST(WaitsOfThreads, atABarrier_areForTheLastOne) {
    const algebra::Summary summary = lateThread("pthread_barrier_wait", "pthread_barrier",
                                                "pthread_barrier_wait", "delay_pthread_barrier_aggregate");
    ASSERT_FALSE(summary.problems.empty());
    EXPECT_EQ(summary.problems.front().kind, "imbalance");
    EXPECT_EQ(summary.problems.front().what, "One thread works longer than the others, and they wait");
    EXPECT_DOUBLE_EQ(summary.problems.front().cost, 4);
}

TEST(WaitsOfThreads, atASemaphore_areForWhoPosts) {
    const algebra::Summary summary = lateThread("sem_wait", "pthread_semaphore", "pthread_semaphore_wait",
                                                "delay_pthread_semaphore_aggregate");
    ASSERT_FALSE(summary.problems.empty());
    EXPECT_EQ(summary.problems.front().kind, "wake");
    EXPECT_TRUE(summary.problems.front().who.starts_with("others wait 4.00 s for "));
    EXPECT_EQ(summary.problems.front().locations, std::vector<algebra::LocationId>{algebra::LocationId(2)});
    EXPECT_DOUBLE_EQ(summary.problems.front().cost, 4);
}

TEST(WaitsOfThreads, atACondition_areForWhoSignals) {
    const algebra::Summary summary =
        lateThread("pthread_cond_wait", "pthread_conditional", "pthread_condition_signal_wait",
                   "delay_pthread_condition_aggregate");
    ASSERT_FALSE(summary.problems.empty());
    EXPECT_EQ(summary.problems.front().kind, "signal");
    EXPECT_NE(summary.problems.front().who.find(
                  "waits 2.00 s at condition variables, another one waits, too; others "
                  "wait 2.00 s for "),
              std::string::npos)
        << summary.problems.front().who;
    EXPECT_EQ(summary.losses.front().name, "waiting at condition variables");
    EXPECT_EQ(summary.problems.front().why.find("timeout"), std::string::npos);
}

TEST(WaitsOfThreads, atAConditionWithATimeout_areForWhoSignalsPerhaps) {
    const algebra::Summary summary =
        lateThread("pthread_cond_timedwait", "pthread_conditional", "pthread_condition_signal_wait",
                   "delay_pthread_condition_aggregate");
    ASSERT_FALSE(summary.problems.empty());
    EXPECT_EQ(summary.problems.front().kind, "signal");
    EXPECT_NE(summary.problems.front().why.find("uncertain: most of these waits have a timeout"),
              std::string::npos)
        << summary.problems.front().why;
}

/// The first of four threads signals, and the others wait for it: because of what it does in two functions,
/// and of what it waits itself.
TEST(WaitsOfThreads, atOneConditionForTheSameThread_areOneProblem) {
    constexpr auto* kFirst = "main/first";
    constexpr auto* kSecond = "main/second";
    constexpr auto* kWait = "main/pthread_cond_wait";
    const SmallExperiment::Rows work{{kFirst, {4, 0, 0, 0}}, {kSecond, {3, 0, 0, 0}}, {"main", {3, 1, 1, 1}}};
    const SmallExperiment::Rows waits{{kWait, {0, 9, 9, 9}}};
    const SmallExperiment::Rows delays{
        {kFirst, {12, 0, 0, 0}}, {kSecond, {9, 0, 0, 0}}, {kWait, {6, 0, 0, 0}}};
    SmallExperiment build(1, 4);
    build.metric(seconds("time"), "", {work[0], work[1], work[2], waits.front()});
    build.metric(seconds("comp"), "time", work);
    build.metric(seconds("pthread_time"), "time", waits);
    build.metric(seconds("pthread_conditional"), "pthread_time", waits);
    build.metric(seconds("pthread_condition_signal_wait"), "pthread_conditional", waits);
    build.metric(seconds("delay"), "", delays);
    build.metric(seconds("delay_pthread_condition_aggregate"), "delay", delays);
    const auto summary = algebra::summarize(build.take());
    ASSERT_EQ(summary->problems.size(), 1U);
    const algebra::Problem& problem = summary->problems.front();
    EXPECT_NEAR(problem.cost, 27, 1e-9);
    EXPECT_NE(problem.where.find("first"), std::string::npos);
    EXPECT_NE(problem.who.find("others wait 27.0 s for "), std::string::npos) << problem.who;
    EXPECT_NEAR(problem.gain.value(), 27.0 / 4, 1e-9);  // four share what one does
}

/// What a timeout ended is told apart.
TEST(WaitsOfThreads, atAConditionWhoseTimeoutsAreKnown_areForWhoSignals) {
    const algebra::Summary summary =
        lateThread("pthread_cond_timedwait", "pthread_conditional", "pthread_condition_signal_wait",
                   "delay_pthread_condition_aggregate", "pthread_condition_timeout");
    ASSERT_FALSE(summary.problems.empty());
    EXPECT_EQ(summary.problems.front().kind, "signal");
    EXPECT_EQ(summary.problems.front().why.find("timeout"), std::string::npos)
        << summary.problems.front().why;
}

/// The first of four threads waits at a condition for 6 s while the others work so long each.
algebra::Summary coordinator(std::vector<double> works) {
    constexpr auto* kStep = "work/step";
    constexpr auto* kWait = "main/pthread_cond_wait";
    works.insert(works.begin(), 0);
    const SmallExperiment::Rows work{{kStep, works}}, waits{{kWait, {6, 0, 0, 0}}};
    SmallExperiment build(1, 4);
    build.metric(seconds("time"), "", {work.front(), waits.front()});
    build.metric(seconds("comp"), "time", work);
    build.metric(seconds("pthread_time"), "time", waits);
    build.metric(seconds("pthread_conditional"), "pthread_time", waits);
    build.metric(seconds("pthread_condition_signal_wait"), "pthread_conditional", waits);
    build.metric(seconds("delay"), "", {{kStep, {0, 0, 0, 6}}});
    build.metric(seconds("delay_pthread_condition_aggregate"), "delay", {{kStep, {0, 0, 0, 6}}});
    return algebra::summarize(build.take()).value();
}

TEST(WaitsOfThreads, ofWhoCoordinates_areNoLossWhileAllOthersWork) {
    EXPECT_TRUE(coordinator({6, 6, 6}).problems.empty());
    EXPECT_EQ(std::ranges::count(coordinator({6, 6, 6}).losses, "waiting at condition variables",
                                 [](const auto& loss) { return std::string(loss.name); }),
              0);
    const algebra::Summary summary = coordinator({1, 1, 6});
    ASSERT_EQ(summary.problems.size(), 1U);
    EXPECT_EQ(summary.problems.front().kind, "signal");
    EXPECT_NEAR(summary.problems.front().cost, 6 - 8.0 / 3, 1e-9);
}

/// The first of four threads waits 6 s for the end of the others, for each of them because of what it is
/// blamed for: beyond even work, and for single ones.
algebra::Summary joining(double uneven, double single, const std::vector<double>& works,
                         const std::vector<double>& blamed) {
    constexpr auto* kStep = "THREADS/step";
    constexpr auto* kJoin = "main/pthread_join";
    const SmallExperiment::Rows work{{kStep, works}}, waits{{kJoin, {6, 0, 0, 0}}}, delays{{kStep, blamed}};
    SmallExperiment build(1, 4);
    build.metric(seconds("time"), "", {work.front(), waits.front()});
    build.metric(seconds("comp"), "time", work);
    build.metric(seconds("pthread_time"), "time", waits);
    build.metric(seconds("pthread_management"), "pthread_time", waits);
    build.metric(seconds("pthread_join_wait"), "pthread_management", waits);
    build.metric(seconds("pthread_join_wait_uneven"), "pthread_join_wait", {{kJoin, {uneven, 0, 0, 0}}});
    build.metric(seconds("pthread_join_wait_single"), "pthread_join_wait", {{kJoin, {single, 0, 0, 0}}});
    build.metric(seconds("delay"), "", delays);
    build.metric(seconds("delay_pthread_join_aggregate"), "delay", delays);
    return algebra::summarize(build.take()).value();
}

TEST(WaitsOfThreads, forTheEndOfOthers_areALossWhereTheseEndAtDifferentTimes) {
    const algebra::Summary even = joining(0, 0, {0, 6, 6, 6}, {0, 0, 0, 6});
    EXPECT_TRUE(even.problems.empty());
    EXPECT_TRUE(even.losses.empty());
    const algebra::Summary summary = joining(6 - 10.0 / 3, 0, {0, 2, 2, 6}, {0, 0, 0, 6});
    ASSERT_EQ(summary.problems.size(), 1U);
    const algebra::Problem& problem = summary.problems.front();
    EXPECT_EQ(problem.kind, "join");
    EXPECT_NEAR(problem.cost, 6 - 10.0 / 3, 1e-9);
    EXPECT_NEAR(problem.gain.value(), 6 - 10.0 / 3, 1e-9);
    EXPECT_EQ(summary.losses.front().name, "waiting for the end of threads");
    EXPECT_NE(problem.who.find("takes 6.00 s, the others 2.00 s on average; "), std::string::npos)
        << problem.who;
    EXPECT_EQ(problem.locations, std::vector<algebra::LocationId>{algebra::LocationId(3)});
}

TEST(WaitsOfThreads, forOneThreadAfterTheOther_areSaidToBeThat) {
    const algebra::Summary summary = joining(0, 6, {0, 2, 2, 2}, {0, 2, 2, 2});
    ASSERT_EQ(summary.problems.size(), 1U);
    EXPECT_EQ(summary.problems.front().what,
              "Threads are started one after the other, each when the one before has ended");
    EXPECT_NEAR(summary.problems.front().gain.value(), 3, 1e-9);
}

TEST(WaitsOfThreads, forASingleThreadWhileOthersCompute_areNoLoss) {
    EXPECT_TRUE(joining(0, 6, {0, 6, 6, 6}, {0, 0, 0, 6}).problems.empty());
}

/// Two threads begin regions 2.5 s late in all, and work for 20 ms each there: of 2 s of waiting at the
/// barrier, 40 ms can be because of that work.
TEST(Turns, threadsThatBeginLateAndHardlyWork_areNoUnevenWork) {
    constexpr auto* kRegion = "main/!$omp parallel @a.c:1";
    constexpr auto* kBarrier = "main/!$omp parallel @a.c:1/!$omp implicit barrier @a.c:1";
    SmallExperiment build(1, 2);
    build.metric(seconds("time"), "", {{kRegion, {2.52, 2.52}}, {kBarrier, {1, 1}}});
    build.metric(seconds("comp"), "time", {{kRegion, {0.02, 0.02}}});
    build.metric(seconds("omp_time"), "time", {{kRegion, {2.5, 2.5}}, {kBarrier, {1, 1}}});
    build.metric(seconds("omp_management"), "omp_time", {{kRegion, {2.5, 2.5}}});
    build.metric(seconds("omp_barrier"), "omp_time", {{kBarrier, {1, 1}}});
    build.metric(seconds("omp_ibarrier_wait"), "omp_barrier", {{kBarrier, {1, 1}}});
    build.metric(seconds("delay"), "", {{kRegion, {1, 1}}});
    build.metric(seconds("delay_ompbarrier_aggregate"), "delay", {{kRegion, {1, 1}}});
    build.counter("visits", {{kRegion, {50000, 50000}}});
    const auto summary = algebra::summarize(build.take());
    ASSERT_EQ(summary->problems.size(), 1U);
    EXPECT_EQ(summary->problems.front().kind, "small-regions");
    EXPECT_NEAR(summary->problems.front().cost, 5 + 2 - 0.04, 1e-9);
}

/// Rank 0 waits in MPI_Wait from 3 on until its message has left; rank 1 posted the receive, and works
/// until 40. Rank 0 works afterwards until `end`.
algebra::Summary sentDuringWork(Tick end) {
    TraceBuilder trace(2);
    trace.on(0)
        .enter(0, "main")
        .isend(1, 2, {.peer = 1}, 1)
        .waitSend(3, 41, 1)
        .call(41, end, "other")
        .leave(end);
    trace.on(1)
        .enter(0, "main")
        .irecv(1, 2, 1)
        .call(2, 40, "work")
        .waitRecv(40, 42, {.peer = 0}, 1)
        .leave(44);
    return algebra::summarize(Findings(trace).result().experiment).value();
}

/// With progress the message would be gone earlier, and rank 0 would wait for rank 1 all the same, later.
TEST(LateProgressProblem, ofUnevenWork_saysSoAndAdvisesEvenWorkFirst) {
    const algebra::Problem problem = sentDuringWork(44).problems.at(0);
    EXPECT_EQ(problem.kind, "late-progress");
    EXPECT_EQ(problem.what, "Communication waits until those who work longer than the others call MPI again");
    EXPECT_EQ(problem.remedy.find("give those who are late less to do there"), 0U) << problem.remedy;
}

TEST(LateProgressProblem, ofEvenWork_isOfTheMessagesAlone) {
    const algebra::Problem problem = sentDuringWork(80).problems.at(0);
    EXPECT_EQ(problem.kind, "late-progress");
    EXPECT_EQ(problem.what, "Communication waits until another process calls MPI again");
    EXPECT_EQ(problem.remedy.find("give those"), std::string::npos) << problem.remedy;
}

/// A thread of the second process answers requests of the first process, and waits for them meanwhile: what
/// makes these late is no loss for it.
TEST(Turns, threadsThatMayServeRequests_promiseNoGain) {
    SmallExperiment build(2, 2);
    const std::string receive = "THREADS/serve/MPI_Recv";
    build.metric(seconds("time"), "",
                 {{"main/step", {10, 0, 9, 0}}, {"THREADS/serve", {0, 0, 0, 1}}, {receive, {0, 0, 0, 8}}});
    build.metric(seconds("comp"), "time", {{"main/step", {10, 0, 9, 0}}, {"THREADS/serve", {0, 0, 0, 1}}});
    build.metric(seconds("mpi_latesender"), "time", {{receive, {0, 0, 0, 8}}});
    build.metric(seconds("delay"), "", {{"main/step", {8, 0, 0, 0}}});
    build.metric(seconds("delay_latesender_aggregate"), "delay", {{"main/step", {8, 0, 0, 0}}});
    const auto summary = algebra::summarize(build.take());
    ASSERT_FALSE(summary->problems.empty());
    const algebra::Problem& problem = summary->problems.front();
    EXPECT_THAT(problem.why,
                ::testing::HasSubstr("those that only serve requests have to, and lose nothing"));
    EXPECT_FALSE(problem.gain.has_value());
}

/// The thread that serves requests works longer on these, and the first thread of the other process waits.
TEST(Turns, whoWaitsForAThreadThatServesRequests_isWaitingForIt) {
    SmallExperiment build(2, 2);
    const std::string request = "main/MPI_Recv", receive = "THREADS/serve/MPI_Recv";
    build.metric(seconds("time"), "",
                 {{"main/step", {4, 0, 10, 0}},
                  {request, {6, 0, 0, 0}},
                  {"THREADS/serve", {0, 0, 0, 7}},
                  {receive, {0, 0, 0, 8}}});
    build.metric(seconds("comp"), "time", {{"main/step", {4, 0, 10, 0}}, {"THREADS/serve", {0, 0, 0, 7}}});
    build.metric(seconds("mpi_latesender"), "time", {{request, {6, 0, 0, 0}}, {receive, {0, 0, 0, 8}}});
    build.metric(seconds("delay"), "", {{"THREADS/serve", {0, 0, 0, 6}}});
    build.metric(seconds("delay_latesender_aggregate"), "delay", {{"THREADS/serve", {0, 0, 0, 6}}});
    const auto problems = algebra::summarize(build.take())->problems;
    const auto serving =
        std::ranges::find_if(problems, [](const auto& problem) { return problem.where.ends_with("serve"); });
    ASSERT_NE(serving, problems.end());
    EXPECT_THAT(serving->why, ::testing::Not(::testing::HasSubstr("serve requests")));
    EXPECT_TRUE(serving->gain.has_value());
}

/// The first of three ranks works longer in `exchange`, which another problem tells of; in what calls that
/// the second one does.
TEST(Turns, whoIsLateInAPlaceThatAnotherOneCalls_isNotNamedThere) {
    constexpr auto *kMain = "main", *kInner = "main/exchange", *kWait = "main/MPI_Barrier";
    const SmallExperiment::Rows work{{kMain, {0, 7, 1}}, {kInner, {6, 0, 0}}};
    SmallExperiment build(3, 1);
    build.metric(seconds("time"), "", {work[0], work[1], {kWait, {7, 6, 12}}});
    build.metric(seconds("comp"), "time", work);
    build.metric(seconds("mpi_barrier_wait"), "time", {{kWait, {7, 6, 12}}});
    const SmallExperiment::Rows delays{{kMain, {0, 13, 0}}, {kInner, {12, 0, 0}}};
    build.metric(seconds("delay"), "", delays);
    build.metric(seconds("delay_barrier_aggregate"), "delay", delays);
    const auto problems = algebra::summarize(build.take())->problems;
    const auto outer = std::ranges::find(problems, kMain, &algebra::Problem::where);
    ASSERT_NE(outer, problems.end());
    EXPECT_EQ(outer->locations, std::vector<algebra::LocationId>{algebra::LocationId(1)});
    EXPECT_THAT(outer->who, ::testing::StartsWith("without what other problems tell of, "));
    EXPECT_THAT(outer->who, ::testing::EndsWith(" takes 7.00 s, the others 500 ms on average"));
}

/// Two processes, whose second threads communicate: that of the second one waits for 9 s in all for that of
/// the first one, which works. Their first threads wait for the ends of these.
TEST(Turns, threadsThatCommunicateBesideTheFirstOnes_areCompared) {
    SmallExperiment build(2, 2);
    const std::string work = "THREADS/second", receive = "THREADS/second/MPI_Recv";
    build.metric(seconds("time"), "",
                 {{"main/pthread_join", {10, 0, 10, 0}}, {work, {0, 10, 0, 1}}, {receive, {0, 0, 0, 9}}});
    build.metric(seconds("comp"), "time", {{work, {0, 10, 0, 1}}});
    build.metric(seconds("mpi_latesender"), "time", {{receive, {0, 0, 0, 9}}});
    build.metric(seconds("delay"), "", {{work, {0, 9, 0, 0}}});
    build.metric(seconds("delay_latesender_aggregate"), "delay", {{work, {0, 9, 0, 0}}});
    const auto summary = algebra::summarize(build.take());
    ASSERT_FALSE(summary->problems.empty());
    const algebra::Problem& problem = summary->problems.front();
    EXPECT_THAT(problem.what, ::testing::StartsWith("One thread works "));
    EXPECT_THAT(problem.who, ::testing::HasSubstr("10.0 s"));
    EXPECT_EQ(problem.locations, std::vector<algebra::LocationId>{algebra::LocationId(1)});
}

/// The first process works longer than the second one, which waits for it at a barrier, and the third one has
/// only its messages to do something with.
TEST(Turns, whoWaitsInAnotherWay_isToldWhereToo) {
    constexpr auto *kBarrier = "main/step/MPI_Barrier", *kReceive = "main/serve/MPI_Recv";
    SmallExperiment build(3, 1);
    build.metric(seconds("time"), "",
                 {{"main/step", {10, 4, 0}}, {kBarrier, {0, 6, 0}}, {kReceive, {0, 0, 10}}});
    build.metric(seconds("comp"), "time", {{"main/step", {10, 4, 0}}});
    build.metric(seconds("mpi_barrier_wait"), "time", {{kBarrier, {0, 6, 0}}});
    build.metric(seconds("mpi_latesender"), "time", {{kReceive, {0, 0, 5}}});
    build.metric(seconds("delay"), "", {{"main/step", {11, 0, 0}}});
    build.metric(seconds("delay_barrier_aggregate"), "delay", {{"main/step", {6, 0, 0}}});
    build.metric(seconds("delay_latesender_aggregate"), "delay", {{"main/step", {5, 0, 0}}});
    const auto summary = algebra::summarize(build.take());
    ASSERT_FALSE(summary->problems.empty());
    EXPECT_THAT(
        summary->problems.front().why,
        ::testing::HasSubstr("55 % of the waiting for them is in collective operations, most in main › "
                             "step › MPI_Barrier; 45 % is for messages, most in main › serve › "
                             "MPI_Recv"));
}

}  // namespace
}  // namespace holos::testing
