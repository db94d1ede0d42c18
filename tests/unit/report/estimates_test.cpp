// SPDX-License-Identifier: BSD-3-Clause
#include "report/tables/estimates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "tracing/recordings/format/settings.h"

namespace holos::tables {
namespace {

using algebra::WaitEstimate;

/// Lengths and waits of the instances of a phase.
struct Population {
    std::vector<double> lengths;
    std::vector<double> waits;

    double sum() const { return std::accumulate(waits.begin(), waits.end(), 0.0); }
    WholePhase whole() const {
        return {static_cast<double>(lengths.size()), std::accumulate(lengths.begin(), lengths.end(), 0.0), 1};
    }
    WaitEstimate estimate(const tracing::ChosenInstances& chosen) const {
        std::vector<double> someWaits, someLengths;
        for (std::size_t i = 0; i < lengths.size(); ++i)
            if (chosen.has(i + 1)) {
                someWaits.push_back(waits[i]);
                someLengths.push_back(lengths[i]);
            }
        return estimateWait("wait", someWaits, someLengths, whole());
    }
};

/// Of which the waits are a part of each length, and now and then much more.
Population uneven(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::exponential_distribution<double> wait(5.0);
    Population all;
    for (int i = 0; i < 2000; ++i) {
        const double one = wait(random) * (random() % 20 == 0 ? 4 : 1);
        all.waits.push_back(one);
        all.lengths.push_back(1 + one);
    }
    return all;
}

TEST(WaitEstimates, twoOfFour_byHand) {
    // ratio 3/10; 20 s in all: 6 s. Differences 1 - 1.2 and 2 - 1.8, their variance 0.08; 4 instances, the
    // mean of all lengths is that of the two: 12.7062047 · 4 · sqrt((1 - 2/4) / 2 · 0.08).
    const WaitEstimate estimate = estimateWait("wait", {1, 2}, {4, 6}, {4, 20, 1});
    EXPECT_DOUBLE_EQ(estimate.traced, 3);
    EXPECT_DOUBLE_EQ(estimate.whole, 6);
    ASSERT_TRUE(estimate.error);
    EXPECT_NEAR(*estimate.error, 12.7062047 * 4 * std::sqrt(0.25 * 0.08), 1e-6);
}

TEST(WaitEstimates, waitsInProportionToLengths_noError) {
    const WaitEstimate estimate = estimateWait("wait", {1, 2, 3}, {2, 4, 6}, {300, 1000, 1});
    EXPECT_DOUBLE_EQ(estimate.whole, 500);
    EXPECT_NEAR(*estimate.error, 0, 1e-9);
}

TEST(WaitEstimates, allInstances_areKnown) {
    const WaitEstimate estimate = estimateWait("wait", {1, 5}, {4, 6}, {2, 10, 1});
    EXPECT_DOUBLE_EQ(estimate.whole, 6);
    EXPECT_EQ(estimate.error, 0.0);
}

TEST(WaitEstimates, oneInstance_errorIsNotKnown) {
    const WaitEstimate estimate = estimateWait("wait", {1}, {4}, {8, 32, 1});
    EXPECT_DOUBLE_EQ(estimate.whole, 8);
    EXPECT_FALSE(estimate.error);
}

/// The error is stated for 95 of 100.
TEST(WaitEstimates, instancesAtRandom_whatIsTrueLiesWithinTheError) {
    int within = 0;
    constexpr int kRuns = 400;
    for (int run = 0; run < kRuns; ++run) {
        const Population all = uneven(static_cast<std::uint64_t>(run) / 20);
        const WaitEstimate estimate = all.estimate(
            {.oneIn = tracing::ChosenInstances::oneInFor(0.05), .seed = static_cast<std::uint64_t>(run)});
        ASSERT_TRUE(estimate.error);
        if (std::abs(estimate.whole - all.sum()) <= *estimate.error) ++within;
    }
    EXPECT_GE(within, 0.9 * kRuns);
    EXPECT_LT(within, kRuns);  // else it would be of no use
}

/// Where every tenth instance waits most, of 200 choices.
TEST(WaitEstimates, everyTenthIsLong_whatIsTrueLiesWithinTheErrorByTheTimesOfCalls) {
    constexpr std::size_t kInstances = 300, kRuns = 200;
    int within = 0, byLengths = 0;
    for (std::size_t run = 0; run < kRuns; ++run) {
        std::mt19937_64 random(run);
        std::uniform_real_distribution<double> varied(0.8, 1.2);
        std::vector<double> waits, calls, lengths;
        for (std::size_t i = 0; i < kInstances; ++i) {
            waits.push_back((i % 10 == 9 ? 20e-3 : 30e-6) * varied(random));
            calls.push_back(waits.back() + 50e-6 * varied(random));
            lengths.push_back(2e-3 * varied(random) + calls.back());
        }
        const auto sum = [](const std::vector<double>& all) {
            return std::accumulate(all.begin(), all.end(), 0.0);
        };
        const tracing::ChosenInstances chosen{.oneIn = tracing::ChosenInstances::oneInFor(0.05), .seed = run};
        std::vector<double> someWaits, someLengths;
        CallTimes times{0, sum(calls)};
        for (std::size_t i = 0; i < kInstances; ++i)
            if (chosen.has(i + 1)) {
                someWaits.push_back(waits[i]);
                someLengths.push_back(lengths[i]);
                times.traced += calls[i];
            }
        const WholePhase whole{kInstances, sum(lengths), 1};
        const auto holds = [&](const WaitEstimate& estimate) {
            return std::abs(estimate.whole - sum(waits)) <= *estimate.error;
        };
        within += holds(estimateWait("wait", someWaits, someLengths, whole, times));
        byLengths += holds(estimateWait("wait", someWaits, someLengths, whole));
    }
    EXPECT_GE(within, 0.93 * kRuns);
    EXPECT_LT(byLengths, 0.9 * kRuns) << "without the times of calls";
}

TEST(WaitEstimates, choiceWithoutTheLongOne_errorHasAllThatIsLeft) {
    // Of two seconds in calls, one waits where it was traced. 18 of 98 s that are left are what instances
    // like these would have; nobody knows how much of the other 80 s is waiting.
    const WaitEstimate estimate = estimateWait("wait", {0.5, 0.5}, {10, 10}, {20, 300, 1}, CallTimes{2, 100});
    EXPECT_DOUBLE_EQ(estimate.whole, 1 + 0.5 * 98);
    EXPECT_DOUBLE_EQ(*estimate.error, 0.5 * 80);
}

TEST(WaitEstimates, text_isReadBack) {
    algebra::Experiment experiment;
    const algebra::WaitEstimates estimates{
        "time\tstep", 240, 12, 0.75, {{"mpi_latesender", 1.5, 30, 2.5}, {"mpi_wait_nxn", 0.5, 10, {}}}};
    experiment.files[algebra::kEstimatesFile] = algebra::waitEstimatesText(estimates);
    const auto read = algebra::waitEstimatesOf(experiment);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->phase, "time step");
    EXPECT_EQ(read->traced, 12u);
    ASSERT_EQ(read->waits.size(), 2u);
    EXPECT_EQ(read->waits[0].error, 2.5);
    EXPECT_EQ(read->waits[1].error, std::nullopt);
    EXPECT_THAT(estimatesText(experiment, *read, 1), ::testing::HasSubstr("30.000000 s  ± 2.500000 s"));
    EXPECT_THAT(estimatesText(experiment, *read, 1), ::testing::HasSubstr("and 1 more"));
}

TEST(WaitEstimates, damagedText_isNone) {
    algebra::Experiment experiment;
    for (const char* text : {"", "step\t1\t2\n", "step\t1\t-2\t1\n", "\t1\t2\t1\n", "step\tx\t2\t1\n"}) {
        experiment.files[algebra::kEstimatesFile] = text;
        EXPECT_FALSE(algebra::waitEstimatesOf(experiment)) << text;
    }
}

}  // namespace
}  // namespace holos::tables
