// SPDX-License-Identifier: BSD-3-Clause
// Counters that a location of its own reads for a process or a node: energy, sensors, memory controllers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analyzer/replay/counter_recorder.h"
#include "tests/support/findings.h"
#include "tests/support/ranks_in_threads.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;

/// What one location, which process `rank` has for that, reads for a node.
OTF2_MetricRef readForNode(TraceBuilder& trace, OTF2_MetricRef counters, unsigned rank, unsigned node) {
    return trace.countersOf(counters, TraceBuilder::samplerOf(rank), OTF2_SCOPE_SYSTEM_TREE_NODE,
                            TraceBuilder::nodeOf(node));
}

TEST(AttributedCounters, oneThread_callPathsHaveThePartsOfTheirTime) {
    TraceBuilder trace(1);
    const auto energy = readForNode(trace, trace.counters({{.name = "ENERGY"}}), 0, 0);
    trace.sampler(0).counters(0, energy, {100}).counters(10, energy, {200}).counters(20, energy, {500});
    trace.on(0).enter(0, "main").enter(6, "f").leave(15).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("ENERGY", "main", 0), 60 + 150, kRounding);    // 6/10 · 100 + 5/10 · 300
    EXPECT_NEAR(found.at("ENERGY", "main/f", 0), 40 + 150, kRounding);  // 4/10 · 100 + 5/10 · 300
    EXPECT_NEAR(found.total("ENERGY"), 400, kRounding);
    EXPECT_TRUE(found.result().diagnoses.empty());
}

TEST(AttributedCounters, severalThreadsOfANode_haveEqualParts) {
    TraceBuilder trace(2, 2);
    const auto energy = readForNode(trace, trace.counters({{.name = "ENERGY"}}), 1, 0);
    trace.sampler(1).counters(0, energy, {0}).counters(10, energy, {400});
    trace.on(0).enter(0, "main").leave(10);
    trace.on(0, 1).enter(0, "f").leave(10);
    trace.on(1).enter(0, "main").barrier(5, 10).leave(10);  // who waits counts as well
    trace.on(1, 1).enter(0, "f").enter(2, "g").leave(10).leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("ENERGY", "main", 0), 100, kRounding);
    EXPECT_NEAR(found.at("ENERGY", "f", 0, 1), 100, kRounding);
    EXPECT_NEAR(found.at("ENERGY", "main", 1), 50, kRounding);
    EXPECT_NEAR(found.at("ENERGY", "main/MPI_Barrier", 1), 50, kRounding);
    EXPECT_NEAR(found.at("ENERGY", "f", 1, 1), 20, kRounding);
    EXPECT_NEAR(found.at("ENERGY", "f/g", 1, 1), 80, kRounding);
}

TEST(AttributedCounters, threadThatBeginsLate_hasThePartOfItsTime) {
    TraceBuilder trace(1, 2);
    const auto energy = readForNode(trace, trace.counters({{.name = "ENERGY"}}), 0, 0);
    trace.sampler(0).counters(0, energy, {0}).counters(10, energy, {90});
    trace.on(0).enter(0, "main").leave(10);
    trace.on(0, 1).enter(5, "f").leave(10);
    const Findings found(trace);
    EXPECT_NEAR(found.at("ENERGY", "main", 0), 60, kRounding);  // 10 of 15
    EXPECT_NEAR(found.at("ENERGY", "f", 0, 1), 30, kRounding);
}

TEST(AttributedCounters, workerBetweenParallelRegions_hasNothing) {
    constexpr auto* kParallel = "!$omp parallel @t.c:1";
    TraceBuilder trace(1, 2);
    const auto energy = readForNode(trace, trace.counters({{.name = "ENERGY"}}), 0, 0);
    trace.sampler(0).counters(0, energy, {0}).counters(20, energy, {280});
    const auto start = trace.timestamp(0);
    trace.on(0).record(
        [=](auto* out) { return OTF2_EvtWriter_ProgramBegin(out, nullptr, start, 0, 0, nullptr); });
    trace.on(0).enter(0, "main");
    for (const Tick tick : {2U, 10U}) {
        trace.on(0).fork(tick, 2).teamBegin(tick).enter(tick, kParallel).leave(tick + 4);
        trace.on(0).teamEnd(tick + 4).join(tick + 4);
        trace.on(0, 1).teamBegin(tick).enter(tick, kParallel).leave(tick + 4).teamEnd(tick + 4);
    }
    trace.on(0).leave(20);
    const Findings found(trace);
    const auto& experiment = found.result().experiment;
    EXPECT_NEAR(severityOfRegion(experiment, "ENERGY", kParallel, algebra::LocationId(1)), 80, kRounding);
    EXPECT_NEAR(severityOfRegion(experiment, "ENERGY", kParallel, algebra::LocationId(0)), 80, kRounding);
    EXPECT_NEAR(severityOfRegion(experiment, "ENERGY", "main", algebra::LocationId(0)), 120, kRounding);
    EXPECT_NEAR(found.total("ENERGY"), 280, kRounding);
}

/// A location that reads counters does not wait for a thread, which is cut where it reads.
TEST(AttributedCounters, readerInATeam_isReadBeforeTheTeamsMaster) {
    TraceBuilder trace(1, 2);
    const auto energy = readForNode(trace, trace.counters({{.name = "ENERGY"}}), 0, 0);
    trace.sampler(0).counters(0, energy, {0}).teamBegin(2).teamEnd(4).counters(10, energy, {100});
    trace.on(0).enter(0, "main").fork(1, 2).teamBegin(1).teamEnd(4).join(4).leave(10);
    EXPECT_NEAR(Findings(trace).at("ENERGY", "main", 0), 100, kRounding);
}

/// What is declared to be read by a location of its own, and is not.
TEST(AttributedCounters, threadThatWritesWhatAnotherReads_hasItInItsCallPath) {
    TraceBuilder trace(2);
    const auto energy = readForNode(trace, trace.counters({{.name = "ENERGY"}}), 0, 0);
    trace.sampler(0).counters(0, energy, {0});
    trace.on(0).enter(0, "main").counters(2, energy, {5}).counters(6, energy, {9}).leave(10);
    trace.on(1).enter(0, "main").leave(10);
    const Findings found(trace);
    EXPECT_EQ(found.at("ENERGY", "main", 0), 4);
    EXPECT_EQ(found.at("ENERGY", "main", 1), 0);
}

TEST(AttributedCounters, whatIsNoNumber_isLeftOut) {
    analyzer::replay::GrowthRecorder recorder(analyzer::trace::MetricClassId(0), 1);
    for (const double value : {1.0, std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, 2.0}) {
        recorder.passTo({5, 5, true});  // read at the same time
        recorder.add(0, value);
    }
    const analyzer::replay::Growths growths = recorder.take();
    EXPECT_THAT(growths.ends, ::testing::ElementsAre(5));
    EXPECT_THAT(growths.values, ::testing::ElementsAre(3));
}

TEST(AttributedCounters, severalNodesAndProcesses_haveTheirOwn) {
    TraceBuilder trace(4);
    trace.nodes(2);
    const auto energy = trace.counters({{.name = "ENERGY"}});
    const auto reads = trace.counters({{.name = "READS"}});
    const auto first = readForNode(trace, energy, 0, 0);
    const auto second = readForNode(trace, energy, 3, 1);
    const auto own = trace.countersOf(reads, TraceBuilder::samplerOf(3), OTF2_SCOPE_LOCATION_GROUP,
                                      TraceBuilder::processOf(3));
    trace.sampler(0).counters(0, first, {0}).counters(10, first, {100});
    trace.sampler(3).counters(0, second, {0}).counters(0, own, {0});
    trace.sampler(3).counters(5, second, {20}).counters(6, own, {7}).counters(10, second, {60});
    for (unsigned rank = 0; rank < 4; ++rank) trace.on(rank).enter(0, "main").leave(10);
    const Findings found(trace);
    const auto& experiment = found.result().experiment;
    // Behind the thread of process 0 stands what reads for its node.
    const auto at = [&](const char* metric, std::size_t location) {
        return severity(experiment, metric, "main", algebra::LocationId(location));
    };
    EXPECT_NEAR(at("ENERGY", 0), 50, kRounding);
    EXPECT_NEAR(at("ENERGY", 2), 50, kRounding);
    EXPECT_NEAR(at("ENERGY", 3), 30, kRounding);
    EXPECT_NEAR(at("ENERGY", 4), 30, kRounding);
    EXPECT_NEAR(at("READS", 3), 0, kRounding);
    EXPECT_NEAR(at("READS", 4), 7, kRounding);
}

TEST(AttributedCounters, readForOneThread_belongToItsCallPaths) {
    TraceBuilder trace(1, 2);
    const auto own = trace.countersOf(trace.counters({{.name = "READS"}}), TraceBuilder::samplerOf(0),
                                      OTF2_SCOPE_LOCATION, TraceBuilder::locationOf(0, 1));
    trace.sampler(0).counters(0, own, {0}).counters(10, own, {90});
    trace.on(0).enter(0, "main").leave(10);
    trace.on(0, 1).enter(0, "f").leave(10);
    const Findings found(trace);
    EXPECT_EQ(found.at("READS", "main", 0), 0);
    EXPECT_NEAR(found.at("READS", "f", 0, 1), 90, kRounding);
}

TEST(AttributedCounters, readForAGroupOfLocations_belongToItsMembers) {
    TraceBuilder trace(3);
    const auto own = trace.countersOf(trace.counters({{.name = "READS"}}), TraceBuilder::samplerOf(1),
                                      OTF2_SCOPE_GROUP, trace.group({0, 2, 2}));
    trace.sampler(1).counters(0, own, {0}).counters(10, own, {90});
    for (const unsigned rank : {0U, 1U, 2U}) trace.on(rank).enter(0, "main").leave(10);
    const Findings found(trace);
    const auto& experiment = found.result().experiment;
    const auto at = [&](std::size_t location) {
        return severity(experiment, "READS", "main", algebra::LocationId(location));
    };
    EXPECT_NEAR(at(0), 45, kRounding);
    EXPECT_EQ(at(1), 0);
    EXPECT_NEAR(at(3), 45, kRounding);  // behind what reads
    EXPECT_TRUE(found.result().diagnoses.empty());
}

TEST(AttributedCounters, readForAGroupThatIsNotThere_stayWhereTheyWereRead) {
    TraceBuilder trace(1);
    const auto own = trace.countersOf(trace.counters({{.name = "READS"}}), TraceBuilder::samplerOf(0),
                                      OTF2_SCOPE_GROUP, ~std::uint64_t{0});
    trace.sampler(0).counters(0, own, {0}).counters(10, own, {90});
    trace.on(0).enter(0, "main").leave(10);
    EXPECT_EQ(Findings(trace).at("READS", "main", 0), 0);
}

TEST(AttributedCounters, lateReadingsGapsAndWraps_addUpToTheGrowth) {
    TraceBuilder trace(1);
    const auto counters =
        trace.counters({{.name = "ENERGY"}, {.name = "PART", .mode = OTF2_METRIC_ACCUMULATED_LAST}});
    const auto energy = readForNode(trace, counters, 0, 0);
    constexpr std::uint64_t kLargest = ~std::uint64_t{0};
    trace.on(0).enter(0, "main").enter(8, "f").leave(16).leave(24);
    // Read from 4 on, not at 8 and 12; begins again at 0 in between; and is read behind the end.
    trace.sampler(0).counters(4, energy, {kLargest - 19, 8}).counters(16, energy, {100, 12});
    trace.sampler(0).counters(24, energy, {150, 1}).counters(30, energy, {157, 2});
    const Findings found(trace);
    EXPECT_NEAR(found.at("ENERGY", "main", 0), 40 + 50, kRounding);  // 4/12 · 120 + 50
    EXPECT_NEAR(found.at("ENERGY", "main/f", 0), 80, kRounding);     // 8/12 · 120
    EXPECT_NEAR(found.total("ENERGY"), 20 + 157, kRounding);
    EXPECT_NEAR(found.at("PART", "main", 0), 8 + 4 + 1,
                kRounding);  // the first value is that since the start
    EXPECT_NEAR(found.total("PART"), 23, kRounding);
    const auto& experiment = found.result().experiment;
    constexpr algebra::LocationId kReader{1};  // it has what was counted behind the end
    EXPECT_NEAR(severity(experiment, "ENERGY", "main", kReader), 7, kRounding);
    EXPECT_NEAR(severity(experiment, "PART", "main", kReader), 2, kRounding);
}

TEST(AttributedCounters, description_saysThatItIsAnEstimate) {
    TraceBuilder trace(1);
    const auto counters =
        trace.counters({{.name = "ENERGY"}, {.name = "POWER", .mode = OTF2_METRIC_ABSOLUTE_POINT}});
    const auto energy = readForNode(trace, counters, 0, 0);
    trace.sampler(0).counters(0, energy, {0, 7}).counters(10, energy, {100, 9});
    trace.on(0).enter(0, "main").leave(10);
    const Findings found(trace);
    const auto& experiment = found.result().experiment;
    EXPECT_THAT(experiment.metrics[*experiment.findMetric("ENERGY")].description,
                HasSubstr("an attributed estimate"));
    EXPECT_EQ(experiment.metrics[*experiment.findMetric("POWER")].description, "");
}

/// A level is that of the program; where the trace has none, of the outermost call path.
TEST(AttributedCounters, levelsOfALocationInNoCallPath_areThoseOfItsProcess) {
    TraceBuilder trace(2);
    const auto power =
        readForNode(trace, trace.counters({{.name = "POWER", .mode = OTF2_METRIC_ABSOLUTE_POINT}}), 1, 0);
    trace.sampler(1).counters(0, power, {100}).counters(5, power, {500}).counters(10, power, {400});
    trace.on(0).enter(0, "other").leave(10);
    trace.on(1).enter(0, "main").enter(2, "f").leave(8).leave(10);
    const Findings found(trace);
    const auto& experiment = found.result().experiment;
    constexpr algebra::LocationId kReader{2};
    EXPECT_EQ(severity(experiment, "POWER", "main", kReader), 500);
    EXPECT_EQ(severity(experiment, "POWER", "other", kReader), 0);
}

/// Calls that change with every reading, in two processes.
void addManyReadings(TraceBuilder& trace, OTF2_MetricRef energy) {
    for (unsigned rank = 0; rank < 2; ++rank) {
        trace.on(rank).enter(0, "main");
        for (Tick tick = 1; tick < 400; tick += 3)
            trace.on(rank).call(tick, tick + 1 + rank, tick % 2 ? "f" : "g");
        trace.on(rank).leave(400);
    }
    for (Tick tick = 0; tick <= 400; tick += 20) trace.sampler(1).counters(tick, energy, {tick * tick});
}

TEST(AttributedCounters, anyRanksAndThreads_giveTheSame) {
    TraceBuilder trace(2);
    addManyReadings(trace, readForNode(trace, trace.counters({{.name = "ENERGY"}}), 1, 0));
    const TemporaryDirectory directory;
    const auto anchor = trace.write(directory.path());
    EXPECT_NEAR(Findings(anchor, 1).total("ENERGY"), 160'000, kRounding * 160'000);
    expectSameByAnyWorkersAndRanks(anchor);
}

/// What grew from one tick to another, which are in the range or not.
double growthInRange(double from, double to) {
    TraceBuilder trace(2);
    addManyReadings(trace, readForNode(trace, trace.counters({{.name = "ENERGY"}}), 1, 0));
    analyzer::AnalysisOptions options;
    options.range = analyzer::RunRange{from / 1000, to / 1000};
    return Findings(trace, options).total("ENERGY");
}

TEST(AttributedCounters, rangeFromReadingToReading_hasTheGrowthBetween) {
    EXPECT_NEAR(growthInRange(100, 200), 200 * 200 - 100 * 100, kRounding * 40'000);
}

TEST(AttributedCounters, rangeThatBeginsAndEndsBetweenReadings_hasAPartByTime) {
    const double first = (120 * 120 - 100 * 100) / 2.0;  // from 110 on
    const double last = (200 * 200 - 180 * 180) / 4.0;   // until 185
    EXPECT_NEAR(growthInRange(110, 185), first + 180 * 180 - 120 * 120 + last, kRounding * 40'000);
    EXPECT_NEAR(growthInRange(105, 110), (120 * 120 - 100 * 100) / 4.0, kRounding * 40'000);
}

/// What was counted since the reading before, or since the start: 40 until 80, 10 from then on.
double partsInRange(double from, double to) {
    TraceBuilder trace(1);
    const auto parts =
        readForNode(trace, trace.counters({{.name = "PART", .mode = OTF2_METRIC_ACCUMULATED_LAST}}), 0, 0);
    trace.on(0).enter(0, "main").leave(100);
    trace.sampler(0).counters(80, parts, {40}).counters(100, parts, {10});
    analyzer::AnalysisOptions options;
    options.range = analyzer::RunRange{from / 1000, to / 1000};
    return Findings(trace, options).total("PART");
}

TEST(AttributedCounters, firstReadingOfParts_countsByItsTimeInTheRange) {
    EXPECT_NEAR(partsInRange(40, 90), 20 + 5, kRounding);
    EXPECT_NEAR(partsInRange(0, 100), 50, kRounding);
    EXPECT_NEAR(partsInRange(0, 20), 10, kRounding);  // read behind it
    EXPECT_NEAR(partsInRange(60, 70), 5, kRounding);
    EXPECT_NEAR(partsInRange(80, 100), 10, kRounding);
}

TEST(AttributedCounters, firstReadingOfPartsAtTheStart_countsInARangeFromThere) {
    analyzer::replay::GrowthRecorder recorder(analyzer::trace::MetricClassId(0), 1, {0, 0, false});
    recorder.passTo({0, 0, true});
    recorder.add(0, 3);
    EXPECT_THAT(recorder.take().values, ::testing::ElementsAre(3));
}

TEST(AttributedCounters, readingsOfALongRun_areJoined) {
    constexpr std::size_t kMost = analyzer::replay::GrowthRecorder::kMost;
    constexpr auto kReadings = static_cast<std::int64_t>(5 * kMost + 3);
    analyzer::replay::GrowthRecorder recorder(analyzer::trace::MetricClassId(0), 2);
    for (std::int64_t tick = 1; tick <= kReadings; ++tick) {
        recorder.passTo({tick, tick, true});
        recorder.add(0, 1);
        recorder.add(1, 10);
    }
    const analyzer::replay::Growths growths = recorder.take();
    ASSERT_LE(growths.ends.size(), kMost);
    ASSERT_GE(growths.ends.size(), kMost / 2);
    EXPECT_EQ(growths.ends.back(), kReadings);
    std::int64_t before = 0;
    for (std::size_t i = 0; i < growths.ends.size(); ++i) {
        const auto readings = static_cast<double>(growths.ends[i] - before);
        EXPECT_EQ(growths.values[2 * i], readings);
        EXPECT_EQ(growths.values[2 * i + 1], 10 * readings);
        before = growths.ends[i];
    }
}

}  // namespace
}  // namespace holos::testing
