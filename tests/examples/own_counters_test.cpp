// SPDX-License-Identifier: BSD-3-Clause
// examples/own-counters, by itself and recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using Words = std::vector<std::string>;
const std::string kPrograms = HOLOS_EXAMPLES_DIRECTORY "/own-counters/";

/// The first number behind a text.
long long numberBehind(const std::string& text, const std::string& output) {
    const std::size_t at = output.find(text);
    return at == std::string::npos ? -1 : std::atoll(output.c_str() + at + text.size());
}

/// Thousand pages in the first part, three times as many in the second; recorded it has some of the
/// recorder's, too.
void expectCounts(const Words& program) {
    const TemporaryDirectory directory;
    const Words recorded{HOLOS_PROGRAM, "record", "-o", directory.path() / "run", "--"};
    for (const Words& command : {program, recorded + program}) {
        const auto result = runCommand(command);
        ASSERT_EQ(result.exitCode, 0) << result.output;
        EXPECT_GE(numberBehind("first part: ", result.output), 1000) << result.output;
        EXPECT_LE(numberBehind("first part: ", result.output), 1300) << result.output;
        EXPECT_GE(numberBehind("three rounds: ", result.output), 3000) << result.output;
        EXPECT_LE(numberBehind("three rounds: ", result.output), 3300) << result.output;
    }
}

TEST(OwnCountersExample, inC_countsItsPartsAlsoRecorded) {
    expectCounts({kPrograms + "own_counters"});
    EXPECT_GT(numberBehind("rate: ", runCommand({kPrograms + "own_counters"}).output), 0);
}

TEST(OwnCountersExample, inCxx_countsItsPartsAlsoRecorded) {
    expectCounts({kPrograms + "own_counters_cxx"});
}

TEST(OwnCountersExample, inFortran_countsItsPartsAlsoRecorded) {
    const auto result = runCommand({kPrograms + "own_counters_fortran"});
    ASSERT_EQ(result.exitCode, 0) << result.output;
    EXPECT_GE(numberBehind("three rounds: ", result.output), 1) << result.output;
    EXPECT_GT(numberBehind("rate: ", result.output), 0) << result.output;
    EXPECT_GE(numberBehind("on from 5000: ", result.output), 5000) << result.output;
    if (result.output.find("seen: ") != std::string::npos) {  // where perf's events may be used
        EXPECT_GE(numberBehind("seen: ", result.output), 1) << result.output;
    }
}

TEST(OwnCountersExample, inPython_countsItsPartsAlsoRecorded) {
    const std::string libraries = "LD_LIBRARY_PATH=" HOLOS_LIBRARY_DIRECTORY;
    const Words program{"env",
                        libraries,
                        "PYTHONPATH=" HOLOS_PYTHON_DIRECTORY,
                        "PYTHONDONTWRITEBYTECODE=1",
                        "/usr/bin/python3",
                        HOLOS_STUDIES_DIRECTORY "/own-counters/own_counters.py"};
    expectCounts(program);
    const auto result = runCommand(program);
    EXPECT_GE(numberBehind("on from 5000: ", result.output), 6000) << result.output;
    EXPECT_LE(numberBehind("on from 5000: ", result.output), 6300) << result.output;
}

}  // namespace
}  // namespace holos::testing
