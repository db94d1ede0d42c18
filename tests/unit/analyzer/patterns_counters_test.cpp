// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

TEST(Counters, accumulatedValues_areExclusivePerCallPath) {
    TraceBuilder trace(1);
    const auto both = trace.counters({{.name = "CYCLES"}, {.name = "FAULTS"}});
    trace.on(0).counters(0, both, {10, 1}).enter(0, "main").counters(2, both, {30, 1}).enter(2, "f");
    trace.on(0).counters(5, both, {70, 4}).leave(5).counters(9, both, {100, 6}).leave(9);
    const Findings found(trace);
    EXPECT_EQ(found.at("CYCLES", "main", 0), 50);    // (30 - 10) + (100 - 70)
    EXPECT_EQ(found.at("CYCLES", "main/f", 0), 40);  // 70 - 30
    EXPECT_EQ(found.at("FAULTS", "main", 0), 2);     // (1 - 1) + (6 - 4)
    EXPECT_EQ(found.at("FAULTS", "main/f", 0), 3);   // 4 - 1
}

TEST(Counters, nothingCounted_isZero) {
    TraceBuilder trace(1);
    const auto one = trace.counters({{.name = "FAULTS"}});
    trace.on(0).counters(0, one, {7}).enter(0, "main").counters(9, one, {7}).leave(9);
    EXPECT_EQ(Findings(trace).total("FAULTS"), 0);
}

TEST(Counters, differencesSinceTheLastRecord_areAddedUp) {
    TraceBuilder trace(1);
    const auto one = trace.counters({{.name = "MISSES", .mode = OTF2_METRIC_ACCUMULATED_LAST}});
    trace.on(0).counters(0, one, {5}).enter(0, "main").counters(2, one, {3}).enter(2, "f");
    trace.on(0).counters(5, one, {4}).leave(5).counters(9, one, {2}).leave(9);
    const Findings found(trace);
    EXPECT_EQ(found.at("MISSES", "main", 0), 5);  // 3 + 2; what was before main belongs to nobody
    EXPECT_EQ(found.at("MISSES", "main/f", 0), 4);
}

TEST(Counters, scaledUnit_isAppliedToValues) {
    TraceBuilder trace(1);
    const auto one = trace.counters({{.name = "ru_stime", .unit = "s", .exponent = -6}});
    trace.on(0).counters(0, one, {1000}).enter(0, "main").counters(9, one, {251000}).leave(9);
    EXPECT_NEAR(Findings(trace).total("ru_stime"), 0.25, kExact);  // 250000 microseconds
}

TEST(Counters, twoLocations_doNotMix) {
    TraceBuilder trace(2);
    const auto one = trace.counters({{.name = "CYCLES"}});
    trace.on(0).counters(0, one, {100}).enter(0, "main").counters(9, one, {150}).leave(9);
    trace.on(1).counters(0, one, {1000}).enter(0, "main").counters(9, one, {1007}).leave(9);
    const Findings found(trace);
    EXPECT_EQ(found.at("CYCLES", "main", 0), 50);
    EXPECT_EQ(found.at("CYCLES", "main", 1), 7);
}

}  // namespace
}  // namespace holos::testing
