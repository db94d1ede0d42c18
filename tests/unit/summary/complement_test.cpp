// SPDX-License-Identifier: BSD-3-Clause
// What profiles tell of waiting, which they did not measure.
#include "algebra/insight/summary/complement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/insight/summary/summary.h"
#include "algebra/model/experiment.h"
#include "algebra/model/processors.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// Four processes that compute and meet in barriers.
testing::SmallExperiment meeting(const std::vector<double>& work, const std::vector<double>& barrier) {
    testing::SmallExperiment build(4, 1);
    build.metric(testing::seconds("time"), "",
                 {{"main", {0.1, 0.1, 0.1, 0.1}}, {"main/solve", work}, {"main/MPI_Barrier", barrier}});
    return build;
}

/// As `holos record --profile` makes it.
Experiment ownProfile(const std::vector<double>& work, const std::vector<double>& barrier,
                      double calls = 10) {
    testing::SmallExperiment build = meeting(work, barrier);
    build.metric(testing::seconds("comp"), "time", {{"main", {0.1, 0.1, 0.1, 0.1}}, {"main/solve", work}});
    build.metric(testing::seconds("mpi_sync_collective"), "time", {{"main/MPI_Barrier", barrier}});
    build.counter("visits", {{"main/MPI_Barrier", {calls, calls, calls, calls}}});
    Experiment profile = build.take();
    profile.attributes.emplace_back(kProfileAttribute, "1");
    return profile;
}

/// As Score-P makes it: times of regions, which say what they are.
Experiment foreignProfile(const std::vector<double>& work, const std::vector<double>& barrier) {
    Experiment profile = meeting(work, barrier).take();
    for (Region& region : profile.regions)
        if (region.name == "MPI_Barrier") {
            region.paradigm = "mpi";
            region.role = "barrier";
        }
    return profile;
}

void expectImbalance(const Experiment& profile) {
    const auto summary = summarize(profile);
    ASSERT_THAT(summary->problems, SizeIs(1));
    const Problem& problem = summary->problems[0];
    EXPECT_EQ(problem.kind, "imbalance");
    EXPECT_EQ(problem.what, "Some processes work longer than the others, and these wait");
    EXPECT_EQ(problem.where, "main › solve");
    EXPECT_EQ(problem.who, "MPI Rank 1 and MPI Rank 3 take 4.00 s, the others 3.00 s on average");
    EXPECT_EQ(problem.why,
              "those who compute less are longer in collective operations (3.00 ms to 1.01 s), so that both "
              "together take 4.10 s to 4.11 s in each process");
    EXPECT_NEAR(problem.cost, 2 * (1.009 - 0.003), 1e-9);
    EXPECT_NEAR(*problem.gain, 1, 1e-9);
    EXPECT_THAT(problem.remedy, Not(HasSubstr("call them less often")));
}

TEST(Complement, timesThatAddUpToTheSame_areImbalanceInOwnProfiles) {
    expectImbalance(ownProfile({3, 4, 3, 4}, {1.009, 0.003, 1.009, 0.003}));
}

TEST(Complement, timesThatAddUpToTheSame_areImbalanceInForeignProfiles) {
    expectImbalance(foreignProfile({3, 4, 3, 4}, {1.009, 0.003, 1.009, 0.003}));
}

/// Whoever is in the barrier for long has not computed less for that.
TEST(Complement, longBarriersOfThoseWhoComputeAsMuch_areNotImbalance) {
    const auto summary = summarize(ownProfile({3, 3, 3, 3}, {1.0, 1.0, 0.0, 0.0}));
    ASSERT_THAT(summary->problems, SizeIs(1));
    EXPECT_EQ(summary->problems[0].kind, "collectives");
}

/// Now one is late, now another: the sums do not tell.
TEST(Complement, equalTimes_areLikelyTurnsWhereABarrierTakesTooLong) {
    const auto summary = summarize(ownProfile({3, 3, 3, 3}, {1, 1, 1, 1}));
    ASSERT_THAT(summary->problems, SizeIs(1));
    EXPECT_EQ(summary->problems[0].kind, "collectives");
    EXPECT_THAT(summary->problems[0].why,
                AllOf(StartsWith("the time includes waiting for others"),
                      HasSubstr("a barrier moves no data, and takes 100 ms here on average: likely most")));
    EXPECT_THAT(summarize(ownProfile({3, 3, 3, 3}, {1, 1, 1, 1}, 1e6))->problems.at(0).why,
                Not(HasSubstr("likely")));  // a microsecond each
}

TEST(Complement, waitingOfAll_isDividedIntoImbalanceAndTheRest) {
    const auto summary = summarize(ownProfile({3, 4, 3, 4}, {2, 1, 2, 1}));
    ASSERT_THAT(summary->problems, SizeIs(2));
    EXPECT_EQ(summary->problems[0].kind, "collectives");
    EXPECT_NEAR(summary->problems[0].cost, 4, 1e-9);
    EXPECT_EQ(summary->problems[1].kind, "imbalance");
    EXPECT_NEAR(summary->problems[1].cost, 2, 1e-9);
}

/// In two phases others are late each: on the whole all compute as much.
TEST(Complement, phasesThatMakeUpForEachOther_areLikelyImbalance) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "",
                 {{"main/first", {2, 1}},
                  {"main/MPI_Barrier", {0, 1}},
                  {"main/second", {1, 2}},
                  {"main/MPI_Allreduce", {1, 0}}});
    build.metric(testing::seconds("comp"), "time", {{"main/first", {2, 1}}, {"main/second", {1, 2}}});
    build.metric(testing::seconds("mpi_sync_collective"), "time", {{"main/MPI_Barrier", {0, 1}}});
    build.metric(testing::seconds("mpi_collective"), "time", {{"main/MPI_Allreduce", {1, 0}}});
    Experiment profile = build.take();
    profile.attributes.emplace_back(kProfileAttribute, "1");
    const auto summary = summarize(profile);
    ASSERT_THAT(summary->problems, SizeIs(2));
    EXPECT_EQ(summary->problems[0].where, "main › first");
    EXPECT_EQ(summary->problems[1].where, "main › second");
    for (const Problem& problem : summary->problems) {
        EXPECT_EQ(problem.kind, "imbalance");
        EXPECT_THAT(problem.what, StartsWith("Likely: "));
        EXPECT_THAT(problem.why, StartsWith("likely: "));
    }
}

/// Of four processes with two threads each the last one computes longer. Only first threads call MPI, and
/// wait there in different calls.
TEST(Complement, waitingInMessagesAndCollectives_isLikelyImbalance) {
    const auto profileOf = [](const std::vector<double>& messages) {
        const std::vector<double> work{1, 1, 1, 1, 1, 1, 4, 4}, collectives{1, 0, 2, 0, 3, 0, 0, 0};
        testing::SmallExperiment build(4, 2);
        build.metric(
            testing::seconds("time"), "",
            {{"main/solve", work}, {"main/MPI_Recv", messages}, {"main/MPI_Allreduce", collectives}});
        build.metric(testing::seconds("comp"), "time", {{"main/solve", work}});
        build.metric(testing::seconds("mpi_point2point"), "time", {{"main/MPI_Recv", messages}});
        build.metric(testing::seconds("mpi_collective"), "time", {{"main/MPI_Allreduce", collectives}});
        Experiment profile = build.take();
        profile.attributes.emplace_back(kProfileAttribute, "1");
        return *summarize(profile);
    };
    const Summary summary = profileOf({2, 0, 1, 0, 0, 0, 0, 0});
    ASSERT_THAT(summary.problems, SizeIs(1));
    EXPECT_EQ(summary.problems[0].kind, "imbalance");
    EXPECT_EQ(summary.problems[0].what, "Likely: One process works longer than the others, and they wait");
    EXPECT_EQ(summary.problems[0].where, "main › solve");
    EXPECT_EQ(summary.problems[0].who, "MPI Rank 3 takes 4.00 s, the others 1.00 s on average");
    EXPECT_THAT(
        summary.problems[0].why,
        StartsWith("likely: those who compute less are longer in messages and collective operations"));
    EXPECT_NEAR(summary.problems[0].cost, 9, 1e-9);
    // What is in messages beyond that is messages' own.
    for (const Problem& problem : profileOf({9, 0, 1, 0, 0, 0, 0, 0}).problems)
        EXPECT_NE(problem.kind, "imbalance");
}

/// All work as much; the second one had no processor for a while.
TEST(Complement, longerWorkWithoutAProcessor_isNoImbalance) {
    const auto kindsOf = [](double offProcessor) {
        testing::SmallExperiment build(2, 1);
        build.metric(testing::seconds("time"), "", {{"main/solve", {3, 4}}, {"main/MPI_Barrier", {1, 0}}});
        build.metric(testing::seconds("comp"), "time", {{"main/solve", {3, 4}}});
        build.metric(testing::seconds("mpi_sync_collective"), "time", {{"main/MPI_Barrier", {1, 0}}});
        build.metric(testing::seconds("off_processor"), "", {{"main", {0, offProcessor}}});
        Experiment profile = build.take();
        profile.attributes.emplace_back(kProfileAttribute, "1");
        for (Location& location : profile.system.locations)
            location.attributes = {{std::string(kOnProcessorsAttribute), "3000000000"},
                                   {std::string(kWaitingForProcessorsAttribute), "1000000000"}};
        std::vector<std::string> kinds;
        const auto summary = summarize(profile);
        for (const Problem& problem : summary->problems) kinds.push_back(problem.kind);
        return kinds;
    };
    EXPECT_THAT(kindsOf(0.1), Contains("imbalance"));
    EXPECT_THAT(kindsOf(1), Not(Contains("imbalance")));
}

TEST(Complement, threadsThatComputeLess_waitAtTheEndOfTheirRegion) {
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "",
                 {{"main/!$omp parallel @a.c:7", {3, 1}}, {"main/!$omp parallel @a.c:7/barrier", {0, 2}}});
    build.metric(testing::seconds("comp"), "time", {{"main/!$omp parallel @a.c:7", {3, 1}}});
    build.metric(testing::seconds("omp_barrier"), "time", {{"main/!$omp parallel @a.c:7/barrier", {0, 2}}});
    Experiment profile = build.take();
    profile.attributes.emplace_back(kProfileAttribute, "1");
    const auto summary = summarize(profile);
    ASSERT_THAT(summary->problems, SizeIs(1));
    EXPECT_EQ(summary->problems[0].kind, "imbalance");
    EXPECT_THAT(summary->problems[0].what, HasSubstr("thread"));
    EXPECT_NEAR(summary->problems[0].cost, 2, 1e-9);
}

TEST(Complement, tracesKnowTheirWaits) {
    testing::SmallExperiment build = meeting({3, 4, 3, 4}, {1, 0, 1, 0});
    build.metric(testing::seconds("comp"), "time", {{"main/solve", {3, 4, 3, 4}}});
    build.metric(testing::seconds("mpi_wait_nxn"), "time", {{"main/MPI_Barrier", {0, 0, 0, 0}}});
    const Experiment trace = build.take();
    EXPECT_THAT(complementOf(Measures(trace)).problems, IsEmpty());
}

}  // namespace
}  // namespace holos::algebra
