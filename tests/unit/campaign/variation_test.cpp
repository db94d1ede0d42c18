// SPDX-License-Identifier: BSD-3-Clause
// What varies from run to run.
#include <gmock/gmock.h>

#include <cmath>

#include "algebra/operators/history/metric_names.h"
#include "base/error.h"
#include "campaign/result.h"
#include "tests/support/small_experiment.h"

namespace holos::campaign {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::SizeIs;
using testing::SmallExperiment;
using testing::valuesAt;

TEST(CampaignVariation, totals_haveMeanAndDeviation) {
    const auto first =
        SmallExperiment().counter("a", {{"main", {1, 2}}}).counter("b", {{"main", {1, 1}}}).take();
    const auto second = SmallExperiment().counter("a", {{"main", {4, 3}}}).take();
    const auto found = variations({first, second});
    ASSERT_THAT(found, SizeIs(1));  // b was measured once
    EXPECT_EQ(found[0].metric, "a");
    EXPECT_THAT(found[0].totals, ElementsAre(3, 7));
    EXPECT_DOUBLE_EQ(found[0].mean, 5);
    EXPECT_DOUBLE_EQ(found[0].deviation, std::sqrt(8.0));  // (4 + 4) / (2 - 1)
    EXPECT_DOUBLE_EQ(found[0].relative(), std::sqrt(8.0) / 5.0);
}

/// 110 where runs of their own counted 100 ± 1: by more than the stated 5 % of 110.
TEST(CampaignMultiplexing, estimates_areComparedWithRunsThatCountAllOfTheTime) {
    auto multiplexed = SmallExperiment()
                           .counter("a", {{"main", {60, 50}}})
                           .counter("b", {{"main", {7, 0}}})
                           .counter("time", {{"main", {1, 1}}})
                           .take();
    const auto first = SmallExperiment().counter("a", {{"main", {50, 49}}}).take();
    const auto second = SmallExperiment().counter("a", {{"main", {50, 51}}}).take();
    const auto setError = [&multiplexed](const char* percent) {
        algebra::setAttribute(multiplexed.metrics[*multiplexed.findMetric("a")].attributes,
                              algebra::kErrorAttribute, percent);
    };
    const auto compared = [&] { return compareMultiplexed(multiplexed, {"a", "b"}, {first, second}); };
    setError("5");
    ASSERT_THAT(compared(), SizeIs(1)) << "b was counted nowhere else, and time is no event";
    EXPECT_THAT(compared()[0].others, ElementsAre(99, 101));
    EXPECT_DOUBLE_EQ(compared()[0].difference(), 0.1);
    EXPECT_EQ(compared()[0].error, 0.05);
    EXPECT_TRUE(compared()[0].isFurtherOffThanStated());
    EXPECT_EQ(tableOf(compared()),
              "event,unit,multiplexed,known within,runs of its own,mean,standard deviation,difference\n"
              "a,occ,110,0.05,2,100,1.4142135623730951,0.1\n");
    setError("12");
    EXPECT_FALSE(compared()[0].isFurtherOffThanStated());
    setError("");
    EXPECT_FALSE(compared()[0].error);
}

TEST(CampaignVariation, equalTotals_doNotVary) {
    const auto run = SmallExperiment().counter("a", {{"main", {0.1, 0.2}}}).take();
    const auto found = variations({run, run, run});
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].deviation, 0.0);
}

TEST(CampaignVariation, deviationOfEachValue_isOverThoseThatMeasuredIt) {
    const auto first = SmallExperiment().counter("a", {{"main", {1, 2}}}).take();
    const auto second = SmallExperiment()
                            .counter("a", {{"main", {3, 2}}, {"main/work", {2, 0}}})
                            .counter("b", {{"main", {5, 6}}})
                            .take();
    const auto third = SmallExperiment().counter("b", {{"main", {5, 8}}}).take();
    const auto deviation = deviations({first, second, third});
    EXPECT_THAT(valuesAt(deviation, "a", "main"), ElementsAre(DoubleEq(std::sqrt(2.0)), 0));
    EXPECT_THAT(valuesAt(deviation, "a", "main/work"), ElementsAre(DoubleEq(std::sqrt(2.0)), 0));
    EXPECT_THAT(valuesAt(deviation, "b", "main"), ElementsAre(0, DoubleEq(std::sqrt(2.0))));
    EXPECT_THROW(deviations({first}), Error);
}

TEST(CampaignVariation, measurementsOfOneRun_haveNoDeviation) {
    const auto first = SmallExperiment().counter("a", {{"main", {1, 2}}}).take();
    const auto second = SmallExperiment().counter("b", {{"main", {1, 2}}}).take();
    EXPECT_TRUE(deviations({first, second}).metrics.empty());
}

TEST(CampaignVariation, callPathsNotInAllRuns_areTheTopmostOnes) {
    const auto first = SmallExperiment().counter("a", {{"main/work", {1, 2}}}).take();
    const auto second =
        SmallExperiment().counter("a", {{"main/work", {1, 2}}, {"main/rest/deep", {1, 1}}}).take();
    const auto paths = callPathsNotInAllRuns({first, second});
    ASSERT_THAT(paths, SizeIs(1));
    EXPECT_EQ(paths[0].path, "main/rest");
    EXPECT_THAT(paths[0].inputs, ElementsAre(1));
    EXPECT_TRUE(callPathsNotInAllRuns({first, first}).empty());
}

}  // namespace
}  // namespace holos::campaign
