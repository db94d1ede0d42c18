// SPDX-License-Identifier: BSD-3-Clause
// Where a lack of processors stands among the problems of a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algebra/insight/summary/summary.h"
#include "algebra/model/processors.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> kindsOf(const Experiment& experiment) {
    std::vector<std::string> kinds;
    const auto summary = summarize(experiment);
    for (const Problem& problem : summary->problems) kinds.push_back(problem.kind);
    return kinds;
}

/// Four ranks of 10 s that wait 1 s for processors between events and 1.2 s more, it is not known when. The
/// first one is late, and the others wait for it.
Experiment starvedRanksWithALateOne(double each) {
    constexpr auto* kWaiting = "main/WAITING FOR A PROCESSOR";
    const double computes = 9 - each;
    const testing::SmallExperiment::Rows waits{{"main/MPI_Recv", {0, each, each, each}}};
    Experiment made =
        testing::SmallExperiment(4, 1)
            .metric(testing::seconds("time"), "",
                    {{"main", {9, computes, computes, computes}}, {kWaiting, {1, 1, 1, 1}}, waits.front()})
            .metric(testing::seconds("comp"), "time", {{"main", {9, computes, computes, computes}}})
            .metric(testing::seconds("processor_waiting"), "time", {{kWaiting, {1, 1, 1, 1}}})
            .metric(testing::seconds("mpi"), "time", waits)
            .metric(testing::seconds("mpi_communication"), "mpi", waits)
            .metric(testing::seconds("mpi_point2point"), "mpi_communication", waits)
            .metric(testing::seconds("mpi_latesender"), "mpi_point2point", waits)
            .metric(testing::seconds("overhead"), "time", {{"main", {0, 0, 0, 0}}})
            .metric(testing::seconds("imbalance"), "", {{"main", {0, 0, 0, 0}}})
            .metric(testing::seconds("delay"), "", {{"main", {3 * each, 0, 0, 0}}})
            .metric(testing::seconds("delay_latesender_aggregate"), "delay", {{"main", {3 * each, 0, 0, 0}}})
            .take();
    for (Location& rank : made.system.locations)
        rank.attributes = {{std::string(kOnProcessorsAttribute), "4000000000"},
                           {std::string(kWaitingForProcessorsAttribute), "2200000000"},
                           {std::string(kShortageAttribute), "1000000000"}};
    return made;
}

/// It costs at least 4 s, and at most 8.8 s.
TEST(LackOfProcessors, ofWhichAPartIsUnknown_comesBehindWhatCostsMoreThanAllOfIt) {
    EXPECT_THAT(kindsOf(starvedRanksWithALateOne(4)), ElementsAre("imbalance", "lost-processors"));
    EXPECT_THAT(kindsOf(starvedRanksWithALateOne(2)), ElementsAre("lost-processors", "imbalance"));
}

/// What others wait for one that had its processor at all times, but for what is known, is not for the lack
/// of the others: 6 s are more than the 4 s that are known.
TEST(LackOfProcessors, ofOthersThanTheLateOne_comesBehindWhatTheyWaitForIt) {
    Experiment experiment = starvedRanksWithALateOne(2);
    for (Location& rank : experiment.system.locations) rank.attributes[1].second = "2400000000";
    EXPECT_THAT(kindsOf(experiment), ElementsAre("lost-processors", "imbalance"));
    experiment.system.locations.front().attributes[1].second = "1000000000";
    EXPECT_THAT(kindsOf(experiment), ElementsAre("imbalance", "lost-processors"));
}

/// Four ranks of 10 s that wait 1 s for processors between events and 1.2 s more, it is not known when. Each
/// asks for messages for so many seconds.
Experiment starvedRanksThatPoll(double each) {
    constexpr auto *kWaiting = "main/WAITING FOR A PROCESSOR", *kAsk = "main/MPI_Iprobe";
    const double work = 9 - each;
    testing::SmallExperiment build(4, 1);
    build.metric(
        testing::seconds("time"), "",
        {{"main", {work, work, work, work}}, {kWaiting, {1, 1, 1, 1}}, {kAsk, {each, each, each, each}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {work, work, work, work}}});
    build.metric(testing::seconds("processor_waiting"), "time", {{kWaiting, {1, 1, 1, 1}}});
    build.metric(testing::seconds("mpi"), "time", {{kAsk, {each, each, each, each}}});
    build.metric(testing::seconds("mpi_latesender_polling"), "mpi", {{kAsk, {0, 0, 0, 0}}});
    build.counter("visits", {{kAsk, {50000, 50000, 50000, 50000}}});
    Experiment made = build.take();
    for (Location& rank : made.system.locations)
        rank.attributes = {{std::string(kOnProcessorsAttribute), "4000000000"},
                           {std::string(kWaitingForProcessorsAttribute), "2200000000"},
                           {std::string(kShortageAttribute), "1000000000"}};
    return made;
}

/// What is not known may be in their work, but calls take what they take.
TEST(LackOfProcessors, ofWhichAPartMayBeInWork_comesBehindCallsThatCostMoreThanTheRest) {
    EXPECT_THAT(kindsOf(starvedRanksThatPoll(1.5)), ElementsAre("polling", "lost-processors"));
    EXPECT_THAT(kindsOf(starvedRanksThatPoll(0.5)), ElementsAre("lost-processors", "polling"));
}

/// Where nobody knows when they had none, the least that was in their work is lost, and is told as such.
TEST(LackOfProcessors, ofUnknownTimes_isLostAsFarAsItWasInWork) {
    testing::SmallExperiment build(2, 1);
    build.barriers(
        {.work = {{"main", {9, 7}}}, .waits = {{"main/MPI_Barrier", {1, 3}}}, .delays = {{"main", {2, 0}}}});
    Experiment experiment = build.take();
    for (Location& rank : experiment.system.locations)
        rank.attributes = {{std::string(kOnProcessorsAttribute), "6000000000"},
                           {std::string(kWaitingForProcessorsAttribute), "4000000000"}};
    const auto summary = summarize(experiment);
    EXPECT_NEAR(summary->percentLost, 20 + 20, 1e-9);  // 4 s of waiting, and 4 s of 8 s
    double told = 0;
    for (const Problem& problem : summary->problems) told += problem.percent;
    EXPECT_LE(told, summary->percentLost + 1e-9);
}

}  // namespace
}  // namespace holos::algebra
