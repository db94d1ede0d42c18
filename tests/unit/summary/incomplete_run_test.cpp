// SPDX-License-Identifier: BSD-3-Clause
// What a recording says of its run stands first, and nothing is concluded from a run of which something is
// missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "algebra/insight/summary/summary.h"
#include "algebra/model/processors.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/history/recorded_run.h"
#include "analyzer/analyze.h"
#include "tests/support/small_experiment.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::algebra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Two processes that spend 4 of their 10 s in collective operations.
Experiment run() {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {6, 6}}, {"main/call", {4, 4}}});
    build.metric(testing::seconds("mpi_collective"), "time", {{"main/call", {4, 4}}});
    build.counter("comms_coll", {{"main/call", {50, 50}}});
    return build.take();
}

TEST(SummaryOfRun, endsOfItsProcesses_standFirst) {
    Experiment experiment = run();
    experiment.attributes.emplace_back(kEndsAttribute, "Rank 0 was ended by signal 9 (SIGKILL)");
    const auto summary = summarize(experiment);
    EXPECT_THAT(summary->first, ElementsAre("Rank 0 was ended by signal 9 (SIGKILL)"));
    EXPECT_FALSE(summary->problems.empty());
}

/// As with the newest events of each thread only.
TEST(SummaryOfRun, ofWhichAPartWasRecorded_saysHowLongThatIs) {
    EXPECT_THAT(summarize(run())->run, StartsWith("2 processes ran for 10.0 s."));
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {6, 6}}, {"main/call", {4, 4}}});
    build.metric(testing::seconds("mpi_collective"), "time", {{"main/call", {4, 4}}});
    build.metric(testing::seconds("unrecorded"), "", {{"main", {30, 30}}});
    EXPECT_THAT(summarize(build.take())->run,
                StartsWith("2 processes were recorded for 10.0 s of their run of 40.0 s."));
}

TEST(SummaryOfIncompleteRun, isNotJudged) {
    Experiment experiment = run();
    ASSERT_FALSE(summarize(experiment)->problems.empty());
    experiment.attributes.emplace_back(std::string(kBrokenLawAttribute) + "processor time",
                                       "process 0 used 2.00 s, its recorded threads 0.90 s");
    const auto summary = summarize(experiment);
    EXPECT_TRUE(summary->problems.empty());
    EXPECT_FALSE(summary->isHealthy);
    EXPECT_THAT(summary->run, HasSubstr("not all of the run is there"));
    EXPECT_THAT(summary->first, ElementsAre(HasSubstr("processor time: process 0 used 2.00 s")));
    EXPECT_THAT(summary->run, ::testing::Not(HasSubstr("lost")));
}

/// Four ranks compute 10 ticks between barriers, the last one 40. One file of events is not there: its rank
/// did not compute for 0 s.
TEST(SummaryOfIncompleteRun, rankWithoutEvents_isNamedFirstAndComparedWithNobody) {
    testing::TraceBuilder trace(4);
    for (unsigned rank = 0; rank < 4; ++rank) {
        trace.on(rank).enter(0, "main");
        for (testing::Tick step = 0; step < 10; ++step) {
            const testing::Tick begin = 50 * step, work = rank == 3 ? 40 : 10;
            trace.on(rank).call(begin, begin + work, "work").barrier(begin + work, begin + 41);
        }
        trace.on(rank).leave(500);
    }
    const testing::TemporaryDirectory directory;
    const auto anchor = trace.write(directory.path());
    std::filesystem::remove(testing::eventFile(anchor, 0));
    const auto summary = summarize(analyzer::analyze(anchor).experiment);
    ASSERT_TRUE(summary && !summary->first.empty());
    EXPECT_EQ(summary->first.front(),
              "Events of MPI Rank 0 are missing: it is not known what happened there, and nobody is compared "
              "with that");
}

TEST(SummaryOfIncompleteRun, whereNobodyHasAllEvents_allAreCompared) {
    Experiment experiment = run();
    for (Location& location : experiment.system.locations)
        setAttribute(location.attributes, kDamagedAttribute, "1");
    const auto summary = summarize(experiment);
    ASSERT_FALSE(summary->first.empty());
    EXPECT_THAT(summary->first.front(), HasSubstr(" and "));
    EXPECT_FALSE(summary->isHealthy);
}

TEST(SummaryOfIncompleteRun, brokenLawStandsBeforeItsEnd) {
    Experiment experiment = run();
    experiment.attributes.emplace_back(kEndsAttribute, "All 2 processes exited with code 0");
    experiment.attributes.emplace_back(std::string(kBrokenLawAttribute) + "span", "1 event lies outside");
    EXPECT_THAT(summarize(experiment)->first,
                ElementsAre(HasSubstr("span: 1 event lies outside"), "All 2 processes exited with code 0"));
}

/// Two processes that compute equally long, by what was recorded; for `unrecorded` seconds each nothing was.
Experiment healthyRun(double unrecorded = 0) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {10, 10}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {10, 10}}});
    build.metric(testing::seconds("overhead"), "time", {{"main", {0, 0}}});
    build.metric(testing::seconds("imbalance"), "", {{"main", {0, 0}}});
    if (unrecorded > 0) {
        build.metric(testing::seconds("mpi_latesender"), "time", {{"main", {0, 0}}});
        build.metric(testing::seconds("unrecorded"), "", {{"main", {unrecorded, unrecorded}}});
    }
    return build.take();
}

/// As a program that does not find its input.
TEST(SummaryOfRun, whoseProcessesFailed_isNotCalledHealthy) {
    Experiment experiment = healthyRun();
    experiment.attributes.emplace_back(kFailedAttribute, "2");
    const auto summary = summarize(experiment);
    EXPECT_FALSE(summary->isHealthy);
    EXPECT_THAT(summary->run,
                HasSubstr("nor whether the run is healthy: not all of its processes exited with code 0"));
}

/// Two processes are in one call for 9 s, until the run is ended.
TEST(SummaryOfRun, thatFailedInACallMadeOnce_isNotToldToGainIt) {
    const auto inCall = [](double calls) {
        testing::SmallExperiment build(2, 1);
        build.metric(testing::seconds("time"), "", {{"main", {1, 1}}, {"main/MPI_File_open", {9, 9}}});
        build.metric(testing::seconds("comp"), "time", {{"main", {1, 1}}});
        build.metric(testing::seconds("mpi_mgmt_file"), "time", {{"main/MPI_File_open", {9, 9}}});
        build.metric(testing::seconds("visits"), "", {{"main/MPI_File_open", {calls, calls}}});
        return build.take();
    };
    EXPECT_TRUE(summarize(inCall(1))->problems.at(0).gain);
    for (const double calls : {1.0, 5.0}) {
        Experiment experiment = inCall(calls);
        experiment.attributes.emplace_back(kFailedAttribute, "2");
        const auto summary = summarize(experiment);
        const Problem& problem = summary->problems.at(0);
        EXPECT_EQ(problem.gain.has_value(), calls > 1);
        if (calls > 1) continue;
        EXPECT_EQ(problem.what, "A call lasts for most of a run that failed");
        EXPECT_THAT(problem.why, HasSubstr("may have hung in it until it was ended"));
    }
}

/// Three processes in a loop of calls, of which two never return from the last one.
TEST(SummaryOfRun, thatFailedInCallsOfALoop_saysWhichOnesAndPromisesNothing) {
    constexpr auto* kOpen = "main/MPI_File_open";
    testing::SmallExperiment build(3, 1);
    build.metric(testing::seconds("time"), "", {{"main", {1, 1, 10}}, {kOpen, {9, 9, 0}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {1, 1, 10}}});
    build.metric(testing::seconds("mpi_mgmt_file"), "time", {{kOpen, {9, 9, 0}}});
    build.metric(testing::seconds("visits"), "", {{kOpen, {5, 5, 0}}});
    build.metric(testing::seconds("unfinished_calls"), "", {{kOpen, {8, 7, 0}}});
    Experiment experiment = build.take();
    EXPECT_TRUE(summarize(experiment)->problems.at(0).gain);
    experiment.attributes.emplace_back(kFailedAttribute, "3");
    const auto summary = summarize(experiment);
    EXPECT_TRUE(summary->problems.empty());
    EXPECT_THAT(summary->run,
                HasSubstr("When the run ended, at least 2 of 3 processes had been for up to 8.00 s in calls "
                          "that did not return, main › MPI_File_open."));
}

/// The first thread joins the others, of which two wait for a lock until the run is killed. Of each lock
/// 1 s was before, and the last 2 s of the run were not recorded.
TEST(SummaryOfRun, thatFailedInLocksOfThreads_namesTheseAndNotTheJoin) {
    constexpr auto *kJoin = "main/pthread_join", *kLock = "THREADS/body/pthread_mutex_lock",
                   *kEnd = "THREADS/body/pthread_mutex_lock/NO MORE EVENTS";
    for (const bool isKilled : {false, true}) {
        testing::SmallExperiment build(1, 3);
        build.metric(testing::seconds("time"), "",
                     {{"main", {1, 0, 0}}, {kJoin, {3, 0, 0}}, {kLock, {0, 4, 4}}});
        build.metric(testing::seconds("comp"), "time", {{"main", {1, 0, 0}}});
        build.metric(testing::seconds("pthread_management"), "time", {{kJoin, {3, 0, 0}}});
        build.metric(testing::seconds("pthread_lock_api"), "time", {{kLock, {0, 4, 4}}});
        build.metric(testing::seconds("pthread_lock_contention_mutex_lock"), "pthread_lock_api",
                     {{kLock, {0, 0, 0}}});
        build.metric(testing::seconds("unrecorded"), "", {});
        build.metric(testing::seconds("no_more_events"), "unrecorded",
                     {{"main/pthread_join/NO MORE EVENTS", {2, 0, 0}}, {kEnd, {0, 2, 2}}});
        build.metric(testing::seconds("unfinished_calls"), "", {{kJoin, {5, 0, 0}}, {kLock, {0, 5, 5}}});
        Experiment experiment = build.take();
        if (isKilled) experiment.attributes.emplace_back(kFailedAttribute, "1");
        const auto summary = summarize(experiment);
        EXPECT_NEAR(summary->percentLost, 100.0 * 11 / 12, 1e-9);
        EXPECT_THAT(summary->run, HasSubstr(isKilled ? "75 % calls that did not return and 17 % locks of "
                                                     : "67 % locks of threads themselves and 25 % "));
        const auto names = HasSubstr(
            "When the run ended, 2 threads had been for up to 5.00 s in calls that did not return, THREADS "
            "› body › pthread_mutex_lock, and 1 more waited for the end of threads.");
        EXPECT_EQ(::testing::Value(summary->run, names), isKilled);
    }
}

/// One waits for a message that nobody sends, and the other one at a barrier for the first: both until the
/// end.
TEST(SummaryOfRun, thatFailedInDifferentCalls_namesAllOfThem) {
    constexpr auto *kRecv = "main/MPI_Recv", *kBarrier = "main/MPI_Barrier";
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {1, 1}}, {kRecv, {9, 0}}, {kBarrier, {0, 9}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {1, 1}}});
    build.metric(testing::seconds("unfinished_calls"), "", {{kRecv, {9, 0}}, {kBarrier, {0, 9}}});
    Experiment experiment = build.take();
    experiment.attributes.emplace_back(kFailedAttribute, "2");
    EXPECT_THAT(summarize(experiment)->run,
                HasSubstr("all 2 processes had been for up to 9.00 s in calls that did not return, main › "
                          "MPI_Recv (MPI Rank 0) and main › MPI_Barrier (MPI Rank 1)."));
}

/// Both start MPI for 0.2 s; then nothing is recorded until the run is ended.
TEST(SummaryOfRun, thatWasHardlyRecorded_isNotSaidToStartMpiMostOfTheTime) {
    const auto doubtsWith = [](double unrecorded) {
        testing::SmallExperiment build(2, 1);
        build.metric(testing::seconds("time"), "", {{"main", {0.1, 0.1}}, {"main/MPI_Init", {0.2, 0.2}}});
        build.metric(testing::seconds("comp"), "time", {{"main", {0.1, 0.1}}});
        build.metric(testing::seconds("mpi_init_exit"), "time", {{"main/MPI_Init", {0.2, 0.2}}});
        build.metric(testing::seconds("unrecorded"), "", {{"main", {unrecorded, unrecorded}}});
        std::string texts;
        const auto summary = summarize(build.take());
        for (const Doubt& doubt : summary->doubts) texts += doubt.text + '\n';
        return texts;
    };
    EXPECT_THAT(doubtsWith(0), HasSubstr("Starting and ending MPI is 67 % of this run"));
    EXPECT_THAT(doubtsWith(9), ::testing::Not(HasSubstr("Starting and ending MPI")));
}

/// A process that is aborted soon after it began to wait.
TEST(SummaryOfRun, thatFailedInAShortCall_doesNotSaySo) {
    testing::SmallExperiment build(1, 1);
    build.metric(testing::seconds("time"), "", {{"main", {9}}, {"main/MPI_Abort", {1}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {9}}});
    build.metric(testing::seconds("unfinished_calls"), "", {{"main/MPI_Abort", {0.1}}});
    Experiment experiment = build.take();
    experiment.attributes.emplace_back(kFailedAttribute, "1");
    EXPECT_THAT(summarize(experiment)->run, ::testing::Not(HasSubstr("When the run ended")));
}

TEST(SummaryOfRun, ofWhichMpiWasNotRecorded_isNotCalledHealthy) {
    Experiment experiment = healthyRun();
    ASSERT_TRUE(summarize(experiment)->isHealthy);
    const std::string note = "2 processes (0, 1): MPI is not recorded: the program uses another one";
    experiment.attributes.emplace_back(std::string(kNotRecordedAttribute) + "MPI", note);
    const auto summary = summarize(experiment);
    EXPECT_FALSE(summary->isHealthy);
    EXPECT_THAT(summary->run, HasSubstr("nor whether the run is healthy: MPI was not measured"));
    EXPECT_EQ(summary->doubts.front().text, note);
}

/// The file may have said that MPI was not recorded.
TEST(SummaryOfRun, ofWhichNotAllFactsCanBeRead_isNotCalledHealthy) {
    Experiment experiment = healthyRun();
    experiment.attributes.emplace_back(kUnreadFactsAttribute, "measurement.json is damaged");
    const auto summary = summarize(experiment);
    EXPECT_FALSE(summary->isHealthy);
    EXPECT_THAT(summary->run,
                HasSubstr("nor whether the run is healthy: not all that is said of its recording"));
    EXPECT_THAT(summary->first, ElementsAre("measurement.json is damaged"));
}

/// A thread is in calls of CUDA for most of its time: there it may wait for a kernel, or do something.
TEST(SummaryOfRun, thatMayWaitForAnAccelerator_isNotCalledHealthy) {
    const auto inCalls = [](const char* paradigm, double seconds) {
        testing::SmallExperiment build(1, 1);
        build.metric(testing::seconds("time"), "", {{"main", {10 - seconds}}, {"main/sync", {seconds}}});
        build.metric(testing::seconds("comp"), "time", {{"main", {10 - seconds}}, {"main/sync", {seconds}}});
        build.metric(testing::seconds("overhead"), "time", {{"main", {0}}});
        build.metric(testing::seconds("imbalance"), "", {{"main", {0}}});
        Experiment experiment = build.take();
        for (Region& region : experiment.regions)
            if (region.name == "sync") region.paradigm = paradigm;
        return summarize(experiment).value();
    };
    EXPECT_TRUE(inCalls("user", 9).isHealthy);
    EXPECT_TRUE(inCalls("cuda", 0.05).isHealthy);
    EXPECT_FALSE(inCalls("cuda", 9).isHealthy);
    EXPECT_THAT(inCalls("cuda", 9).run,
                HasSubstr("What is lost is not known, nor whether the run is healthy: "
                          "waiting for accelerators was not measured."));
    EXPECT_THAT(inCalls("shmem", 9).run, HasSubstr("waiting for other processes was not measured"));
}

/// Messages of which the receives have no sends: what they waited is not known, nor that nothing was lost.
TEST(SummaryOfRun, whoseTraceHasGaps_isNotCalledHealthy) {
    Experiment experiment = healthyRun();
    experiment.files["holos.diagnoses"] = "rank 1: a receive has no send; it counts without its bytes";
    const auto summary = summarize(experiment);
    EXPECT_FALSE(summary->isHealthy);
    EXPECT_THAT(summary->run, HasSubstr("the trace has gaps or damage"));
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {4, 10}}, {"main/MPI_Recv", {6, 0}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {4, 10}}});
    build.metric(testing::seconds("mpi_point2point"), "time", {{"main/MPI_Recv", {6, 0}}});
    build.metric(testing::seconds("mpi_latesender"), "mpi_point2point", {{"main/MPI_Recv", {0, 0}}});
    Experiment messages = build.take();
    EXPECT_EQ(summarize(messages)->problems.at(0).kind, "communication");
    messages.files["holos.diagnoses"] = experiment.files["holos.diagnoses"];
    EXPECT_TRUE(summarize(messages)->problems.empty());
}

TEST(SummaryOfRun, whoseParametersWereLeftOut_isCalledHealthy) {
    Experiment experiment = healthyRun();
    experiment.files["holos.diagnoses"] =
        "location 0, event 2, 0.1 s: not analyzed: parameters of calls were left out (3 times)";
    EXPECT_TRUE(summarize(experiment)->isHealthy);
}

TEST(SummaryOfRun, ofWhichMuchWasNotRecorded_isNotCalledHealthy) {
    const auto summaryWith = [](double unrecorded) { return *summarize(healthyRun(unrecorded)); };
    EXPECT_TRUE(summaryWith(0.05).isHealthy);
    EXPECT_FALSE(summaryWith(2.5).isHealthy);
    EXPECT_THAT(summaryWith(2.5).run,
                HasSubstr("2 processes were recorded for 10.0 s of their run of 12.5 s."));
    EXPECT_THAT(summaryWith(2.5).run, HasSubstr("20 % of the time of all threads was not recorded"));
}

/// The first thread starts two others, in turn or together, and waits for their end.
TEST(SummaryOfRun, whoseFirstThreadIsAloneForLong_isNotCalledHealthy) {
    const auto summaryWith = [](const std::string& alone) {
        constexpr auto *kJoin = "main/pthread_join", *kWork = "THREADS/work";
        testing::SmallExperiment build(1, 3);
        build.metric(testing::seconds("time"), "",
                     {{"main", {6, 0, 0}}, {kJoin, {4, 0, 0}}, {kWork, {0, 4.1, 4.1}}});
        build.metric(testing::seconds("comp"), "time", {{"main", {6, 0, 0}}, {kWork, {0, 4.1, 4.1}}});
        build.metric(testing::seconds("pthread_time"), "time", {{kJoin, {4, 0, 0}}});
        build.metric(testing::seconds("pthread_join_wait"), "pthread_time", {{kJoin, {4, 0, 0}}});
        build.metric(testing::seconds("pthread_join_wait_uneven"), "pthread_join_wait", {{kJoin, {0, 0, 0}}});
        build.metric(testing::seconds("pthread_join_wait_single"), "pthread_join_wait", {{kJoin, {0, 0, 0}}});
        build.metric(testing::seconds("overhead"), "time", {{"main", {0, 0, 0}}});
        build.metric(testing::seconds("imbalance"), "", {{"main", {0, 0, 0}}});
        build.metric(testing::seconds("delay"), "", {{kWork, {0, 0, 4}}});
        build.metric(testing::seconds("delay_pthread_join"), "delay", {{kWork, {0, 0, 4}}});
        Experiment experiment = build.take();
        if (!alone.empty()) experiment.attributes.emplace_back(kSecondsWithOneThreadAttribute, alone);
        return *summarize(experiment);
    };
    EXPECT_TRUE(summaryWith("1").isHealthy);
    EXPECT_FALSE(summaryWith("6").isHealthy);
    EXPECT_THAT(summaryWith("6").run, HasSubstr("its first thread works alone for much of the time"));
    EXPECT_THAT(
        summaryWith("6").doubts.at(0).text,
        HasSubstr("For at least 6.00 s of 10.0 s the first thread works while there is no other one"));
}

/// Calls that return at once are not recorded: what they wait for seems to be computation.
TEST(SummaryOfRun, thatWaitsBySchedYield_isNotCalledHealthy) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {10, 10}}, {"main/sched_yield", {0.01, 0}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {10, 10}}});
    build.metric(testing::seconds("system_waiting"), "time", {{"main/sched_yield", {0.01, 0}}});
    build.metric(testing::seconds("visits"), "", {{"main/sched_yield", {1, 0}}});
    build.metric(testing::seconds("overhead"), "time", {{"main", {0, 0}}});
    build.metric(testing::seconds("imbalance"), "", {{"main", {0, 0}}});
    const auto summary = summarize(build.take());
    EXPECT_FALSE(summary->isHealthy);
    EXPECT_THAT(summary->run, HasSubstr("threads that wait by sched_yield seem to compute"));
}

/// One process is there for two seconds of ten.
TEST(SummaryOfRun, whoseProcessesAreNotThereTogether_isNotCalledHealthy) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {10, 2}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {10, 2}}});
    build.metric(testing::seconds("overhead"), "time", {{"main", {0, 0}}});
    build.metric(testing::seconds("imbalance"), "", {{"main", {0, 0}}});
    const auto summary = summarize(build.take());
    EXPECT_FALSE(summary->isHealthy);
    EXPECT_THAT(summary->run, HasSubstr("some processes were there for less than half of the run"));
}

/// All threads were added up to one: some of them waited for others, and nobody knows which.
TEST(SummaryOfRun, ofWhichOneThreadStandsForAll_saysNothingOfWhoIsLate) {
    testing::SmallExperiment build(1, 1);
    build.barriers(
        {.work = {{"main", {6}}}, .waits = {{"main/MPI_Barrier", {4}}}, .delays = {{"main", {4}}}});
    const Problem problem = summarize(build.take())->problems.at(0);
    EXPECT_EQ(problem.what, "Work is distributed unevenly, and some wait for others");
    EXPECT_EQ(problem.who, "");
    EXPECT_EQ(problem.pattern, "");
    EXPECT_FALSE(problem.gain.has_value());
}

/// The kernel counted that a thread lacked a processor in the whole run, not in this part of its call tree.
TEST(SummaryOfRun, ofWhichThereIsAPartOfTheCallTree_lacksNoProcessorsForThat) {
    Experiment experiment = healthyRun();
    for (Location& location : experiment.system.locations)
        location.attributes = {{std::string(kOnProcessorsAttribute), "9000000000"},
                               {std::string(kWaitingForProcessorsAttribute), "9000000000"}};
    ASSERT_FALSE(summarize(experiment)->doubts.empty());
    const std::size_t before = summarize(experiment)->doubts.size();
    Provenance cut;
    cut.operation = "cut";
    setProvenance(experiment, cut);
    EXPECT_EQ(summarize(experiment)->doubts.size(), before - 1);
}

/// A serial program without calls: between its events, the first and the last, nothing is known to be lacked.
TEST(SummaryOfRun, thatLackedAProcessorWithoutCalls_isNotCalledHealthy) {
    testing::SmallExperiment build(1, 1);
    build.metric(testing::seconds("time"), "", {{"main", {10}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {10}}});
    build.metric(testing::seconds("overhead"), "time", {{"main", {0}}});
    build.metric(testing::seconds("imbalance"), "", {{"main", {0}}});
    Experiment experiment = build.take();
    experiment.system.locations.front().attributes = {
        {std::string(kOnProcessorsAttribute), "6000000000"},
        {std::string(kWaitingForProcessorsAttribute), "4000000000"},
        {std::string(kShortageAttribute), "0"}};
    const auto summary = summarize(experiment);
    EXPECT_FALSE(summary->isHealthy);
    ASSERT_EQ(summary->problems.size(), 1U);
    EXPECT_TRUE(summary->problems.front().isMistake);
    EXPECT_DOUBLE_EQ(summary->problems.front().cost, 4);
    EXPECT_THAT(summary->run,
                HasSubstr("40 % of the time of all threads is lost: 40 % waiting for processors"));
    EXPECT_THAT(summary->doubts.front().text, ::testing::Not(HasSubstr("MPI")));
}

/// Of a thread that nearly always sleeps the kernel says that it lacked a processor, and nobody knows when.
TEST(SummaryOfRun, thatSleepsAndLackedAProcessor_losesNoMoreThanItsTime) {
    testing::SmallExperiment build(1, 1);
    build.metric(testing::seconds("time"), "", {{"main", {0.2}}, {"main/sleep", {9.8}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {0.2}}});
    build.metric(testing::seconds("system_waiting"), "time", {{"main/sleep", {9.8}}});
    Experiment experiment = build.take();
    experiment.system.locations.front().attributes = {
        {std::string(kOnProcessorsAttribute), "200000000"},
        {std::string(kWaitingForProcessorsAttribute), "800000000"},
        {std::string(kShortageAttribute), "0"}};
    const auto summary = summarize(experiment);
    EXPECT_NEAR(summary->percentLost, 100, 1e-9);
    EXPECT_THAT(summary->run, HasSubstr("98 % sleeping and 2.0 % waiting for processors"));
}

TEST(SummaryOfASnapshot, whatIsNotChecked_isSaid) {
    Experiment experiment = run();
    experiment.attributes.emplace_back(kNotCheckedAttribute,
                                       "A snapshot: whether all is there is not checked");
    const auto summary = summarize(experiment);
    EXPECT_THAT(summary->first, ElementsAre("A snapshot: whether all is there is not checked"));
    EXPECT_FALSE(summary->problems.empty());
}

}  // namespace
}  // namespace holos::algebra
