// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cfloat>

#include "algebra/model/queries.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/history/recorded_run.h"
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

Experiment counting(const SmallExperiment::Rows& rows, const std::string& event = "e") {
    return SmallExperiment().counter(event, rows).take();
}

Experiment shortest(double value) {
    Metric metric;
    metric.uniqueName = metric.displayName = "shortest";
    metric.valueType = ValueType::MinDouble;
    Experiment experiment = SmallExperiment().metric(metric, "", {{"main", {}}}).take();
    SeverityTable table(1, 2, DBL_MAX);
    table.editRow(CallPathId(0))[0] = value;
    experiment.severities.set(MetricId(0), std::move(table));
    return experiment;
}

TEST(Mean, wholeNumbers_areNotTruncated) {
    const Experiment a = counting({{"main", {10, 1}}});
    const Experiment b = counting({{"main", {3, 1}}});
    const Experiment result = mean({a, b});
    EXPECT_THAT(valuesAt(result, "e", "main"), ElementsAre(6.5, 1));
    EXPECT_EQ(result.metrics[findShown(result, "e")].valueType, ValueType::Double);
}

/// A second of one run minus the whole of another is no second of anything.
TEST(Diff, partOfARunAndTheWholeOfAnother_sayWhatEachIs) {
    Experiment range = counting({{"main", {10, 1}}});
    const Experiment whole = counting({{"main", {3, 1}}});
    range.attributes.emplace_back(kRangeAttribute, "1 2");
    EXPECT_EQ(partOfRun(diff(range, whole)), "1 s to 2 s of the first input, all of the second");
    EXPECT_EQ(partOfRun(diff(whole, range)), "all of the first input, 1 s to 2 s of the second");
    EXPECT_EQ(partOfRun(mean({range, range})), "1 s to 2 s");
    EXPECT_EQ(partOfRun(mean({range, range, whole})), "different parts of the 3 inputs");
    EXPECT_EQ(partOfRun(mean({whole, whole})), std::nullopt);
}

/// Quadratic work would take hours.
TEST(Mean, manyAttributesAndMirrors_areUnited) {
    constexpr int kMany = 300'000;
    Experiment a = counting({{"main", {1, 1}}});
    Experiment b = counting({{"main", {1, 1}}});
    for (int i = 0; i < kMany; ++i) {
        a.attributes.emplace_back("a" + std::to_string(i), "1");
        b.attributes.emplace_back("b" + std::to_string(i), "1");
        a.mirrors.push_back("http://a/" + std::to_string(i));
        b.mirrors.push_back("http://b/" + std::to_string(i));
    }
    const Experiment result = mean({a, b});
    EXPECT_GE(result.attributes.size(), 2U * kMany);
    EXPECT_EQ(result.mirrors.size(), 2U * kMany);
}

TEST(Mean, missingValues_countAsZero) {
    const Experiment a = counting({{"main", {10, 4}}});
    const Experiment b = counting({{"main/f", {2, 6}}});
    const Experiment c = counting({{"main", {3, 3}}}, "other");
    const Experiment result = mean({a, b, c});
    EXPECT_THAT(valuesAt(result, "e", "main/f"), ElementsAre(2.0 / 3, 2));
    EXPECT_THAT(valuesAt(result, "other", "main"), ElementsAre(1, 1));
}

TEST(Mean, minimum_staysAMinimum) {
    const Experiment a = shortest(3);
    const Experiment b = shortest(5);
    EXPECT_THAT(valuesAt(mean({a, b}), "shortest", "main"), ElementsAre(3, DBL_MAX));
}

TEST(Mean, noInput_isAnError) {
    EXPECT_THROW(mean({}), Error);
}

TEST(Mean, derivedMetrics_areAveragedToo) {
    const specs::Specification spec = specs::parse("compose S = e + f\n", "x.spec");
    const Experiment a = derive(
        SmallExperiment().counter("e", {{"main", {1, 1}}}).counter("f", {{"main", {2, 2}}}).take(), spec);
    const Experiment b = derive(
        SmallExperiment().counter("e", {{"main", {5, 1}}}).counter("f", {{"main", {4, 2}}}).take(), spec);
    const Experiment result = mean({a, b});
    EXPECT_EQ(metricTree(result), "S(e,f)");
    EXPECT_THAT(valuesAt(result, "S", "main"), ElementsAre(6, 3));
    EXPECT_EQ(result.files.at(kSpecificationFile), spec.text);
}

TEST(Mean, differentSpecifications_areNotKept) {
    const Experiment a = derive(counting({{"main", {1, 1}}}), specs::parse("compose S = e\n", "x.spec"));
    const Experiment b = derive(counting({{"main", {1, 1}}}), specs::parse("compose T = e\n", "y.spec"));
    EXPECT_FALSE(mean({a, b}).files.contains(kSpecificationFile));
}

TEST(Diff, values_areSigned) {
    const Experiment a = counting({{"main", {1, 5}}});
    const Experiment b = counting({{"main", {4, 2}}});
    const Experiment result = diff(a, b);
    EXPECT_THAT(valuesAt(result, "e", "main"), ElementsAre(-3, 3));
    EXPECT_EQ(result.metrics[findShown(result, "e")].valueType, ValueType::Int64);
}

TEST(Diff, missingValues_countAsZero) {
    const Experiment a = counting({{"main/f", {1, 5}}});
    const Experiment b = counting({{"main/g", {4, 2}}});
    const Experiment result = diff(a, b);
    EXPECT_THAT(valuesAt(result, "e", "main/f"), ElementsAre(1, 5));
    EXPECT_THAT(valuesAt(result, "e", "main/g"), ElementsAre(-4, -2));
}

TEST(Diff, minimum_needsBothValues) {
    EXPECT_THAT(valuesAt(diff(shortest(3), shortest(5)), "shortest", "main"), ElementsAre(-2, DBL_MAX));
}

/// 8 instructions in 4 cycles of `main` and none in `f`, of one thread.
Experiment perCycle(double instructions, double cycles, double cyclesInF) {
    Metric ratio;
    ratio.uniqueName = ratio.displayName = "ipc";
    ratio.origin = Origin::Ratio;
    ratio.storage = Storage::PostDerived;
    ratio.expression = "metric::instructions() / metric::cycles()";
    return SmallExperiment(1, 1)
        .counter("instructions", {{"main", {instructions}}})
        .counter("cycles", {{"main", {cycles}}, {"main/f", {cyclesInF}}})
        .metric(ratio, "", {})
        .take();
}

TEST(Diff, ratios_areSubtracted) {
    const Experiment result = diff(perCycle(8, 4, 4), perCycle(30, 5, 5));
    const MetricId ratio = *result.findMetric("ipc");
    EXPECT_EQ(aggregate(result, {ratio}), 1.0 - 3.0);  // the differences have -22 / -2
    EXPECT_THAT(perCallPath(result, {ratio}, Extent::Exclusive), ElementsAre(2.0 - 6.0, 0.0));
    EXPECT_EQ(result.metrics[ratio].origin, Origin::Ratio);
    for (const MetricId id : result.metrics.ids())
        EXPECT_EQ(result.metrics[id].ghost, result.metrics[id].uniqueName.find("_of_") != std::string::npos);
}

TEST(Diff, ratiosOfRatios_areSubtracted) {
    const auto withShare = [](Experiment experiment) {
        Metric twice = experiment.metrics[*experiment.findMetric("ipc")];
        twice.uniqueName = "twice";
        twice.expression = "2 * metric::ipc()";
        experiment.metrics.add(twice);
        return experiment;
    };
    const Experiment result = diff(withShare(perCycle(8, 4, 4)), withShare(perCycle(30, 5, 5)));
    EXPECT_EQ(aggregate(result, {*result.findMetric("twice")}), 2.0 * (1.0 - 3.0));
}

TEST(Diff, ofAnEarlierState_hasTheRatiosOfWhatCameSince) {
    const Experiment result =
        diff(perCycle(30, 5, 5), perCycle(8, 4, 4), {}, DifferenceOfRatios::OfWhatIsLeft);
    EXPECT_EQ(aggregate(result, {*result.findMetric("ipc")}), 22.0 / 2.0);
    EXPECT_FALSE(result.findMetric("cycles_of_first"));
}

TEST(Diff, ratioOfASpecification_isSubtracted) {
    const specs::Specification spec = specs::parse("compose S = e + f\nratio R = e / S\n", "x.spec");
    const auto run = [&](double e, double f) {
        return derive(
            SmallExperiment(1, 1).counter("e", {{"main", {e}}}).counter("f", {{"main", {f}}}).take(), spec);
    };
    const Experiment result = diff(run(1, 3), run(3, 1));
    EXPECT_EQ(aggregate(result, {*result.findMetric("R")}), 0.25 - 0.75);
    EXPECT_THAT(valuesAt(result, "S", "main"), ElementsAre(0));
}

TEST(Diff, incompleteInput_makesTheDifferenceIncomplete) {
    const specs::Specification spec = specs::parse("compose S = e + f\n", "x.spec");
    const Experiment a = derive(counting({{"main", {1, 1}}}), spec);
    const Experiment b = derive(
        SmallExperiment().counter("e", {{"main", {5, 1}}}).counter("f", {{"main", {4, 2}}}).take(), spec);
    const Experiment ab = diff(a, b);
    const Experiment ba = diff(b, a);
    EXPECT_TRUE(ab.metrics[*ab.findMetric("S")].incomplete);
    EXPECT_TRUE(ba.metrics[*ba.findMetric("S")].incomplete);
    EXPECT_EQ(ba.metrics[*ba.findMetric("S")].displayName, "~S");
}

}  // namespace
}  // namespace holos::algebra
