// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/format/record.h"

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

TEST(Record, kindOfHeader_isTheOneItWasMadeOf_orNone) {
    EXPECT_EQ(kindOf(header(RecordKind::Polls, 5)), RecordKind::Polls);
    EXPECT_EQ(kindOf(kRecordKinds - 1), RecordKind::TimedOut);
    EXPECT_EQ(kindOf(kRecordKinds), RecordKind::End);
    EXPECT_EQ(kindOf(0xFF), RecordKind::End);
}

TEST(Record, numbers_areThoseOfTheFormatsVersion) {
    EXPECT_EQ(kFormatVersion, 17u);  // with other numbers, another version
    EXPECT_EQ(static_cast<int>(RecordKind::Enter), 1);
    EXPECT_EQ(static_cast<int>(RecordKind::MpiSend), 10);
    EXPECT_EQ(static_cast<int>(RecordKind::RmaWinCreate), 22);
    EXPECT_EQ(static_cast<int>(RecordKind::FileOpened), 35);
    EXPECT_EQ(static_cast<int>(RecordKind::ThreadFork), 45);
    EXPECT_EQ(static_cast<int>(RecordKind::Polls), 61);
    EXPECT_EQ(static_cast<int>(RecordKind::Sections), 62);
    EXPECT_EQ(static_cast<int>(RecordKind::Shortage), 63);
    EXPECT_EQ(static_cast<int>(RecordKind::TimedOut), 64);
}

TEST(Record, groups_tellTheProgramsEventsFromOthers) {
    EXPECT_EQ(groupOf(RecordKind::MpiFailed), RecordGroup::MpiFailure);
    EXPECT_EQ(groupOf(RecordKind::TaskSwitch), RecordGroup::Task);
    EXPECT_TRUE(isOfProgram(RecordKind::Enter));
    EXPECT_TRUE(isOfProgram(RecordKind::Polls));
    EXPECT_FALSE(isOfProgram(RecordKind::Counters));
    EXPECT_FALSE(isOfProgram(RecordKind::Sample));
    EXPECT_TRUE(isOfMpi(RecordKind::FileCollective));
    EXPECT_FALSE(isOfMpi(RecordKind::MpiFailed));
}

TEST(Record, pair_holdsBothHalves) {
    EXPECT_EQ(lowHalf(pair(7, 9)), 7u);
    EXPECT_EQ(highHalf(pair(7, 9)), 9u);
}

}  // namespace
}  // namespace holos::tracing
