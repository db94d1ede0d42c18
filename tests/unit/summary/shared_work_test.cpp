// SPDX-License-Identifier: BSD-3-Clause
// What is gained where work is shared out is bounded by that work: who waits for no work gains nothing by it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algebra/insight/summary/replayed_gains.h"
#include "algebra/insight/summary/summary.h"
#include "algebra/model/processors.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

std::vector<std::string> kindsIn(const Experiment& experiment) {
    std::vector<std::string> kinds;
    const auto summary = summarize(experiment);
    for (const Problem& problem : summary->problems) kinds.push_back(problem.kind);
    return kinds;
}

/// Three threads wait for each other at barriers for 3 s, and work so much in the region.
Experiment manyBarriers(double work) {
    constexpr auto *kRegion = "main/!$omp parallel", *kBarrier = "main/!$omp parallel/!$omp barrier";
    const testing::SmallExperiment::Rows works{{kRegion, {work, work, work}}};
    const testing::SmallExperiment::Rows waits{{kBarrier, {1, 1, 1}}};
    testing::SmallExperiment build(1, 3);
    build.metric(testing::seconds("time"), "", {works.front(), {kBarrier, {3, 3, 3}}});
    build.metric(testing::seconds("comp"), "time", works);
    build.metric(testing::seconds("omp_time"), "time", {{kBarrier, {3, 3, 3}}});
    build.metric(testing::seconds("omp_ebarrier_wait"), "omp_time", waits);
    build.metric(testing::seconds("delay"), "", {{kRegion, {1, 1, 1}}});
    build.metric(testing::seconds("delay_ompbarrier_aggregate"), "delay", {{kRegion, {1, 1, 1}}});
    return build.take();
}

/// Work of 0.03 s makes two others wait for 0.06 s at most.
TEST(SharedWork, whereThereIsNone_nobodyIsLateByIt) {
    EXPECT_THAT(kindsIn(manyBarriers(1)), ::testing::Contains("imbalance"));
    EXPECT_THAT(kindsIn(manyBarriers(0.01)), ::testing::Not(::testing::Contains("imbalance")));
}

/// Of four processes the last two seem to compute longer; the third one was on no processor for 0.4 s of
/// that.
TEST(SharedWork, ofWhomThereWasNoProcessorFor_isNothing) {
    const auto gainWith = [](double off) {
        testing::SmallExperiment build(4, 1);
        build.barriers({.work = {{"main/step", {0.25, 0.25, 0.6, 0.68}}},
                        .waits = {{"main/MPI_Barrier", {0.6, 0.6, 0.25, 0.17}}},
                        .delays = {{"main/step", {0, 0, 0.8, 0.82}}}});
        build.metric(testing::seconds("off_processor"), "", {{"main", {0, 0, off, 0}}});
        return summarize(build.take()).value().problems.at(0).gain.value();
    };
    EXPECT_GT(gainWith(0), 0.43 * 0.75);
    EXPECT_LE(gainWith(0.4), 0.43 * 0.75 + 1e-9);  // 0.68 s are 0.43 s more than 0.25 s
}

/// Two processes, of which the second works 1 s longer; others wait for 1.6 s because of it, some of which is
/// the lack of a processor.
TEST(SharedWork, ofTwo_isHalfOfTheDifference) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main/step", {1, 2}}, {"main/MPI_Barrier", {1.6, 0.6}}});
    build.metric(testing::seconds("comp"), "time", {{"main/step", {1, 2}}});
    build.metric(testing::seconds("mpi_barrier_wait"), "time", {{"main/MPI_Barrier", {1.6, 0}}});
    build.metric(testing::seconds("delay"), "", {{"main/step", {0, 1.6}}});
    build.metric(testing::seconds("delay_barrier_aggregate"), "delay", {{"main/step", {0, 1.6}}});
    Experiment experiment = build.take();
    for (Location& thread : experiment.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "2000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "100000000"},
                             {std::string(kShortageAttribute), "100000000"}};
    EXPECT_NEAR(summarize(experiment)->problems.at(0).gain.value(), 0.5, 1e-9);
}

/// Three threads compute for 6 s together and wait for each other at a lock for 9 s, on so many processors.
double gainOfLock(int processors) {
    constexpr auto *kWork = "main/work", *kLock = "main/pthread_mutex_lock";
    testing::SmallExperiment build(1, 3);
    build.metric(testing::seconds("time"), "", {{kWork, {2, 2, 2}}, {kLock, {3, 3, 3}}});
    build.metric(testing::seconds("comp"), "time", {{kWork, {2, 2, 2}}});
    build.metric(testing::seconds("pthread_lock_contention_mutex_lock"), "time", {{kLock, {3, 3, 3}}});
    Experiment experiment = build.take();
    for (const SystemNodeId node : experiment.system.nodes.ids())
        experiment.system.nodes[node].attributes = {
            {std::string(kSocketsAttribute), "1"},
            {std::string(kCoresAttribute), std::to_string(processors)},
            {std::string(kUnitsAttribute), "1"}};
    for (Location& thread : experiment.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "2000000000"},
                             {std::string(kWaitingForProcessorsAttribute), "0"},
                             {std::string(kShortageAttribute), "0"}};
    return summarize(experiment).value().problems.at(0).gain.value();
}

/// A run of 5 s in which 6 s are computed cannot take less than 3 s on two processors.
TEST(SharedWork, whatIsComputed_needsTheProcessorsThatThereAre) {
    EXPECT_NEAR(gainOfLock(3), 3, 1e-9);
    EXPECT_NEAR(gainOfLock(2), 2, 1e-9);
    EXPECT_NEAR(gainOfLock(0), 3, 1e-9);  // it is not known how many
}

/// Both processes work equally long on the whole, and each waits for the other now and then; each lacked a
/// processor for so long. A replay with even work is as long.
Experiment equalProcesses(const char* lacked) {
    testing::SmallExperiment build(2, 1);
    build.barriers({.work = {{"main/step", {5, 5}}},
                    .waits = {{"main/MPI_Barrier", {1, 1}}},
                    .delays = {{"main/step", {1, 1}}}});
    Experiment experiment = build.take();
    for (Location& thread : experiment.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "5000000000"},
                             {std::string(kWaitingForProcessorsAttribute), lacked},
                             {std::string(kShortageAttribute), lacked}};
    const Problem late = summarize(experiment).value().problems.at(0);
    keepReplayedGains({{late.kind, keyOf(experiment, late.path), "balance main/step", 0.01}}, experiment);
    return experiment;
}

TEST(SharedWork, whereEvenWorkDoesNotHelp_othersWaitForProcessors) {
    EXPECT_THAT(kindsIn(equalProcesses("1000000000")), ::testing::Not(::testing::Contains("imbalance")));
    const auto summary = summarize(equalProcesses("0"));
    ASSERT_EQ(summary->problems.size(), 1U);
    EXPECT_DOUBLE_EQ(summary->problems.front().gain.value(), 0.01);
    EXPECT_THAT(gainText(*summary, summary->problems.front()),
                ::testing::Not(::testing::HasSubstr("no replay has tested")));
}

/// The processes lack a processor for 60 % of the time, and the second one works longer, which costs 4 %.
TEST(SharedWork, besideALackOfProcessors_isNamed) {
    constexpr auto* kWaiting = "main/WAITING FOR A PROCESSOR";
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "",
                 {{"main/step", {3, 3.8}}, {"main/MPI_Barrier", {0.8, 0}}, {kWaiting, {6, 6}}});
    build.metric(testing::seconds("comp"), "time", {{"main/step", {3, 3.8}}});
    build.metric(testing::seconds("mpi_barrier_wait"), "time", {{"main/MPI_Barrier", {0.8, 0}}});
    build.metric(testing::seconds("processor_waiting"), "time", {{kWaiting, {6, 6}}});
    build.metric(testing::seconds("delay"), "", {{"main/step", {0, 0.8}}});
    build.metric(testing::seconds("delay_barrier_aggregate"), "delay", {{"main/step", {0, 0.8}}});
    Experiment experiment = build.take();
    for (Location& thread : experiment.system.locations)
        thread.attributes = {{std::string(kOnProcessorsAttribute), "3800000000"},
                             {std::string(kWaitingForProcessorsAttribute), "6000000000"},
                             {std::string(kShortageAttribute), "6000000000"}};
    EXPECT_THAT(kindsIn(experiment), ::testing::ElementsAre("lost-processors", "imbalance"));
}

/// Two processes that meet. The first one shares its work out between two threads; of the other one a thread
/// sleeps all the time, and does not count.
TEST(SharedWork, ofAProcessWithFewerThreads_isToldSo) {
    for (const double work : {3.0, 1.0}) {
        testing::SmallExperiment build(2, 2);
        const testing::SmallExperiment::Rows works{{"main/step", {work, work, 6, 0}}},
            waits{{"main/MPI_Barrier", {6 - work, 0, 0, 0}}}, naps{{"serve/nap", {0, 0, 0, 6}}};
        build.metric(testing::seconds("time"), "",
                     {works[0], waits[0], naps[0], {"main/idle", {0, 6 - work, 0, 0}}});
        build.metric(testing::seconds("comp"), "time", works);
        build.metric(testing::seconds("system_waiting"), "time", naps);
        build.metric(testing::seconds("mpi_barrier_wait"), "time", waits);
        build.metric(testing::seconds("delay"), "", {{"main/step", {0, 0, 6 - work, 0}}});
        build.metric(testing::seconds("delay_barrier_aggregate"), "delay",
                     {{"main/step", {0, 0, 6 - work, 0}}});
        const auto summary = summarize(build.take());
        const auto late = std::ranges::find(summary->problems, "imbalance", &Problem::kind);
        ASSERT_NE(late, summary->problems.end());
        EXPECT_THAT(late->why, ::testing::HasSubstr("it has 1 thread, the other one 2"));
        EXPECT_EQ(late->remedy.find("as many threads as the others") != std::string::npos, work == 3.0);
    }
}

/// Three threads call barriers in a parallel region that they are in ten times each, and work so much
/// between. A barrier takes 2 ms; others wait for another 1 ms at each, which is for nobody's work.
Experiment meetingOften(double barriers, double work) {
    constexpr auto *kRegion = "main/!$omp parallel", *kBarrier = "main/!$omp parallel/!$omp barrier";
    const double each = 3e-3 * barriers, waited = 1e-3 * barriers;
    const testing::SmallExperiment::Rows works{{kRegion, {work, work, work}}},
        meets{{kBarrier, {each, each, each}}}, waits{{kBarrier, {waited, waited, waited}}};
    testing::SmallExperiment build(1, 3);
    build.metric(testing::seconds("time"), "", {works.front(), meets.front()});
    build.metric(testing::seconds("comp"), "time", works);
    build.metric(testing::seconds("omp_time"), "time", meets);
    build.metric(testing::seconds("omp_management"), "omp_time", {{kRegion, {0, 0, 0}}});
    build.metric(testing::seconds("omp_barrier"), "omp_time", meets);
    build.metric(testing::seconds("omp_ebarrier_wait"), "omp_barrier", waits);
    build.metric(testing::seconds("visits"), "",
                 {{kRegion, {10, 10, 10}}, {kBarrier, {barriers, barriers, barriers}}});
    build.metric(testing::seconds("delay"), "", {{kRegion, {waited, waited, waited}}});
    build.metric(testing::seconds("delay_ompbarrier_aggregate"), "delay",
                 {{kRegion, {waited, waited, waited}}});
    return build.take();
}

TEST(SharedWork, ofWhichThereIsHardlyAnyBetweenBarriers_isNotWhatTheyWaitFor) {
    const auto summary = summarize(meetingOften(1000, 0.01));
    ASSERT_EQ(summary->problems.size(), 1U);
    const Problem& problem = summary->problems.front();
    EXPECT_EQ(problem.kind, "many-barriers");
    EXPECT_EQ(problem.who,
              "3000 calls of barriers by all threads together; a thread works 10.0 µs on average between two "
              "of them");
    // 2 ms of each, and what is waited but for 2 x 0.03 s of work for which two others may wait.
    EXPECT_NEAR(problem.cost, 3 * 3 - 2 * 0.03, 1e-9);
    EXPECT_THAT(kindsIn(meetingOften(1000, 1)), ::testing::Not(::testing::Contains("many-barriers")));
    EXPECT_THAT(kindsIn(meetingOften(50, 0.001)), ::testing::Not(::testing::Contains("many-barriers")));
}

/// Others wait 4 s for the first process at broadcasts, and 4 s for the second one at sums, in which each of
/// them works for 0.5 s: the rest is no work that they could do without.
TEST(SharedWork, ofThoseWhoAreLateInDifferentCalls_isNoMoreThanTheyDo) {
    const testing::SmallExperiment::Rows bcast{{"main/MPI_Bcast", {0, 2, 2}}},
        sum{{"main/MPI_Allreduce", {2, 0, 2}}}, late{{"main/step", {4, 0, 0}}},
        other{{"main/step", {0, 4, 0}}};
    testing::SmallExperiment build(3, 1);
    build.metric(testing::seconds("time"), "", {{"main/step", {0.5, 0.5, 0.5}}, bcast[0], sum[0]});
    build.metric(testing::seconds("comp"), "time", {{"main/step", {0.5, 0.5, 0.5}}});
    build.metric(testing::seconds("mpi_latebroadcast"), "time", bcast);
    build.metric(testing::seconds("mpi_wait_nxn"), "time", sum);
    build.metric(testing::seconds("delay"), "", {{"main/step", {4, 4, 0}}});
    build.metric(testing::seconds("delay_12n_aggregate"), "delay", late);
    build.metric(testing::seconds("delay_n2n_aggregate"), "delay", other);
    const auto summary = summarize(build.take());
    ASSERT_EQ(summary->problems.size(), 2U);
    for (const Problem& problem : summary->problems) {
        EXPECT_EQ(problem.what, "One process comes late, and the others wait");
        EXPECT_DOUBLE_EQ(problem.gain.value(), 0.5);
    }
}

}  // namespace
}  // namespace holos::algebra
