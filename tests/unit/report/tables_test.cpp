// SPDX-License-Identifier: BSD-3-Clause
// What is shown of an experiment, before it is put into a format.
#include <gmock/gmock.h>

#include <cmath>

#include "base/error.h"
#include "report/tables/summary.h"
#include "report/tables/value_tree.h"
#include "tests/support/small_experiment.h"

namespace holos::tables {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// 3 at `main` itself, 7 and 0 below it.
algebra::Experiment example() {
    return testing::SmallExperiment(2, 1)
        .counter("page-faults", {{"main", {1, 2}}, {"main/solve", {3, 4}}, {"main/idle", {0, 0}}})
        .take();
}

TEST(Tables, branches_leadToTheLastChildOfEachParent) {
    EXPECT_THAT(treeBranches({0, 1, 2, 1}), ElementsAre("", "├─ ", "│  └─ ", "└─ "));
    EXPECT_THAT(treeBranches({0, 1, 0}), ElementsAre("", "└─ ", ""));
    EXPECT_THAT(treeBranches({}), SizeIs(0));
}

TEST(Tables, branchesOfVeryDeepLines_areCutInFront) {
    std::vector<std::size_t> levels;
    for (std::size_t level = 0; level <= 100; ++level) levels.push_back(level);
    EXPECT_TRUE(treeBranches(levels).back().starts_with("…"));
}

TEST(Tables, valueText_isWholeForCountsAndHasSixDigitsForSeconds) {
    EXPECT_EQ(valueText(3, "occ"), "3");
    EXPECT_EQ(valueText(0.25, "sec"), "0.250000");
    EXPECT_EQ(valueText(1234567.25, "occ"), "1.23457e+06");
    EXPECT_EQ(valueText(std::nan(""), "sec"), "-");
}

TEST(Tables, hottestCallPaths_areSortedAndLackZeros) {
    const algebra::Experiment experiment = example();
    const auto metric = metricNamed(experiment, "page-faults", "run.cubex");
    const auto lines = hottestCallPaths(experiment, metric, kAll);
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_EQ(lines[0].exclusive, 7);
    EXPECT_EQ(lines[1].exclusive, 3);
    EXPECT_EQ(lines[1].inclusive, 10);
    EXPECT_THAT(hottestCallPaths(experiment, metric, 1), SizeIs(1));
}

TEST(Tables, callTree_hasInclusiveAndExclusiveValues) {
    const algebra::Experiment experiment = example();
    const auto lines = callTreeLines(experiment, metricNamed(experiment, "page-faults", "run.cubex"));
    ASSERT_THAT(lines, SizeIs(3));
    EXPECT_EQ(lines[0].inclusive, 10);
    EXPECT_EQ(lines[0].exclusive, 3);
    EXPECT_EQ(largestMagnitude(lines), 10);
    EXPECT_THAT(limited(lines, {.depth = 1}), SizeIs(1));
    EXPECT_THAT(limited(lines, {}), SizeIs(2));  // without the one that has no value
    EXPECT_THAT(limited(lines, {.zeros = true}), SizeIs(3));
}

TEST(Tables, partsOfTheSystem_haveAValueEach) {
    const algebra::Experiment experiment = example();
    const auto metric = metricNamed(experiment, "page-faults", "run.cubex");
    EXPECT_THAT(perPart(experiment, metric, Per::Processes), ElementsAre(4, 6));
    EXPECT_THAT(perPart(experiment, metric, Per::Nodes), ElementsAre(10));
    EXPECT_EQ(largestParts(experiment, metric, Per::Processes).front().value, 6);
}

TEST(Tables, metricThatIsMissing_isAnErrorWithSimilarOnes) {
    try {
        metricNamed(example(), "faults", "run.cubex");
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(),
                    ::testing::AllOf(HasSubstr("run.cubex"), HasSubstr("similar: page_faults")));
    }
}

TEST(Tables, distribution_needsTwoValues) {
    EXPECT_EQ(distributionText({1}, "occ"), "");
    EXPECT_THAT(
        distributionText({1, 2, 3, 4, 5}, "occ"),
        ::testing::AllOf(HasSubstr("quartiles 1 | 2 | 3 | 4 | 5"), HasSubstr("mean 3, standard deviation")));
}

}  // namespace
}  // namespace holos::tables
