// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

#include "analyzer/memory/records.h"
#include "base/error.h"
#include "tests/support/equal_experiments.h"
#include "tests/support/large_trace.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

/// Every process has more than this.
constexpr std::uint64_t kTooLittle = 4096;

TEST(RecordFile, takenOutOfMemory_keepsItsContent) {
    const TemporaryDirectory folder;
    analyzer::RecordFile file(kTooLittle, folder.path());
    analyzer::Records<std::uint64_t> numbers(&file);
    for (std::uint64_t i = 0; i < 200'000; ++i) numbers.push_back(i);
    const auto before = file.evictions();
    file.evict();
    EXPECT_GT(file.evictions(), before);
    EXPECT_EQ(std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0}), 199'999ULL * 100'000);
    EXPECT_GE(file.largest(), 200'000 * sizeof(std::uint64_t));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));  // it has no name
}

TEST(RecordFile, moreThanTheLimitInMemory_isTakenOutByItself) {
    const TemporaryDirectory folder;
    analyzer::RecordFile file(kTooLittle, folder.path());
    const analyzer::Records<std::uint64_t> numbers(200'000, 1, &file);
    constexpr int kHangs = 600'000;  // milliseconds
    for (int i = 0; i < kHangs && file.evictions() == 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_GT(file.evictions(), 0U);
}

TEST(RecordFile, folderMissing_isAnErrorThatNamesIt) {
    try {
        const analyzer::RecordFile file(kTooLittle, "/nowhere/at/all");
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.place().file, "/nowhere/at/all");
    }
}

constexpr std::size_t kLarge = std::size_t{1} << 20;

std::uint8_t* large() {
    return static_cast<std::uint8_t*>(analyzer::heap()->allocate(kLarge, 1));
}
void free(void* begin, std::size_t bytes = kLarge) {
    analyzer::heap()->deallocate(begin, bytes, 1);
}

/// The system clears pages, so that what stands in them tells where they are from.
TEST(PageReuse, ofALargeListThatIsGone_isForTheNextOne) {
    const analyzer::PageReuse reuse;
    std::uint8_t* const first = large();
    first[kLarge / 2] = 1;
    free(first);
    std::uint8_t* const second = large();
    EXPECT_EQ(second[kLarge / 2], 1);
    free(second);
    analyzer::PageReuse::giveBack();
    std::uint8_t* const third = large();
    EXPECT_EQ(third[kLarge / 2], 0);
    free(third);
}

TEST(PageReuse, ofPartsOfAList_isForSeveral) {
    const analyzer::PageReuse reuse;
    std::uint8_t* const first = large();
    std::fill_n(first, kLarge, 1);
    free(first);
    void* const half = analyzer::heap()->allocate(kLarge / 2, 1);
    void* const otherHalf = analyzer::heap()->allocate(kLarge / 2, 1);
    EXPECT_EQ(half, first);
    EXPECT_EQ(otherHalf, first + kLarge / 2);
    free(otherHalf, kLarge / 2);
    free(half, kLarge / 2);
    EXPECT_EQ(large(), first);
    free(first);
}

TEST(PageReuse, ended_systemHasThePages) {
    {
        const analyzer::PageReuse reuse;
        std::uint8_t* const first = large();
        first[0] = 1;
        free(first);
    }
    std::uint8_t* const second = large();
    EXPECT_EQ(second[0], 0);
    second[0] = 1;
    free(second);
    std::uint8_t* const third = large();
    EXPECT_EQ(third[0], 0);
    free(third);
}

TEST(HeapOfRecords, listThatGrows_keepsItsRecords) {
    const TemporaryDirectory directory;
    analyzer::RecordFile file(1U << 20U, directory.path());
    for (const analyzer::Memory memory : {analyzer::heap(), analyzer::Memory(&file)}) {
        analyzer::Records<std::uint64_t> list(memory);
        for (std::uint64_t i = 0; i < kLarge; ++i) list.push_back(i * i);
        ASSERT_EQ(list.size(), kLarge);
        for (std::uint64_t i = 0; i < kLarge; ++i) ASSERT_EQ(list[i], i * i);
    }
}

TEST(HeapOfRecords, listThatIsMoved_takesItsMemoryAlong) {
    analyzer::Records<int> first(3, 7, analyzer::heap());
    const int* const place = first.data();
    analyzer::Records<int> second(1, 1, analyzer::heap());
    second = std::move(first);
    EXPECT_EQ(second.data(), place);
    EXPECT_TRUE(std::ranges::equal(second, std::vector{7, 7, 7}));
}

TEST(HeapOfRecords, recordOfTheListItself_canBeAddedToIt) {
    analyzer::Records<int> list(analyzer::heap());
    list.push_back(5);
    for (int i = 0; i < 100; ++i) list.push_back(list.front());
    EXPECT_TRUE(std::ranges::all_of(list, [](int one) { return one == 5; }));
}

TEST(HeapOfRecords, erased_restFollows) {
    analyzer::Records<int> list(analyzer::heap());
    const std::vector<int> all{1, 2, 3, 4, 5};
    list.append(all.data(), all.data() + all.size());
    list.erase(list.begin() + 1, list.begin() + 3);
    EXPECT_TRUE(std::ranges::equal(list, std::vector{1, 4, 5}));
    list.resize(4);
    EXPECT_EQ(list.back(), 0);
}

TEST(MemoryLimit, recordsInAFile_sameResultBitForBit) {
    const TemporaryDirectory directory;
    const auto archive =
        writeLargeTrace(directory.path(), {.processes = 3, .rounds = 4000, .callsPerRound = 3});
    const analyzer::AnalysisResult unlimited = analyzer::analyze(archive);
    EXPECT_EQ(unlimited.statistics.recordsInFile, 0U);
    for (const unsigned threads : {1U, 2U}) {
        analyzer::AnalysisOptions options;
        options.threads = threads;
        options.memoryLimit = kTooLittle;
        options.recordFolder = directory.path();
        const analyzer::AnalysisResult limited = analyzer::analyze(archive, options);
        EXPECT_GT(limited.statistics.recordsInFile, 1'000'000U);
        expectEqual(limited.experiment, unlimited.experiment);
    }
}

}  // namespace
}  // namespace holos::testing
