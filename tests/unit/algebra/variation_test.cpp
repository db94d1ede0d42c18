// SPDX-License-Identifier: BSD-3-Clause
// min, max, stddev, sum, scale
#include <gmock/gmock.h>

#include <cfloat>
#include <cmath>

#include "algebra/operators/aggregates.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/scale.h"
#include "base/error.h"
#include "metric-specs/specification.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using holos::testing::findShown;
using holos::testing::metricTree;
using holos::testing::SmallExperiment;
using holos::testing::valuesAt;
using ::testing::ElementsAre;

Experiment counted(const SmallExperiment::Rows& rows, const std::string& event = "e") {
    return SmallExperiment().counter(event, rows).take();
}

Experiment derived(SmallExperiment& builder, const std::string& spec) {
    return derive(builder.take(), specs::parse(spec, "test.spec"));
}

class ThreeRuns : public ::testing::Test {
  protected:
    const Experiment a = counted({{"main", {2, 8}}, {"main/f", {5, 5}}});
    const Experiment b = counted({{"main", {4, 6}}});
    const Experiment c = counted({{"main", {9, 1}}});
    const Inputs runs{a, b, c};
};

TEST_F(ThreeRuns, minimum_isPerValue) {
    const Experiment result = minimum(runs);
    EXPECT_THAT(valuesAt(result, "e", "main"), ElementsAre(2, 1));
    EXPECT_THAT(valuesAt(result, "e", "main/f"), ElementsAre(0, 0));
}

TEST_F(ThreeRuns, maximum_isPerValue) {
    const Experiment result = maximum(runs);
    EXPECT_THAT(valuesAt(result, "e", "main"), ElementsAre(9, 8));
    EXPECT_THAT(valuesAt(result, "e", "main/f"), ElementsAre(5, 5));
}

TEST_F(ThreeRuns, standardDeviation_dividesByOneLess) {
    // main: 2 4 9 has the mean 5 and the squares 9 + 1 + 16; 8 6 1 the same. main/f: 5 0 0.
    const Experiment result = standardDeviation(runs);
    EXPECT_THAT(valuesAt(result, "e", "main"), ElementsAre(::testing::DoubleNear(std::sqrt(13.0), 1e-12),
                                                           ::testing::DoubleNear(std::sqrt(13.0), 1e-12)));
    EXPECT_NEAR(valuesAt(result, "e", "main/f")[0], 5 / std::sqrt(3.0), 1e-12);
    EXPECT_EQ(result.metrics[findShown(result, "e")].valueType, ValueType::Double);
}

TEST_F(ThreeRuns, sum_addsUp) {
    const Experiment result = sum(runs);
    EXPECT_THAT(valuesAt(result, "e", "main"), ElementsAre(15, 15));
    EXPECT_THAT(valuesAt(result, "e", "main/f"), ElementsAre(5, 5));
}

TEST(Maximum, valueMissingInFirstInput_countsAsZero) {
    const Experiment a = counted({{"main", {1, 1}}});
    const Experiment b = counted({{"main/f", {-2, 3}}});
    EXPECT_THAT(valuesAt(maximum({a, b}), "e", "main/f"), ElementsAre(0, 3));
    EXPECT_THAT(valuesAt(minimum({a, b}), "e", "main/f"), ElementsAre(-2, 0));
}

TEST(Maximum, otherLocations_areSpread) {
    const Experiment a = SmallExperiment(1, 1).counter("e", {{"main", {8}}}).take();
    const Experiment b = SmallExperiment(2, 1).counter("e", {{"main", {2, 6}}}).take();
    EXPECT_THAT(valuesAt(maximum({a, b}), "e", "main"), ElementsAre(8, 6));
    EXPECT_THAT(valuesAt(minimum({a, b}), "e", "main"), ElementsAre(2, 0));
}

TEST(Maximum, metricOfMinima_ignoresMissingValues) {
    Metric metric;
    metric.uniqueName = metric.displayName = "shortest";
    metric.valueType = ValueType::MinDouble;
    const auto make = [&metric](double first, double second) {
        Experiment experiment = SmallExperiment().metric(metric, "", {{"main", {}}}).take();
        SeverityTable table(1, 2, DBL_MAX);
        table.editRow(CallPathId(0))[0] = first;
        table.editRow(CallPathId(0))[1] = second;
        experiment.severities.set(MetricId(0), std::move(table));
        return experiment;
    };
    const Experiment a = make(3, DBL_MAX);
    const Experiment b = make(5, 4);
    EXPECT_THAT(valuesAt(maximum({a, b}), "shortest", "main"), ElementsAre(5, 4));
    EXPECT_THAT(valuesAt(minimum({b, a}), "shortest", "main"), ElementsAre(3, 4));
}

TEST(Minimum, derivedMetrics_standForThemselves) {
    const Experiment a =
        derived(SmallExperiment().counter("e", {{"main", {1, 4}}}).counter("f", {{"main", {6, 1}}}),
                "compose S = e + f\n");
    const Experiment b =
        derived(SmallExperiment().counter("e", {{"main", {3, 3}}}).counter("f", {{"main", {3, 3}}}),
                "compose S = e + f\n");
    const Experiment result = minimum({a, b});
    EXPECT_EQ(metricTree(result), "S(e,f)");
    EXPECT_THAT(valuesAt(result, "S", "main"), ElementsAre(6, 5));  // 7 and 6, 5 and 6
    EXPECT_EQ(result.metrics[findShown(result, "S")].origin, Origin::Measured);
    EXPECT_FALSE(result.files.contains(kSpecificationFile));
}

TEST(Minimum, ratio_isLeftOut) {
    Metric ratio;
    ratio.uniqueName = ratio.displayName = "ratio";
    ratio.storage = Storage::PostDerived;
    ratio.origin = Origin::Ratio;
    ratio.expression = "metric::e() / 2";
    const Experiment a = SmallExperiment().counter("e", {{"main", {1, 2}}}).metric(ratio, "", {}).take();
    EXPECT_EQ(metricTree(minimum({a, a})), "e");
    EXPECT_EQ(metricTree(mean({a, a})), "e ratio");
}

TEST(StandardDeviation, oneInput_isAnError) {
    const Experiment a = counted({{"main", {1, 1}}});
    EXPECT_THROW(standardDeviation({a}), Error);
    EXPECT_THROW(minimum({}), Error);
    EXPECT_THROW(maximum({}), Error);
    EXPECT_THROW(sum({}), Error);
}

TEST(Mean, quotient_isEvaluatedOnTheMeans) {
    const char* const spec = "compute Q = e / f\n";
    const Experiment a =
        derived(SmallExperiment().counter("e", {{"main", {8, 1}}}).counter("f", {{"main", {2, 1}}}), spec);
    const Experiment b =
        derived(SmallExperiment().counter("e", {{"main", {4, 1}}}).counter("f", {{"main", {4, 1}}}), spec);
    EXPECT_THAT(valuesAt(mean({a, b}), "Q", "main"), ElementsAre(2, 1));  // 6 / 3, not (4 + 1) / 2
}

TEST(Mean, aliasInOneInput_pairsWithTheCompositionOfTheOther) {
    const char* const spec = "measure FAULTS = faults\ncompose FAULTS = minor + major\n";
    const Experiment a = derived(SmallExperiment().counter("faults", {{"main", {10, 20}}}), spec);
    const Experiment b = derived(
        SmallExperiment().counter("minor", {{"main", {4, 4}}}).counter("major", {{"main", {2, 6}}}), spec);
    const Experiment ab = mean({a, b});
    EXPECT_EQ(metricTree(ab), "FAULTS(minor,major)");
    EXPECT_THAT(valuesAt(ab, "FAULTS", "main"), ElementsAre(8, 15));
    const Experiment ba = mean({b, a});
    EXPECT_EQ(metricTree(ba), "FAULTS(minor,major)");
    EXPECT_THAT(valuesAt(ba, "FAULTS", "main"), ElementsAre(8, 15));
    EXPECT_THAT(valuesAt(maximum({a, b}), "FAULTS", "main"), ElementsAre(10, 20));
}

TEST(Scale, counter_becomesTime) {
    Scaling scaling;
    scaling.factor = 0.5;
    scaling.unit = "sec";
    const Experiment result = scale(counted({{"main", {3, 4}}}), scaling);
    EXPECT_THAT(valuesAt(result, "e", "main"), ElementsAre(1.5, 2));
    EXPECT_EQ(result.metrics[MetricId(0)].unit, "sec");
    EXPECT_EQ(result.metrics[MetricId(0)].valueType, ValueType::Double);
}

TEST(Scale, termOfAComposition_isDerivedAgain) {
    Scaling scaling;
    scaling.factor = 10;
    scaling.metrics = {"e"};
    SmallExperiment builder;
    builder.counter("e", {{"main", {1, 2}}}).counter("f", {{"main", {3, 4}}});
    const Experiment result = scale(derived(builder, "compose S = e + f\n"), scaling);
    EXPECT_THAT(valuesAt(result, "S", "main"), ElementsAre(13, 24));
}

TEST(Scale, partOfAMeasuredMetric_isAnError) {
    Metric part;
    part.uniqueName = part.displayName = "part";
    Scaling scaling;
    scaling.metrics = {"part"};
    EXPECT_THROW(scale(SmallExperiment().counter("e", {}).metric(part, "e", {}).take(), scaling), Error);
    scaling.metrics = {"absent"};
    EXPECT_THROW(scale(counted({}), scaling), Error);
}

TEST(Scale, negativeFactor_makesMaximaOfMinima) {
    Metric metric;
    metric.uniqueName = metric.displayName = "shortest";
    metric.valueType = ValueType::MinDouble;
    Experiment experiment = SmallExperiment().metric(metric, "", {{"main", {}}}).take();
    SeverityTable table(1, 2, DBL_MAX);
    table.editRow(CallPathId(0))[0] = 3;
    experiment.severities.set(MetricId(0), std::move(table));
    Scaling scaling;
    scaling.factor = -1;
    const Experiment result = scale(std::move(experiment), scaling);
    EXPECT_EQ(result.metrics[MetricId(0)].valueType, ValueType::MaxDouble);
    EXPECT_THAT(valuesAt(result, "shortest", "main"), ElementsAre(-3, -DBL_MAX));
}

}  // namespace
}  // namespace holos::algebra
