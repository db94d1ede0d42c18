// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <thread>

#include "analyzer/memory/record_file.h"
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
