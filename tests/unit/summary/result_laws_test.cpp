// SPDX-License-Identifier: BSD-3-Clause
// What holds of the results of every run.
#include "algebra/summary/result_laws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/summary/summary.h"
#include "tests/support/small_experiment.h"

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
    EXPECT_EQ(broken.front().text, "computation above the average is 3.00 s, but below it 2.00 s");
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

}  // namespace
}  // namespace holos::algebra
