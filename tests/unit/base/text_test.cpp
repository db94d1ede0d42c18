// SPDX-License-Identifier: BSD-3-Clause
#include "base/text.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace holos
