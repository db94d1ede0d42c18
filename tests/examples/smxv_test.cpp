// SPDX-License-Identifier: BSD-3-Clause
// examples/smxv: all variants compute the same, whatever the number of threads; a run is recorded with its
// rate.
#include <gmock/gmock.h>

#include <set>

#include "algebra/files/cubex.h"
#include "algebra/model/queries.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using Words = std::vector<std::string>;

const std::string kSmxv = HOLOS_EXAMPLES_DIRECTORY "/smxv/smxv";

Words withThreads(unsigned threads) {
    return {"env", "OMP_WAIT_POLICY=passive", "OMP_NUM_THREADS=" + std::to_string(threads)};
}

TEST(Smxv, variantsAndNumbersOfThreads_haveTheSameSum) {
    std::set<std::string> sums;
    for (const char* variant : {"plain", "blocked", "blocked-int", "serial", "serial-int"})
        for (const unsigned threads : {1u, 3u}) {
            const auto result = runCommand(withThreads(threads) + Words{kSmxv, variant, "1000", "2"});
            ASSERT_EQ(result.exitCode, 0) << result.output;
            sums.insert(result.output.substr(result.output.find("checksum")));
        }
    EXPECT_EQ(sums.size(), 1u);
    EXPECT_NE(runCommand({kSmxv, "unknown"}).exitCode, 0);
}

/// The analysis of a run with two threads, 1000 rows and 2 repetitions.
algebra::Experiment analyzed(const std::string& variant, const std::filesystem::path& folder) {
    const auto run = (folder / variant).string();
    const auto recorded = runCommand(withThreads(2) + Words{HOLOS_PROGRAM, "record", "-o", run, "--counters",
                                                            "ru_minflt", "--", kSmxv, variant, "1000", "2"});
    EXPECT_EQ(recorded.exitCode, 0) << recorded.output;
    EXPECT_EQ(runCommand({HOLOS_PROGRAM, "analyze", run}).exitCode, 0);
    return algebra::readCubex(folder / variant / "analysis.cubex");
}

TEST(Smxv, recorded_hasItsRate) {
    const TemporaryDirectory directory;
    const auto experiment = analyzed("blocked", directory.path());
    const auto rate = experiment.findMetric("MFLOPS");
    ASSERT_TRUE(rate);
    EXPECT_GT(algebra::aggregate(experiment, {*rate, algebra::Extent::Inclusive}), 0.0);
}

TEST(Smxv, plain_givesTheLastThreadTheMostWork) {
    std::vector<double> nonzeros(2);  // of each thread: the lengths of its half of the rows, twice
    for (int row = 0; row < 1000; ++row) nonzeros[row / 500] += 2.0 * (8 + 16 * row / 1000);
    const TemporaryDirectory directory;
    for (const std::string variant : {"plain", "blocked"}) {
        const auto experiment = analyzed(variant, directory.path());
        const auto metric = experiment.findMetric("nonzeros");
        ASSERT_TRUE(metric);
        const auto found = algebra::perLocation(experiment, {*metric});
        ASSERT_EQ(found.size(), 2u);
        EXPECT_DOUBLE_EQ(found[0] + found[1], nonzeros[0] + nonzeros[1]);
        if (variant == "plain")
            EXPECT_DOUBLE_EQ(found[1], nonzeros[1]);
        else
            EXPECT_NEAR(found[0], found[1], 2.0 * 2 * 24);  // a row at either side of the border
    }
}

}  // namespace
}  // namespace holos::testing
