// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "tracing/counters/selection.h"

namespace holos::counters {
namespace {

using ::testing::ElementsAre;
using Values = std::vector<std::uint64_t>;

Values corrected(Compensation& compensation, Values values) {
    compensation.apply(values);
    return values;
}

TEST(Compensation, eachReading_takesTheCostOfThoseBefore) {
    Compensation compensation({10, 0});
    EXPECT_THAT(corrected(compensation, {100, 5}), ElementsAre(100, 5));  // none before
    EXPECT_THAT(corrected(compensation, {110, 6}), ElementsAre(100, 6));  // nothing but the reading
    EXPECT_THAT(corrected(compensation, {170, 7}), ElementsAre(150, 7));  // 170 - 2 × 10
}

TEST(Compensation, readingThatCostLess_neverDecreases) {
    Compensation compensation({10});
    EXPECT_THAT(corrected(compensation, {100}), ElementsAre(100));
    EXPECT_THAT(corrected(compensation, {104}), ElementsAre(100));  // 94 would be a step back
    EXPECT_THAT(corrected(compensation, {140}), ElementsAre(120));  // 140 - 2 × 10
}

TEST(Compensation, smallerThanTheCosts_isZeroAndNoHugeNumber) {
    Compensation compensation({10});
    EXPECT_THAT(corrected(compensation, {0}), ElementsAre(0));
    EXPECT_THAT(corrected(compensation, {3}), ElementsAre(0));
}

TEST(Compensation, costs_areTheLeastDifferencesOfNeighbours) {
    // Two counters, four readings: differences 5, 3, 9 and 0, 7, 2.
    EXPECT_THAT(leastDifferences(Values{0, 0, 5, 0, 8, 7, 17, 9}, 2), ElementsAre(3, 0));
}

TEST(Compensation, ofARealReader_neverDecreasesAndLeavesStatesAlone) {
    const auto reader = Selection({"ru_minflt", "ru_maxrss"}).openCompensated();
    Values before(2), after(2);
    ASSERT_TRUE(reader->read(before.data()));
    ASSERT_TRUE(reader->read(after.data()));
    EXPECT_GE(after[0], before[0]);
    EXPECT_GT(after[1], 0u);
}

}  // namespace
}  // namespace holos::counters
