// SPDX-License-Identifier: BSD-3-Clause
// Lines at which samples were taken have their part of the time of the function around them.
#include "algebra/model/source_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/model/queries.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra::testing {
namespace {

using holos::testing::seconds;
using holos::testing::SmallExperiment;
using ::testing::ElementsAre;

/// `main` calls `relax` in line 3, which takes 8 s: 3 samples in line 7, one in line 8. `main` has a sample
/// of which no line is known, and one in line 4, in 2 s of its own.
Experiment sampledLoop() {
    SmallExperiment build(1, 1);
    build.metric(seconds("time"), "", {{"main", {2}}, {"main/relax", {8}}});
    build.metric(seconds("mpi"), "time", {{"main/relax", {4}}});
    build.metric(seconds("elsewhere"), "", {{"main/relax", {8}}});
    build.counter("samples",
                  {{"main", {1}}, {"main/a.c:4", {1}}, {"main/relax/a.c:7", {3}}, {"main/relax/a.c:8", {1}}});
    Experiment experiment = build.take();
    for (Region& region : experiment.regions) {
        if (!region.name.starts_with("a.c:")) continue;
        region.module = "/src/a.c";
        region.beginLine = region.endLine = std::stoi(region.name.substr(4));
        region.role = "code";
    }
    for (const CallPathId path : experiment.callTree.ids())
        if (experiment.regionOf(path).name == "relax") {
            experiment.callTree[path].module = "/src/a.c";
            experiment.callTree[path].line = 3;
        }
    return experiment;
}

MetricId named(const Experiment& experiment, const char* metric) {
    return *experiment.findMetric(metric);
}

std::vector<LineValue> linesOf(const Experiment& experiment, const char* metric) {
    PathValues values{perCallPath(experiment, {named(experiment, metric)}, Extent::Inclusive),
                      perCallPath(experiment, {named(experiment, metric)}, Extent::Exclusive)};
    values =
        dividedAmongLines(experiment, std::move(values),
                          perCallPath(experiment, {named(experiment, kSamplesMetric)}, Extent::Exclusive));
    return lineValues(experiment, values.inclusive, values.exclusive);
}

TEST(SampledLines, timeOfTheirFunction_isDividedBySamples) {
    const auto lines = linesOf(sampledLoop(), "time");
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0].place.line, 3);  // all that it calls
    EXPECT_EQ(lines[0].inclusive, 8);
    EXPECT_EQ(lines[0].own, 0);
    EXPECT_EQ(lines[1].place.line, 4);  // half of main's: the other half is of no known line
    EXPECT_EQ(lines[1].own, 1);
    EXPECT_EQ(lines[2].place.line, 7);
    EXPECT_EQ(lines[2].own, 6);
    EXPECT_EQ(lines[2].inclusive, 6);
    EXPECT_EQ(lines[3].own, 2);
}

TEST(SampledLines, metricsThatAreNoTimeOfTheProgram_areNotDivided) {
    Experiment experiment = sampledLoop();
    EXPECT_TRUE(isDividedAmongLines(experiment, named(experiment, "time")));
    EXPECT_TRUE(isDividedAmongLines(experiment, named(experiment, "mpi")));
    EXPECT_FALSE(isDividedAmongLines(experiment, named(experiment, "elsewhere")));
    EXPECT_FALSE(isDividedAmongLines(experiment, named(experiment, kSamplesMetric)));
    experiment.metrics[named(experiment, kSamplesMetric)].uniqueName = "others";
    EXPECT_FALSE(isDividedAmongLines(experiment, named(experiment, "time"))) << "without samples";
}

TEST(SampledLines, withATimeOfTheirOwn_keepIt) {
    Experiment experiment = sampledLoop();
    const auto values = linesOf(experiment, kSamplesMetric);
    EXPECT_EQ(values[2].own, 3);
    EXPECT_EQ(values[3].own, 1);
}

}  // namespace
}  // namespace holos::algebra::testing
