// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "analyzer/assemble/catalog_values.h"

namespace holos::analyzer::assemble {
namespace {

TEST(LocationValues, none_areEmptyForAllEntries) {
    EXPECT_TRUE(LocationValues().of(2).empty());
    EXPECT_TRUE(LocationValues({}, 3).of(2).empty());
}

TEST(LocationValues, foundByCallPath_areListedByEntry) {
    const LocationValues values({{2, {4, 40}}, {0, {4, 41}}, {2, {7, 70}}, {0, {9, 91}}}, 3);
    ASSERT_EQ(values.of(0).size(), 2U);
    EXPECT_EQ(values.of(0)[0].path, 4U);
    EXPECT_EQ(values.of(0)[0].value, 41);
    EXPECT_EQ(values.of(0)[1].path, 9U);
    EXPECT_TRUE(values.of(1).empty());
    ASSERT_EQ(values.of(2).size(), 2U);
    EXPECT_EQ(values.of(2)[1].path, 7U);
    EXPECT_EQ(values.of(2)[1].value, 70);
}

}  // namespace
}  // namespace holos::analyzer::assemble
