// SPDX-License-Identifier: BSD-3-Clause
// Whose values are compared: places of counters and samples have no part in what is said of threads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/model/statistics.h"
#include "algebra/operators/collapse.h"
#include "tests/unit/algebra/sample_experiment.h"

namespace holos::algebra::testing {
namespace {

using ::testing::ElementsAre;

/// Two processes of a thread and a place of samples each.
SystemTree sampled() {
    SystemTree system = sampleStructure().system;
    system.locations[1].type = system.locations[3].type = Location::Type::Metric;
    return system;
}

TEST(ComparedLocations, placesOfSamples_areNone) {
    EXPECT_THAT(comparedLocations(sampled(), {4, 0, 3, 0}), ElementsAre(true, false, true, false));
    EXPECT_THAT(comparedLocations(sampled(), {4, 9, 0, 9}), ElementsAre(true, false, true, false))
        << "as threads have values, too";
    EXPECT_THAT(comparedLocations(sampled(), {0, 0, 0, 0}), ElementsAre(true, false, true, false));
}

TEST(ComparedLocations, whereNoThreadHasAValue_areThoseThatHaveOne) {
    EXPECT_THAT(comparedLocations(sampled(), {0, 7, 0, 9}), ElementsAre(false, true, false, true));
    EXPECT_THAT(comparedLocations(sampled(), {0, 7, 0, 0}), ElementsAre(false, true, false, false));
}

TEST(ComparedLocations, withoutThreads_areAll) {
    SystemTree system = sampled();
    for (Location& each : system.locations) each.type = Location::Type::AcceleratorStream;
    EXPECT_THAT(comparedLocations(system, {0, 0, 0, 0}), ElementsAre(true, true, true, true));
}

TEST(ComparedLocations, statistics_areOfThreads) {
    const std::vector<double> values{4, 0, 3, 0};
    const Statistics found = statisticsOf(onlyCompared(values, comparedLocations(sampled(), values)));
    EXPECT_EQ(found.count, 2U);
    EXPECT_EQ(found.mean, 3.5);
    EXPECT_EQ(found.minimum, 3);
}

TEST(ComparedProcesses, groupsOfCounters_areNone) {
    SystemTree system = sampled();
    system.processes[1].type = Process::Type::Metrics;
    EXPECT_THAT(comparedProcesses(system, {1, 5}), ElementsAre(true, false));
    EXPECT_THAT(comparedProcesses(system, {0, 5}), ElementsAre(false, true));
}

TEST(Collapse, groupOfCounters_becomesNoThread) {
    Experiment experiment = sampleStructure();
    experiment.system.processes[1].type = Process::Type::Metrics;
    addSampleMetric(experiment, "time", 1.0);
    const Experiment result = collapse(std::move(experiment), CollapseTo::Processes);
    ASSERT_EQ(result.system.locations.size(), 2U);
    EXPECT_TRUE(isThread(result.system.locations[0]));
    EXPECT_FALSE(isThread(result.system.locations[1]));
}

}  // namespace
}  // namespace holos::algebra::testing
