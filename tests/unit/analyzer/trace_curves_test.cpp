// SPDX-License-Identifier: BSD-3-Clause
// Metrics over time: what a sample says about the parts of a grid.
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>

#include "analyzer/trace/curves.h"
#include "analyzer/trace/definitions_reader.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

namespace trace = analyzer::trace;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsNan;
using ::testing::SizeIs;

/// One location with one counter; a tick is a thousandth of a second.
class TraceCurves : public ::testing::Test {
  protected:
    void samples(const Counter& counter, const std::vector<std::pair<Tick, std::uint64_t>>& values) {
        TraceBuilder builder(1);
        const auto counters = builder.counters({counter});
        auto& script = builder.on(0).enter(0, "main");
        for (const auto& [time, value] : values) script.counters(time, counters, {value});
        script.leave(100);
        anchor_ = builder.write(directory_.path());
    }
    trace::Curves read(const trace::TimeGrid& grid) const {
        return trace::readCurves(anchor_, trace::readDefinitions(anchor_), trace::LocationId(0), grid);
    }
    std::vector<double> means(const trace::TimeGrid& grid) const {
        const auto [curves, problem] = read(grid);
        EXPECT_FALSE(problem);
        EXPECT_THAT(curves, SizeIs(1));
        return curves.empty() ? std::vector<double>() : curves[0].means;
    }

    TemporaryDirectory directory_;
    std::filesystem::path anchor_;
};

TEST_F(TraceCurves, growth_isPerSecondAndSpreadBetweenSamples) {
    samples({"bytes"}, {{0, 1000}, {50, 1010}, {75, 1060}, {100, 1060}});
    // 10 in 50 ms, 50 in 25 ms, nothing
    EXPECT_THAT(means({0, 100, 4}), ElementsAre(DoubleEq(200), DoubleEq(200), DoubleEq(2000), DoubleEq(0)));
    EXPECT_THAT(means({0, 100, 2}), ElementsAre(DoubleEq(200), DoubleEq(1000)));
}

TEST_F(TraceCurves, growthOfPart_belongsToTheTimeBeforeIt) {
    samples({"bytes", "#", OTF2_METRIC_ACCUMULATED_LAST}, {{0, 7}, {50, 10}, {100, 20}});
    EXPECT_THAT(means({0, 100, 2}), ElementsAre(DoubleEq(200), DoubleEq(400)));
}

TEST_F(TraceCurves, state_holdsUntilTheNextSampleAndTheEnd) {
    samples({"temperature", "degC", OTF2_METRIC_ABSOLUTE_POINT}, {{25, 40}, {75, 60}});
    EXPECT_THAT(means({0, 100, 4}), ElementsAre(IsNan(), DoubleEq(40), DoubleEq(40), DoubleEq(60)));
    EXPECT_THAT(means({50, 100, 1}), ElementsAre(DoubleEq(50)));
}

TEST_F(TraceCurves, scale_isApplied) {
    samples({"temperature", "degC", OTF2_METRIC_ABSOLUTE_POINT, -3}, {{0, 41500}});
    EXPECT_THAT(means({0, 100, 1}), ElementsAre(DoubleEq(41.5)));
}

TEST_F(TraceCurves, samplesAtOneTime_loseNoGrowth) {
    samples({"bytes"}, {{0, 0}, {50, 10}, {50, 30}, {100, 30}});
    EXPECT_THAT(means({0, 100, 2}), ElementsAre(DoubleEq(200), DoubleEq(400)));
}

TEST_F(TraceCurves, whatWrapsAround_growsOn) {
    samples({"energy"}, {{0, ~std::uint64_t{0} - 4}, {100, 5}});
    EXPECT_THAT(means({0, 100, 1}), ElementsAre(DoubleEq(100)));
}

TEST_F(TraceCurves, oneSampleOfGrowth_saysNothing) {
    samples({"bytes"}, {{50, 10}});
    EXPECT_THAT(means({0, 100, 2}), ElementsAre(IsNan(), IsNan()));
}

TEST_F(TraceCurves, missingEvents_areAProblem) {
    samples({"bytes"}, {{0, 0}, {100, 10}});
    std::filesystem::remove(eventFile(anchor_, 0));
    const auto [curves, problem] = read({0, 100, 2});
    EXPECT_THAT(curves, SizeIs(0));
    EXPECT_TRUE(problem);
}

}  // namespace
}  // namespace holos::testing
