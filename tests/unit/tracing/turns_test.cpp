// SPDX-License-Identifier: BSD-3-Clause
// Counters that take turns on a processor with too few registers.
#include "tracing/counters/turns.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(Turns, steadyRate_isKnownExactly) {
    Turns turns;
    for (std::uint64_t i = 1; i <= 4; ++i) turns.estimate(100 * i, 20 * i, 10 * i);
    EXPECT_EQ(turns.estimate().value, 800);
    EXPECT_EQ(turns.estimate().deviation, 0);
}

/// Rates of 10, 20 and 10 while counted, and 10 of each 20 not counted: each interval is uncertain by
/// 10 × 10, the first one by what the second one tells.
TEST(Turns, changingRate_isUncertainByTheTimeNotCounted) {
    Turns turns;
    turns.estimate(100, 20, 10);
    EXPECT_EQ(turns.estimate().deviation, 0) << "one interval tells nothing";
    turns.estimate(300, 40, 20);
    turns.estimate(400, 60, 30);
    EXPECT_EQ(turns.estimate().value, 800);
    EXPECT_NEAR(turns.estimate().deviation, std::sqrt(3 * 100.0 * 100.0), 1e-9);
}

TEST(Turns, changingRateThatIsAlwaysCounted_isKnownExactly) {
    Turns turns;
    turns.estimate(100, 10, 10);
    turns.estimate(300, 20, 20);
    EXPECT_EQ(turns.estimate().deviation, 0);
}

/// A program whose rate drifts and jumps, counted all the time and in turns of random length: the estimate is
/// within two of its deviations of what was counted alone in about 95 of 100 runs.
TEST(Turns, estimates_areAsFarFromARunOfTheirOwnAsTheySay) {
    constexpr int kRuns = 400, kIntervals = 300;
    std::uint64_t state = 1;
    const auto random = [&state] {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<double>(state >> 11) / static_cast<double>(1ULL << 53);
    };
    int within = 0;
    for (int run = 0; run < kRuns; ++run) {
        Turns turns;
        double alone = 0, counted = 0;
        std::uint64_t enabled = 0, running = 0;
        for (int i = 0; i < kIntervals; ++i) {
            const double drift = 1000 + 500 * std::sin(0.03 * i);
            const double in = drift * (0.8 + 0.4 * random()), out = drift * (0.8 + 0.4 * random());
            const auto share = static_cast<std::uint64_t>(20 + 60 * random());  // of 100
            counted += in * static_cast<double>(share);
            alone += in * static_cast<double>(share) + out * static_cast<double>(100 - share);
            enabled += 100;
            running += share;
            turns.estimate(static_cast<std::uint64_t>(counted), enabled, running);
        }
        within += std::abs(turns.estimate().value - alone) <= 2 * turns.estimate().deviation;
    }
    EXPECT_GE(within, kRuns * 90 / 100);
    EXPECT_LE(within, kRuns * 99 / 100) << "the error is not exaggerated";
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
