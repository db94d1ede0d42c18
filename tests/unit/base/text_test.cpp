// SPDX-License-Identifier: BSD-3-Clause
#include "base/text.h"

#include <gtest/gtest.h>

namespace holos {
namespace {

TEST(Text, lowerCase_changesLettersOfAsciiOnly) {
    EXPECT_EQ(lowerCase("MPI_Send@[`{Z"), "mpi_send@[`{z");
    EXPECT_EQ(lowerCase("\xC3\x84"), "\xC3\x84");
}

}  // namespace
}  // namespace holos
