// SPDX-License-Identifier: BSD-3-Clause
// How long runs took and were on processors, of experiments that operators make of others.
#include "algebra/operators/unite/run_facts.h"

#include <gtest/gtest.h>

#include "algebra/model/processors.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/cut.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/history/recorded_run.h"
#include "algebra/operators/merge.h"
#include "algebra/operators/scale.h"
#include "tests/unit/algebra/sample_experiment.h"

namespace holos::algebra {
namespace {

/// A run of so many seconds. Each thread was on processors for half of it, and could run for a quarter more.
Experiment run(double seconds, const std::string& ends = "All ranks exited with code 0") {
    constexpr double kNanoseconds = 1e9;
    Experiment made = testing::sampleStructure();
    made.metrics[testing::addSampleMetric(made, "time", seconds)].unit = "sec";
    setAttribute(made.attributes, kSecondsOfRunAttribute, std::to_string(seconds));
    setAttribute(made.attributes, kEndsAttribute, ends);
    for (Location& location : made.system.locations) {
        const auto tell = [&](std::string_view key, double part) {
            setAttribute(location.attributes, key,
                         std::to_string(static_cast<std::uint64_t>(part * seconds * kNanoseconds)));
        };
        tell(kOnProcessorsAttribute, 0.5);
        tell(kWaitingForProcessorsAttribute, 0.25);
    }
    for (const SystemNodeId node : made.system.nodes.ids())
        setAttribute(made.system.nodes[node].attributes, kMachineUseAttribute, std::to_string(seconds));
    return made;
}

const Experiment kTwo = run(2);
const Experiment kFour = run(4);
const Experiment kKilled = run(4, "Rank 1 was killed");

/// Checks that all times are those of a run of so many seconds; the use of the machine only where it is
/// known.
void expectTimesOf(double seconds, const Experiment& result) {
    EXPECT_DOUBLE_EQ(secondsOfRun(result).value_or(0), seconds);
    for (const Location& location : result.system.locations) {
        const auto time = processorTimeOf(location);
        ASSERT_TRUE(time && time->waiting);
        EXPECT_DOUBLE_EQ(time->on, 0.5 * seconds);
        EXPECT_DOUBLE_EQ(*time->waiting, 0.25 * seconds);
    }
    for (const SystemNodeId node : result.system.nodes.ids())
        EXPECT_DOUBLE_EQ(machineUseOf(result.system.nodes[node].attributes).value_or(seconds), seconds);
}

void expectNoTimes(const Experiment& result) {
    EXPECT_EQ(secondsOfRun(result), std::nullopt);
    for (const Location& location : result.system.locations)
        EXPECT_FALSE(processorTimeOf(location).has_value());
    for (const SystemNodeId node : result.system.nodes.ids())
        EXPECT_EQ(machineUseOf(result.system.nodes[node].attributes), std::nullopt);
}

TEST(TimesOfRun, mean_isThatOfTheRuns) {
    expectTimesOf(3, mean({kTwo, kFour}));
    expectTimesOf(2, mean({kTwo}));
}

TEST(TimesOfRun, sum_isThatOfTheRuns) {
    expectTimesOf(6, sum({kTwo, kFour}));
}

TEST(TimesOfRun, meanWithOneThatDoesNotSayThem_isNotKnown) {
    Experiment other = run(4);
    forgetTimesOfRun(other);
    expectNoTimes(mean({kTwo, other}));
}

TEST(TimesOfRun, smallestAndLargestOfDifferentRuns_areOfNoRun) {
    expectNoTimes(minimum({kTwo, kFour}));
    expectNoTimes(maximum({kTwo, kFour}));
    expectTimesOf(2, minimum({kTwo, kTwo}));
}

TEST(TimesOfRun, differencesAndDeviations_areOfNoRun) {
    expectNoTimes(diff(kTwo, kTwo));
    expectNoTimes(standardDeviation({kTwo, kFour}));
}

TEST(TimesOfRun, merge_isTheMeanOfRunsWithTheSameThreads) {
    expectTimesOf(3, merge({kTwo, kFour}));
}

/// Each process has the mean of the runs that have it.
TEST(TimesOfRun, mergeOfRunsWithDifferentThreads_isOfNoRun) {
    Experiment fewer = run(4);
    fewer.system.locations.pop_back();
    fewer.severities = {};
    fewer.metrics = {};
    EXPECT_EQ(secondsOfRun(merge({fewer, kTwo})), std::nullopt);
}

TEST(TimesOfRun, scaledTime_scalesThem) {
    expectTimesOf(1, scale(run(2), {.factor = 0.5}));
    expectNoTimes(scale(run(2), {.factor = -1}));
}

TEST(TimesOfRun, partOfTheCallTree_hasNone) {
    expectNoTimes(cut(run(2), {.roots = {"work"}}));
    expectTimesOf(2, cut(run(2), {.depth = 1}));
}

TEST(EndsOfRuns, thatDiffer_areNotSaid) {
    EXPECT_EQ(endsOf(mean({kTwo, kFour})), "All ranks exited with code 0");
    EXPECT_EQ(endsOf(mean({kTwo, kKilled})), "");
    EXPECT_EQ(endsOf(diff(kTwo, kKilled)), "");
}

/// What is made of a difference is one.
TEST(OfNoRun, partOfADifference_isOfNone) {
    Experiment difference = run(2);
    Provenance made{"diff", "", {}, {}};
    setProvenance(difference, made);
    EXPECT_TRUE(isOfNoRun(difference));
    setProvenance(difference, {"cut", "", {}, {{"d.cubex", {made}}}});
    EXPECT_TRUE(isOfNoRun(difference));
    setProvenance(difference, {"mean", "", {}, {{"a.cubex", {}}, {"b.cubex", {}}}});
    EXPECT_FALSE(isOfNoRun(difference));
}

}  // namespace
}  // namespace holos::algebra
