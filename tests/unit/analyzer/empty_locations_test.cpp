// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/memory/by_location.h"
#include "tests/support/hollow_trace.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using analyzer::ByLocation;

// The memory that a program with one of these takes is not its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasSanitizer = true;
#elif defined(__has_feature)
constexpr bool kHasSanitizer = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kHasSanitizer = false;
#endif

TEST(ByLocation, nothingPut_allReadTheSameEmptyOne) {
    const ByLocation<std::string> all(3);
    EXPECT_EQ(&all[0], &all[2]);
    EXPECT_EQ(all[1], "");
    EXPECT_FALSE(all.has(1));
}

TEST(ByLocation, changedOrPut_onlyThatLocationHasIt) {
    ByLocation<std::string> all(3);
    all.own(1) = "one";
    all.put(2, "two");
    const ByLocation<std::string> moved = std::move(all);
    EXPECT_EQ(std::vector<std::string>(moved.begin(), moved.end()),
              (std::vector<std::string>{"", "one", "two"}));
    EXPECT_FALSE(moved.has(0));
    EXPECT_TRUE(moved.has(1));
}

TEST(ByLocation, taken_locationHasNothingAgain) {
    ByLocation<std::string> all(2);
    all.put(1, "one");
    EXPECT_EQ(all.take(1), "one");
    EXPECT_FALSE(all.has(1));
    EXPECT_EQ(all[1], "");
}

TEST(ByLocation, visitOwn_meetsOnlyThoseThatHaveSomething) {
    ByLocation<std::string> all(3);
    all.own(1);
    all.visitOwn([](std::string& part) { part = "met"; });
    EXPECT_EQ(std::vector<std::string>(all.begin(), all.end()), (std::vector<std::string>{"", "met", ""}));
}

/// The most memory that this process had so far, in bytes.
std::size_t peak() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmHWM:") {
            std::size_t kilobytes = 0;
            status >> kilobytes;
            return kilobytes * 1024;
        }
    return 0;
}

/// What `work` needs beside what there was, in a process of its own; nothing where it failed.
template <class Work>
std::optional<std::size_t> bytesOf(Work&& work) {
    int ends[2];
    if (pipe(ends) != 0) return std::nullopt;
    const pid_t child = fork();
    if (child == 0) {
        try {
            const std::size_t before = peak();
            work();
            const std::size_t bytes = peak() - before;
            _exit(write(ends[1], &bytes, sizeof bytes) == sizeof bytes ? 0 : 1);
        } catch (...) {
            _exit(1);
        }
    }
    close(ends[1]);
    std::size_t bytes = 0;
    const bool isTold = read(ends[0], &bytes, sizeof bytes) == sizeof bytes;
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return isTold ? std::optional(bytes) : std::nullopt;
}

/// What each of many locations takes in an analysis; nothing where it failed.
std::optional<double> bytesOfALocation(std::uint64_t missingEvents) {
    constexpr std::uint32_t kFew = 1'000, kMany = 100'000;
    const auto bytes = [&](std::uint32_t locations) {
        const TemporaryDirectory directory;
        const auto archive = writeHollowTrace(directory.path() / "run", locations, missingEvents);
        return bytesOf([&] {
            const analyzer::AnalysisResult result = analyzer::analyze(archive);
            if (result.experiment.system.locations.size() != locations) throw 0;
        });
    };
    const auto few = bytes(kFew), many = bytes(kMany);
    if (!few || !many) return std::nullopt;
    return (static_cast<double>(*many) - static_cast<double>(*few)) / (kMany - kFew);
}

TEST(EmptyLocations, ofAnAnalysis_takeLittle) {
    if (kHasSanitizer) GTEST_SKIP() << "sanitizers need more";
    const auto bytes = bytesOfALocation(0);
    ASSERT_TRUE(bytes);
    EXPECT_LE(*bytes, 900);
}

TEST(EmptyLocations, withoutTheirFiles_takeLittleMoreAndAreCounted) {
    if (kHasSanitizer) GTEST_SKIP() << "sanitizers need more";
    const auto bytes = bytesOfALocation(5);
    ASSERT_TRUE(bytes);
    EXPECT_LE(*bytes, 1500);
    constexpr std::uint32_t kLocations = 10'500;
    const TemporaryDirectory directory;
    const analyzer::AnalysisResult result =
        analyzer::analyze(writeHollowTrace(directory.path() / "run", kLocations, 5));
    std::uint64_t missing = 0;
    for (const analyzer::Diagnosis& each : result.diagnoses)
        if (each.trouble == analyzer::Trouble::DamagedFile) missing += each.count;
    EXPECT_EQ(missing, kLocations);
    EXPECT_LT(result.diagnoses.size(), kLocations);
}

}  // namespace
}  // namespace holos::testing
