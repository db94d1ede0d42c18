// SPDX-License-Identifier: BSD-3-Clause
// Mistakes in how a program was started or recorded, and runs of which little can be said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "algebra/insight/summary/summary.h"
#include "algebra/model/processors.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/history/recorded_run.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Four threads of one process that compute for 10 s each; for `unrecorded` more nobody knows what they do.
Experiment fourThreads(const std::string& mayUse, const std::string& waited, double unrecorded = 0) {
    Experiment made = testing::SmallExperiment(1, 4)
                          .metric(testing::seconds("time"), "", {{"main", {10, 10, 10, 10}}})
                          .metric(testing::seconds("comp"), "time", {{"main", {10, 10, 10, 10}}})
                          .metric(testing::seconds("pthread_time"), "time", {{"main", {0, 0, 0, 0}}})
                          .metric(testing::seconds("overhead"), "time", {{"main", {0, 0, 0, 0}}})
                          .metric(testing::seconds("imbalance"), "", {{"main", {0, 0, 0, 0}}})
                          .metric(testing::seconds("unrecorded"), "",
                                  {{"main", {unrecorded, unrecorded, unrecorded, unrecorded}}})
                          .take();
    for (Location& thread : made.system.locations)
        thread.attributes = {{"may use", mayUse},
                             {std::string(kOnProcessorsAttribute), "1000000000"},
                             {std::string(kWaitingForProcessorsAttribute), waited}};
    for (const SystemNodeId node : made.system.nodes.ids())
        made.system.nodes[node].attributes = {{std::string(kSocketsAttribute), "1"},
                                              {std::string(kCoresAttribute), "8"},
                                              {std::string(kUnitsAttribute), "1"}};
    return made;
}

TEST(StartedBadly, threadsBoundToOneProcessor_areAMistakeThatComesFirst) {
    const auto summary = summarize(fourThreads("3", "7000000000"));
    ASSERT_TRUE(summary);
    ASSERT_EQ(summary->problems.size(), 1U);
    const Problem& problem = summary->problems.front();
    EXPECT_EQ(problem.kind, "binding");
    EXPECT_TRUE(problem.isMistake);
    EXPECT_DOUBLE_EQ(problem.cost, 28);
    EXPECT_THAT(problem.who, HasSubstr("4 threads on node 1 may use only processor 3 of 8"));
    EXPECT_DOUBLE_EQ(problem.gain.value(), 7);
}

/// On the only processor that they may use others were nearly all the time: one of their own does not help.
TEST(StartedBadly, threadsBoundToAProcessorThatOthersUse_lackWhatOthersHave) {
    const Problem problem = summarize(fourThreads("3", "9500000000"))->problems.at(0);
    EXPECT_EQ(problem.kind, "lost-processors");
    EXPECT_THAT(problem.who, HasSubstr("4 threads on node 1 may use only processor 3 of 8"));
}

/// As a program does by itself, and OpenMP for the first thread.
TEST(StartedBadly, threadsThatAreBoundLater_areBoundAllTheSame) {
    Experiment experiment = fourThreads("0-7", "7000000000");
    for (Location& thread : experiment.system.locations) thread.attributes.push_back({"may use at end", "3"});
    const Problem problem = summarize(experiment).value().problems.at(0);
    EXPECT_EQ(problem.kind, "binding");
    EXPECT_THAT(problem.who, HasSubstr("4 threads on node 1 may use only processor 3 of 8"));
}

TEST(StartedBadly, moreThreadsThanProcessorsOfTheNode_isOversubscription) {
    Experiment experiment = fourThreads("0-1", "3000000000");
    for (const SystemNodeId node : experiment.system.nodes.ids())
        experiment.system.nodes[node].attributes[1].second = "2";
    EXPECT_EQ(summarize(experiment)->problems.at(0).kind, "oversubscription");
}

/// As a process that becomes one program after the other.
TEST(StartedBadly, threadsThatFollowEachOther_areNotTooMany) {
    const auto problemWith = [](double unrecorded) {
        Experiment experiment = fourThreads("0-1", "3000000000", unrecorded);
        for (const SystemNodeId node : experiment.system.nodes.ids())
            experiment.system.nodes[node].attributes[1].second = "2";
        experiment.attributes.emplace_back(kSecondsOfRunAttribute, "40");
        return summarize(experiment)->problems.at(0);
    };
    EXPECT_EQ(problemWith(0).kind, "lost-processors");
    EXPECT_EQ(problemWith(0).who,
              "4 threads on node 1, which has 2 processors; on average no more than one lives at a time");
    EXPECT_EQ(problemWith(10).kind, "oversubscription");
}

/// Each of four threads waits for 7 s: for at least 7 s both processors were in use, 14 s in all, of which
/// these threads had 4 s.
TEST(StartedBadly, moreThreadsThanProcessorsThatOthersUse_areLostToOthers) {
    Experiment experiment = fourThreads("0-1", "7000000000");
    for (const SystemNodeId node : experiment.system.nodes.ids())
        experiment.system.nodes[node].attributes[1].second = "2";
    const Problem problem = summarize(experiment)->problems.at(0);
    EXPECT_EQ(problem.kind, "lost-processors");
    EXPECT_THAT(problem.who, HasSubstr("4 threads on node 1, which has 2 processors"));
    EXPECT_THAT(problem.why, HasSubstr("others had processors for at least 10.0 s while they waited"));
    EXPECT_THAT(problem.why, HasSubstr("they themselves had processors for 4.00 s"));
}

/// They had processors for 4 s together; what others had is known, and that is more or less.
TEST(StartedBadly, useOfTheMachine_provesWhoHadTheProcessors) {
    Experiment experiment = fourThreads("0-1", "3000000000");
    for (const SystemNodeId node : experiment.system.nodes.ids()) {
        Attributes& attributes = experiment.system.nodes[node].attributes;
        attributes[1].second = "2";
        attributes.emplace_back(kMachineUseAttribute, "16.5");
    }
    const Problem byOthers = summarize(experiment)->problems.at(0);
    EXPECT_EQ(byOthers.kind, "lost-processors");
    EXPECT_THAT(
        byOthers.why,
        HasSubstr(
            "these threads used processors for 4.00 s, and everything that was not recorded for 12.5 s"));
    for (const SystemNodeId node : experiment.system.nodes.ids())
        experiment.system.nodes[node].attributes.back().second = "4.50";
    const Problem byThemselves = summarize(experiment)->problems.at(0);
    EXPECT_EQ(byThemselves.kind, "oversubscription");
    EXPECT_THAT(
        byThemselves.why,
        HasSubstr(
            "these threads used processors for 4.00 s, and everything that was not recorded for 500 ms"));
}

/// Of threads that lived for a moment the kernel tells how long they were on processors, but not how long
/// they waited for one.
TEST(StartedBadly, threadsOfWhichOnlyTheUseIsKnown_hadProcessorsToo) {
    Experiment experiment = fourThreads("0-1", "9000000000");
    for (const SystemNodeId node : experiment.system.nodes.ids()) {
        experiment.system.nodes[node].attributes[1].second = "2";
        experiment.system.nodes[node].attributes.emplace_back(kMachineUseAttribute, "16.5");
    }
    auto& threads = experiment.system.locations;
    threads[2].attributes.pop_back();
    threads[3].attributes.pop_back();
    EXPECT_THAT(summarize(experiment)->problems.at(0).why,
                HasSubstr("they themselves had processors for 4.00 s in the whole run"));
    threads[3].attributes.pop_back();
    EXPECT_THAT(summarize(experiment)->problems.at(0).why, Not(HasSubstr("they themselves had")));
}

/// Two processors are not in use for a day in a run of some seconds, and not for less than no time.
TEST(StartedBadly, useOfTheMachineThatCannotBe_isNotSaid) {
    for (const char* seconds : {"86400", "1e308", "-5"}) {
        Experiment experiment = fourThreads("0-1", "7000000000");
        for (const SystemNodeId node : experiment.system.nodes.ids()) {
            experiment.system.nodes[node].attributes[1].second = "2";
            experiment.system.nodes[node].attributes.emplace_back(kMachineUseAttribute, seconds);
        }
        EXPECT_THAT(summarize(experiment)->problems.at(0).why, Not(HasSubstr("that was not recorded for")))
            << seconds;
    }
}

/// Four threads for two processors, which they have for 8 s together, and others for 6 s. They lack one for 4
/// s: not even two of them can run at a time, on average.
TEST(StartedBadly, threadsThatDoNotRunAtATime_areNotTooMany) {
    const auto kindWith = [](const char* waited) {
        Experiment experiment = fourThreads("0-1", waited);
        for (const SystemNodeId node : experiment.system.nodes.ids()) {
            Attributes& attributes = experiment.system.nodes[node].attributes;
            attributes[1].second = "2";
            attributes.emplace_back(kMachineUseAttribute, "14");
        }
        for (Location& thread : experiment.system.locations)
            for (auto& [key, value] : thread.attributes)
                if (key == kOnProcessorsAttribute) value = "2000000000";
        return summarize(experiment)->problems.at(0).kind;
    };
    EXPECT_EQ(kindWith("1000000000"), "lost-processors");
    EXPECT_EQ(kindWith("3000000000"), "oversubscription");  // more than others had
}

/// They wait for 28 s, of which the limit explains 20.
TEST(StartedBadly, limitOfAContainer_isNotTakenForOtherPrograms) {
    Experiment experiment = fourThreads("0-7", "7000000000");
    experiment.attributes.emplace_back(kProcessorLimitAttribute, "0.5");
    experiment.attributes.emplace_back(kStoppedByLimitAttribute, "20");
    const Problem problem = summarize(experiment)->problems.at(0);
    EXPECT_EQ(problem.kind, "processor-limit");
    EXPECT_THAT(problem.what, HasSubstr("limit of 0.5 processors stopped the threads for 20.0 s"));
}

TEST(StartedBadly, limitThatHardlyStopsThem_isNotTheCause) {
    Experiment experiment = fourThreads("0-7", "7000000000");
    experiment.attributes.emplace_back(kProcessorLimitAttribute, "6");
    experiment.attributes.emplace_back(kStoppedByLimitAttribute, "2");
    EXPECT_EQ(summarize(experiment)->problems.at(0).kind, "lost-processors");
}

/// A changed file may say anything: of 8 processors each was there for hardly more than the 10 s of the run.
TEST(StartedBadly, limitThatCannotBe_isNotTheCause) {
    for (const auto& [processors, stopped] : {std::pair{"1e+300", "20"}, std::pair{"0.5", "1e+300"}}) {
        Experiment experiment = fourThreads("0-7", "7000000000");
        experiment.attributes.emplace_back(kProcessorLimitAttribute, processors);
        experiment.attributes.emplace_back(kStoppedByLimitAttribute, stopped);
        EXPECT_EQ(summarize(experiment)->problems.at(0).kind, "lost-processors");
    }
}

/// What they compute keeps both processors busy all the time, however many threads do it.
TEST(StartedBadly, fewerThreadsOnBusyProcessors_gainNothing) {
    Experiment experiment = fourThreads("0-1", "5000000000");
    for (const SystemNodeId node : experiment.system.nodes.ids())
        experiment.system.nodes[node].attributes[1].second = "2";
    for (Location& thread : experiment.system.locations)
        for (auto& [key, value] : thread.attributes)
            if (key == kOnProcessorsAttribute) value = "5000000000";
    const Problem problem = summarize(experiment)->problems.at(0);
    EXPECT_EQ(problem.kind, "oversubscription");
    EXPECT_DOUBLE_EQ(problem.cost, 20);
    EXPECT_DOUBLE_EQ(problem.gain.value(), 0);
}

TEST(StartedBadly, processorsForAllButWaiting_areLostToOthers) {
    EXPECT_EQ(summarize(fourThreads("0-2,5-7", "3000000000"))->problems.at(0).kind, "lost-processors");
}

/// The kernel counts from the begin of a thread to its end: 8 s on processors, 24 s waiting for one.
TEST(StartedBadly, partOfARun_hasItsShareOfTheWaiting) {
    Experiment experiment = fourThreads("3", "24000000000");
    for (Location& thread : experiment.system.locations)
        for (auto& [key, value] : thread.attributes)
            if (key == kOnProcessorsAttribute) value = "8000000000";
    const auto summary = summarize(experiment);
    ASSERT_TRUE(summary);
    const Problem& problem = summary->problems.at(0);
    EXPECT_DOUBLE_EQ(problem.cost, 4 * 10 * 0.75);
    EXPECT_DOUBLE_EQ(problem.gain.value(), 7.5);
    EXPECT_THAT(problem.why, HasSubstr("in proportion to the part that was analyzed"));
}

TEST(StartedBadly, littleWaiting_isNotSaid) {
    EXPECT_TRUE(summarize(fourThreads("3", "200000000"))->isHealthy);  // 2 %
}

/// Two ranks that compute for a time of 10 s, and are in MPI for the rest; each waits 3 s for a processor.
Experiment twoRanks(double computes) {
    const double calls = 10 - computes;
    Experiment made =
        testing::SmallExperiment(2, 1)
            .metric(testing::seconds("time"), "",
                    {{"main", {computes, computes}}, {"main/MPI_Recv", {calls, calls}}})
            .metric(testing::seconds("comp"), "time", {{"main", {computes, computes}}})
            .metric(testing::seconds("mpi"), "time", {{"main/MPI_Recv", {calls, calls}}})
            .metric(testing::seconds("mpi_communication"), "mpi", {{"main/MPI_Recv", {calls, calls}}})
            .metric(testing::seconds("mpi_point2point"), "mpi_communication",
                    {{"main/MPI_Recv", {calls, calls}}})
            .metric(testing::seconds("mpi_latesender"), "mpi_point2point", {{"main/MPI_Recv", {0, 0}}})
            .metric(testing::seconds("overhead"), "time", {{"main", {0, 0}}})
            .metric(testing::seconds("imbalance"), "", {{"main", {0, 0}}})
            .take();
    for (Location& thread : made.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "7000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "3000000000"}};
    return made;
}

/// Who waits in MPI gives the processor to others, and waits for it again: nobody is too many.
TEST(StartedBadly, waitingForProcessorsThatMayBeInMpi_isADoubtAndNoProblem) {
    const auto summary = summarize(twoRanks(5));
    ASSERT_TRUE(summary);
    for (const Problem& problem : summary->problems) EXPECT_FALSE(problem.isMistake) << problem.kind;
    ASSERT_FALSE(summary->doubts.empty());
    EXPECT_THAT(summary->doubts.front().text, HasSubstr("waited for processors for 30 % of their time"));
}

TEST(StartedBadly, waitingForProcessorsThatIsLongerThanMpi_isAtLeastTheRest) {
    const auto summary = summarize(twoRanks(9));
    ASSERT_TRUE(summary);
    ASSERT_FALSE(summary->problems.empty());
    const Problem& problem = summary->problems.front();
    EXPECT_EQ(problem.kind, "lost-processors");
    EXPECT_DOUBLE_EQ(problem.cost, 4);  // 2 * (3 - 1)
    EXPECT_THAT(problem.why, HasSubstr("6.00 s for a processor"));
    EXPECT_THAT(problem.why, HasSubstr("at least 4.00 s of it while they computed"));
}

/// Calls that threads without a processor are in look long.
TEST(StartedBadly, communicationNoLongerThanWaitingForProcessors_isWithheld) {
    const auto isOfMessages = [](const Problem& problem) { return problem.kind == "communication"; };
    EXPECT_EQ(std::ranges::count_if(summarize(twoRanks(7.5))->problems, isOfMessages), 0);  // 5 s of 6 s
    EXPECT_EQ(std::ranges::count_if(summarize(twoRanks(5))->problems, isOfMessages), 1);    // 10 s
}

/// Four threads that compute for 4 s and wait for processors for 6 s, all of which events tell of. Others
/// wait for the first one meanwhile.
Experiment fourStarvedThreads(double delay) {
    constexpr auto* kWaiting = "main/WAITING FOR A PROCESSOR";
    Experiment made =
        testing::SmallExperiment(1, 4)
            .metric(testing::seconds("time"), "", {{"main", {4, 4, 4, 4}}, {kWaiting, {6, 6, 6, 6}}})
            .metric(testing::seconds("comp"), "time", {{"main", {4, 4, 4, 4}}})
            .metric(testing::seconds("processor_waiting"), "time", {{kWaiting, {6, 6, 6, 6}}})
            .metric(testing::seconds("overhead"), "time", {{"main", {0, 0, 0, 0}}})
            .metric(testing::seconds("imbalance"), "", {{"main", {0, 0, 0, 0}}})
            .metric(testing::seconds("delay"), "", {{kWaiting, {delay, 0, 0, 0}}})
            .metric(testing::seconds("delay_latesender_aggregate"), "delay", {{kWaiting, {delay, 0, 0, 0}}})
            .take();
    for (Location& thread : made.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "4000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "6000000000"},
                             {std::string(kShortageAttribute), "6000000000"}};
    return made;
}

TEST(StartedBadly, waitingForProcessorsBetweenEvents_isAProblemByItsCost) {
    const auto summary = summarize(fourStarvedThreads(0));
    ASSERT_TRUE(summary);
    ASSERT_EQ(summary->problems.size(), 1U);
    const Problem& problem = summary->problems.front();
    EXPECT_EQ(problem.kind, "lost-processors");
    EXPECT_FALSE(problem.isMistake);
    EXPECT_DOUBLE_EQ(problem.cost, 24);
    EXPECT_DOUBLE_EQ(problem.gain.value(), 6);
    EXPECT_THAT(problem.why, HasSubstr("no processor for 24.0 s"));
    for (const Doubt& doubt : summary->doubts)
        EXPECT_THAT(doubt.text, Not(HasSubstr("waited for processors")));
}

/// A program has to change for that, but first it needs its processors.
TEST(StartedBadly, pollsOfARunThatLackedMoreProcessors_standBehindThat) {
    constexpr auto* kWaiting = "main/WAITING FOR A PROCESSOR";
    constexpr auto* kTest = "main/MPI_Test";
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {4, 4}}, {kWaiting, {4, 4}}, {kTest, {2, 2}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {4, 4}}});
    build.metric(testing::seconds("processor_waiting"), "time", {{kWaiting, {4, 4}}});
    build.metric(testing::seconds("mpi"), "time", {{kTest, {2, 2}}});
    build.metric(testing::seconds("mpi_latesender_polling"), "mpi", {{kTest, {0, 0}}});
    build.counter("visits", {{kTest, {56000, 57000}}});
    Experiment made = build.take();
    for (Location& thread : made.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "6000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "4000000000"},
                             {std::string(kShortageAttribute), "4000000000"}};
    const auto summary = summarize(made);
    ASSERT_EQ(summary->problems.size(), 2U);
    EXPECT_EQ(summary->problems[0].kind, "lost-processors");
    EXPECT_EQ(summary->problems[1].kind, "polling");
    EXPECT_EQ(summary->problems[1].who, "113 thousand calls there");
}

/// No work is to be given to others because of it.
TEST(StartedBadly, waitsForThreadsThatHadNoProcessor_areOfNoOtherProblem) {
    const auto summary = summarize(fourStarvedThreads(8));
    ASSERT_TRUE(summary);
    ASSERT_EQ(summary->problems.size(), 1U);
    EXPECT_EQ(summary->problems.front().kind, "lost-processors");
    EXPECT_DOUBLE_EQ(summary->problems.front().cost, 24 + 8);
    EXPECT_THAT(summary->problems.front().why, HasSubstr("others waited 8.00 s for them"));
}

/// Two threads live for 5 s each, one after the other, and lack a processor for 3 s each: the run would take
/// 4 s.
TEST(StartedBadly, threadsThatLiveOneAfterTheOther_gainWhatEachLacked) {
    constexpr auto* kWaiting = "main/WAITING FOR A PROCESSOR";
    Experiment made = testing::SmallExperiment(1, 2)
                          .metric(testing::seconds("time"), "", {{"main", {2, 2}}, {kWaiting, {3, 3}}})
                          .metric(testing::seconds("comp"), "time", {{"main", {2, 2}}})
                          .metric(testing::seconds("processor_waiting"), "time", {{kWaiting, {3, 3}}})
                          .take();
    made.attributes.emplace_back(kSecondsOfRunAttribute, "10");
    for (Location& thread : made.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "2000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "3000000000"},
                             {std::string(kShortageAttribute), "3000000000"}};
    const auto summary = summarize(made);
    ASSERT_FALSE(summary->problems.empty());
    EXPECT_DOUBLE_EQ(summary->problems.front().cost, 6);
    EXPECT_DOUBLE_EQ(summary->problems.front().gain.value(), 6);
}

/// In MPI, while others are waited for: it costs nothing.
TEST(StartedBadly, waitingForProcessorsThatIsAllInWaits_isNotSaid) {
    Experiment experiment = fourThreads("3", "7000000000");
    for (Location& thread : experiment.system.locations)
        thread.attributes.emplace_back(kShortageAttribute, "7000000000");
    EXPECT_TRUE(summarize(experiment)->isHealthy);
}

/// Of 24 s without a processor 4 are in calls for messages, and next to nothing in collective operations.
TEST(StartedBadly, waitingForProcessorsOfSeveralKinds_restsOnTheMetricOfEach) {
    constexpr auto* kWaiting = "main/WAITING FOR A PROCESSOR";
    constexpr auto* kSend = "main/MPI_Send";
    constexpr auto* kReduce = "main/MPI_Reduce";
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "",
                 {{"main", {20, 20}}, {kWaiting, {10, 10}}, {kSend, {4, 0}}, {kReduce, {0.1, 0}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {20, 20}}});
    build.metric(testing::seconds("processor_waiting"), "time", {{kWaiting, {10, 10}}});
    build.metric(testing::seconds("mpi_point2point"), "time", {{kSend, {4, 0}}});
    build.metric(testing::seconds("mpi_point2point_processor_waiting"), "mpi_point2point", {{kSend, {4, 0}}});
    build.metric(testing::seconds("mpi_collective"), "time", {{kReduce, {0.1, 0}}});
    build.metric(testing::seconds("mpi_collective_processor_waiting"), "mpi_collective",
                 {{kReduce, {0.1, 0}}});
    Experiment made = build.take();
    for (Location& thread : made.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "20000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "12050000000"},
                             {std::string(kShortageAttribute), "12050000000"}};
    const auto summary = summarize(made);
    ASSERT_FALSE(summary->problems.empty());
    const Problem& problem = summary->problems.front();
    EXPECT_DOUBLE_EQ(problem.cost, 24.1);
    ASSERT_EQ(problem.evidence.size(), 2U);
    EXPECT_EQ(made.metrics[problem.evidence[0].metric].uniqueName, "processor_waiting");
    EXPECT_DOUBLE_EQ(problem.evidence[0].value, 20);
    EXPECT_EQ(made.metrics[problem.evidence[1].metric].uniqueName, "mpi_point2point_processor_waiting");
    EXPECT_DOUBLE_EQ(problem.evidence[1].value, 4);
    EXPECT_THAT(problem.evidence[1].says, HasSubstr(": mpi_point2point › mpi_point2point_processor_waiting"));
}

/// Others may have had no processor while a call needed them.
TEST(StartedBadly, waitingForProcessorsInCalls_leavesTheirCostUnknown) {
    Experiment experiment = twoRanks(7.5);
    for (Location& thread : experiment.system.locations)
        thread.attributes.emplace_back(kShortageAttribute, "3000000000");
    const auto summary = summarize(experiment);
    for (const Problem& problem : summary->problems) EXPECT_NE(problem.kind, "communication");
    ASSERT_FALSE(summary->doubts.empty());
    EXPECT_THAT(summary->doubts.front().text, HasSubstr("It is known when"));
    EXPECT_THAT(summary->doubts.front().text, HasSubstr("cost by themselves is not known"));
}

/// In calls more may be known than what is between two events: of 10 s of waiting 9.95 are in barriers.
TEST(StartedBadly, waitingForProcessorsInCallsAlone_isKnown) {
    constexpr auto* kBarrier = "main/!$omp implicit barrier @a.c:1";
    Experiment experiment =
        testing::SmallExperiment(1, 2)
            .metric(testing::seconds("time"), "", {{"main", {20, 20}}, {kBarrier, {10, 0}}})
            .metric(testing::seconds("comp"), "time", {{"main", {20, 20}}})
            .metric(testing::seconds("omp_time"), "time", {{kBarrier, {10, 0}}})
            .metric(testing::seconds("omp_ibarrier_processor_waiting"), "omp_time", {{kBarrier, {9.95, 0}}})
            .take();
    for (Location& thread : experiment.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "10000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "5000000000"},
                             {std::string(kShortageAttribute), "0"}};
    const auto summary = summarize(experiment);
    ASSERT_FALSE(summary->doubts.empty());
    EXPECT_THAT(summary->doubts.front().text, HasSubstr("(10.0 s), by the kernel's count. It is known when"));
}

TEST(StartedBadly, waitingForProcessorsOfWhichItIsNotKnownWhen_isADoubt) {
    Experiment experiment = fourThreads("3", "7000000000");
    for (Location& thread : experiment.system.locations)
        thread.attributes.emplace_back(kShortageAttribute, "2000000000");
    const auto summary = summarize(experiment);
    ASSERT_FALSE(summary->doubts.empty());
    EXPECT_THAT(summary->doubts.front().text, HasSubstr("Of 50 % (20.0 s) it is not known when"));
}

/// One who had no processor for a while, nobody knows when, is late by chance.
TEST(StartedBadly, unevennessWithoutAPatternOfStarvedThreads_isWithheld) {
    const auto unevenWaits = [](const char* waited) {
        Experiment made =
            testing::SmallExperiment(4, 1)
                .metric(testing::seconds("time"), "", {{"main", {10, 10, 10, 10}}})
                .metric(testing::seconds("comp"), "time", {{"main", {6, 5, 5.4, 4.6}}})
                .metric(testing::seconds("mpi_latesender"), "time", {{"main", {0, 2, 0, 2}}})
                .metric(testing::seconds("delay"), "", {{"main", {4, 0, 0, 0}}})
                .metric(testing::seconds("delay_latesender_aggregate"), "delay", {{"main", {4, 0, 0, 0}}})
                .take();
        for (Location& thread : made.system.locations)
            thread.attributes = {{std::string(kOnProcessorsAttribute), "1000000000"},
                                 {std::string(kWaitingForProcessorsAttribute), waited},
                                 {std::string(kShortageAttribute), "0"}};
        return summarize(made).value().problems;
    };
    const auto isUneven = [](const Problem& problem) { return problem.pattern == "irregular"; };
    EXPECT_EQ(std::ranges::count_if(unevenWaits("0"), isUneven), 1);
    EXPECT_EQ(std::ranges::count_if(unevenWaits("3000000000"), isUneven), 0);
}

/// Who sleeps needs no processor: sleep is not uneven by chance.
TEST(StartedBadly, unevenSleepOfStarvedThreads_isTold) {
    constexpr auto* kSleep = "main/usleep";
    Experiment made =
        testing::SmallExperiment(4, 1)
            .metric(testing::seconds("time"), "", {{"main", {4, 5, 4.6, 5.4}}, {kSleep, {6, 5, 5.4, 4.6}}})
            .metric(testing::seconds("comp"), "time", {{"main", {4, 3, 4.6, 3.4}}})
            .metric(testing::seconds("system_waiting"), "time", {{kSleep, {6, 5, 5.4, 4.6}}})
            .metric(testing::seconds("mpi_latesender"), "time", {{"main", {0, 2, 0, 2}}})
            .metric(testing::seconds("delay"), "", {{kSleep, {4, 0, 0, 0}}})
            .metric(testing::seconds("delay_latesender_aggregate"), "delay", {{kSleep, {4, 0, 0, 0}}})
            .take();
    for (Location& thread : made.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "1000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "3000000000"},
                             {std::string(kShortageAttribute), "0"}};
    const auto summary = summarize(made).value();
    EXPECT_EQ(std::ranges::count_if(
                  summary.problems,
                  [](const Problem& problem) { return problem.pattern == "irregular" && problem.isSleep; }),
              1);
}

/// All four threads are in a region until the last of them had a processor.
TEST(StartedBadly, managingThreadsNoLongerThanATeamMakesOfThat_isWithheld) {
    const auto managing = [](const char* waited) {
        Experiment made =
            testing::SmallExperiment(1, 4)
                .metric(testing::seconds("time"), "",
                        {{"main", {8, 8, 8, 8}}, {"main/!$omp parallel", {2, 2, 2, 2}}})
                .metric(testing::seconds("comp"), "time", {{"main", {8, 8, 8, 8}}})
                .metric(testing::seconds("omp_management"), "time", {{"main/!$omp parallel", {2, 2, 2, 2}}})
                .metric(testing::seconds("visits"), "", {{"main/!$omp parallel", {5, 5, 5, 5}}})
                .take();
        for (Location& thread : made.system.locations)
            thread.attributes = {{std::string(kOnProcessorsAttribute), "5000000000"},
                                 {std::string(kWaitingForProcessorsAttribute), waited},
                                 {std::string(kShortageAttribute), "0"}};
        return summarize(made).value().problems;
    };
    const auto isOfTeams = [](const Problem& problem) { return problem.kind == "managing-threads"; };
    EXPECT_EQ(std::ranges::count_if(managing("0"), isOfTeams), 1);
    EXPECT_EQ(std::ranges::count_if(managing("1000000000"), isOfTeams), 0);  // 8 s of at most 4 * 4 s
}

/// The start of MPI is slow, too, where others have the processors.
TEST(StartedBadly, startNoLongerThanWaitingForProcessors_isWithheld) {
    const auto startsAndWaits = [](const char* waited) {
        Experiment made =
            testing::SmallExperiment(2, 1)
                .metric(testing::seconds("time"), "", {{"main", {8, 8}}, {"main/MPI_Init", {2, 2}}})
                .metric(testing::seconds("comp"), "time", {{"main", {8, 8}}})
                .metric(testing::seconds("mpi_init_exit"), "time", {{"main/MPI_Init", {2, 2}}})
                .take();
        for (Location& thread : made.system.locations)
            thread.attributes = {{std::string(kOnProcessorsAttribute), "1000000000"},
                                 {std::string(kWaitingForProcessorsAttribute), waited}};
        return summarize(made).value().problems;
    };
    const auto isStart = [](const Problem& problem) { return problem.kind == "startup"; };
    EXPECT_EQ(std::ranges::count_if(startsAndWaits("0"), isStart), 1);
    EXPECT_EQ(std::ranges::count_if(startsAndWaits("2500000000"), isStart), 0);
}

TEST(StartedBadly, listOfProcessorsThatIsNone_isNobodysBinding) {
    for (const char* list : {"3-1", "x", "1-", ",", "99999999999"})
        EXPECT_EQ(summarize(fourThreads(list, "3000000000"))->problems.at(0).kind, "lost-processors") << list;
}

TEST(StartedBadly, recordingThatTookLong_isAMistake) {
    const Experiment experiment = testing::SmallExperiment(1, 1)
                                      .metric(testing::seconds("time"), "", {{"main", {10}}})
                                      .metric(testing::seconds("overhead"), "time", {{"main", {1}}})
                                      .take();
    EXPECT_EQ(summarize(experiment)->problems.at(0).kind, "recording");
}

TEST(StartedBadly, runThatMostlyStarts_isADoubt) {
    const Experiment experiment =
        testing::SmallExperiment(2, 1)
            .metric(testing::seconds("time"), "", {{"main", {6, 6}}, {"main/MPI_Init", {4, 4}}})
            .metric(testing::seconds("comp"), "time", {{"main", {6, 6}}})
            .metric(testing::seconds("overhead"), "time", {{"main", {0, 0}}})
            .metric(testing::seconds("imbalance"), "", {{"main", {0, 0}}})
            .metric(testing::seconds("mpi_init_exit"), "time", {{"main/MPI_Init", {4, 4}}})
            .take();
    const auto summary = summarize(experiment);
    EXPECT_TRUE(summary->problems.empty());
    EXPECT_THAT(summary->run, HasSubstr("Most of that is starting and ending MPI: the run is too short"));
    EXPECT_THAT(summary->run, Not(HasSubstr("No single cause")));
    ASSERT_FALSE(summary->doubts.empty());
    EXPECT_THAT(summary->doubts.front().text, HasSubstr("40 % of this run"));
}

/// The command that would tell more; empty without a doubt.
std::string adviceOf(const Experiment& experiment) {
    const auto summary = summarize(experiment);
    return summary && !summary->doubts.empty() ? summary->doubts.front().command : "";
}

TEST(StartedBadly, whatIsMissingBelowTheProgram_isADoubtWithItsOption) {
    const Provenance recorded{"analyze", "", {}, {{"run", {}}}, "a1b2"};
    Experiment alone =
        testing::SmallExperiment(1, 1).metric(testing::seconds("time"), "", {{"main", {6}}}).take();
    setProvenance(alone, recorded);
    EXPECT_EQ(adviceOf(alone), "holos record --sample 10ms");

    Experiment events = testing::SmallExperiment(1, 1)
                            .metric(testing::seconds("time"), "", {{"main", {6}}, {"main/MPI_Send", {1}}})
                            .take();
    for (Region& region : events.regions)
        if (region.name == "MPI_Send") region.paradigm = "mpi";
    setProvenance(events, recorded);
    EXPECT_EQ(adviceOf(events), "holos record --call-paths full");

    EXPECT_EQ(adviceOf(testing::SmallExperiment(1, 1)
                           .metric(testing::seconds("time"), "", {{"main", {6}}, {"main/work", {1}}})
                           .take()),
              "");
}

/// Tasks of another runtime: who waits for whom is not known, and functions are the roots.
TEST(StartedBadly, threadsOfAnUnknownKind_areNotKnownToBeHealthyAndTheirFunctionsAreThere) {
    const auto summary = summarize(testing::SmallExperiment(1, 3)
                                       .metric(testing::seconds("time"), "", {{"work", {3, 3, 1}}})
                                       .metric(testing::seconds("comp"), "time", {{"work", {3, 3, 1}}})
                                       .metric(testing::seconds("overhead"), "time", {{"work", {0, 0, 0}}})
                                       .metric(testing::seconds("imbalance"), "", {{"work", {0, 0, 0}}})
                                       .take());
    ASSERT_TRUE(summary);
    EXPECT_FALSE(summary->isHealthy);
    EXPECT_THAT(summary->run, HasSubstr("nor whether the run is healthy: waiting of threads for each "
                                        "other was not measured."));
    EXPECT_THAT(summary->doubts, IsEmpty());
}

/// Nobody can record a profile of another tool in another way with Holos alone.
TEST(StartedBadly, profileOfAnotherTool_hasNoAdviceOnRecording) {
    Experiment foreign =
        testing::SmallExperiment(2, 1)
            .metric(testing::seconds("time"), "", {{"main", {6, 6}}, {"main/MPI_Recv", {3, 3}}})
            .metric(testing::seconds("comp"), "time", {{"main", {6, 6}}})
            .take();
    for (Region& region : foreign.regions)
        if (region.name == "MPI_Recv") region.paradigm = "mpi";
    foreign.attributes.emplace_back("Creator", "TAU");
    const auto summary = summarize(foreign);
    ASSERT_TRUE(summary);
    EXPECT_THAT(summary->doubts, Not(IsEmpty()));
    for (const Doubt& doubt : summary->doubts) EXPECT_EQ(doubt.command, "") << doubt.text;
    for (const Problem& problem : summary->problems)
        EXPECT_THAT(problem.remedy, Not(HasSubstr("holos record"))) << problem.what;
}

TEST(StartedBadly, experimentWithoutTime_hasNoSummary) {
    EXPECT_FALSE(summarize(testing::SmallExperiment(1, 1).counter("cycles", {{"main", {1}}}).take()));
    EXPECT_FALSE(summarize(testing::SmallExperiment(1, 1).metric(testing::seconds("time"), "", {}).take()));
}

}  // namespace
}  // namespace holos::algebra
