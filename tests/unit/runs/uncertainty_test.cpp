// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/runs/run_group.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

namespace holos::algebra {
namespace {

TEST(DifferenceOfMeans, oneRunOfEach_hasNoError) {
    const MeanDifference found = differenceOfMeans({2}, {3});
    EXPECT_DOUBLE_EQ(found.difference(), 1);
    EXPECT_FALSE(found.error);
    EXPECT_FALSE(found.isWithinError());
}

/// Welch's example by hand: variances 1 and 4 of three each, 2.94 degrees of freedom, of which 2 are used.
TEST(DifferenceOfMeans, repeatedRuns_haveStudentsError) {
    const MeanDifference found = differenceOfMeans({9, 10, 11}, {12, 14, 16});
    EXPECT_DOUBLE_EQ(found.difference(), 4);
    ASSERT_TRUE(found.error);
    EXPECT_NEAR(*found.error, 4.3027 * std::sqrt(5.0 / 3), 1e-3);
    EXPECT_TRUE(found.isWithinError());
}

/// The spread of the repeated version is taken for both: 1 × √(1/3 + 1), 2 degrees of freedom.
TEST(DifferenceOfMeans, oneVersionRepeated_givesItsSpreadToBoth) {
    const MeanDifference found = differenceOfMeans({9, 10, 11}, {20});
    EXPECT_NEAR(found.error.value(), 4.3027 * std::sqrt(4.0 / 3), 1e-3);
    EXPECT_FALSE(found.isWithinError());
}

TEST(DifferenceOfMeans, equalRuns_haveNoError) {
    EXPECT_DOUBLE_EQ(differenceOfMeans({5, 5}, {6, 6}).error.value(), 0);
}

TEST(DifferenceOfMeans, statedError_holdsInNineteenOfTwentyStudies) {
    std::mt19937 generator(7);
    std::normal_distribution<double> first(10, 1), second(12, 3);
    int holds = 0;
    constexpr int kStudies = 2000;
    for (int study = 0; study < kStudies; ++study) {
        std::vector<double> a, b;
        for (int run = 0; run < 3; ++run) {
            a.push_back(first(generator));
            b.push_back(second(generator));
        }
        const MeanDifference found = differenceOfMeans(a, b);
        holds += std::abs(found.difference() - 2) <= *found.error ? 1 : 0;
    }
    EXPECT_GE(holds, kStudies * 93 / 100);
}

}  // namespace
}  // namespace holos::algebra
