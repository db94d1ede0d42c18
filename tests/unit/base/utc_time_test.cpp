// SPDX-License-Identifier: BSD-3-Clause
#include "base/utc_time.h"

#include <gtest/gtest.h>

namespace holos {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

TEST(UtcTime, nanoseconds_areCutOff) {
    EXPECT_EQ(isoTime(0), "1970-01-01T00:00:00Z");
    EXPECT_EQ(isoTime(kSecond - 1), "1970-01-01T00:00:00Z");
    EXPECT_EQ(isoTime(1'763'992'985 * kSecond), "2025-11-24T14:03:05Z");
}

TEST(UtcTime, readableForm_hasTheSameTime) {
    EXPECT_EQ(readableTime(1'763'992'985 * kSecond), "2025-11-24 14:03:05 UTC");
}

}  // namespace
}  // namespace holos
