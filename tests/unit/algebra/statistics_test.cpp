// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/statistics.h"

#include <gmock/gmock.h>

#include <cmath>

namespace holos::algebra {
namespace {

using ::testing::ElementsAre;

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

TEST(Statistics, fourValues_haveInterpolatedQuartiles) {
    const Statistics found = statisticsOf({7, 1, kUndefined, 3, 5});
    EXPECT_EQ(found.count, 4u);
    EXPECT_EQ(found.sum, 16);
    EXPECT_EQ(found.mean, 4);
    EXPECT_EQ(found.standardDeviation, std::sqrt(5.0));  // 9 + 1 + 1 + 9 over 4
    EXPECT_EQ(found.minimum, 1);
    EXPECT_EQ(found.lowerQuartile, 2.5);
    EXPECT_EQ(found.median, 4);
    EXPECT_EQ(found.upperQuartile, 5.5);
    EXPECT_EQ(found.maximum, 7);
    EXPECT_EQ(found.imbalance, 0.75);
}

TEST(Statistics, oneValue_isEverything) {
    const Statistics found = statisticsOf({2});
    EXPECT_EQ(found.lowerQuartile, 2);
    EXPECT_EQ(found.upperQuartile, 2);
    EXPECT_EQ(found.standardDeviation, 0);
    EXPECT_EQ(found.imbalance, 0);
}

TEST(Statistics, noValue_isUndefined) {
    const Statistics found = statisticsOf({kUndefined, HUGE_VAL});
    EXPECT_EQ(found.count, 0u);
    EXPECT_EQ(found.sum, 0);
    EXPECT_TRUE(std::isnan(found.mean) && std::isnan(found.median) && std::isnan(found.imbalance));
}

TEST(Statistics, negativeMean_hasNoImbalance) {
    EXPECT_TRUE(std::isnan(statisticsOf({-1, -3}).imbalance));
}

TEST(Histogram, values_areCountedByEqualParts) {
    EXPECT_THAT(histogramOf({0, 1, 2, 9, 10, kUndefined}, 5), ElementsAre(2, 1, 0, 0, 2));
    EXPECT_THAT(histogramOf({3, 3}, 2), ElementsAre(2, 0));
    EXPECT_THAT(histogramOf({}, 2), ElementsAre(0, 0));
    EXPECT_THAT(histogramOf({-1.7e308, 1.7e308}, 2), ElementsAre(2, 0));
}

TEST(Histogram, binOfAValue_isWhereItIsCounted) {
    EXPECT_EQ(binOf(0, 0, 10, 5), 0u);
    EXPECT_EQ(binOf(9, 0, 10, 5), 4u);
    EXPECT_EQ(binOf(10, 0, 10, 5), 4u);
    EXPECT_EQ(binOf(3, 3, 3, 8), 0u);
}

Moments momentsOfAll(const std::vector<double>& values) {
    return momentsOf(values.size(), [&](std::size_t i) { return values[i]; });
}

TEST(Moments, values_haveMeanAndDeviation) {
    const Moments moments = momentsOfAll({2.0, 4.0, 9.0});
    EXPECT_DOUBLE_EQ(moments.mean, 5.0);
    EXPECT_DOUBLE_EQ(moments.deviation, std::sqrt((9.0 + 1.0 + 16.0) / 2.0));
}

TEST(Moments, equalValues_areExact) {
    const Moments moments = momentsOfAll({0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
    EXPECT_EQ(moments.mean, 0.1);
    EXPECT_EQ(moments.deviation, 0.0);
}

TEST(Moments, oneValue_hasNoDeviation) {
    EXPECT_EQ(momentsOfAll({7.0}).mean, 7.0);
    EXPECT_EQ(momentsOfAll({7.0}).deviation, 0.0);
}

}  // namespace
}  // namespace holos::algebra
