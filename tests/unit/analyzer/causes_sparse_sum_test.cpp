// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/cause_values.h"

#include <gtest/gtest.h>

#include <map>

namespace holos::analyzer::causes {
namespace {

std::map<std::uint32_t, double> entriesOf(const SparseSum& sum) {
    std::map<std::uint32_t, double> entries;
    std::uint32_t least = 0;  // that the next call path may have
    for (const PathFraction& entry : sum.entries()) {
        EXPECT_GE(entry.path, least);
        least = entry.path + 1;
        entries[entry.path] = entry.ticks;
    }
    return entries;
}

TEST(SparseSum, nothingAdded_isEmpty) {
    SparseSum sum;
    sum.settle();
    EXPECT_TRUE(sum.entries().empty());
}

TEST(SparseSum, anyOrder_sumsByCallPath) {
    SparseSum sum;
    for (const std::uint32_t path : {3U, 3U, 9U, 1U, 9U, 3U, 20U}) sum.add(path, path + 0.5);
    sum.settle();
    EXPECT_EQ(entriesOf(sum), (std::map<std::uint32_t, double>{{1, 1.5}, {3, 10.5}, {9, 19}, {20, 20.5}}));
}

/// Sums of fractions depend on the order.
TEST(SparseSum, manyInNoOrder_addUpInTheirs) {
    SparseSum sum;
    std::map<std::uint32_t, double> expected;
    for (std::uint32_t i = 0; i < 5000; ++i) {
        const std::uint32_t path = i * 7919 % 613;
        const double ticks = 1.0 / (1 + i) + (i % 17 == 0 ? 1e12 : 0);
        sum.add(path, ticks);
        expected[path] += ticks;
    }
    sum.settle();
    EXPECT_EQ(entriesOf(sum), expected);
}

TEST(SparseSum, addedAfterSettling_countsToo) {
    SparseSum sum;
    sum.add(5, 1);
    sum.add(2, 1);
    sum.settle();
    sum.add(2, 0.25);
    sum.settle();
    EXPECT_EQ(entriesOf(sum), (std::map<std::uint32_t, double>{{2, 1.25}, {5, 1}}));
}

}  // namespace
}  // namespace holos::analyzer::causes
