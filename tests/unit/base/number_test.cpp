// SPDX-License-Identifier: BSD-3-Clause
#include "base/number.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string_view>
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

TEST(LeadingNumber, isTakenOffTheText_andNothingOfOthers) {
    std::string_view text = "12-0x1f GHz";
    EXPECT_EQ(takeLeadingNumber<unsigned>(text), 12U);
    EXPECT_EQ(text, "-0x1f GHz");
    EXPECT_EQ(takeLeadingNumber<unsigned>(text), std::nullopt);
    EXPECT_EQ(text, "-0x1f GHz");
    text.remove_prefix(3);
    EXPECT_EQ(takeLeadingNumber<unsigned>(text, 16), 31U);
    EXPECT_EQ(text, " GHz");
    text = "256";
    EXPECT_EQ(takeLeadingNumber<std::uint8_t>(text), std::nullopt) << "the type cannot hold it";
}

}  // namespace
}  // namespace holos
