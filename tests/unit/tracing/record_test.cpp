// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/record.h"

#include <gtest/gtest.h>

namespace holos::tracing {
namespace {

constexpr std::uint64_t kWrap = std::uint64_t{1} << 56;

TEST(Record, header_keepsKindAndTicks) {
    const std::uint64_t word = header(RecordKind::Leave, 1000);
    EXPECT_EQ(static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(RecordKind::Leave));
    EXPECT_EQ(ticksOf(word, 990), 1000u);
}

TEST(Record, ticks_beforeTheNearOnes_areFound) {
    EXPECT_EQ(ticksOf(header(RecordKind::Enter, 1000), 1010), 1000u);
}

TEST(Record, ticks_beyondTheirBits_areFound) {
    const std::uint64_t ticks = 3 * kWrap + 5;
    EXPECT_EQ(ticksOf(header(RecordKind::Enter, ticks), 3 * kWrap - 7), ticks);
}

TEST(Record, headerOfAnyEvent_isNotZero) {
    EXPECT_NE(header(RecordKind::Enter, 0), 0u);
    EXPECT_NE(header(RecordKind::Enter, kWrap), 0u);
}

TEST(Record, words_ofCounters_growWithTheirNumber) {
    EXPECT_EQ(recordWords(RecordKind::Counters, 3), 4u);
    EXPECT_EQ(recordWords(RecordKind::Enter, 3), 2u);
    EXPECT_EQ(recordWords(RecordKind::MpiIsend, 0), 5u);
}

TEST(Record, pair_holdsBothHalves) {
    EXPECT_EQ(lowHalf(pair(7, 9)), 7u);
    EXPECT_EQ(highHalf(pair(7, 9)), 9u);
}

}  // namespace
}  // namespace holos::tracing
