// SPDX-License-Identifier: BSD-3-Clause
#include "base/text.h"

#include <gtest/gtest.h>

#include "base/number.h"

namespace holos {
namespace {

TEST(Text, lowerCase_changesLettersOfAsciiOnly) {
    EXPECT_EQ(lowerCase("MPI_Send@[`{Z"), "mpi_send@[`{z");
    EXPECT_EQ(lowerCase("\xC3\x84"), "\xC3\x84");
}

TEST(Text, trimmed_isThePartBetweenBlanks) {
    EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
    EXPECT_EQ(trimmed("a"), "a");
    EXPECT_EQ(trimmed(" \n"), "");
    EXPECT_EQ(trimmed(""), "");
}

TEST(Number, asNumber_isThatOfTheWholeText) {
    EXPECT_EQ(asNumber<int>("-42"), -42);
    EXPECT_EQ(asNumber<double>("2.5e3"), 2500.0);
    EXPECT_EQ(asNumber<unsigned>("ff", 16), 255U);
    for (const char* text : {"", " 1", "1 ", "+1", "1x", "0x1"}) EXPECT_FALSE(asNumber<int>(text)) << text;
    EXPECT_FALSE(asNumber<std::uint8_t>("256"));
    EXPECT_FALSE(asNumber<unsigned>("-1"));
}

TEST(Number, asDecimalOrHexadecimal_knowsThePrefix) {
    EXPECT_EQ(asDecimalOrHexadecimal("12"), 12U);
    EXPECT_EQ(asDecimalOrHexadecimal("0x1F"), 31U);
    EXPECT_EQ(asDecimalOrHexadecimal("0X1f"), 31U);
    for (const char* text : {"", "0x", "1F", "0x1g"}) EXPECT_FALSE(asDecimalOrHexadecimal(text)) << text;
}

}  // namespace
}  // namespace holos
