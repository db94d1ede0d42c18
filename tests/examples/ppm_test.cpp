// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/ppm_output.h"
#include "tests/support/command.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;

const std::string kPpm = HOLOS_EXAMPLES_DIRECTORY "/ppm/ppm";

class Ppm : public ::testing::Test {
  protected:
    void SetUp() override {
        if (launcher(1).empty()) GTEST_SKIP() << "no mpirun here";
    }
};

TEST_F(Ppm, shockTubes_agreeWithTheExactSolution) {
    const auto run = runCommand(launcher(2) + std::vector<std::string>{kPpm, "--verify", "--size", "64"});
    EXPECT_EQ(run.exitCode, 0) << run.output;
    EXPECT_THAT(run.output, HasSubstr("along z"));
}

TEST_F(Ppm, anyDecomposition_sameChecksum) {
    const std::vector<std::string> program{kPpm, "--size", "16", "--steps", "2"};
    const auto one = runCommand(launcher(1) + program);
    const auto four = runCommand(launcher(4) + program);
    EXPECT_EQ(one.exitCode, 0) << one.output;
    EXPECT_EQ(four.exitCode, 0) << four.output;
    EXPECT_NE(checksumIn(one.output), "");
    EXPECT_EQ(checksumIn(one.output), checksumIn(four.output));
}

TEST_F(Ppm, imbalance_sameChecksum) {
    const std::vector<std::string> program{kPpm, "--size", "16", "--steps", "2"};
    const auto balanced = runCommand(launcher(2) + program);
    const auto imbalanced =
        runCommand(launcher(2) + program + std::vector<std::string>{"--imbalance", "1.5"});
    EXPECT_EQ(imbalanced.exitCode, 0) << imbalanced.output;
    EXPECT_EQ(checksumIn(balanced.output), checksumIn(imbalanced.output));
}

TEST_F(Ppm, wrongArguments_endWithCodeTwoAndSayWhy) {
    for (const auto& [arguments, reason] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"--size", "many"}, "--size needs a whole number"},
             {{"--size", "3"}, "--size needs a whole number"},
             {{"--steps"}, "--steps needs a whole number"},
             {{"--imbalance", "-1"}, "--imbalance needs a number"},
             {{"--colour"}, "unknown argument '--colour'"}}) {
        const auto run = runCommand(std::vector<std::string>{kPpm} + arguments);
        EXPECT_EQ(run.exitCode, 2) << run.output;
        EXPECT_THAT(run.output, HasSubstr(reason));
    }
}

TEST_F(Ppm, help_endsWithCodeZero) {
    const auto run = runCommand(launcher(1) + std::vector<std::string>{kPpm, "--help"});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_THAT(run.output, HasSubstr("--imbalance"));
}

}  // namespace
}  // namespace holos::testing
