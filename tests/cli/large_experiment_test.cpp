// SPDX-License-Identifier: BSD-3-Clause
// Commands on an experiment that is larger than the memory.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/support/hollow_experiment.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;

constexpr long kMebibyte = 1024;  ///< in the kernel's unit, kilobytes

/// The peak of memory of a program that ends well, in the kernel's unit; −1 for one that does not.
long peakOf(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int failure = posix_spawn(&child, arguments.front(), &quiet, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&quiet);
    int status = 0;
    rusage used{};
    if (failure != 0 || wait4(child, &status, 0, &used) != child || status != 0) return -1;
    return used.ru_maxrss;
}

TEST(LargeExperiment, of50Gigabytes_isShownWithinAGigabyte) {
    const TemporaryDirectory folder;
    const auto file = folder.path() / "large.cubex";
    const LargeExperimentShape shape{.metrics = 100, .callPaths = 1000, .ranks = 65'536, .threads = 1};
    if (!writeHollowExperiment(shape, file, HollowSums::Stored))
        GTEST_SKIP() << "no files with holes of this size here";
    const CommandResult shown = runCommand({HOLOS_PROGRAM, "show", file.string()});
    EXPECT_EQ(shown.exitCode, 0);
    EXPECT_THAT(shown.output, HasSubstr("201.000000 sec"));
    for (const char* metric : {"metric0", "metric99"}) {
        const long peak = peakOf({HOLOS_PROGRAM, "show", file.string(), "--metric", metric});
        EXPECT_GT(peak, 0);
        EXPECT_LT(peak, 1024 * kMebibyte);
    }
}

TEST(LargeExperiment, values_passByAndAreNotKept) {
    const TemporaryDirectory folder;
    const auto file = folder.path() / "large.cubex";
    const LargeExperimentShape shape{.metrics = 4, .callPaths = 36, .ranks = 62'500, .threads = 4};
    algebra::writeCubex(largeExperiment(shape), file);
    constexpr std::uint64_t kValueBytes = 288'000'000;
    EXPECT_GT(std::filesystem::file_size(file), kValueBytes);
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {HOLOS_PROGRAM, "show", file.string()}, {HOLOS_PROGRAM, "check", file.string()}}) {
        const long peak = peakOf(words);
        EXPECT_GT(peak, 0) << words[1];
        EXPECT_LT(peak, 200 * kMebibyte) << words[1];
    }
}

}  // namespace
}  // namespace holos::testing
