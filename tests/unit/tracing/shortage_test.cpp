// SPDX-License-Identifier: BSD-3-Clause
// What the recorder concludes from the kernel's answers about a thread that lost its mark.
#include "tracing/recorder/core/shortage.h"

#include <gtest/gtest.h>

namespace holos::testing {
namespace {

using tracing::core::MarkHistory;
using tracing::core::ProcessorReading;
using tracing::core::TimeOff;

constexpr std::int64_t kMicrosecond = 1'000, kMillisecond = 1'000'000;

/// A thread that loses its mark again and again, of which the kernel tells the truth.
class MarkHistoryTest : public ::testing::Test {
  protected:
    /// It ran for so long, and then had no processor for so long: because it slept, or because that was
    /// taken.
    std::optional<TimeOff> lose(std::int64_t ran, std::int64_t off, bool slept) {
        now_.time += ran + off;
        now_.onProcessor += ran;
        ++(slept ? now_.sleeps : now_.losses);
        wasAsked_ = !mark_.mayBeMissed(now_.time);
        return wasAsked_ ? mark_.timeOff(now_) : std::nullopt;
    }
    /// Loses the processor as often as at barriers that are short, on processors that nobody else wants.
    void becomeCalm() {
        for (std::uint32_t time = 0; time <= MarkHistory::kCalm; ++time)
            lose(10 * kMicrosecond, 20 * kMicrosecond, true);
    }

    MarkHistory mark_{};
    ProcessorReading now_{kMillisecond, 0, 0, 0};
    bool wasAsked_ = false;
};

TEST_F(MarkHistoryTest, ofTheFirstReading_nothingIsKnown) {
    EXPECT_FALSE(lose(kMillisecond, 5 * kMillisecond, false));
    EXPECT_TRUE(wasAsked_);
}

TEST_F(MarkHistoryTest, processorThatWasTaken_isTimeOffWithoutSleep) {
    lose(kMillisecond, kMillisecond, false);
    const auto off = lose(kMillisecond, 4 * kMillisecond, false);
    ASSERT_TRUE(off);
    EXPECT_EQ(off->nanoseconds, 4 * kMillisecond);
    EXPECT_EQ(off->sleeps, 0);
}

TEST_F(MarkHistoryTest, changeOfThreadsAlone_isNone) {
    lose(kMillisecond, kMillisecond, false);
    EXPECT_FALSE(lose(kMillisecond, 5 * kMicrosecond, false));
}

TEST_F(MarkHistoryTest, shortSleepsOfACalmThread_areNotAskedFor) {
    becomeCalm();
    lose(10 * kMicrosecond, 20 * kMicrosecond, true);
    EXPECT_FALSE(wasAsked_);
}

TEST_F(MarkHistoryTest, longTimeAfterThem_isToldWithoutWhatWasMissed_asSleep) {
    becomeCalm();
    for (int time = 0; time < 10; ++time) lose(10 * kMicrosecond, 20 * kMicrosecond, true);
    const auto off = lose(kMillisecond, 4 * kMillisecond, false);
    ASSERT_TRUE(off);
    EXPECT_LE(off->nanoseconds, 4 * kMillisecond);
    EXPECT_GE(off->nanoseconds, 4 * kMillisecond - 10 * 10 * kMicrosecond - 10 * kMicrosecond);
    EXPECT_GT(off->sleeps, 0);
}

TEST_F(MarkHistoryTest, threadWhoseProcessorWasTaken_isAskedForEachTimeAgain) {
    becomeCalm();
    lose(10 * kMicrosecond, 20 * kMicrosecond, true);
    ASSERT_FALSE(wasAsked_);
    lose(kMillisecond, 4 * kMillisecond, false);
    lose(10 * kMicrosecond, 20 * kMicrosecond, true);
    EXPECT_TRUE(wasAsked_);
    const auto off = lose(100 * kMicrosecond, 50 * kMicrosecond, false);
    ASSERT_TRUE(off);
    EXPECT_EQ(off->sleeps, 0);
}

TEST_F(MarkHistoryTest, whatIsTold_isNeverMoreThanThereWas) {
    std::uint64_t random = 1;
    for (int time = 0; time < 20'000; ++time) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        const auto ran = static_cast<std::int64_t>(random >> 33U) % (300 * kMicrosecond);
        const auto offFor = static_cast<std::int64_t>(random >> 40U) %
                            (time % 50 == 0 ? 5 * kMillisecond : 60 * kMicrosecond);
        const auto off = lose(ran, offFor, time % 50 != 0);
        if (time == 0 || !off) continue;
        EXPECT_LE(off->nanoseconds, offFor);
        if (time % 50 != 0) {
            EXPECT_GT(off->sleeps, 0);
        }
    }
}

/// The kernel counts as taken what a thread lets others have.
TEST_F(MarkHistoryTest, processorThatWasGivenAway_isNotTimeWithoutOne) {
    lose(kMillisecond, kMillisecond, false);
    mark_.giveAway();
    const auto given = lose(kMillisecond, 4 * kMillisecond, false);
    ASSERT_TRUE(given);
    EXPECT_EQ(given->nanoseconds, 4 * kMillisecond);
    EXPECT_GT(given->sleeps, 0);
    const auto taken = lose(kMillisecond, 4 * kMillisecond, false);
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->sleeps, 0);
}

}  // namespace
}  // namespace holos::testing
