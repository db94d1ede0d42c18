// SPDX-License-Identifier: BSD-3-Clause
// A program that is killed in the middle leaves a trace, and the analysis takes it as far as it goes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::string>;

void expectAnalyzable(const std::filesystem::path& archive) {
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", archive.string()});
    ASSERT_EQ(analyzed.exitCode, 0) << analyzed.output;
    EXPECT_THAT(analyzed.output, ::testing::HasSubstr("unmatched message"));  // says what is missing
    const auto experiment = algebra::readCubex(archive / "analysis.cubex");
    const auto call = callPathEnding(experiment, "MPI_Sendrecv");
    const auto sends = experiment.findMetric("comms_send");
    ASSERT_TRUE(call && sends);
    const auto& table = experiment.severities.table(*sends);
    EXPECT_EQ(table.at(*call, algebra::LocationId(0)), 50);  // killed behind its fiftieth
    EXPECT_GE(table.at(*call, algebra::LocationId(1)), 50);
}

TEST(KilledProgram, recordedUnderTheLauncher_isAnalyzedAsFarAsItGoes) {
    if (launcher(1).empty()) GTEST_SKIP() << "no mpirun here";
    const TemporaryDirectory directory;
    const auto archive = directory.path() / "run";
    const auto recorded = runCommand(
        launcher(2) + Words{HOLOS_PROGRAM, "record", "-o", archive.string(), "--", KILLED_PROGRAM});
    EXPECT_NE(recorded.exitCode, 0);
    expectAnalyzable(archive);
}

TEST(KilledProgram, launcherRecorded_isAnalyzedAsFarAsItGoes) {
    if (launcher(1).empty()) GTEST_SKIP() << "no mpirun here";
    const TemporaryDirectory directory;
    const auto archive = directory.path() / "run";
    const auto recorded = runCommand(Words{HOLOS_PROGRAM, "record", "-o", archive.string(), "--"} +
                                     launcher(2) + Words{KILLED_PROGRAM});
    EXPECT_NE(recorded.exitCode, 0);
    expectAnalyzable(archive);
    EXPECT_THAT(runCommand({HOLOS_PROGRAM, "info", archive.string()}).output,
                HasSubstr("by signal 9 (SIGKILL)"));
    EXPECT_THAT(runCommand({HOLOS_PROGRAM, "show", (archive / "analysis.cubex").string()}).output,
                HasSubstr("by signal 9 (SIGKILL)"));
}

}  // namespace
}  // namespace holos::testing
