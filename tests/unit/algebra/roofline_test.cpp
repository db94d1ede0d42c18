// SPDX-License-Identifier: BSD-3-Clause
// Points under the roofs, from counters that were made up.
#include "algebra/insight/findings/roofline.h"

#include <gmock/gmock.h>

#include "algebra/insight/findings/findings.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/metric_names.h"
#include "metric-specs/specification.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using holos::testing::findPath;
using holos::testing::SmallExperiment;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kSpecification = R"(
compose FP_OPERATIONS = scalar + vector
compute MEMORY_BYTES = 64 * lines
)";

/// Two locations of one node. main/solve: 800 operations and 1600 bytes in 4 s of one and 2 s of the other
/// thread; main/pack: 100 operations, 6400 bytes, 1 s of one thread; main/wait: no operations.
SmallExperiment counted() {
    SmallExperiment build;
    Metric time;
    time.uniqueName = "time";
    time.unit = "sec";
    build.metric(time, "", {{"main/solve", {4, 2}}, {"main/pack", {1, 0}}, {"main/wait", {0, 9}}});
    build.counter("scalar", {{"main/solve", {300, 100}}, {"main/pack", {100, 0}}});
    build.counter("lines", {{"main/solve", {20, 5}}, {"main/pack", {100, 0}}, {"main/wait", {0, 3}}});
    return build;
}

Experiment complete() {
    return derive(counted().counter("vector", {{"main/solve", {400, 0}}}).take(),
                  specs::parse(kSpecification, "test.spec"));
}

TEST(Roofline, pointsOfCallPaths_byHand) {
    const Experiment experiment = complete();
    const Roofline roofline = rooflineOf(experiment);
    EXPECT_THAT(roofline.whyEmpty, IsEmpty());
    ASSERT_THAT(roofline.points, SizeIs(2));
    EXPECT_EQ(roofline.points[0].path, findPath(experiment, "main/solve"));
    EXPECT_EQ(roofline.points[0].seconds, 6);
    EXPECT_EQ(roofline.points[0].intensity, 0.5);  // 800 / 1600
    EXPECT_EQ(roofline.points[0].rate, 200);       // 800 in 4 s
    EXPECT_EQ(roofline.points[1].path, findPath(experiment, "main/pack"));
    EXPECT_EQ(roofline.points[1].intensity, 0.015625);
    EXPECT_EQ(roofline.points[1].rate, 100);
    EXPECT_EQ(roofline.seconds, 7);
}

TEST(Roofline, severalNodes_shareTheRate) {
    Experiment experiment = complete();
    const auto other = experiment.system.nodes.add({"node 2", "node", "", {}});
    Process process = experiment.system.processes.front();
    process.node = other;
    experiment.system.processes.push_back(process);
    EXPECT_EQ(rooflineOf(experiment).points.at(0).rate, 100);
}

TEST(Roofline, whatIsMissing_isSaid) {
    EXPECT_THAT(rooflineOf(counted().take()).whyEmpty, HasSubstr("needs FP_OPERATIONS, which was not"));
    const Experiment part = derive(counted().take(), specs::parse(kSpecification, "test.spec"));
    EXPECT_THAT(rooflineOf(part).whyEmpty, HasSubstr("all of FP_OPERATIONS"));
    EXPECT_THAT(rooflineOf(part).points, IsEmpty());
    EXPECT_THAT(rooflineOf(Experiment{}).whyEmpty, HasSubstr("FP_OPERATIONS"));
}

constexpr const char* kBandwidthFinding = R"(
compute MEMORY_BYTES = 64 * lines
finding LIMIT = bandwidth_share > 60
describe LIMIT "Memory cannot deliver more"
)";

/// In 4 s, main/solve moves 1600 bytes; main/pack 6400 in 1 s; main/wait 192 in 9 s.
TEST(BandwidthFinding, callPathsNearThePeak_areNamedWithTheirShare) {
    Experiment experiment = derive(counted().take(), specs::parse(kBandwidthFinding, "test.spec"));
    setAttribute(experiment.attributes, kPeakBandwidth, "8000");
    const FindingReport report = findings(experiment);
    ASSERT_THAT(report.found, SizeIs(1));
    ASSERT_THAT(report.found[0].places, SizeIs(1));
    EXPECT_EQ(report.found[0].places[0].path, findPath(experiment, "main/pack"));
    EXPECT_EQ(report.found[0].places[0].values.at(0), 80);  // 6400 of 8000
    EXPECT_EQ(report.found[0].values.at(0).unit, "%");

    setAttribute(experiment.attributes, kPeakBandwidth, "500");
    const FindingReport slower = findings(experiment);
    ASSERT_THAT(slower.found.at(0).places, SizeIs(2));
    EXPECT_EQ(slower.found[0].places[0].values.at(0), 80);  // main/solve: 1600 of 4 × 500
    EXPECT_EQ(slower.found[0].values.at(0).value, 320);     // both: 8000 of 5 × 500
}

TEST(BandwidthFinding, severalNodes_haveAsManyMemories) {
    Experiment experiment = derive(counted().take(), specs::parse(kBandwidthFinding, "test.spec"));
    setAttribute(experiment.attributes, kPeakBandwidth, "8000");
    const auto other = experiment.system.nodes.add({"node 2", "node", "", {}});
    Process process = experiment.system.processes.front();
    process.node = other;
    experiment.system.processes.push_back(process);
    EXPECT_THAT(findings(experiment).nowhere, ElementsAre("LIMIT"));
}

TEST(BandwidthFinding, withoutMeasuredPeak_isNotKnown) {
    const Experiment experiment = derive(counted().take(), specs::parse(kBandwidthFinding, "test.spec"));
    const FindingReport report = findings(experiment);
    ASSERT_THAT(report.unknown, SizeIs(1));
    EXPECT_EQ(report.unknown[0].why, "without bandwidth_share");
}

TEST(Roofs, ofTheMachine_areTakenWhereNoneAreGiven) {
    Experiment experiment;
    EXPECT_FALSE(roofsOf(experiment).operations);
    setAttribute(experiment.attributes, kPeakOperations, "2.1e+12");
    setAttribute(experiment.attributes, kPeakBandwidth, "much");
    EXPECT_EQ(roofsOf(experiment).operations, 2.1e12);
    EXPECT_FALSE(roofsOf(experiment).bandwidth) << "no number";
    EXPECT_EQ(roofsOf(experiment, {1e9, 2e9}).operations, 1e9);
    EXPECT_EQ(roofsOf(experiment, {{}, 2e9}).operations, 2.1e12);
    EXPECT_EQ(roofsOf(experiment, {{}, 2e9}).bandwidth, 2e9);
}

TEST(Roofs, meetAtTheRidge) {
    const Roofs roofs{1000.0, 200.0};
    EXPECT_EQ(roofs.ridge(), 5);
    EXPECT_EQ(roofs.at(2), 400);
    EXPECT_EQ(roofs.at(5), 1000);
    EXPECT_EQ(roofs.at(50), 1000);
    EXPECT_FALSE((Roofs{1000.0, {}}.areKnown()));
}

}  // namespace
}  // namespace holos::algebra
