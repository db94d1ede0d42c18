// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/merge.h"

#include <gmock/gmock.h>

#include <cfloat>

#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/metric_names.h"
#include "base/error.h"
#include "metric-specs/problems.h"
#include "metric-specs/specification.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using holos::testing::findPath;
using holos::testing::findShown;
using holos::testing::metricTree;
using holos::testing::SmallExperiment;
using holos::testing::valuesAt;
using ::testing::ElementsAre;

constexpr const char* kFaults = "compose PAGE_FAULTS = minor-faults + major-faults\n";

Experiment analyzed(SmallExperiment& builder, const std::string& spec = kFaults) {
    return derive(builder.take(), specs::parse(spec, "test.spec"));
}

Experiment minorRun() {
    return analyzed(SmallExperiment().counter("minor-faults", {{"main", {1, 2}}, {"main/work", {3, 4}}}));
}

Experiment majorRun() {
    return analyzed(SmallExperiment().counter("major-faults", {{"main", {10, 20}}}));
}

TEST(Merge, secondMeasurement_completesTheComposition) {
    const Experiment a = minorRun();
    const Experiment b = majorRun();
    EXPECT_EQ(metricTree(a), "~PAGE_FAULTS(minor-faults)");
    EXPECT_EQ(metricTree(b), "~PAGE_FAULTS(major-faults)");
    const Experiment result = merge({a, b});
    EXPECT_EQ(metricTree(result), "PAGE_FAULTS(minor-faults,major-faults)");
    EXPECT_FALSE(result.metrics[findShown(result, "PAGE_FAULTS")].incomplete);
    EXPECT_THAT(valuesAt(result, "PAGE_FAULTS", "main"), ElementsAre(11, 22));
    EXPECT_THAT(valuesAt(result, "PAGE_FAULTS", "main/work"), ElementsAre(3, 4));
}

TEST(Merge, directMeasurement_winsOverTheComposition) {
    const Experiment a = minorRun();
    const Experiment b = analyzed(SmallExperiment().counter("PAGE_FAULTS", {{"main", {99, 98}}}));
    const Experiment result = merge({a, b});
    EXPECT_EQ(metricTree(result), "PAGE_FAULTS(minor-faults)");
    EXPECT_THAT(valuesAt(result, "PAGE_FAULTS", "main"), ElementsAre(99, 98));
}

TEST(Merge, replicatedMeasurement_isAveraged) {
    const Experiment a = SmallExperiment().counter("e", {{"main", {1, 4}}}).take();
    const Experiment b = SmallExperiment().counter("e", {{"main", {3, 5}}}).take();
    const Experiment result = merge({a, b});
    EXPECT_THAT(valuesAt(result, "e", "main"), ElementsAre(2, 4.5));
    EXPECT_EQ(result.metrics[findShown(result, "e")].valueType, ValueType::Double);
    EXPECT_EQ(attribute(result.metrics[findShown(result, "e")].attributes, kRepetitionsAttribute), "2");
}

TEST(Merge, wholeAverages_keepTheirType) {
    const Experiment a = SmallExperiment().counter("e", {{"main", {1, 4}}}).take();
    const Experiment b = SmallExperiment().counter("e", {{"main", {3, 6}}}).take();
    const Experiment result = merge({a, b});
    EXPECT_EQ(result.metrics[findShown(result, "e")].valueType, ValueType::UInt64);
}

TEST(Merge, unvisitedCallPath_countsAsZero) {
    const Experiment a = SmallExperiment().counter("e", {{"main/f", {8, 8}}}).take();
    const Experiment b = SmallExperiment().counter("e", {{"main/g", {2, 2}}}).take();
    const Experiment result = merge({a, b});
    EXPECT_THAT(valuesAt(result, "e", "main/f"), ElementsAre(4, 4));
    EXPECT_THAT(valuesAt(result, "e", "main/g"), ElementsAre(1, 1));
    EXPECT_EQ(result.callTree.roots().size(), 1u);
}

TEST(Merge, metricOfOneInput_isNotHalved) {
    const Experiment a = SmallExperiment().counter("e", {{"main", {8, 8}}}).take();
    const Experiment b = SmallExperiment().counter("other", {{"main/g", {2, 2}}}).take();
    EXPECT_THAT(valuesAt(merge({a, b}), "e", "main"), ElementsAre(8, 8));
}

/// As analyzers leave out metrics of which nothing occurred: `mpi` where it is negative.
Experiment timed(double time, double execution, double mpi) {
    SmallExperiment builder(1, 1);
    builder.metric(holos::testing::seconds("time"), "", {{"main", {time}}});
    builder.metric(holos::testing::seconds("execution"), "time", {{"main", {execution}}});
    if (mpi >= 0) builder.metric(holos::testing::seconds("mpi"), "execution", {{"main", {mpi}}});
    return builder.take();
}

TEST(Merge, partThatOneInputLacks_countsAsZeroThere) {
    const Experiment a = timed(8, 6, 6), b = timed(4, 2, -1), c = timed(3, 1, -1);
    const Experiment two = merge({a, b});
    EXPECT_THAT(valuesAt(two, "execution", "main"), ElementsAre(4));
    EXPECT_THAT(valuesAt(two, "mpi", "main"), ElementsAre(3));
    EXPECT_THAT(valuesAt(merge({b, a}), "mpi", "main"), ElementsAre(3));
    EXPECT_THAT(valuesAt(merge({two, c}), "mpi", "main"), ElementsAre(2));
    EXPECT_THAT(valuesAt(merge({a, b, c}), "mpi", "main"), ElementsAre(2));
}

TEST(Merge, locationOfOneInput_isNotHalved) {
    const Experiment a = SmallExperiment(1, 1).counter("e", {{"main", {8}}}).take();
    const Experiment b = SmallExperiment(2, 2).counter("e", {{"main", {2, 6, 7, 9}}}).take();
    const Experiment result = merge({a, b});
    EXPECT_THAT(valuesAt(result, "e", "main"), ElementsAre(5, 6, 7, 9));
    EXPECT_EQ(attribute(result.metrics[findShown(result, "e")].attributes, kRepetitionsAttribute), "2*1,1*3");
}

TEST(Merge, threadsInAnotherOrder_arePairedByNumber) {
    const Experiment a = SmallExperiment().counter("e", {{"main", {1, 2}}}).take();
    Experiment b = SmallExperiment().counter("e", {{"main", {20, 10}}}).take();
    std::swap(b.system.locations[0].rank, b.system.locations[1].rank);
    EXPECT_THAT(valuesAt(merge({a, b}), "e", "main"), ElementsAre(5.5, 11));
}

TEST(Merge, otherNodes_collapseTheSystemTree) {
    const Experiment a = SmallExperiment(2, 1, "node 1").counter("e", {{"main", {1, 2}}}).take();
    const Experiment b = SmallExperiment(2, 1, "node 7").counter("f", {{"main", {3, 4}}}).take();
    const Experiment result = merge({a, b});
    ASSERT_EQ(result.system.processes.size(), 2u);
    EXPECT_EQ(result.system.nodes[result.system.processes[0].node].name, "Virtual node");
    EXPECT_THAT(valuesAt(result, "f", "main"), ElementsAre(3, 4));
}

TEST(Merge, sameNodes_keepTheSystemTree) {
    const Experiment a = SmallExperiment().counter("e", {{"main", {1, 2}}}).take();
    const Experiment result = merge({a, a});
    ASSERT_EQ(result.system.nodes.size(), 2u);
    EXPECT_EQ(result.system.nodes[result.system.processes[0].node].name, "node 1");
}

TEST(Merge, recursion_keepsEqualSiblingsApart) {
    Experiment a = SmallExperiment().counter("e", {{"main/f", {1, 2}}}).take();
    CallPath twin;
    twin.region = a.callTree[findPath(a, "main/f")].region;
    const CallPathId second = a.callTree.add(twin, findPath(a, "main"));
    SeverityTable table = a.newTable();
    table.add(second, LocationId(0), 7);
    a.severities.set(findShown(a, "e"), std::move(table));
    const Experiment result = merge({a, a});
    EXPECT_EQ(result.callTree.size(), 3u);
    EXPECT_EQ(result.severities.table(findShown(result, "e")).at(second, LocationId(0)), 7);
}

TEST(Merge, otherCallLine_isAnotherCallPathOnRequest) {
    Experiment a = SmallExperiment().counter("e", {{"main/f", {1, 2}}}).take();
    const Experiment b = SmallExperiment().counter("e", {{"main/f", {1, 2}}}).take();
    a.callTree[findPath(a, "main/f")].line = 12;
    EXPECT_EQ(merge({a, b}).callTree.size(), 2u);
    EXPECT_EQ(merge({a, b}, nullptr, {.lines = true}).callTree.size(), 3u);
}

TEST(Merge, minimaAndMaxima_areKept) {
    Metric shortest;
    shortest.uniqueName = shortest.displayName = "shortest";
    shortest.valueType = ValueType::MinDouble;
    const auto make = [&shortest](double value) {
        Experiment experiment = SmallExperiment().metric(shortest, "", {{"main", {}}}).take();
        SeverityTable table(1, 2, DBL_MAX);
        table.editRow(CallPathId(0))[0] = value;
        experiment.severities.set(MetricId(0), std::move(table));
        return experiment;
    };
    const Experiment a = make(3);
    const Experiment b = make(2);
    EXPECT_THAT(valuesAt(merge({a, b}), "shortest", "main"), ElementsAre(2, DBL_MAX));
}

TEST(Merge, expression_isKeptOnce) {
    Metric ratio;
    ratio.uniqueName = ratio.displayName = "ratio";
    ratio.storage = Storage::PostDerived;
    ratio.expression = "metric::e() / 2";
    const Experiment a = SmallExperiment().counter("e", {{"main", {1, 2}}}).metric(ratio, "", {}).take();
    const Experiment result = merge({a, a});
    EXPECT_EQ(metricTree(result), "e ratio");
    EXPECT_FALSE(result.severities.has(findShown(result, "ratio")));
}

TEST(Merge, givenSpecification_replacesTheCarriedOne) {
    const Experiment a = minorRun();
    const specs::Specification other = specs::parse("compose FAULTS = minor-faults\n", "other.spec");
    const Experiment result = merge({a}, &other);
    EXPECT_EQ(metricTree(result), "FAULTS(minor-faults)");
    EXPECT_EQ(result.files.at(kSpecificationFile), other.text);
}

TEST(Merge, damagedSpecificationInInput_isAnError) {
    Experiment a = minorRun();
    a.files[kSpecificationFile] = "nonsense";
    EXPECT_THROW(merge({a}), specs::SpecificationError);
}

TEST(Merge, noInput_isAnError) {
    EXPECT_THROW(merge({}), Error);
}

TEST(Merge, hostileRepetitions_countAsOnce) {
    Experiment a = SmallExperiment().counter("e", {{"main", {1, 2}}}).take();
    const Experiment b = SmallExperiment().counter("e", {{"main", {3, 4}}}).take();
    for (const char* text : {"0", "-1", "nan", "1*99999999999", "5,5,5", "*", ",", "2*1"}) {
        setAttribute(a.metrics[MetricId(0)].attributes, kRepetitionsAttribute, text);
        EXPECT_THAT(valuesAt(merge({a, b}), "e", "main"), ElementsAre(2, 3)) << text;
    }
}

}  // namespace
}  // namespace holos::algebra
