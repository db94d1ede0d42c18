// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/findings/findings.h"

#include <gmock/gmock.h>

#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/error.h"
#include "metric-specs/library.h"
#include "metric-specs/specification.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using holos::testing::findPath;
using holos::testing::findShown;
using holos::testing::SmallExperiment;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kCaches = R"(
compose ACCESS = HIT_1$ + HIT_2 + MEM
measure HIT_1$ = l1
measure HIT_2  = l2
measure MEM    = mem
ratio MISS_RATE = 100 * ( ACCESS - HIT_1$ ) / ACCESS minimum 100
unit MISS_RATE = %
seconds STALL_TIME = stall
finding POOR = MISS_RATE > 10 and ACCESS >= 1000 mostly ACCESS besides HIT_1$ costs STALL_TIME
describe POOR "Poor use" "Use smaller blocks," "or fewer."
)";

Metric timeMetric() {
    Metric time;
    time.uniqueName = "time";
    time.displayName = "Time";
    time.unit = "sec";
    return time;
}

/// Two locations. Misses per access: main 0 of 50, main/a 300 of 1000 (1 s + 3 s of 16 s), main/b 40 of 1000
/// (8 s), main/c 700 of 1000 (2 s + 1 s), main/d 100 of 200 (1 s).
SmallExperiment caches() {
    SmallExperiment build;
    build.metric(timeMetric(), "",
                 {{"main/a", {1, 3}}, {"main/b", {4, 4}}, {"main/c", {2, 1}}, {"main/d", {1, 0}}});
    build.counter("l1", {{"main", {50, 0}},
                         {"main/a", {300, 400}},
                         {"main/b", {480, 480}},
                         {"main/c", {0, 300}},
                         {"main/d", {100, 0}}});
    build.counter("l2", {{"main/a", {50, 50}}, {"main/b", {20, 20}}, {"main/c", {200, 400}}});
    build.counter("mem", {{"main/a", {100, 100}}, {"main/c", {100, 0}}, {"main/d", {100, 0}}});
    return build;
}

FindingReport reportOf(Experiment experiment, const std::string& text = kCaches) {
    specs::Processor processor;
    processor.hertz = 1000.0;
    setProcessor(experiment, processor);
    return findings(derive(std::move(experiment), specs::parse(text, "test.spec")));
}

TEST(Findings, ratioPerCallPath_namesThoseBeyondTheThreshold) {
    const Experiment experiment = caches().take();
    const FindingReport report = reportOf(caches().take());
    ASSERT_THAT(report.found, SizeIs(1));
    const FindingResult& poor = report.found[0];
    EXPECT_EQ(poor.title, "Poor use");
    EXPECT_EQ(poor.explanation, "Use smaller blocks, or fewer.");
    ASSERT_THAT(poor.places,
                SizeIs(2));  // not b: 4 %; not d: 200 accesses only; not main: too few for a ratio
    EXPECT_EQ(poor.places[0].path, findPath(experiment, "main/a"));
    EXPECT_EQ(poor.places[0].time, 4.0);
    EXPECT_THAT(poor.places[0].values, ElementsAre(30.0, 1000.0));
    EXPECT_EQ(poor.places[1].path, findPath(experiment, "main/c"));
    EXPECT_EQ(poor.places[1].time, 3.0);
    EXPECT_THAT(poor.places[1].values, ElementsAre(70.0, 1000.0));
}

TEST(Findings, severalCallPaths_areAggregatedBeforeTheQuotient) {
    const FindingReport report = reportOf(caches().take());
    const FindingResult& poor = report.found.at(0);
    EXPECT_EQ(poor.time, 7.0);
    EXPECT_EQ(poor.percent, 43.75);  // 7 of 16 s
    ASSERT_THAT(poor.values, SizeIs(2));
    EXPECT_EQ(poor.values[0].condition, "MISS_RATE > 10");
    EXPECT_EQ(poor.values[0].value, 50.0);  // 1000 of 2000
    EXPECT_EQ(poor.values[0].unit, "%");
    EXPECT_EQ(poor.values[1].value, 2000.0);
}

TEST(Findings, mostly_namesTheLargestPartInTheCallPathsFound) {
    const Experiment experiment = derive(caches().take(), specs::parse(kCaches, "test.spec"));
    const FindingReport report = findings(experiment);
    const FindingResult& poor = report.found.at(0);
    ASSERT_TRUE(poor.mostly);
    EXPECT_EQ(poor.mostly->part, findShown(experiment, "HIT_2"));  // 700 of 700 + 300
    EXPECT_EQ(poor.mostly->percent, 70.0);
}

TEST(Findings, cost_isSaidOnlyWhereItWasMeasured) {
    EXPECT_FALSE(reportOf(caches().take()).found.at(0).cost);
    EXPECT_EQ(reportOf(caches().counter("stall", {{"main/a", {500, 0}}, {"main/b", {9000, 0}}}).take())
                  .found.at(0)
                  .cost,
              0.5);  // 500 cycles at 1000 Hz; those of main/b are not part of it
}

TEST(Findings, trustInTheCounters_standsBehindTheExplanation) {
    const std::string text =
        std::string(kCaches) + "trust l2 \"counts twice\" \"(section 4)\"\ntrust stall \"right\"\n";
    EXPECT_EQ(reportOf(caches().take(), text).found.at(0).explanation,
              "Use smaller blocks, or fewer. Accuracy of the counters: l2: counts twice (section 4).");
}

TEST(Findings, errorOfMultiplexedCounters_standsBehindTheExplanation) {
    Experiment experiment = caches().take();
    setAttribute(experiment.metrics[*experiment.findMetric("mem")].attributes, kErrorAttribute, "3.1");
    EXPECT_EQ(reportOf(std::move(experiment)).found.at(0).explanation,
              "Use smaller blocks, or fewer. Accuracy of the counters: mem: multiplexed, its sum is known "
              "within 3.1 %.");
}

TEST(Findings, withoutTime_noShareIsClaimed) {
    SmallExperiment build;
    build.counter("l1", {{"main", {300, 400}}});
    build.counter("l2", {{"main", {150, 150}}});
    build.counter("mem", {{"main", {0, 0}}});
    const FindingReport report = reportOf(build.take());
    ASSERT_THAT(report.found, SizeIs(1));
    EXPECT_FALSE(report.found[0].time);
    EXPECT_FALSE(report.found[0].percent);
    EXPECT_FALSE(report.found[0].places.at(0).time);
}

TEST(Findings, termsNotMeasured_leaveTheFindingUnknown) {
    SmallExperiment build;
    build.metric(timeMetric(), "", {{"main", {1, 1}}});
    build.counter("l1", {{"main", {300, 400}}});
    const FindingReport report = reportOf(build.take());
    EXPECT_THAT(report.found, IsEmpty());
    ASSERT_THAT(report.unknown, SizeIs(1));
    EXPECT_EQ(report.unknown[0].name, "POOR");
    EXPECT_EQ(report.unknown[0].why, "without MISS_RATE; ACCESS is incomplete");
}

TEST(Findings, goodValues_applyNowhere) {
    SmallExperiment build;
    build.counter("l1", {{"main", {3000, 4000}}});
    build.counter("l2", {{"main", {1, 1}}});
    build.counter("mem", {{"main", {0, 0}}});
    EXPECT_THAT(reportOf(build.take()).nowhere, ElementsAre("POOR"));
}

TEST(Findings, quotientOfNothing_holdsNowhere) {
    SmallExperiment build;
    build.counter("a", {{"main", {1, 0}}, {"main/idle", {0, 0}}, {"main/bad", {1, 0}}});
    build.counter("b", {{"main", {2, 0}}, {"main/bad", {0, 0}}});
    const FindingReport report = reportOf(
        build.take(), "finding F = a / b < 0.6\ndescribe F \"f\"\nfinding G = a < 1\ndescribe G \"g\"\n");
    ASSERT_THAT(report.found, SizeIs(2));
    EXPECT_THAT(report.found[0].places, SizeIs(1));
    EXPECT_THAT(report.found[1].places, SizeIs(1));  // zero is a value: main/idle
}

TEST(Findings, mostTime_comesFirst) {
    SmallExperiment build;
    build.metric(timeMetric(), "", {{"main/a", {1, 0}}, {"main/b", {3, 0}}});
    build.counter("x", {{"main/a", {1, 0}}});
    build.counter("y", {{"main/b", {1, 0}}});
    const FindingReport report =
        reportOf(build.take(), "finding X = x > 0\nfinding Y = y > 0\ndescribe X \"x\"\ndescribe Y \"y\"\n");
    ASSERT_THAT(report.found, SizeIs(2));
    EXPECT_EQ(report.found[0].name, "Y");
    EXPECT_EQ(report.found[0].percent, 75.0);
    EXPECT_EQ(report.found[1].name, "X");
}

TEST(Findings, withoutSpecificationOrOfADifference_areAnError) {
    EXPECT_THROW(findings(caches().take()), Error);
    Experiment difference = derive(caches().take(), specs::parse(kCaches, "test.spec"));
    Provenance made;
    made.operation = "diff";
    setProvenance(difference, made);
    try {
        findings(difference);
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("holos diff"));
    }
}

/// PAPI's paper, section 2: `main/apart` loses lines without locks, `main/locks` by locks that fail,
/// `main/alone` none.
TEST(PapiFindings, linesThatOthersTakeAway_areContentionOrFalseSharing) {
    SmallExperiment build;
    build.metric(timeMetric(), "", {{"main/apart", {2, 2}}, {"main/locks", {1, 1}}, {"main/alone", {5, 5}}});
    build.counter("PAPI_TOT_INS",
                  {{"main/apart", {1e6, 1e6}}, {"main/locks", {1e6, 1e6}}, {"main/alone", {1e6, 1e6}}});
    build.counter("PAPI_CA_INV",
                  {{"main/apart", {5000, 5000}}, {"main/locks", {4000, 4000}}, {"main/alone", {10, 10}}});
    build.counter("PAPI_CA_ITV",
                  {{"main/apart", {1000, 1000}}, {"main/locks", {9000, 9000}}, {"main/alone", {0, 0}}});
    build.counter("PAPI_CSR_FAL",
                  {{"main/apart", {0, 0}}, {"main/locks", {8000, 8000}}, {"main/alone", {0, 0}}});
    build.counter("PAPI_CSR_SUC",
                  {{"main/apart", {40, 40}}, {"main/locks", {12000, 12000}}, {"main/alone", {40, 40}}});
    const Experiment experiment = derive(build.take(), specs::find("papi"));
    const FindingReport report = findings(experiment);
    const auto placesOf = [&](const std::string& name) {
        std::vector<CallPathId> paths;
        for (const FindingResult& one : report.found)
            if (one.name == name)
                for (const auto& place : one.places) paths.push_back(place.path);
        return paths;
    };
    const CallPathId apart = findPath(experiment, "main/apart"), locks = findPath(experiment, "main/locks");
    EXPECT_THAT(placesOf("CONTENDED_LINES"), ElementsAre(apart, locks));
    EXPECT_THAT(placesOf("FALSE_SHARING"), ElementsAre(apart));
    EXPECT_THAT(placesOf("CONTENDED_LOCKS"), ElementsAre(locks));
    EXPECT_THAT(placesOf("MANY_LOCK_OPERATIONS"), ElementsAre(locks));
    EXPECT_THAT(placesOf("WRITES_TO_SHARED_LINES"), IsEmpty()) << "PAPI_CA_SHR was not measured";
}

}  // namespace
}  // namespace holos::algebra
