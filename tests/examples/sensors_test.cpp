// SPDX-License-Identifier: BSD-3-Clause
// examples/sensors: both kernels compute what they should, on any number of ranks; a recorded run has its
// rate of floating-point operations and the memory of its processes over time.
#include <gmock/gmock.h>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

const std::string kSensors = HOLOS_EXAMPLES_DIRECTORY "/sensors/sensors";

class Sensors : public ::testing::Test {
  protected:
    void SetUp() override {
        if (launcher(1).empty()) GTEST_SKIP() << "no mpirun here";
    }
};

TEST_F(Sensors, dense_doesNotDependOnTheNumberOfRanks) {
    const auto result = [](unsigned ranks) {
        const auto run = runCommand(launcher(ranks) + Words{kSensors, "dense", "96"});
        EXPECT_EQ(run.exitCode, 0) << run.output;
        return run.output.substr(0, run.output.find('\n'));
    };
    EXPECT_EQ(result(1), result(3));
}

TEST_F(Sensors, fft_ofASingleOneIsTheWaveItShouldBe) {
    const auto run = runCommand(launcher(2) + Words{kSensors, "fft", "64", "2"});
    EXPECT_EQ(run.exitCode, 0) << run.output;
    EXPECT_THAT(run.output, HasSubstr("largest error"));
}

TEST_F(Sensors, wrongUsage_isRefused) {
    EXPECT_EQ(runCommand({kSensors, "dense", "33"}).exitCode, 2);
    EXPECT_EQ(runCommand({kSensors, "fft", "48"}).exitCode, 2);
}

TEST_F(Sensors, recorded_isPlottedOverTime) {
    const TemporaryDirectory directory;
    const auto run = (directory.path() / "run").string();
    const auto recorded =
        runCommand(launcher(2) + Words{HOLOS_PROGRAM, "record", "-o", run, "--counters", "proc_rss",
                                       "--counters-async", "10ms", "--", kSensors, "fft", "64", "4"});
    ASSERT_EQ(recorded.exitCode, 0) << recorded.output;
    const auto plot = runCommand({HOLOS_PROGRAM, "plot", run});
    ASSERT_EQ(plot.exitCode, 0) << plot.output;
    EXPECT_THAT(plot.output, AllOf(HasSubstr("proc_rss [bytes]"), HasSubstr("MPI Rank 1 / Samples"),
                                   HasSubstr("floating_point [flop/s]")));
}

}  // namespace
}  // namespace holos::testing
