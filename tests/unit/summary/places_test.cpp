// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "algebra/insight/summary/measures.h"

namespace holos::algebra {
namespace {

/// main: step (fluxes, update), output.
CallTree tree() {
    CallTree made;
    const CallPathId main = made.add({});
    const CallPathId step = made.add({}, main);
    made.add({}, step);
    made.add({}, step);
    made.add({}, main);
    return made;
}

std::vector<std::size_t> placesIn(const std::vector<double>& values, double least) {
    std::vector<std::size_t> found;
    for (const Place& place : placesOf(tree(), values, least)) found.push_back(place.path.index());
    return found;
}

TEST(Places, valueInOneCallPath_isThere) {
    EXPECT_EQ(placesIn({0, 0, 0, 9, 1}, 2), std::vector<std::size_t>{3});
}

TEST(Places, valueInSmallParts_isWhereTheyAreCalled) {
    EXPECT_EQ(placesIn({0, 1, 1.5, 1.5, 0}, 2), std::vector<std::size_t>{1});
}

TEST(Places, severalLargeOnes_largestFirst) {
    EXPECT_EQ(placesIn({0, 0, 3, 9, 5}, 2), (std::vector<std::size_t>{3, 4, 2}));
}

TEST(Places, restOfTheCaller_isAPlaceWhereItIsAsMuch) {
    EXPECT_EQ(placesIn({2.5, 0, 3, 0, 0}, 2), (std::vector<std::size_t>{2, 0}));
    EXPECT_EQ(placesIn({1.5, 0, 3, 0, 0}, 2), std::vector<std::size_t>{2});
}

TEST(Places, nothing_isNowhere) {
    EXPECT_TRUE(placesIn({0, 0, 0, 0, 0}, 0).empty());
}

}  // namespace
}  // namespace holos::algebra
