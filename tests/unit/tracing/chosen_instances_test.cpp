// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/format/settings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace holos::tracing {
namespace {

std::vector<std::uint64_t> chosenOf(const ChosenInstances& chosen, std::uint64_t instances) {
    std::vector<std::uint64_t> all;
    for (std::uint64_t i = 1; i <= instances; ++i)
        if (chosen.has(i)) all.push_back(i);
    return all;
}

TEST(ChosenInstances, firstAndCount_areThose) {
    EXPECT_EQ(chosenOf({.first = 10, .count = 2}, 1000), (std::vector<std::uint64_t>{10, 11}));
}

TEST(ChosenInstances, every_repeats) {
    EXPECT_EQ(chosenOf({.first = 3, .count = 2, .every = 10}, 30),
              (std::vector<std::uint64_t>{3, 4, 13, 14, 23, 24}));
    EXPECT_EQ(chosenOf({.first = 2, .count = 4, .every = 4}, 6), (std::vector<std::uint64_t>{2, 3, 4, 5, 6}));
}

TEST(ChosenInstances, share_isOneOfEachPart) {
    const ChosenInstances chosen{.oneIn = ChosenInstances::oneInFor(0.05), .seed = 7};
    const auto all = chosenOf(chosen, 20'000);
    ASSERT_EQ(all.size(), 1000u);
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ((all[i] - 1) / 20, i);
}

TEST(ChosenInstances, shareThatIsNoFraction_isKeptOnAverage) {
    for (const double share : {0.3, 0.7, 0.99, 1.0, 0.0013}) {
        const ChosenInstances chosen{.oneIn = ChosenInstances::oneInFor(share), .seed = 3};
        const auto all = chosenOf(chosen, 100'000);
        EXPECT_NEAR(static_cast<double>(all.size()), share * 100'000, 2) << share;
    }
}

TEST(ChosenInstances, share_placesWithinPartsAreEven) {
    const ChosenInstances chosen{.oneIn = ChosenInstances::oneInFor(0.1), .seed = 11};
    std::vector<int> places(10, 0);
    for (const std::uint64_t one : chosenOf(chosen, 100'000)) ++places[(one - 1) % 10];
    for (const int times : places) EXPECT_NEAR(times, 1000, 5 * std::sqrt(1000)) << "of 10,000";
}

TEST(ChosenInstances, sameSeed_sameInstancesAndOthersByAnother) {
    const ChosenInstances one{.oneIn = ChosenInstances::oneInFor(0.01), .seed = 1};
    const ChosenInstances other{.oneIn = ChosenInstances::oneInFor(0.01), .seed = 2};
    EXPECT_EQ(chosenOf(one, 10'000), chosenOf(one, 10'000));
    EXPECT_NE(chosenOf(one, 10'000), chosenOf(other, 10'000));
}

}  // namespace
}  // namespace holos::tracing
