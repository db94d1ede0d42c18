// SPDX-License-Identifier: BSD-3-Clause
// The whole path on a real program: record, analyze, look.
#include <gtest/gtest.h>

#include "algebra/files/cubex.h"
#include "tests/examples/ppm_output.h"
#include "tests/support/command.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using Words = std::vector<std::string>;

TEST(RecordedPpm, fourRanksOfTwoThreads_sameResultAndAllSweeps) {
    if (launcher(1).empty()) GTEST_SKIP() << "no mpirun here";
    const TemporaryDirectory directory;
    const auto archive = (directory.path() / "run").string();
    const Words program{
        HOLOS_EXAMPLES_DIRECTORY "/ppm/ppm", "--size", "24", "--steps", "3", "--imbalance", "2"};
    const auto plain = runCommand(launcher(4) + program);
    const auto recorded =
        runCommand(launcher(4) + Words{HOLOS_PROGRAM, "record", "-o", archive, "--"} + program);
    ASSERT_EQ(recorded.exitCode, 0) << recorded.output;
    EXPECT_EQ(checksumIn(recorded.output), checksumIn(plain.output));

    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", archive});
    ASSERT_EQ(analyzed.exitCode, 0) << analyzed.output;
    const auto experiment = algebra::readCubex(directory.path() / "run" / "analysis.cubex");
    EXPECT_EQ(experiment.system.processes.size(), 4);
    EXPECT_EQ(experiment.system.locations.size(), 8);
    const auto visits = experiment.findMetric("visits");
    ASSERT_TRUE(visits);
    for (const auto* sweep : {"sweep_x1", "sweep_y1", "sweep_z1", "sweep_z2", "sweep_y2", "sweep_x2"}) {
        const auto path = callPathEnding(experiment, sweep);
        ASSERT_TRUE(path) << sweep;
        for (std::size_t location = 0; location < 8; ++location)
            EXPECT_EQ(experiment.severities.table(*visits).at(*path, algebra::LocationId(location)), 3)
                << sweep;
    }
    EXPECT_GT(total(experiment, "mpi_latesender"), 0);
    EXPECT_TRUE(callPathEnding(experiment, "glblmax/MPI_Allreduce"));
}

}  // namespace
}  // namespace holos::testing
