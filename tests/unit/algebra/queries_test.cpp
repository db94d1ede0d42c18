// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/queries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

#include "tests/unit/algebra/sample_experiment.h"

namespace holos::algebra::testing {
namespace {

using ::testing::ElementsAre;

constexpr Extent kInclusive = Extent::Inclusive;
constexpr Extent kExclusive = Extent::Exclusive;

/// `time` has 10 p + l + 1 at call path p and location l. Sums over the four locations: 40 p + 10, that is
/// 10, 50, 90, 130, 170, 210 for the call paths 0(1(2),3), 4(5). `part`, below `time`, has a tenth of that.
class Queries : public ::testing::Test {
  protected:
    Queries() : experiment_(sampleStructure()), time_(addSampleMetric(experiment_, "time", 1.0)) {
        Metric metric;
        metric.uniqueName = "part";
        part_ = experiment_.metrics.add(metric, time_);
        SeverityTable table = experiment_.newTable();
        for (const CallPathId path : experiment_.callTree.ids())
            for (std::size_t at = 0; at < 4; ++at)
                table.add(path, LocationId(at), double(10 * path.index() + at + 1) / 10.0);
        experiment_.severities.set(part_, table);
    }

    /// A metric with the value 2 everywhere.
    MetricId addTwos() {
        Metric metric;
        metric.uniqueName = "twos";
        const MetricId id = experiment_.metrics.add(metric);
        SeverityTable table = experiment_.newTable();
        for (const CallPathId path : experiment_.callTree.ids())
            for (double& value : table.editRow(path)) value = 2.0;
        experiment_.severities.set(id, table);
        return id;
    }

    Experiment experiment_;
    MetricId time_, part_;
};

TEST_F(Queries, perCallPath_metricInclusiveCallExclusive_sumsLocations) {
    EXPECT_THAT(perCallPath(experiment_, {time_, kInclusive}, kExclusive),
                ElementsAre(10, 50, 90, 130, 170, 210));
}

TEST_F(Queries, perCallPath_metricInclusiveCallInclusive_addsSubtrees) {
    // 2: 90; 1: 50 + 90; 0: 10 + 140 + 130; 4: 170 + 210.
    EXPECT_THAT(perCallPath(experiment_, {time_, kInclusive}, kInclusive),
                ElementsAre(280, 140, 90, 130, 380, 210));
}

TEST_F(Queries, perCallPath_metricExclusiveCallExclusive_takesChildMetricAway) {
    // nine tenths of 10, 50, …
    EXPECT_THAT(perCallPath(experiment_, {time_, kExclusive}, kExclusive),
                ElementsAre(9, 45, 81, 117, 153, 189));
}

TEST_F(Queries, perCallPath_metricExclusiveCallInclusive_takesChildMetricAway) {
    EXPECT_THAT(perCallPath(experiment_, {time_, kExclusive}, kInclusive),
                ElementsAre(252, 126, 81, 117, 342, 189));
}

TEST_F(Queries, perCallPath_someLocations_sumsOnlyThose) {
    // 10 p + 1 and 10 p + 4
    EXPECT_THAT(perCallPath(experiment_, {time_, kInclusive}, kExclusive, {LocationId(0), LocationId(3)}),
                ElementsAre(5, 25, 45, 65, 85, 105));
}

TEST_F(Queries, perLocation_wholeTree_sumsCallPaths) {
    // 150 + 6 (l + 1)
    EXPECT_THAT(perLocation(experiment_, {time_, kInclusive}), ElementsAre(156, 162, 168, 174));
}

TEST_F(Queries, perLocation_callPathInclusive_sumsSubtree) {
    // call paths 1 and 2: 30 + 2 (l + 1)
    EXPECT_THAT(perLocation(experiment_, {time_, kInclusive}, {{CallPathId(1), kInclusive}}),
                ElementsAre(32, 34, 36, 38));
}

TEST_F(Queries, perLocation_callPathExclusive_isItsRow) {
    EXPECT_THAT(perLocation(experiment_, {time_, kInclusive}, {{CallPathId(1), kExclusive}}),
                ElementsAre(11, 12, 13, 14));
}

TEST_F(Queries, perLocation_metricExclusive_takesChildMetricAway) {
    const auto found = perLocation(experiment_, {time_, kExclusive}, {{CallPathId(1), kExclusive}});
    ASSERT_EQ(found.size(), 4U);
    EXPECT_DOUBLE_EQ(found[0], 9.9);
    EXPECT_DOUBLE_EQ(found[3], 12.6);
}

TEST_F(Queries, perLocation_overlappingCallPaths_countOnce) {
    EXPECT_THAT(perLocation(experiment_, {time_, kInclusive},
                            {{CallPathId(1), kInclusive}, {CallPathId(2), kExclusive}}),
                ElementsAre(32, 34, 36, 38));
}

TEST_F(Queries, aggregate_everything_isTheGrandTotal) {
    EXPECT_EQ(aggregate(experiment_, {time_, kInclusive}), 660.0);
    EXPECT_EQ(aggregate(experiment_, {time_, kExclusive}), 594.0);
}

TEST_F(Queries, aggregate_callPathAndLocation_isTheirSum) {
    // call paths 0 to 3 at location 1: 2 + 12 + 22 + 32
    EXPECT_EQ(aggregate(experiment_, {time_, kInclusive}, {{CallPathId(0), kInclusive}}, {LocationId(1)}),
              68.0);
    EXPECT_EQ(aggregate(experiment_, {time_, kInclusive}, {{CallPathId(0), kExclusive}}, {LocationId(1)}),
              2.0);
}

TEST_F(Queries, postDerived_isEvaluatedOnSums) {
    addTwos();
    const MetricId ratio =
        addDerivedMetric(experiment_, "ratio", Storage::PostDerived, "metric::time() / metric::twos()");
    EXPECT_DOUBLE_EQ(aggregate(experiment_, {ratio}), 660.0 / 48.0);
    EXPECT_THAT(perLocation(experiment_, {ratio}, {{CallPathId(1), kExclusive}}),
                ElementsAre(5.5, 6, 6.5, 7));
    // 280 / (4 * 8), 140 / 16, 90 / 8, 130 / 8, 380 / 16, 210 / 8
    EXPECT_THAT(perCallPath(experiment_, {ratio}, kInclusive),
                ElementsAre(8.75, 8.75, 11.25, 16.25, 23.75, 26.25));
    EXPECT_THAT(perCallPath(experiment_, {ratio}, kExclusive),
                ElementsAre(1.25, 6.25, 11.25, 16.25, 21.25, 26.25));
}

TEST_F(Queries, preDerivedExclusive_isEvaluatedThenSummed) {
    addTwos();
    const MetricId halves = addDerivedMetric(experiment_, "halves", Storage::PreDerivedExclusive,
                                             "metric::time() / metric::twos()");
    EXPECT_DOUBLE_EQ(aggregate(experiment_, {halves}), 330.0);
    EXPECT_THAT(perCallPath(experiment_, {halves}, kExclusive), ElementsAre(5, 25, 45, 65, 85, 105));
    EXPECT_THAT(perCallPath(experiment_, {halves}, kInclusive), ElementsAre(140, 70, 45, 65, 190, 105));
}

TEST_F(Queries, preDerivedInclusive_isEvaluatedOnSubtrees) {
    addTwos();
    const MetricId metric = addDerivedMetric(experiment_, "mean", Storage::PreDerivedInclusive,
                                             "metric::time() / metric::twos()");
    // Root 0 at location l: (64 + 4 l) / 8, together 35; root 4: (92 + 2 l) / 4, together 95.
    EXPECT_DOUBLE_EQ(aggregate(experiment_, {metric}), 130.0);
    // Call path 1 at l: (32 + 2 l) / 4, together 35; call path 2: (21 + l) / 2, together 45; exclusive 35
    // - 45.
    EXPECT_THAT(perCallPath(experiment_, {metric}, kInclusive), ElementsAre(35, 35, 45, 65, 95, 105));
    EXPECT_DOUBLE_EQ(perCallPath(experiment_, {metric}, kExclusive)[1], -10.0);
}

TEST_F(Queries, derived_modifiers_changeTheExtent) {
    const MetricId below =
        addDerivedMetric(experiment_, "below", Storage::PostDerived, "metric::time(i) - metric::time(e)");
    EXPECT_THAT(perCallPath(experiment_, {below}, kExclusive), ElementsAre(270, 90, 0, 0, 210, 0));
    EXPECT_THAT(perCallPath(experiment_, {below}, kInclusive), ElementsAre(270, 90, 0, 0, 210, 0));
    // The roots' subtrees without the roots: 660 - 10 - 170
    EXPECT_DOUBLE_EQ(aggregate(experiment_, {below}), 480.0);
}

TEST_F(Queries, derived_fixed_isTheWholeExperiment) {
    const MetricId share = addDerivedMetric(experiment_, "share", Storage::PostDerived,
                                            "100 * metric::time() / metric::fixed::time()");
    EXPECT_DOUBLE_EQ(perCallPath(experiment_, {share}, kExclusive)[5], 21000.0 / 660.0);
    EXPECT_DOUBLE_EQ(aggregate(experiment_, {share}), 100.0);
}

/// Call path 5 has 51, 52, 53, 54, and 210 at all locations together.
TEST_F(Queries, derived_fixedWithAModifier_isThatOfAllLocationsAtTheCallPath) {
    const MetricId share = addDerivedMetric(experiment_, "share", Storage::PreDerivedExclusive,
                                            "metric::time(e) / metric::fixed::time(e)");
    EXPECT_THAT(perLocation(experiment_, {share}, {{CallPathId(5), kExclusive}}),
                ElementsAre(51.0 / 210, 52.0 / 210, 53.0 / 210, 54.0 / 210));
}

TEST_F(Queries, derived_ofAMetricThatIsNotShown_hasItsValue) {
    experiment_.metrics[part_].isVoid = true;
    const MetricId twice = addDerivedMetric(experiment_, "twice", Storage::PostDerived, "2 * metric::part()");
    EXPECT_TRUE(std::isnan(aggregate(experiment_, {part_})));
    EXPECT_DOUBLE_EQ(aggregate(experiment_, {twice}), 132.0);
}

TEST_F(Queries, derived_ofDerived_isEvaluated) {
    addDerivedMetric(experiment_, "double", Storage::PreDerivedExclusive, "2 * metric::time()");
    addDerivedMetric(experiment_, "post", Storage::PostDerived, "metric::double() + 1");
    const MetricId last =
        addDerivedMetric(experiment_, "last", Storage::PreDerivedExclusive, "metric::post()");
    EXPECT_DOUBLE_EQ(aggregate(experiment_, {last}), 2 * 660.0 + 24.0);
}

TEST_F(Queries, derived_childMetric_isTakenFromItsParent) {
    Metric metric;
    metric.uniqueName = "other";
    metric.storage = Storage::PostDerived;
    metric.expression = "metric::part() * 4";
    experiment_.metrics.add(metric, time_);
    EXPECT_DOUBLE_EQ(aggregate(experiment_, {time_, kExclusive}), 660.0 - 66.0 - 264.0);
}

TEST_F(Queries, ratioChild_isNotTakenFromItsParent) {
    Metric metric;
    metric.uniqueName = "rate";
    metric.origin = Origin::Ratio;
    metric.storage = Storage::PostDerived;
    metric.expression = "metric::part() / metric::time()";
    experiment_.metrics.add(metric, time_);
    EXPECT_DOUBLE_EQ(aggregate(experiment_, {time_, kExclusive}), 594.0);
}

TEST_F(Queries, division_byZero_isUndefinedButZeroByZeroIsZero) {
    const MetricId zeroByZero =
        addDerivedMetric(experiment_, "a", Storage::PostDerived, "metric::nothing() / metric::nothing()");
    const MetricId byZero =
        addDerivedMetric(experiment_, "b", Storage::PostDerived, "metric::time() / metric::nothing()");
    EXPECT_EQ(aggregate(experiment_, {zeroByZero}), 0.0);
    EXPECT_TRUE(std::isnan(aggregate(experiment_, {byZero})));
    EXPECT_EQ(whyNotEvaluated(experiment_, byZero), std::nullopt);
}

TEST_F(Queries, derived_whatCannotBeEvaluated_isUndefinedAndSaysWhy) {
    for (const char* expression : {"metric::self()", "1 +", "${cube::unknown}", "metric::call::time(1)"}) {
        const MetricId id = addDerivedMetric(experiment_, "self", Storage::PostDerived, expression);
        EXPECT_TRUE(std::isnan(aggregate(experiment_, {id}))) << expression;
        EXPECT_TRUE(whyNotEvaluated(experiment_, id).has_value()) << expression;
        experiment_.metrics[id].uniqueName = "done";
    }
    EXPECT_EQ(whyNotEvaluated(experiment_, time_), std::nullopt);
}

TEST_F(Queries, derived_variablesAndCallPathFacts_areKnown) {
    const MetricId masked = addDerivedMetric(experiment_, "masked", Storage::PreDerivedExclusive,
                                             "${mask}[${calculation::callpath::id}] * metric::time()");
    experiment_.metrics[masked].initialisation =
        "{ global(mask); ${i} = 0; while (${i} < ${cube::#callpaths}) {"
        "  if (${cube::region::name}[${cube::callpath::calleeid}[${i}]] eq \"halo\") { ${mask}[${i}] = 1; };"
        "  ${i} = ${i} + 1; }; return 0; }";
    EXPECT_THAT(perCallPath(experiment_, {masked}, kExclusive), ElementsAre(0, 0, 0, 130, 0, 0));
}

TEST_F(Queries, minimumAndMaximum_areExtremesOverWhatIsChosen) {
    Metric metric;
    metric.uniqueName = "shortest";
    metric.valueType = ValueType::MinDouble;
    const MetricId shortest = experiment_.metrics.add(metric);
    SeverityTable table(6, 4, DBL_MAX);
    table.editRow(CallPathId(1))[2] = 3.0;
    table.editRow(CallPathId(2))[0] = 1.5;
    experiment_.severities.set(shortest, table);
    EXPECT_EQ(aggregate(experiment_, {shortest}), 1.5);
    EXPECT_EQ(perCallPath(experiment_, {shortest}, kInclusive)[1], 1.5);
    EXPECT_EQ(perCallPath(experiment_, {shortest}, kExclusive)[1], 3.0);
    EXPECT_TRUE(std::isnan(perCallPath(experiment_, {shortest}, kInclusive)[4]));
    EXPECT_TRUE(std::isnan(perLocation(experiment_, {shortest})[1]));
}

TEST_F(Queries, metricWithoutValues_isZero) {
    Metric metric;
    metric.uniqueName = "empty";
    const MetricId empty = experiment_.metrics.add(metric);
    EXPECT_EQ(aggregate(experiment_, {empty}), 0.0);
    EXPECT_THAT(perLocation(experiment_, {empty}), ElementsAre(0, 0, 0, 0));
}

TEST_F(Queries, locationsOf_nodesAndProcesses_areThoseBelow) {
    EXPECT_EQ(locationsOf(experiment_.system, SystemNodeId(0)).size(), 4U);
    EXPECT_THAT(locationsOf(experiment_.system, ProcessId(1)), ElementsAre(LocationId(2), LocationId(3)));
}

/// Sums over call paths: 156, 162, 168, 174 at the four locations; `twos` has 6 * 2 at each.
TEST_F(Queries, perGroup_processesAndNodes_addsLocations) {
    const LocationGroups processes = locationsByProcess(experiment_.system);
    ASSERT_EQ(processes.size(), 2U);
    EXPECT_THAT(perGroup(experiment_, {time_}, processes), ElementsAre(318, 342));
    EXPECT_THAT(perGroup(experiment_, {time_}, processes, {{CallPathId(0), kExclusive}}), ElementsAre(3, 7));
    EXPECT_EQ(perGroup(experiment_, {time_}, locationsByNode(experiment_.system)).front(), 660.0);
    EXPECT_THAT(perGroup(experiment_, {time_}, {{}, {LocationId(0), LocationId(3)}}), ElementsAre(0, 330));
}

TEST_F(Queries, perGroup_ratio_isThatOfTheSums) {
    addTwos();
    const MetricId ratio =
        addDerivedMetric(experiment_, "ratio", Storage::PostDerived, "metric::time() / metric::twos()");
    EXPECT_THAT(perGroup(experiment_, {ratio}, locationsByProcess(experiment_.system)),
                ElementsAre(318.0 / 24.0, 342.0 / 24.0));
}

TEST(DerivedMetrics, twoLocations_differByEvaluationOrder) {
    Experiment experiment;
    experiment.regions.emplace_back().name = "main";
    experiment.callTree.add({});
    experiment.system.nodes.add({});
    experiment.system.processes.emplace_back();
    experiment.system.locations.resize(2);
    const double values[2][2] = {{5, 6}, {3, 4}};
    for (const int which : {0, 1}) {
        Metric metric;
        metric.uniqueName = which == 0 ? "t" : "n";
        const MetricId id = experiment.metrics.add(metric);
        SeverityTable table = experiment.newTable();
        for (const std::size_t at : {0U, 1U}) table.add(CallPathId(0), LocationId(at), values[which][at]);
        experiment.severities.set(id, table);
    }
    const MetricId post =
        addDerivedMetric(experiment, "post", Storage::PostDerived, "metric::t() / metric::n()");
    const MetricId pre =
        addDerivedMetric(experiment, "pre", Storage::PreDerivedExclusive, "metric::t() / metric::n()");
    EXPECT_DOUBLE_EQ(aggregate(experiment, {post}), 11.0 / 7.0);
    EXPECT_DOUBLE_EQ(aggregate(experiment, {pre}), 5.0 / 3.0 + 6.0 / 4.0);
}

TEST(DerivedMetrics, initialisation_classifiesCallPathsOnce) {
    Experiment experiment = sampleStructure();
    addSampleMetric(experiment, "time", 1.0);
    const MetricId id = addDerivedMetric(experiment, "exchange", Storage::PreDerivedExclusive,
                                         "${mask}[${calculation::callpath::id}] * metric::time(e)");
    const MetricId other =
        addDerivedMetric(experiment, "other", Storage::PostDerived, "${own} + sizeof(mask)");
    experiment.metrics[id].initialisation =
        "{ global(mask); local(i); ${i} = 0; ${own} = 5; while (${i} < ${cube::#callpaths}) {"
        "  ${name} = ${cube::region::name}[${cube::callpath::calleeid}[${i}]];"
        "  if ( ${name} =~ /^(halo|tick)$/ ) { ${mask}[${i}] = 1; }; ${i} = ${i} + 1; }; return 0; }";
    EXPECT_EQ(aggregate(experiment, {id}), (31 + 32 + 33 + 34) + (51 + 52 + 53 + 54));
    EXPECT_EQ(aggregate(experiment, {other}), 6.0);  // `own` belongs to the first metric alone
}

TEST(DerivedMetrics, initialisationThatMakesAMetricVoid_isObeyed) {
    Experiment experiment = sampleStructure();
    const MetricId time = addSampleMetric(experiment, "time", 1.0);
    const MetricId id = addDerivedMetric(experiment, "d", Storage::PostDerived, "1");
    experiment.metrics[id].initialisation =
        "{ if (${cube::#locationgroups} == 2) { cube::metric::set::time(\"value\", \"VOID\"); }; return 0; }";
    EXPECT_EQ(whyNotEvaluated(experiment, time), "it has no value of its own");
    EXPECT_FALSE(whyNotEvaluated(experiment, id));
}

TEST(DerivedMetrics, calledMetric_isOfTheChosenCallPathAndTheSamePlace) {
    Experiment experiment = sampleStructure();
    addSampleMetric(experiment, "time", 1.0);
    const MetricId share = addDerivedMetric(experiment, "share", Storage::PostDerived,
                                            "metric::call::time(1 + 2, e) / metric::time()");
    const MetricId pre =
        addDerivedMetric(experiment, "pre", Storage::PreDerivedExclusive, "metric::call::time(1, i)");
    EXPECT_DOUBLE_EQ(aggregate(experiment, {share}), 130.0 / 660.0);
    EXPECT_DOUBLE_EQ(perLocation(experiment, {share})[0], 31.0 / 156.0);
    EXPECT_DOUBLE_EQ(perLocation(experiment, {pre})[1], 6 * (12.0 + 22.0));
}

TEST(DerivedMetrics, systemFacts_areThoseOfTheLocation) {
    Experiment experiment = sampleStructure();
    const MetricId id = addDerivedMetric(experiment, "ranks", Storage::PreDerivedExclusive,
                                         "${calculation::sysres::rank} + 10 * ${calculation::process::void}");
    EXPECT_EQ(perLocation(experiment, {id}), (std::vector<double>{0, 6, 0, 6}));
    const MetricId places = addDerivedMetric(
        experiment, "places", Storage::PostDerived,
        "${cube::#processes::nonvoid} * 10 + ${cube::#threads::void} + ${cube::location::parent::id}[3]");
    EXPECT_EQ(aggregate(experiment, {places}), 21.0);
}

TEST_F(Queries, placesThatOnlyCarryCounters_areNoThreads) {
    EXPECT_EQ(numberOfProcesses(experiment_.system), 2U);
    EXPECT_EQ(numberOfThreads(experiment_.system), 4U);
    SystemTree system = experiment_.system;
    system.processes[1].type = Process::Type::Metrics;
    system.locations[3].type = Location::Type::Metric;
    EXPECT_EQ(numberOfProcesses(system), 1U);
    EXPECT_EQ(numberOfThreads(system), 3U);
}

}  // namespace
}  // namespace holos::algebra::testing
