// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/timeline.h"

#include <gtest/gtest.h>

namespace holos::archive {
namespace {

RecordedProcess process(const std::string& boot, std::vector<tracing::ClockSync> syncs) {
    RecordedProcess result;
    result.boot = boot;
    result.syncs = std::move(syncs);
    return result;
}

constexpr tracing::ClockSync kHere{0, 0, 0};

TEST(Timeline, ticks_betweenTwoPairs_lieOnTheirLine) {
    // 2000 ticks are 1000 ns: half a nanosecond each
    const HostClock clock({{10'000, 500, 0}, {12'000, 1'500, 0}});
    EXPECT_EQ(clock.nanoseconds(10'000), 500);
    EXPECT_EQ(clock.nanoseconds(11'000), 1'000);
    EXPECT_EQ(clock.nanoseconds(14'000), 2'500);
    EXPECT_EQ(clock.nanoseconds(9'000), 0);
    EXPECT_TRUE(clock.isMeasured());
}

TEST(Timeline, oneClockPair_takesATickForANanosecond) {
    const HostClock clock({{10'000, 500, 0}});
    EXPECT_EQ(clock.nanoseconds(10'007), 507);
    EXPECT_FALSE(clock.isMeasured());
}

TEST(Timeline, processesOfOneHost_shareTheLongestLine) {
    const Timeline timeline({process("a", {{0, 0, 0}}), process("a", {{4'000, 1'000, 0}})}, "", kHere);
    EXPECT_EQ(timeline.clock(process("a", {})).nanoseconds(2'000), 500);
    EXPECT_TRUE(timeline.allMeasured());
}

TEST(Timeline, pairTakenHere_measuresAProgramThatWasKilledAtOnce) {
    const Timeline timeline({process("a", {{1'000, 1'000, 0}})}, "a", {3'000, 2'000, 0});
    EXPECT_TRUE(timeline.allMeasured());
    EXPECT_EQ(timeline.clock(process("a", {})).nanoseconds(2'000), 1'500);
}

TEST(Timeline, otherHost_hasTheAverageOfItsOffsets) {
    auto root = process("a", {{0, 0, 0}, {1'000, 1'000, 0}});
    root.world = World{0, 3};
    auto first = process("b", {{0, 0, 0}, {1'000, 1'000, 0}});
    first.world = World{1, 3};
    first.offsets = {{100, 40, 1}, {900, 80, 1}};
    auto second = first;
    second.world = World{2, 3};
    second.offsets = {{200, 60, 2}, {700, 60, 1}};
    const Timeline timeline({root, first, second}, "", kHere);
    EXPECT_TRUE(timeline.offsets(root).empty());
    const auto offsets = timeline.offsets(first);
    ASSERT_EQ(offsets.size(), 2u);
    EXPECT_EQ(offsets[0].time, 150);
    EXPECT_EQ(offsets[0].offset, 50);
    EXPECT_EQ(offsets[0].deviation, 2);
    EXPECT_EQ(offsets[1].time, 800);
    EXPECT_EQ(offsets[1].offset, 70);
}

}  // namespace
}  // namespace holos::archive
