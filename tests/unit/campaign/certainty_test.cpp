// SPDX-License-Identifier: BSD-3-Clause
// How well a campaign knows what it measured, and what its runs change.
#include "campaign/result.h"

#include <gmock/gmock.h>

#include "campaign/state.h"
#include "tests/support/small_experiment.h"

namespace holos::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::SmallExperiment;

/// A metric's totals in runs, from the first one on.
Variation variation(const std::string& metric, const std::vector<double>& totals) {
    std::vector<algebra::Experiment> runs;
    for (const double total : totals)
        runs.push_back(SmallExperiment().counter(metric, {{"main", {total, 0}}}).take());
    return variations(algebra::Inputs(runs.begin(), runs.end())).at(0);
}

/// 98, 100, 102: deviation 2; Student's factor for two differences is 4.303: 4.303 × 2 / √3 of 100.
TEST(CampaignCertainty, mean_isKnownWithinStudentsInterval) {
    EXPECT_NEAR(variation("a", {98, 100, 102}).knownWithin(), 0.04969, 1e-5);
    EXPECT_EQ(variation("a", {7, 7}).knownWithin(), 0.0);
}

TEST(CampaignCertainty, measurement_isUncertainWhereOneOfItsEventsIs) {
    const auto specification = specs::parse("measure A = a\nalias b = b_here\nmeasure B = b\n", "own.spec");
    const std::vector<Variation> found{variation("a", {98, 100, 102}), variation("b", {90, 110})};
    EXPECT_FALSE(isUncertain({"a"}, found, specification, 0.05));
    EXPECT_TRUE(isUncertain({"a"}, found, specification, 0.04));
    EXPECT_TRUE(isUncertain({"a", "b"}, found, specification, 0.05));
    EXPECT_TRUE(isUncertain({"b_here"}, found, specification, 0.05)) << "by its name on this machine";
    EXPECT_FALSE(isUncertain({"c"}, found, specification, 0.05)) << "zero in all runs";
}

TEST(CampaignCertainty, runsOfAMeasurement_areThoseWithAllItsEvents) {
    State state;
    state.finished = {{{"run-01", {"a", "b"}}}, {{"run-02", {"b"}}}, {{"run-03", {"a", "b", "c"}}}};
    EXPECT_EQ(runsOf({"a", "b"}, state), 2U);
    EXPECT_EQ(runsOf({"b"}, state), 3U);
    EXPECT_EQ(anotherRun({"b"}, state).name, "run-04");
}

TEST(SetEffects, valueThatFollowsWhatIsMeasured_isTold) {
    const std::vector<Measurement> measured{{"a", "b"}, {"c"}, {"b", "a"}, {"c"}};
    const auto effects = setEffects({variation("time", {10, 15, 10.2, 15.2})}, measured);
    ASSERT_THAT(effects, SizeIs(1));
    EXPECT_EQ(effects[0].metric, "time");
    EXPECT_THAT(effects[0].low, ElementsAre("b", "a"));
    EXPECT_NEAR(effects[0].lowMean, 10.1, 1e-9);
    EXPECT_THAT(effects[0].high, ElementsAre("c"));
    EXPECT_NEAR(effects[0].highMean, 15.1, 1e-9);
}

TEST(SetEffects, whatVariesAnyhow_isNone) {
    const std::vector<Measurement> measured{{"a"}, {"c"}, {"a"}, {"c"}};
    EXPECT_THAT(setEffects({variation("time", {10, 15, 14, 11})}, measured), IsEmpty());
    EXPECT_THAT(setEffects({variation("time", {10, 10.1, 10, 10.1})}, measured), IsEmpty())
        << "of no account";
}

TEST(SetEffects, withoutRepetitions_nothingIsKnown) {
    EXPECT_THAT(setEffects({variation("time", {10, 15})}, {{"a"}, {"c"}}), IsEmpty());
    EXPECT_THAT(setEffects({variation("time", {10, 15})}, {{"a"}, {"a"}}), IsEmpty()) << "the same set";
}

}  // namespace
}  // namespace holos::campaign
