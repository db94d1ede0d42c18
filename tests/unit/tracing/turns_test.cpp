// SPDX-License-Identifier: BSD-3-Clause
// Counters that take turns on a processor with too few registers.
#include "tracing/counters/turns.h"

#include <gtest/gtest.h>

#include "tracing/counters/selection.h"

namespace holos::counters {
namespace {

TEST(Turns, countedAllTheTime_isWhatWasCounted) {
    Turns turns;
    EXPECT_EQ(turns.estimate(100, 10, 10), 100u);
    EXPECT_EQ(turns.estimate(250, 20, 20), 250u);
    EXPECT_EQ(turns.activeShare(), 1);
}

TEST(Turns, countedAPartOfTheTime_restHasItsRate) {
    Turns turns;
    EXPECT_EQ(turns.estimate(100, 10, 10), 100u);
    EXPECT_EQ(turns.estimate(200, 30, 20), 300u);  // 100 in 10 of 20: twice that
    EXPECT_EQ(turns.activeShare(), 20.0 / 30);
    EXPECT_EQ(turns.estimate(200, 40, 20), 300u);  // nothing is known yet
    EXPECT_EQ(turns.activeShare(), 0.5);
    EXPECT_EQ(turns.estimate(300, 50, 30), 500u);  // 100 in 10 of 20 again
}

TEST(Turns, neverCounted_isNothing) {
    Turns turns;
    EXPECT_EQ(turns.estimate(0, 50, 0), 0u);
    EXPECT_EQ(turns.activeShare(), 0);
}

TEST(Turns, eventsThatNeedNoRegister_areCountedAllTheTime) {
    const auto event = perfEvents().find("page-faults");
    if (!event->unavailable.empty()) GTEST_SKIP() << event->unavailable;
    const auto reader = Selection({"page-faults", "task-clock"}, true).open();
    std::uint64_t before[2] = {};
    std::uint64_t after[2] = {};
    ASSERT_TRUE(reader->read(before));
    while (reader->read(after) && after[1] == before[1]) continue;
    EXPECT_EQ(reader->activeShare(0), 1);
    EXPECT_GT(after[1], before[1]);
}

}  // namespace
}  // namespace holos::counters
