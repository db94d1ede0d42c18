// SPDX-License-Identifier: BSD-3-Clause
// What holds of the results of every run.
#include "algebra/insight/summary/result_laws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "algebra/files/cubex.h"
#include "algebra/insight/summary/summary.h"
#include "algebra/model/row_sums.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/history/recorded_run.h"
#include "tests/support/small_experiment.h"
#include "tests/support/temporary_directory.h"

namespace holos::algebra {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::seconds;
using testing::SmallExperiment;

/// Two ranks, of which one computes longer; what others wait for that, and whom they blame.
Experiment twoRanks(double below, double delay) {
    return SmallExperiment(2, 1)
        .metric(seconds("time"), "", {{"main", {10, 10}}})
        .metric(seconds("comp"), "time", {{"main", {9, 3}}})
        .metric(seconds("overhead"), "time", {{"main", {0, 0}}})
        .metric(seconds("mpi_wait_nxn"), "time", {{"main", {0, 6}}})
        .metric(seconds("imbalance"), "", {{"main", {3, 3}}})
        .metric(seconds("imbalance_above"), "imbalance", {{"main", {3, 0}}})
        .metric(seconds("imbalance_below"), "imbalance", {{"main", {0, below}}})
        .metric(seconds("delay"), "", {{"main", {delay, 0}}})
        .metric(seconds("delay_n2n_aggregate"), "delay", {{"main", {delay, 0}}})
        .take();
}

TEST(ResultLaws, resultsThatObey_areNotNamed) {
    EXPECT_THAT(brokenResultLaws(twoRanks(3, 6)), IsEmpty());
}

TEST(ResultLaws, moreAboveTheAverageThanBelow_isNamedWithBoth) {
    const auto broken = brokenResultLaws(twoRanks(2, 6));
    ASSERT_EQ(broken.size(), 1U);
    EXPECT_EQ(broken.front().text, "computation above the average is 3.00 s in main, but below it 2.00 s");
}

TEST(ResultLaws, moreBlameThanWaiting_isNamedAndNotTold) {
    const Experiment experiment = twoRanks(3, 7);
    ASSERT_EQ(brokenResultLaws(experiment).size(), 1U);
    EXPECT_THAT(brokenResultLaws(experiment).front().text,
                HasSubstr("explain 7.00 s of waiting in collective operations, but there is only 6.00 s"));
    const auto summary = summarize(experiment);
    ASSERT_TRUE(summary);
    EXPECT_THAT(summary->problems, IsEmpty());
    EXPECT_FALSE(summary->isHealthy);
    EXPECT_THAT(summary->doubts.front().text, HasSubstr("contradict each other"));
    EXPECT_EQ(summarize(twoRanks(3, 6))->problems.size(), 1U);
}

TEST(ResultLaws, moreBlameForIdleThreadsThanTheirTime_isNamed) {
    const auto idle = [](double delay) {
        return brokenResultLaws(
            SmallExperiment(1, 2)
                .metric(seconds("time"), "", {{"main", {10, 10}}})
                .metric(seconds("omp_idle_threads"), "time", {{"main", {0, 4}}})
                .metric(seconds("delay"), "", {{"main", {delay, 0}}})
                .metric(seconds("delay_ompidle_aggregate"), "delay", {{"main", {delay, 0}}})
                .take());
    };
    EXPECT_THAT(idle(4), IsEmpty());
    ASSERT_EQ(idle(5).size(), 1U);
    EXPECT_THAT(idle(5).front().text, HasSubstr("explain 5.00 s of waiting without work"));
}

TEST(ResultLaws, partsFarBeyondTheWhole_areNotSaidToBeLost) {
    const auto locked = [](double waited) {
        return summarize(SmallExperiment(2, 1)
                             .metric(seconds("time"), "", {{"main", {10, 10}}})
                             .metric(seconds("pthread_lock_api"), "time", {{"main", {2, 2}}})
                             .metric(seconds("pthread_lock_contention_mutex_lock"), "pthread_lock_api",
                                     {{"main", {waited, 1}}})
                             .metric(seconds("mpi_init_exit"), "time", {{"main", {2, 2}}})
                             .take());
    };
    EXPECT_THAT(locked(1)->run, HasSubstr("10 % waiting for locks"));
    EXPECT_THAT(locked(2.001)->run, HasSubstr("waiting for locks"));  // by less than is said
    EXPECT_THAT(locked(2.001)->run, HasSubstr("At least"));
    const auto impossible = locked(2000);
    EXPECT_THAT(impossible->run, ::testing::Not(HasSubstr("waiting for locks")));
    EXPECT_THAT(impossible->run, HasSubstr("At least"));
    EXPECT_LE(impossible->percentLost, 100);
    EXPECT_THAT(impossible->doubts.front().text, HasSubstr("contradict each other"));
}

/// A run of 10 s of which threads 0 and 1 have some time in MPI.
SmallExperiment withMpi(const std::vector<double>& time, const std::vector<double>& mpi) {
    SmallExperiment experiment(2, 1);
    experiment.metric(seconds("time"), "", {{"main", time}}).metric(seconds("mpi"), "time", {{"main", mpi}});
    return experiment;
}

TEST(ResultLaws, partsBeyondTheWhole_areNamedWithTheirLocation) {
    EXPECT_THAT(brokenResultLaws(withMpi({10, 10}, {10, 3}).take()), IsEmpty());
    const auto broken = brokenResultLaws(withMpi({10, 10}, {3, 11}).take());
    ASSERT_EQ(broken.size(), 1U);
    EXPECT_THAT(broken.front().text, HasSubstr("the parts of \"time\" are 11.0 s in"));
    EXPECT_THAT(broken.front().text, HasSubstr("but it is only 10.0 s"));
    EXPECT_THAT(broken.front().metrics, ::testing::ElementsAre("time", "mpi"));
}

/// In each location there is as much of both, but not in each call path.
TEST(ResultLaws, partsBeyondTheWholeInACallPath_areNamedWithIt) {
    const auto broken = brokenResultLaws(
        SmallExperiment(2, 1)
            .metric(seconds("time"), "", {{"main", {5, 5}}, {"main/f", {5, 5}}})
            .metric(seconds("mpi"), "time", {{"main", {3, 3}}, {"main/f", {5, 5}}})
            .metric(seconds("mpi_point2point"), "mpi", {{"main", {5, 5}}, {"main/f", {3, 3}}})
            .take());
    ASSERT_EQ(broken.size(), 1U);
    EXPECT_THAT(broken.front().text, HasSubstr("the parts of \"mpi\" are 10.0 s in"));
    EXPECT_THAT(broken.front().text, HasSubstr("main, but it is only 6.00 s"));
    EXPECT_THAT(broken.front().metrics, ::testing::ElementsAre("mpi", "mpi_point2point"));
}

/// Late senders in wrong order are booked where the first of them was waited for, in the same location.
TEST(ResultLaws, wrongOrder_isWithinItsLocation) {
    const auto run = [](double different) {
        return SmallExperiment(2, 1)
            .metric(seconds("time"), "", {{"main", {5, 5}}, {"main/f", {5, 5}}})
            .metric(seconds("mpi_latesender_wo"), "time", {{"main", {1, 0}}, {"main/f", {2, 0}}})
            .metric(seconds("mpi_lswo_different"), "mpi_latesender_wo", {{"main", {different, 0}}})
            .take();
    };
    EXPECT_THAT(brokenResultLaws(run(3)), IsEmpty());
    const auto broken = brokenResultLaws(run(3.5));
    ASSERT_EQ(broken.size(), 1U);
    EXPECT_THAT(broken.front().text, HasSubstr("\"mpi_latesender_wo\" are 3.50 s in"));
}

/// Waiting for messages is in operations of neighbours, too.
TEST(ResultLaws, waitsForMessagesOfNeighbours_areWithinThoseAndMessages) {
    const auto run = [](double late) {
        return SmallExperiment(1, 1)
            .metric(seconds("time"), "", {{"main", {5}}, {"main/MPI_Neighbor_alltoall", {5}}})
            .metric(seconds("mpi"), "time", {{"main/MPI_Neighbor_alltoall", {5}}})
            .metric(seconds("mpi_point2point"), "mpi", {})
            .metric(seconds("mpi_collective"), "mpi", {{"main/MPI_Neighbor_alltoall", {5}}})
            .metric(seconds("mpi_latesender"), "mpi_point2point", {{"main/MPI_Neighbor_alltoall", {late}}})
            .metric(seconds("mpi_wait_nxn"), "mpi_collective", {{"main/MPI_Neighbor_alltoall", {2}}})
            .take();
    };
    EXPECT_THAT(brokenResultLaws(run(3)), IsEmpty());
    const auto broken = brokenResultLaws(run(4));
    ASSERT_EQ(broken.size(), 1U);
    EXPECT_THAT(broken.front().text,
                HasSubstr("the parts of \"mpi_point2point\" and \"mpi_collective\" are 6.00 s in"));
    EXPECT_THAT(broken.front().text, HasSubstr("but these are only 5.00 s"));
}

/// Tasks have call paths of their own, in which time is there twice: all others obey.
TEST(ResultLaws, partsBeyondTheWholeInARunWithTasks_areNamedOutsideOfThese) {
    const auto run = [](double wait) {
        return SmallExperiment(1, 1)
            .metric(seconds("time"), "", {{"main", {-2}}, {"main/region", {5}}, {"main/TASKS/task", {2}}})
            .metric(seconds("omp"), "time", {{"main/region", {4}}, {"main/TASKS/task", {1}}})
            .metric(seconds("omp_barrier"), "omp", {{"main/region", {wait}}, {"main/TASKS/task", {2}}})
            .take();
    };
    EXPECT_THAT(brokenResultLaws(run(4)), IsEmpty());
    const auto broken = brokenResultLaws(run(4.5));
    ASSERT_EQ(broken.size(), 1U);
    EXPECT_THAT(broken.front().text, HasSubstr("the parts of \"omp\" are 4.50 s in"));
    // Of a part of the call tree it is not known any more which paths are those of tasks.
    for (const char* const operation : {"cut", "flatten"}) {
        Experiment part = run(4.5);
        setProvenance(part, {operation, "", {}, {{"run", {}}}});
        EXPECT_THAT(brokenResultLaws(part), IsEmpty()) << operation;
    }
}

/// What is summed while it is written is what is read otherwise.
TEST(ResultLaws, sumsOfWhatIsWritten_areThoseOfItsRows) {
    constexpr std::size_t kRanks = 1000;
    std::vector<double> values(kRanks);
    for (std::size_t i = 0; i < kRanks; ++i) values[i] = static_cast<double>(i % 7) - 1;
    const Experiment run = SmallExperiment(kRanks, 1)
                               .metric(seconds("time"), "", {{"main", values}, {"main/f/g", values}})
                               .metric(seconds("mpi"), "time", {{"main/f/g", values}})
                               .take();
    WantedSums sums = sumsForLaws(run);
    const testing::TemporaryDirectory directory;
    writeCubex(run, directory.path() / "run.cubex", Links::Followed, &sums);
    for (const MetricId metric : run.metrics.ids()) {
        const RowSums read = sumsOf(*run.severities.rows(metric));
        ASSERT_TRUE(sums[metric.index()]);
        EXPECT_EQ(sums[metric.index()]->locations, read.locations);
        EXPECT_EQ(sums[metric.index()]->paths, read.paths);
        EXPECT_EQ(sums[metric.index()]->leasts, read.leasts);
    }
    EXPECT_EQ(sums[0]->leasts[0], -1);
    EXPECT_EQ(brokenResultLaws(run, std::move(sums)).size(), brokenResultLaws(run).size());
}

TEST(ResultLaws, negativeTime_isNamed) {
    const auto broken = brokenResultLaws(withMpi({10, 10}, {-2, 3}).take());
    ASSERT_EQ(broken.size(), 1U);
    EXPECT_EQ(broken.front().text, "\"mpi\" is negative somewhere: -2.00 s");
}

TEST(ResultLaws, timeBeyondTheRun_isNamedAndNothingIsTold) {
    Experiment experiment = twoRanks(3, 6);
    experiment.attributes.emplace_back(kSecondsOfRunAttribute, "10");
    EXPECT_THAT(brokenResultLaws(experiment), IsEmpty());
    experiment.attributes.back().second = "9.5";
    const auto broken = brokenResultLaws(experiment);
    ASSERT_EQ(broken.size(), 1U);
    EXPECT_THAT(broken.front().text, HasSubstr("has times of 10.0 s, but the run takes only 9.50 s"));
    EXPECT_THAT(summarize(experiment)->problems, IsEmpty());
}

/// Of idle threads more may be booked than there is. Everything else is within the run.
TEST(ResultLaws, timeOfAWorkerBeyondTheRun_isNamedWithoutItsIdleTime) {
    const auto lawsFor = [](double busy) {
        Experiment run = SmallExperiment(1, 2)
                             .metric(seconds("time"), "", {{"main", {10, busy + 4}}})
                             .metric(seconds("omp_idle_threads"), "time", {{"main", {0, 4}}})
                             .take();
        setAttribute(run.attributes, kSecondsOfRunAttribute, "10");
        return brokenResultLaws(run);
    };
    EXPECT_THAT(lawsFor(8), IsEmpty());
    const auto broken = lawsFor(11);
    ASSERT_EQ(broken.size(), 1U);
    EXPECT_THAT(broken[0].text, HasSubstr("has times of 11.0 s, but the run takes only 10.0 s"));
}

/// Also by an operator, or by the analysis: these are no results of a run in another sense.
TEST(ResultLaws, criticalPathBeyondTheRun_isNamed) {
    Experiment run = SmallExperiment(2, 1)
                         .metric(seconds("time"), "", {{"main", {10, 10}}})
                         .metric(seconds("critical_path"), "", {{"main", {6, 5}}})
                         .take();
    setAttribute(run.attributes, kSecondsOfRunAttribute, "11");
    EXPECT_THAT(brokenResultLaws(run), IsEmpty());
    setAttribute(run.attributes, kSecondsOfRunAttribute, "10");
    const auto broken = brokenResultLaws(run);
    ASSERT_EQ(broken.size(), 1U);
    EXPECT_THAT(broken[0].text, HasSubstr("takes 11.0 s, but the run only 10.0 s"));
}

TEST(ResultLaws, ofWhatAnalyzeWrote_areTested) {
    Experiment experiment = twoRanks(3, 7);
    setProvenance(experiment, {"analyze", "", {}, {{"run", {}}}});
    EXPECT_EQ(brokenResultLaws(experiment).size(), 1U);
    setProvenance(experiment, {"scale", "", {}, {{"run", {}}}});
    EXPECT_THAT(brokenResultLaws(experiment), IsEmpty());
}

/// A profile, and the run that was predicted.
TEST(ResultLaws, ofWhatRecordAndPredictWrote_areTested) {
    const testing::TemporaryDirectory directory;
    for (const char* const command : {"record", "predict"}) {
        Experiment run = withMpi({10, 10}, {3, 11}).take();
        setProvenance(run, {command, "", {}, {{"run", {}}}});
        for (const char* const name : {"run.cubex", "run.cube"}) {
            const auto broken = writeAndTest(run, directory.path() / name);
            ASSERT_EQ(broken.size(), 1U) << command << ", " << name;
            EXPECT_THAT(contradictionText(broken[0]),
                        ::testing::AllOf(HasSubstr("results contradict each other: the parts of \"time\""),
                                         HasSubstr("so the summary does not tell it")));
        }
    }
}

}  // namespace
}  // namespace holos::algebra
