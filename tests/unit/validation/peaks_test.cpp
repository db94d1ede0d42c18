// SPDX-License-Identifier: BSD-3-Clause
// The clock is made up: each time it is asked, a quarter of a second has passed.
#include "validation/peaks.h"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "validation/peak_kernels.h"

namespace holos::validation {
namespace {

TEST(Peaks, ratesAreTheWorkByTheTimeOfTheFastestRepetition) {
    const PeakWork work{1, 1'000, 4'096, 3};
    double now = 0, step = 1.0;
    unsigned asked = 0;
    const auto peaks = measurePeaks(work, [&] {
        if (++asked == 3 || asked == 9) step = 0.25;  // before the second repetition of each part
        if (asked == 5) step = 1.0;
        return now += step;
    });
    EXPECT_EQ(asked, 12U) << "before and after each repetition of both parts";
    const double operations = 2.0 * static_cast<double>(kChains * doublesAtATime()) * 1'000;
    EXPECT_DOUBLE_EQ(peaks.operations, operations / 0.25);
    EXPECT_DOUBLE_EQ(peaks.bandwidth, 24.0 * 4'096 / 0.25);
}

TEST(Peaks, threads_areCountedTogether) {
    double now = 0;
    const auto clock = [&] { return now += 1.0; };
    const auto one = measurePeaks({1, 10, 64, 1}, clock);
    try {
        const auto two = measurePeaks({2, 10, 64, 1}, clock);
        EXPECT_DOUBLE_EQ(two.operations, 2 * one.operations);
        EXPECT_DOUBLE_EQ(two.bandwidth, 2 * one.bandwidth);
    } catch (const Error& error) {
        GTEST_SKIP() << error.what();
    }
}

/// x after n rounds is factor^n + addend (1 + factor + …).
TEST(Peaks, operations_areAllDone) {
    constexpr double kFactor = 0.5, kAddend = 3.0;
    double expected = 1;
    for (int i = 0; i < 7; ++i) expected = expected * kFactor + kAddend;
    const auto elements = static_cast<double>(kChains * vectorLanes());
    EXPECT_DOUBLE_EQ(multiplyAndAdd(7, kFactor, kAddend), expected * elements);
    EXPECT_DOUBLE_EQ(multiplyAndAdd(0, kFactor, kAddend), elements);
}

TEST(Peaks, triad_writesEachElement) {
    std::vector<double> a(5), b{1, 2, 3, 4, 5}, c{10, 20, 30, 40, 50};
    triad(a, b, c, 2.0);
    EXPECT_THAT(a, ::testing::ElementsAre(21, 42, 63, 84, 105));
}

TEST(Peaks, ofThisMachine_haveWorkForAllItsProcessors) {
    const PeakWork work = workOfThisMachine();
    EXPECT_GE(work.threads, 1U);
    EXPECT_GE(work.elements, 1'000U);
}

TEST(StoredPeaks, areThoseOfTheKindOfMachine) {
    const testing::TemporaryDirectory folder;
    const auto file = folder.path() / "holos" / "peaks";
    EXPECT_FALSE(specs::storedPeaks(file, "A, 2 processors"));
    specs::storePeaks(file, "A, 2 processors", {1.5e10, 2.5e9});
    specs::storePeaks(file, "B, 4 processors", {3e10, 5e9});
    specs::storePeaks(file, "A, 2 processors", {1.75e10, 2.25e9});
    EXPECT_EQ(specs::storedPeaks(file, "A, 2 processors")->operations, 1.75e10);
    EXPECT_EQ(specs::storedPeaks(file, "A, 2 processors")->bandwidth, 2.25e9);
    EXPECT_EQ(specs::storedPeaks(file, "B, 4 processors")->operations, 3e10);
    EXPECT_FALSE(specs::storedPeaks(file, "A"));
}

/// Why the peaks of a file cannot be taken; empty where they can.
std::string troubleWith(const std::filesystem::path& file) {
    try {
        specs::storedPeaks(file, "A");
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(StoredPeaks, damagedFile_isTold) {
    const testing::TemporaryDirectory folder;
    const auto file = folder.path() / "peaks";
    const auto trouble = [&](const char* content) {
        std::ofstream(file) << content;
        return troubleWith(file);
    };
    EXPECT_EQ(trouble("1e10 2e9 A\n3e10 4e9 B, 4 processors\n"), "");
    EXPECT_THAT(trouble("1e10 2e9 A\n3e10 4e9 B, 4 pro"), ::testing::HasSubstr("peaks:2: is damaged"));
    EXPECT_THAT(trouble("1e10 2e9 A\n-1 2 C\n"), ::testing::HasSubstr("peaks:2: is damaged"));
    EXPECT_THAT(trouble("damaged\n1e10 2e9 A\n"), ::testing::HasSubstr("peaks:1: is damaged"));
    EXPECT_THAT(trouble(""), ::testing::HasSubstr("peaks:1: is damaged"));
    EXPECT_THAT(troubleWith(folder.path()), ::testing::HasSubstr("is a directory"));
    std::ofstream(file) << "damaged\n1e10 2e9 A\n";
    specs::storePeaks(file, "B", {3e10, 4e9});
    EXPECT_EQ(specs::storedPeaks(file, "A")->operations, 1e10) << "storing takes the damage away";
}

}  // namespace
}  // namespace holos::validation
