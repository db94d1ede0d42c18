// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/equal_experiments.h"
#include "tests/support/findings.h"
#include "tests/support/large_trace.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

TEST(Workers, anyNumber_sameResultBitForBit) {
    const TemporaryDirectory directory;
    const auto archive =
        writeLargeTrace(directory.path(), {.processes = 5, .rounds = 20, .callsPerRound = 50});
    const Findings serial(archive, 1, 1);
    EXPECT_EQ(serial.total("visits"), 5 * (1 + 20 * (50 + 2)));
    for (const unsigned workers : {2U, 3U, 8U})
        expectEqual(serial.result().experiment, Findings(archive, 1, workers).result().experiment);
}

/// Teams, and messages that have to do with what their masters did.
TEST(Workers, parallelRegions_sameResultBitForBit) {
    const TemporaryDirectory directory;
    const auto archive = writeLargeTrace(
        directory.path(),
        {.processes = 3, .rounds = 40, .callsPerRound = 3, .threads = 3, .parallelsPerRound = 7});
    const Findings serial(archive, 1, 1);
    EXPECT_TRUE(serial.result().diagnoses.empty());
    EXPECT_GT(serial.total("omp_ibarrier_wait"), 0);
    EXPECT_GT(serial.total("delay_ompbarrier"), 0);
    for (const unsigned workers : {2U, 8U})
        expectEqual(serial.result().experiment, Findings(archive, 1, workers).result().experiment);
}

/// More call paths than a worker merges at a time, of which every process comes to others.
TEST(Workers, manyCallPaths_standInTheOrderOfTheirFirstProcess) {
    const TemporaryDirectory directory;
    const auto archive = writeLargeTrace(directory.path(), {.processes = 5,
                                                            .rounds = 1,
                                                            .callsPerRound = 40'000,
                                                            .regions = 2000,
                                                            .callPaths = 40'000,
                                                            .depth = 3});
    const Findings serial(archive, 1, 1);
    const algebra::Experiment& experiment = serial.result().experiment;
    expectEqual(experiment, Findings(archive, 1, 2).result().experiment);
    EXPECT_EQ(serial.total("visits"), 5 * (1 + 40'000 + 2));
    const auto& visits = experiment.severities.table(*experiment.findMetric("visits"));
    std::ptrdiff_t last = 0;
    std::size_t ofTheFourth = 0;
    for (const algebra::CallPathId path : experiment.callTree.ids()) {
        const auto row = visits.row(path);
        const auto first = std::find_if(row.begin(), row.end(), [](double value) { return value > 0; });
        ASSERT_NE(first, row.end());
        EXPECT_GE(first - row.begin(), last);
        last = first - row.begin();
        if (last == 3) ++ofTheFourth;
    }
    EXPECT_GT(ofTheFourth, 0U);
}

}  // namespace
}  // namespace holos::testing
