// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/api.h"

#include <gmock/gmock.h>

#include <limits>

#include "tests/support/small_experiment.h"

namespace holos::testing {
namespace {

using namespace serve;
using ::testing::ElementsAre;

algebra::Experiment treeOfFive() {
    return SmallExperiment(1, 1)
        .counter("x", {{"main", {1}}, {"main/a", {3}}, {"main/b", {2}}, {"main/b/c", {4}}, {"other", {0}}})
        .take();
}

std::vector<std::string> textOf(const algebra::Experiment& experiment, const Flame& flame) {
    std::vector<std::string> texts;
    for (const FlameBox& box : flame.boxes)
        texts.push_back(experiment.regionOf(box.path).name + ' ' + std::to_string(box.row) + ' ' +
                        std::to_string(static_cast<int>(box.start * 100)) + ' ' +
                        std::to_string(static_cast<int>(box.width * 100)) + ' ' +
                        std::to_string(static_cast<int>(box.value)));
    return texts;
}

TEST(Flame, boxes_areAsWideAsWhatIsBelowThem) {
    const algebra::Experiment experiment = treeOfFive();
    const Flame flame = flameOf(experiment.callTree, {1, 3, 2, 4, 0}, std::nullopt, 100);
    EXPECT_EQ(flame.whole, 10);
    EXPECT_EQ(flame.narrow, 0U);
    EXPECT_THAT(textOf(experiment, flame),
                ElementsAre("main 0 0 100 10", "a 1 0 30 3", "b 1 30 60 6", "c 2 30 40 4"));
}

TEST(Flame, belowACallPath_showsThoseThatLeadToIt) {
    const algebra::Experiment experiment = treeOfFive();
    const Flame flame = flameOf(experiment.callTree, {1, 3, 2, 4, 0}, findPath(experiment, "main/b"), 100);
    EXPECT_THAT(textOf(experiment, flame), ElementsAre("main 0 0 100 10", "b 1 0 100 6", "c 2 0 66 4"));
}

TEST(Flame, boxesNarrowerThanAPixel_areCounted) {
    const algebra::Experiment experiment = treeOfFive();
    const Flame flame = flameOf(experiment.callTree, {1, 3, 2, 4, 0}, std::nullopt, 2);
    EXPECT_EQ(flame.narrow, 2U);
    EXPECT_THAT(textOf(experiment, flame), ElementsAre("main 0 0 100 10", "b 1 30 60 6"));
}

TEST(Flame, negativeAndUndefinedValues_areMagnitudesAndNothing) {
    const algebra::Experiment experiment = treeOfFive();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Flame flame = flameOf(experiment.callTree, {0, -3, nan, 3, nan}, std::nullopt, 100);
    EXPECT_THAT(textOf(experiment, flame),
                ElementsAre("main 0 0 100 6", "a 1 0 50 3", "b 1 50 50 3", "c 2 50 50 3"));
    EXPECT_TRUE(flameOf(experiment.callTree, {0, 0, nan, 0, 0}, std::nullopt, 100).boxes.empty());
}

}  // namespace
}  // namespace holos::testing
