// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/derive.h"

#include <gmock/gmock.h>

#include "algebra/operators/metric_names.h"
#include "metric-specs/error.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using test::findShown;
using test::metricTree;
using test::SmallExperiment;
using test::valuesAt;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kFaults = R"(
compose PAGE_FAULTS = MINOR_FAULTS + MAJOR_FAULTS
measure PAGE_FAULTS = page-faults
measure MINOR_FAULTS = minor-faults
measure MAJOR_FAULTS = major-faults
compute EXCESS$ = MINOR_FAULTS - 2 * MAJOR_FAULTS
unit PAGE_FAULTS = faults
)";

Experiment derived(SmallExperiment builder, const std::string& text = kFaults) {
    return derive(builder.take(), specs::parse(text, "test.spec"));
}

SmallExperiment minorOnly() {
    return std::move(SmallExperiment().counter("minor-faults", {{"main", {1, 2}}, {"main/work", {3, 4}}}));
}

SmallExperiment both() {
    return std::move(minorOnly().counter("major-faults", {{"main", {10, 0}}}));
}

TEST(Derive, missingTerm_leavesCompositionIncomplete) {
    const Experiment result = derived(minorOnly());
    EXPECT_EQ(metricTree(result), "~PAGE_FAULTS(MINOR_FAULTS)");
    const Metric& metric = result.metrics[findShown(result, "~PAGE_FAULTS")];
    EXPECT_TRUE(metric.incomplete);
    EXPECT_EQ(metric.origin, Origin::Composed);
    EXPECT_EQ(metric.uniqueName, "PAGE_FAULTS");
    EXPECT_EQ(metric.unit, "faults");
    EXPECT_EQ(metric.valueType, ValueType::UInt64);
    EXPECT_THAT(valuesAt(result, "~PAGE_FAULTS", "main/work"), ElementsAre(3, 4));
}

TEST(Derive, allTerms_completeComposition) {
    const Experiment result = derived(both());
    EXPECT_EQ(metricTree(result), "PAGE_FAULTS(MINOR_FAULTS,MAJOR_FAULTS) EXCESS$");
    EXPECT_THAT(valuesAt(result, "PAGE_FAULTS", "main"), ElementsAre(11, 2));
    EXPECT_THAT(valuesAt(result, "PAGE_FAULTS", "main/work"), ElementsAre(3, 4));
}

TEST(Derive, computation_isEvaluatedPerCallPathAndLocation) {
    const Experiment result = derived(both());
    EXPECT_THAT(valuesAt(result, "EXCESS$", "main"), ElementsAre(-19, 2));
    EXPECT_THAT(valuesAt(result, "EXCESS$", "main/work"), ElementsAre(3, 4));
    const Metric& metric = result.metrics[findShown(result, "EXCESS$")];
    EXPECT_EQ(metric.uniqueName, "EXCESS_");
    EXPECT_EQ(metric.origin, Origin::Computed);
    EXPECT_EQ(metric.valueType, ValueType::Int64);
    EXPECT_EQ(metric.description, "EXCESS$ = MINOR_FAULTS - 2 * MAJOR_FAULTS");
}

TEST(Derive, directMeasurement_winsAndKeepsChildren) {
    const Experiment result = derived(std::move(both().counter("page-faults", {{"main", {12, 3}}})));
    EXPECT_EQ(metricTree(result), "PAGE_FAULTS(MINOR_FAULTS,MAJOR_FAULTS) EXCESS$");
    EXPECT_THAT(valuesAt(result, "PAGE_FAULTS", "main"), ElementsAre(12, 3));
    EXPECT_EQ(result.metrics[findShown(result, "PAGE_FAULTS")].uniqueName, "page_faults");
}

TEST(Derive, measuredMetric_keepsItsEventAsUniqueName) {
    const Experiment result = derived(minorOnly());
    const Metric& metric = result.metrics[findShown(result, "MINOR_FAULTS")];
    EXPECT_EQ(metric.uniqueName, "minor_faults");
    EXPECT_EQ(metric.origin, Origin::Measured);
    EXPECT_EQ(eventName(metric), "minor-faults");
}

TEST(Derive, deriveAgain_replacesTheEarlierDerivation) {
    const specs::Specification other =
        specs::parse("compose ALL = minor-faults + major-faults\n", "other.spec");
    const Experiment result = derive(derived(both()), other);
    EXPECT_EQ(metricTree(result), "ALL(minor-faults,major-faults)");
    EXPECT_EQ(result.files.at(kSpecificationFile), other.text);
}

TEST(Derive, deriveTwiceTheSame_changesNothing) {
    const Experiment once = derived(both());
    const Experiment twice = derive(derived(both()), specs::parse(kFaults, "test.spec"));
    EXPECT_EQ(metricTree(once), metricTree(twice));
    EXPECT_EQ(test::canonicalValues(once), test::canonicalValues(twice));
}

TEST(Derive, metricsOfTheTrace_stayAsTheyAre) {
    Metric time;
    time.uniqueName = "time";
    time.displayName = "Time";
    Metric mpi;
    mpi.uniqueName = "mpi";
    mpi.displayName = "MPI";
    SmallExperiment builder = both();
    builder.metric(time, "", {{"main", {0.5, 0.25}}}).metric(mpi, "time", {{"main", {0.25, 0}}});
    const Experiment result = derived(std::move(builder));
    EXPECT_EQ(metricTree(result), "Time(MPI) PAGE_FAULTS(MINOR_FAULTS,MAJOR_FAULTS) EXCESS$");
    EXPECT_THAT(valuesAt(result, "Time", "main"), ElementsAre(0.5, 0.25));
    EXPECT_THAT(valuesAt(result, "MPI", "main"), ElementsAre(0.25, 0));
}

TEST(Derive, secondAliasOfAnEvent_isACopy) {
    const Experiment result = derived(minorOnly(), "measure A = minor-faults\nmeasure B = minor-faults\n");
    EXPECT_EQ(metricTree(result), "A B");
    EXPECT_THAT(valuesAt(result, "B", "main"), ElementsAre(1, 2));
    EXPECT_EQ(metricTree(derive(derived(minorOnly(), "measure A = minor-faults\nmeasure B = minor-faults\n"),
                                specs::parse("", "empty.spec"))),
              "minor-faults");
}

TEST(Derive, nameTakenByMeasurement_getsANumber) {
    const Experiment result = derived(std::move(both().counter("PAGE$FAULTS", {{"main", {7, 7}}})),
                                      "compose PAGE/FAULTS = minor-faults + major-faults\n");
    EXPECT_EQ(result.metrics[findShown(result, "PAGE/FAULTS")].uniqueName, "PAGE_FAULTS:2");
}

TEST(Derive, expression_isKept) {
    Metric ratio;
    ratio.uniqueName = ratio.displayName = "ratio";
    ratio.storage = Storage::PostDerived;
    ratio.expression = "metric::minor_faults() / 2";
    SmallExperiment builder = minorOnly();
    builder.metric(ratio, "", {});
    const Experiment result = derived(std::move(builder));
    EXPECT_EQ(result.metrics[findShown(result, "ratio")].expression, "metric::minor_faults() / 2");
}

TEST(ApplySpecification, none_leavesTheExperiment) {
    EXPECT_EQ(metricTree(applySpecification(minorOnly().take(), "none")), "minor-faults");
}

TEST(ApplySpecification, auto_takesThePlatformThatKnowsTheEvents) {
    EXPECT_EQ(metricTree(applySpecification(minorOnly().take(), "auto")), "~PAGE_FAULTS(MINOR_FAULTS)");
}

TEST(ApplySpecification, auto_leavesUnknownEvents) {
    const Experiment result = applySpecification(SmallExperiment().counter("strange", {}).take(), "auto");
    EXPECT_EQ(metricTree(result), "strange");
    EXPECT_FALSE(result.files.contains(kSpecificationFile));
}

TEST(ApplySpecification, unknownName_isAnError) {
    EXPECT_THROW(applySpecification(minorOnly().take(), "nothing-of-this-name"), Error);
}

}  // namespace
}  // namespace holos::algebra
