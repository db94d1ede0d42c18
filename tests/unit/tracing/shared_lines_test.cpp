// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/plan/placement.h"

#include <gtest/gtest.h>

namespace holos::archive {
namespace {

using Use = SharedLines::Use;
constexpr std::uint64_t kLine = 0x10000;

TEST(SharedLines, lineOfOneThread_isItsOwn) {
    SharedLines lines;
    lines.add(1, kLine, 0, true);
    lines.add(1, kLine + 8, 0, true);
    lines.add(2, kLine + 64, 0, true);  // the next one
    EXPECT_EQ(lines.of(kLine, 0), Use::Own);
    EXPECT_EQ(lines.of(kLine + 64, 0), Use::Own);
    EXPECT_EQ(lines.of(kLine + 128, 0), Use::Own);
}

TEST(SharedLines, lineThatNobodyWrites_isShared_byNobody) {
    SharedLines lines;
    lines.add(1, kLine, 0, false);
    lines.add(2, kLine, 0, false);
    EXPECT_EQ(lines.of(kLine, 0), Use::Own);
}

TEST(SharedLines, wordThatOneWritesAndAnotherReads_isShared) {
    SharedLines lines;
    lines.add(1, kLine + 16, 0, true);
    lines.add(2, kLine + 20, 0, false);  // the same eight bytes
    EXPECT_EQ(lines.of(kLine + 63, 0), Use::Shared);
}

TEST(SharedLines, wordsOfDifferentThreadsInOneLine_areFalselyShared) {
    SharedLines lines;
    lines.add(1, kLine, 0, true);
    lines.add(2, kLine + 8, 0, false);
    EXPECT_EQ(lines.of(kLine, 0), Use::Falsely);
    lines.add(3, kLine + 8, 0, false);  // which nobody writes
    EXPECT_EQ(lines.of(kLine, 0), Use::Falsely);
    lines.add(3, kLine, 0, false);
    EXPECT_EQ(lines.of(kLine, 0), Use::Shared);
}

TEST(SharedLines, blocksInTheSamePlace_areOtherData) {
    SharedLines lines;
    lines.add(1, kLine, 1, true);
    lines.add(2, kLine, 2, true);
    EXPECT_EQ(lines.of(kLine, 1), Use::Own);
    EXPECT_EQ(lines.of(kLine, 2), Use::Own);
}

}  // namespace
}  // namespace holos::archive
