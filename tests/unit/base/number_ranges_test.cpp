// SPDX-License-Identifier: BSD-3-Clause
#include "base/number.h"

#include <gtest/gtest.h>

#include <vector>

namespace holos {
namespace {

std::string ranges(const std::vector<unsigned>& numbers) {
    return rangesOf(numbers);
}

TEST(NumberRanges, consecutiveNumbers_areARange) {
    EXPECT_EQ(ranges({}), "");
    EXPECT_EQ(ranges({0}), "0");
    EXPECT_EQ(ranges({0, 1}), "0-1");
    EXPECT_EQ(ranges({0, 2, 3, 4, 9}), "0,2-4,9");
    EXPECT_EQ(rangesOf(std::vector<std::size_t>{3, 8, 9}, ", "), "3, 8-9");
}

}  // namespace
}  // namespace holos
