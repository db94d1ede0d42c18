// SPDX-License-Identifier: BSD-3-Clause
// The end of a file of an archive: how much of it is there in whole.
#include "analyzer/trace/file_end.h"

#include <gtest/gtest.h>

#include "tests/support/damage.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using analyzer::trace::endOfDefinitions;
using analyzer::trace::endOfEvents;
using analyzer::trace::FileEnd;

// In bytes. An event has a time stamp, type, length and region; the first region, `main`, is written as none.
constexpr std::uint64_t kHeader = 18;
constexpr std::uint64_t kMain = 9 + 2;
constexpr std::uint64_t kEvent = 9 + 3;
constexpr std::uint64_t kWhole = kHeader + kMain + 200 * kEvent + kMain;
constexpr std::uint64_t kEndMarks = 2;

/// One process that calls `f` a hundred times: 202 events at different times.
std::filesystem::path writeCalls(const TemporaryDirectory& directory) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main");
    for (Tick call = 0; call < 100; ++call) trace.on(0).call(2 * call + 1, 2 * call + 2, "f");
    trace.on(0).leave(300);
    return trace.write(directory.path());
}

struct TraceFileEnd : ::testing::Test {
    TemporaryDirectory directory;
    std::filesystem::path anchor = writeCalls(directory);
    std::filesystem::path events = eventFile(anchor, 0);
    static constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;

    void expectCutAfter(std::uint64_t records) const {
        const std::optional<FileEnd> end = endOfEvents(events, kChunk);
        ASSERT_TRUE(end);
        EXPECT_TRUE(end->isCut);
        EXPECT_EQ(end->records, records);
    }
};

TEST_F(TraceFileEnd, wholeFile_isNotCut) {
    ASSERT_EQ(std::filesystem::file_size(events), kWhole + kEndMarks);
    const auto end = endOfEvents(events, kChunk);
    ASSERT_TRUE(end);
    EXPECT_FALSE(end->isCut);
    EXPECT_EQ(end->records, 202U);
}

TEST_F(TraceFileEnd, lostEndMarks_areACut) {
    truncate(events, kWhole + 1);
    expectCutAfter(202);
    truncate(events, kWhole);
    expectCutAfter(202);
}

TEST_F(TraceFileEnd, eventInPart_doesNotCount) {
    for (std::uint64_t missing = 1; missing < kEvent; ++missing) {
        truncate(events, kHeader + kMain + 149 * kEvent - missing);
        expectCutAfter(149);
    }
}

TEST_F(TraceFileEnd, headerInPart_hasNoEvents) {
    truncate(events, kHeader - 3);
    expectCutAfter(0);
    truncate(events, 0);
    expectCutAfter(0);
}

TEST_F(TraceFileEnd, earlierChunks_countByTheNumberOfTheFirstEvent) {
    overwrite(events, 2, std::string_view("\x41\x42\x00\x00\x00\x00\x00\x00", 8));  // 0x4241
    const auto end = endOfEvents(events, kChunk);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->records, 0x4240U + 202);
}

TEST_F(TraceFileEnd, whatIsNoFileOfOtf2_saysNothing) {
    replace(events, "\x1f\x8b compressed, or anything else");
    EXPECT_FALSE(endOfEvents(events, kChunk));
    EXPECT_FALSE(endOfEvents(directory.path() / "none", kChunk));
    EXPECT_FALSE(endOfEvents(directory.path(), kChunk));
}

TEST_F(TraceFileEnd, definitions) {
    const auto file = globalDefinitionFile(anchor);
    const auto whole = endOfDefinitions(file, kChunk);
    ASSERT_TRUE(whole);
    EXPECT_FALSE(whole->isCut);
    truncate(file, std::filesystem::file_size(file) - kEndMarks);
    const auto cut = endOfDefinitions(file, kChunk);
    ASSERT_TRUE(cut);
    EXPECT_TRUE(cut->isCut);
    EXPECT_EQ(cut->records, whole->records);
}

/// A file of definitions as OTF2 writes it: 18 bytes of head, records of 252 bytes; chunks of 512 bytes,
/// whose end is filled with zeros when the next record does not fit.
std::string chunkOfDefinitions(unsigned records) {
    std::string chunk =
        "\x03"
        "B" +
        std::string(16, '\0');
    for (unsigned i = 0; i < records; ++i) chunk += "\x0a\xfa" + std::string(250, 'x');
    return chunk;
}

std::string filled(std::string chunk) {
    chunk.resize(512, '\0');
    return chunk;
}

TEST_F(TraceFileEnd, definitionsOfSeveralChunks) {
    const auto file = globalDefinitionFile(anchor);
    const std::string two = filled(chunkOfDefinitions(1)) + filled(chunkOfDefinitions(1));
    const std::string last = chunkOfDefinitions(1);
    const auto check = [&](const std::string& content, std::uint64_t records, bool isCut) {
        replace(file, content);
        const auto end = endOfDefinitions(file, 512);
        ASSERT_TRUE(end) << content.size();
        EXPECT_EQ(end->records, records) << content.size();
        EXPECT_EQ(end->isCut, isCut) << content.size();
    };
    check(two + last + "\x02\x01", 3, false);
    check(two + last + "\x02", 3, true);
    check(two + last.substr(0, last.size() - 1), 2, true);
    check(two + last.substr(0, 10), 2, true);
    check(two, 2, true);
    check(two.substr(0, two.size() - 5), 2, true);
    check(two.substr(0, 512), 1, true);
}

TEST_F(TraceFileEnd, fullChunk_goesOnInTheNext) {
    const auto file = globalDefinitionFile(anchor);
    const std::string full = chunkOfDefinitions(1);  // 270 bytes
    replace(file, full + chunkOfDefinitions(0) + "\x02\x01");
    const auto end = endOfDefinitions(file, full.size());
    ASSERT_TRUE(end);
    EXPECT_FALSE(end->isCut);
    EXPECT_EQ(end->records, 1U);
}

TEST_F(TraceFileEnd, recordOverTheEndOfAChunk_saysNothing) {
    const auto file = globalDefinitionFile(anchor);
    replace(file, chunkOfDefinitions(3) + "\x02\x01");
    EXPECT_FALSE(endOfDefinitions(file, 512));
    EXPECT_FALSE(endOfDefinitions(file, 5));
}

/// The head of a chunk, a time stamp and an event, in this order of bytes.
std::string oneEvent(bool isBig, std::string_view event) {
    const auto number = [&](char value) {
        std::string bytes(8, '\0');
        bytes[isBig ? 7 : 0] = value;
        return bytes;
    };
    return std::string{'\3', isBig ? '#' : 'B'} + number(1) + number(1) + '\5' + number(9) +
           std::string(event) + "\2\1";
}

TEST_F(TraceFileEnd, undefinedRegion_isNoLongRecord) {
    replace(events, oneEvent(false, "\x0C\xFF"));
    const auto end = endOfEvents(events, kChunk);
    ASSERT_TRUE(end);
    EXPECT_FALSE(end->isCut);
    EXPECT_EQ(end->records, 1U);
}

TEST_F(TraceFileEnd, fileOfBigEndianMachine_isWhole) {
    replace(events, oneEvent(true, "\x0C\x01\x07"));
    const auto end = endOfEvents(events, kChunk);
    ASSERT_TRUE(end);
    EXPECT_FALSE(end->isCut);
    EXPECT_EQ(end->records, 1U);
}

}  // namespace
}  // namespace holos::testing
