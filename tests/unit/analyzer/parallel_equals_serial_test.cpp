// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace holos::testing
