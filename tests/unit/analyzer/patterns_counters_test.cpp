// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>

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

/// Without what it says of itself: a level that goes up and down.
TEST(Counters, thatIsSaidToGrowButFalls_isAGauge) {
    TraceBuilder trace(1);
    const auto one = trace.counters({{.name = "POWER"}});
    trace.on(0).counters(0, one, {50}).enter(0, "main").counters(2, one, {80}).enter(2, "f");
    trace.on(0).counters(5, one, {20}).leave(5).counters(9, one, {60}).leave(9);
    const Findings found(trace);
    EXPECT_EQ(found.at("POWER", "main", 0), 80);    // the largest of 80 and 60
    EXPECT_EQ(found.at("POWER", "main/f", 0), 20);  // not 20 - 80
    const auto& experiment = found.result().experiment;
    const auto& metric = experiment.metrics[*experiment.findMetric("POWER")];
    EXPECT_EQ(metric.valueType, algebra::ValueType::MaxDouble);
    EXPECT_NE(metric.description.find("it is taken for a gauge"), std::string::npos);
}

/// Estimates of multiplexed counters may.
TEST(Counters, thatGoesBackALittle_isStillACounter) {
    TraceBuilder trace(1);
    const auto one = trace.counters({{.name = "CYCLES"}});
    trace.on(0).counters(0, one, {0}).enter(0, "main").counters(2, one, {1000}).enter(2, "f");
    trace.on(0).counters(5, one, {999}).leave(5).counters(9, one, {2000}).leave(9);
    EXPECT_EQ(Findings(trace).total("CYCLES"), 2000);
}

TEST(Counters, scaledUnit_isAppliedToValues) {
    TraceBuilder trace(1);
    const auto one = trace.counters({{.name = "ru_stime", .unit = "s", .exponent = -6}});
    trace.on(0).counters(0, one, {1000}).enter(0, "main").counters(9, one, {251000}).leave(9);
    EXPECT_NEAR(Findings(trace).total("ru_stime"), 0.25, kExact);  // 250000 microseconds
}

TEST(Counters, valuesThatAreNoNumbers_areLeftOutAndSaid) {
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        TraceBuilder trace(1);
        const auto one = trace.counters({{.name = "POWER", .type = OTF2_TYPE_DOUBLE}});
        trace.on(0).counters(0, one, {bits(1)}).enter(0, "main").counters(4, one, {bits(bad)});
        trace.on(0).counters(9, one, {bits(3.5)}).leave(9);
        const Findings found(trace);
        EXPECT_EQ(found.total("POWER"), 2.5);
        ASSERT_EQ(found.result().diagnoses.size(), 1u);
        EXPECT_EQ(found.result().diagnoses[0].message,
                  "values of a metric that are infinite or not a number were left out");
    }
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

TEST(Counters, readBetweenCallsAtAnyTime_countForTheCallPathOfTheReading) {
    TraceBuilder trace(1);
    const auto one = trace.counters({{.name = "ENERGY"}}, OTF2_METRIC_ASYNCHRONOUS);
    trace.on(0).enter(0, "main").counters(1, one, {100}).enter(2, "f").counters(3, one, {107}).leave(5);
    trace.on(0).counters(7, one, {112}).leave(9);
    const Findings found(trace);
    EXPECT_EQ(found.at("ENERGY", "main/f", 0), 7);  // 107 - 100
    EXPECT_EQ(found.at("ENERGY", "main", 0), 5);    // 112 - 107
}

TEST(Counters, notReadAtEveryCall_countForTheCallPathOfTheReading) {
    TraceBuilder trace(1);
    const auto one = trace.counters({{.name = "CYCLES"}}, OTF2_METRIC_SYNCHRONOUS);
    trace.on(0).counters(0, one, {1}).enter(0, "main").enter(2, "f").leave(4).counters(9, one, {9}).leave(9);
    EXPECT_EQ(Findings(trace).at("CYCLES", "main", 0), 8);  // 9 - 1
}

TEST(Counters, ofALocationAProcessOrANode_countWhereTheyAreRead) {
    TraceBuilder trace(2);
    const auto reads = trace.counters({{.name = "READS"}});
    const auto power = trace.counters({{.name = "POWER", .mode = OTF2_METRIC_ABSOLUTE_POINT}});
    const auto own = trace.countersOf(reads, TraceBuilder::locationOf(0), OTF2_SCOPE_LOCATION, 0);
    const auto process = trace.countersOf(reads, TraceBuilder::locationOf(1), OTF2_SCOPE_LOCATION_GROUP, 1);
    const auto node = trace.countersOf(power, TraceBuilder::locationOf(1), OTF2_SCOPE_SYSTEM_TREE_NODE, 1);
    trace.on(0).counters(0, own, {2}).enter(0, "main").counters(9, own, {5}).leave(9);
    trace.on(1).counters(0, process, {10}).enter(0, "main").counters(4, node, {70}).counters(6, node, {60});
    trace.on(1).counters(9, process, {30}).leave(9);
    const Findings found(trace);
    EXPECT_EQ(found.at("READS", "main", 0), 3);   // 5 - 2
    EXPECT_EQ(found.at("READS", "main", 1), 20);  // 30 - 10
    EXPECT_EQ(found.at("POWER", "main", 1), 70);  // the largest
    EXPECT_TRUE(found.result().diagnoses.empty());
}

TEST(Counters, ofAnUndefinedClass_areReported) {
    TraceBuilder trace(1);
    const auto one = trace.counters({{.name = "READS"}});
    const auto dangling = trace.countersOf(77, TraceBuilder::locationOf(0), OTF2_SCOPE_LOCATION, 0);
    trace.on(0)
        .counters(0, one, {1})
        .enter(0, "main")
        .counters(2, dangling, {5})
        .counters(9, one, {2})
        .leave(9);
    const Findings found(trace);
    EXPECT_TRUE(found.reported(analyzer::Trouble::MissingDefinition));
    EXPECT_EQ(found.at("READS", "main", 0), 1);
}

}  // namespace
}  // namespace holos::testing
