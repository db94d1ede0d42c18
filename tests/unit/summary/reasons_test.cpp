// SPDX-License-Identifier: BSD-3-Clause
// Why some compute longer than others, as counters tell.
#include "algebra/insight/summary/reasons.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The second of two processes computes twice as long.
std::string reason(const std::vector<double>& instructions, const std::vector<double>& cycles,
                   const std::vector<double>& misses = {}) {
    testing::SmallExperiment build(2, 1);
    for (const char* name : {"time", "comp"}) {
        Metric metric;
        metric.uniqueName = metric.displayName = name;
        metric.unit = "sec";
        build.metric(metric, "", {{"main", {1, 2}}});
    }
    if (!instructions.empty()) build.counter("instructions", {{"main", instructions}});
    if (!cycles.empty()) build.counter("cycles", {{"main", cycles}});
    if (!misses.empty()) build.counter("cache-misses", {{"main", misses}});
    const Experiment experiment = build.take();
    return counterReason(Measures(experiment), CallPathId(0), {LocationId(1)}, {LocationId(0)});
}

TEST(CounterReason, twiceTheInstructions_isMoreWork) {
    EXPECT_THAT(reason({100, 200}, {100, 200}),
                HasSubstr("2.00 times as many instructions: it is more work"));
}

TEST(CounterReason, asManyInstructionsInMoreCycles_isFewerInACycle) {
    EXPECT_THAT(reason({100, 100}, {100, 200}), HasSubstr("fewer in a cycle: 0.50 instead of 1.00"));
}

TEST(CounterReason, asManyInAsManyCycles_isASlowerProcessor) {
    EXPECT_THAT(reason({100, 100}, {100, 100}), HasSubstr("their processors run slower"));
}

TEST(CounterReason, moreMisses_areNamed) {
    EXPECT_THAT(reason({100, 100}, {100, 200}, {10, 40}), HasSubstr("cache-misses is 4.0 times"));
}

TEST(CounterReason, withoutInstructions_isNotKnown) {
    EXPECT_THAT(reason({}, {100, 200}), IsEmpty());
}

}  // namespace
}  // namespace holos::algebra
