// SPDX-License-Identifier: BSD-3-Clause
// Which part of a run is asked for.
#include <gtest/gtest.h>

#include "tracing/recordings/format/settings.h"

namespace holos::tracing {
namespace {

TEST(RankList, numbersAndRanges_haveTheirRanks) {
    for (const std::uint32_t rank : {0U, 4U, 5U, 7U}) EXPECT_EQ(listHasRank("0,4-7", rank), true) << rank;
    for (const std::uint32_t rank : {1U, 3U, 8U}) EXPECT_EQ(listHasRank("0,4-7", rank), false) << rank;
}

TEST(RankList, whatIsNoList_isNothing) {
    for (const char* text : {"", "a", "1,", ",1", "4-", "7-4", "1 2", "-1", "1-2-3"})
        EXPECT_EQ(listHasRank(text, 1), std::nullopt) << text;
}

TEST(MpiGroups, names_areTheirSet) {
    EXPECT_EQ(mpi::groupsOf("p2p,io"), mpi::kP2p | mpi::kIo);
    EXPECT_EQ(mpi::groupsOf("none"), 0);
    for (const char* text : {"", "p2p,", "all", "P2P"}) EXPECT_EQ(mpi::groupsOf(text), std::nullopt) << text;
}

}  // namespace
}  // namespace holos::tracing
