// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/findings.h"
#include "tests/support/large_trace.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

/// Equal to the last bit, in the same order.
void expectEqual(const algebra::Experiment& a, const algebra::Experiment& b) {
    ASSERT_EQ(a.metrics.size(), b.metrics.size());
    ASSERT_EQ(a.callTree.size(), b.callTree.size());
    ASSERT_EQ(a.system.locations.size(), b.system.locations.size());
    for (const auto path : a.callTree.ids()) {
        EXPECT_EQ(a.regionOf(path).name, b.regionOf(path).name);
        EXPECT_EQ(a.callTree.parent(path), b.callTree.parent(path));
    }
    for (const auto metric : a.metrics.ids()) {
        const auto& first = a.severities.table(metric);
        const auto& second = b.severities.table(metric);
        ASSERT_EQ(first.callPaths(), second.callPaths());
        if (first.callPaths() == 0) continue;
        for (const auto path : a.callTree.ids())
            for (std::size_t i = 0; i < a.system.locations.size(); ++i)
                ASSERT_EQ(first.at(path, algebra::LocationId(i)), second.at(path, algebra::LocationId(i)))
                    << a.metrics[metric].uniqueName;
    }
}

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
