// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/run/host_clocks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

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

/// Whatever the length of a tick.
TEST(Timeline, ticks_anywhere_areDividedExactly) {
    std::mt19937_64 random(1);  // NOLINT(cert-msc51-cpp): the same ones each time
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t ticks = (random() >> 1U) >> random() % 62U | 1U;
        const std::int64_t length = static_cast<std::int64_t>((random() >> 1U) >> random() % 62U | 1U);
        const std::uint64_t begin = random();
        const HostClock clock({{begin, 7, 0}, {begin + ticks, 7 + length, 0}});
        if (!clock.isMeasured()) continue;  // its pairs look as if they were in the other order
        const auto since = static_cast<std::int64_t>(random()) >> random() % 64U;
        const __int128 exact = static_cast<__int128>(since) * length / static_cast<__int128>(ticks);
        ASSERT_EQ(clock.nanoseconds(begin + static_cast<std::uint64_t>(since)),
                  7 + static_cast<std::int64_t>(exact))
            << ticks << ' ' << length << ' ' << since;
    }
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

/// Its trace has the same times whenever it is made.
TEST(Timeline, processesThatTookTheirLastPair_needNoneTakenHere) {
    auto whole = process("a", {{1'000, 1'000, 0}, {3'000, 2'000, 0}});
    whole.status.ended = 1;
    const auto atEnd = [](const std::vector<RecordedProcess>& all) {
        const Timeline timeline(all, "a", {1'003'000, 1'003'000, 0});
        return timeline.clock(process("a", {})).nanoseconds(3'000);
    };
    EXPECT_EQ(atEnd({whole}), 2'000);
    auto killed = process("a", {{2'000, 1'500, 0}});
    EXPECT_NE(atEnd({whole, killed}), 2'000);
    killed.replaced = true;  // by a program that took one
    EXPECT_EQ(atEnd({whole, killed}), 2'000);
}

/// As a launcher that is not recorded to its end, and ends as soon as the ranks have.
TEST(Timeline, processThatEndedSoonAfterTheLastPair_needsNoneTakenHere) {
    auto whole = process("a", {{1'000, 1'000, 0}, {3'000, 2'000, 0}});
    whole.status.ended = 1;
    auto launcher = process("a", {{1'500, 1'250, 0}});
    const auto atEnd = [&](std::int64_t end) {
        launcher.end.at = end;
        const Timeline timeline({launcher, whole}, "a", {1'003'000, 1'003'000, 0});
        return timeline.clock(launcher).nanoseconds(3'000);
    };
    EXPECT_EQ(atEnd(2'500), 2'000);
    EXPECT_EQ(atEnd(3'000), 2'000);
    EXPECT_NE(atEnd(3'001), 2'000) << "further behind the last pair than that is behind the first one";
}

/// Two ticks are a nanosecond.
TEST(Timeline, processWhosePairsMakeALine_needsNoneTakenHereOnceItIsKilled) {
    auto killed = process("a", {{1'000, 1'000, 0}, {201'000, 101'000, 0}});
    const auto later = [&killed](std::int64_t asked) {
        const auto ticks = static_cast<std::uint64_t>(asked);
        const Timeline timeline({killed}, "a", {ticks, asked, 0});
        return timeline.clock(killed).nanoseconds(1'001'000);
    };
    EXPECT_EQ(later(2'001'000), 501'000);
    EXPECT_EQ(later(9'001'000), 501'000);
    killed.seenAlive = 0;
    EXPECT_NE(later(2'001'000), 501'000) << "while it lives its newest times lie between pairs";
    killed.seenAlive.reset();
    killed.syncs.back() = {200'998, 100'999, 0};
    EXPECT_EQ(later(2'001'000), 1'001'000) << "its own line is too short";
}

TEST(Timeline, processThatLeftNothing_doesNotMatter) {
    const Timeline timeline({process("a", {{0, 0, 0}, {4'000, 1'000, 0}}), process("", {})}, "", kHere);
    EXPECT_TRUE(timeline.allMeasured());
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

TEST(Timeline, measurementInBetween_bendsTheLine) {
    auto root = process("a", {{0, 0, 0}, {1'000, 1'000, 0}});
    root.world = World{0, 2};
    auto other = process("b", {{0, 0, 0}, {1'000, 1'000, 0}});
    other.world = World{1, 2};
    other.offsets = {{100, 40, 1}, {300, 60, 1}, {700, 20, 1}};
    const Timeline timeline({root, other}, "", kHere);
    const auto offsets = timeline.offsets(other);
    ASSERT_EQ(offsets.size(), 3u);
    EXPECT_EQ(globalTime(50, offsets), 85);    // the first line, 20 in 200, goes on before its start
    EXPECT_EQ(globalTime(200, offsets), 250);  // half way from 40 to 60
    EXPECT_EQ(globalTime(300, offsets), 360);  //
    EXPECT_EQ(globalTime(500, offsets), 540);  // half way from 60 to 20
    EXPECT_EQ(globalTime(900, offsets), 900);  // the second line, -40 in 400, goes on behind its end
    EXPECT_EQ(globalTime(900, {}), 900);
}

TEST(Timeline, oneMeasurementAlone_holdsForAllTimes) {
    auto root = process("a", {{0, 0, 0}, {1'000, 1'000, 0}});
    root.world = World{0, 2};
    auto killed = process("b", {{0, 0, 0}, {1'000, 1'000, 0}});
    killed.world = World{1, 2};
    killed.offsets = {{100, 40, 1}};
    const auto offsets = Timeline({root, killed}, "", kHere).offsets(killed);
    ASSERT_EQ(offsets.size(), 2u);  // OTF2's readers need two for a line
    EXPECT_EQ(globalTime(0, offsets), 40);
    EXPECT_EQ(globalTime(900, offsets), 940);
}

}  // namespace
}  // namespace holos::archive
