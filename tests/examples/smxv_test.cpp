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
    for (const char* variant : {"plain", "blocked", "blocked-int"})
        for (const unsigned threads : {1u, 3u}) {
            const auto result = runCommand(withThreads(threads) + Words{kSmxv, variant, "1000", "2"});
            ASSERT_EQ(result.exitCode, 0) << result.output;
            sums.insert(result.output.substr(result.output.find("checksum")));
        }
    EXPECT_EQ(sums.size(), 1u);
    EXPECT_NE(runCommand({kSmxv, "unknown"}).exitCode, 0);
}

TEST(Smxv, recorded_hasItsRate) {
    const TemporaryDirectory directory;
    const auto run = (directory.path() / "run").string();
    const auto recorded =
        runCommand(withThreads(2) + Words{HOLOS_PROGRAM, "record", "-o", run, "--counters", "ru_minflt", "--",
                                          kSmxv, "blocked", "1000", "2"});
    ASSERT_EQ(recorded.exitCode, 0) << recorded.output;
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", run}).exitCode, 0);
    const auto experiment = algebra::readCubex(directory.path() / "run" / "analysis.cubex");
    const auto rate = experiment.findMetric("MFLOPS");
    ASSERT_TRUE(rate);
    EXPECT_GT(algebra::aggregate(experiment, {*rate, algebra::Extent::Inclusive}), 0.0);
}

}  // namespace
}  // namespace holos::testing
