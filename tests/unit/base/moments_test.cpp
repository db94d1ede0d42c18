// SPDX-License-Identifier: BSD-3-Clause
#include "base/moments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace holos {
namespace {

Moments of(const std::vector<double>& values) {
    return momentsOf(values.size(), [&](std::size_t i) { return values[i]; });
}

TEST(Moments, values_haveMeanAndDeviation) {
    const Moments moments = of({2.0, 4.0, 9.0});
    EXPECT_DOUBLE_EQ(moments.mean, 5.0);
    EXPECT_DOUBLE_EQ(moments.deviation, std::sqrt((9.0 + 1.0 + 16.0) / 2.0));
}

TEST(Moments, equalValues_areExact) {
    const Moments moments = of({0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
    EXPECT_EQ(moments.mean, 0.1);
    EXPECT_EQ(moments.deviation, 0.0);
}

TEST(Moments, oneValue_hasNoDeviation) {
    EXPECT_EQ(of({7.0}).mean, 7.0);
    EXPECT_EQ(of({7.0}).deviation, 0.0);
}

}  // namespace
}  // namespace holos
