// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/plan.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

#include "base/error.h"
#include "metric-specs/library.h"

namespace holos::specs {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

using Split = PlanRequest::Split;

Plan planOf(const std::string& text, const PlanRequest& request = {}) {
    return plan(parse(text, "test.spec"), request);
}

/// `compose ALL = e0 + e1 + …`
std::string sumOfEvents(int count) {
    std::string text = "compose ALL = e0";
    for (int i = 1; i < count; ++i) text += " + e" + std::to_string(i);
    return text + '\n';
}

TEST(Plan, independentEvents_fillTheRegisters) {
    const Plan found = planOf("registers = 2\n" + sumOfEvents(27));
    EXPECT_THAT(found.runs, SizeIs(14));
    EXPECT_EQ(found.atLeast, 14u);
    EXPECT_THAT(found.uncovered, IsEmpty());
}

TEST(Plan, otherNumberOfRegisters_isTaken) {
    const std::string text = "registers = 2\n" + sumOfEvents(27);
    EXPECT_THAT(planOf(text, {kAll, 4, Split::None}).runs, SizeIs(7));
    EXPECT_THAT(planOf(text, {kAll, 27, Split::None}).runs, SizeIs(1));
}

TEST(Plan, withoutRegisters_isOneRun) {
    EXPECT_THAT(planOf(sumOfEvents(27)).runs, SizeIs(1));
}

TEST(Plan, computation_staysInOneRun) {
    const Plan found = planOf("registers = 2\ncompute A = a - b\ncompute C = c - d\ncompose E = e + f\n",
                              {{"A", "C", "E"}, {}, {}});
    EXPECT_THAT(found.runs,
                UnorderedElementsAre(UnorderedElementsAre("a", "b"), UnorderedElementsAre("c", "d"),
                                     UnorderedElementsAre("e", "f")));
}

/// Pairs over three events: no two of them fit into two registers, all three into three.
TEST(Plan, sharedTerms_areCountedOnce) {
    const char* text = "compute A = x - y\ncompute B = y - z\ncompute C = x - z\n";
    EXPECT_THAT(planOf(text, {kAll, 2, Split::None}).runs, SizeIs(3));
    EXPECT_THAT(planOf(text, {kAll, 3, Split::None}).runs, ElementsAre(ElementsAre("x", "y", "z")));
}

/// Twelve events would fill three runs of four, but a triple leaves no room for a pair.
TEST(Plan, triplesAndPairs_areProvenOptimal) {
    const Plan found = planOf(
        "registers = 4\ncompute A = a - b - c\ncompute B = d - e - f\ncompute C = g - h\ncompute D = i - j\n"
        "compute E = k - l\n");
    EXPECT_THAT(found.runs, SizeIs(4));
    EXPECT_EQ(found.atLeast, 4u);
}

TEST(Plan, impossibleComputation_isNotCoveredUnlessSplit) {
    const char* text = "registers = 2\ncompute A = a - b - c\n";
    const Plan whole = planOf(text);
    EXPECT_THAT(whole.runs, IsEmpty());
    ASSERT_THAT(whole.uncovered, SizeIs(1));
    EXPECT_EQ(whole.uncovered[0].metric, "A");
    EXPECT_THAT(whole.uncovered[0].why, HasSubstr("3 events for 2 registers"));
    EXPECT_THAT(planOf(text, {kAll, {}, Split::TooLarge}).runs, SizeIs(2));
}

TEST(Plan, alternativeThatFits_isTaken) {
    const Plan found = planOf("registers = 2\ncompute A = a - b - c\nalternative compute A = d - e\n",
                              {{"A"}, {}, Split::None});
    EXPECT_THAT(found.runs, ElementsAre(ElementsAre("d", "e")));
}

TEST(Plan, directCounter_isTakenInsteadOfTerms) {
    EXPECT_THAT(planOf("compose A = x + y\nmeasure A = a\n", {{"A"}, {}, Split::None}).runs,
                ElementsAre(ElementsAre("a")));
    EXPECT_THAT(planOf("compose A = x + y\nmeasure A = a\n", {{"A/"}, {}, Split::None}).runs,
                ElementsAre(ElementsAre("a", "x", "y")));
}

TEST(Plan, uncountableTerm_isReported) {
    const Plan found = planOf("aggroup S = x\ncompose A = x + BUSY\n", {{"A"}, {}, Split::None});
    EXPECT_THAT(found.runs, SizeIs(1));
    ASSERT_THAT(found.uncovered, SizeIs(1));
    EXPECT_EQ(found.uncovered[0].metric, "BUSY");
}

TEST(Plan, registersOfEvents_areRespected) {
    const Plan found = planOf("registers = 2\nregisters 0 = a b c\ncompose S = a + b + c + d\n");
    EXPECT_THAT(found.runs, SizeIs(3));
    EXPECT_EQ(found.atLeast, 3u);
}

TEST(Plan, exclusionsBanksAndFixedRegisters_areRespected) {
    const Plan excluded = planOf("registers = 8\nregisters exclude = a b c\ncompose S = a + b + c + d\n");
    EXPECT_THAT(excluded.runs, SizeIs(3));
    const Plan banks =
        planOf("registers = 1\nregisters l3 = 2 of x y\nregisters fixed = f\ncompose S = a + x + y + f\n");
    EXPECT_THAT(banks.runs, SizeIs(1));
}

TEST(Plan, eventsOfOtherComponents_takeNoRun) {
    const Plan found =
        planOf("registers = 2\ncompose S = a + b + c + d\ncompose T = room:::x + room:::y + net:::z\n");
    EXPECT_THAT(found.runs, SizeIs(2));
    EXPECT_EQ(found.atLeast, 2u);
    EXPECT_THAT(found.uncovered, IsEmpty());
}

/// Known from sets only: a and c never stand together.
TEST(Plan, restrictedRegisters_followTheSets) {
    const Plan found =
        planOf("registers = 4 restricted\naggroup S = a b\naggroup T = b c\ncompose A = a + b + c\n");
    EXPECT_THAT(found.runs, SizeIs(2));
    for (const auto& run : found.runs) EXPECT_FALSE(run.size() == 2 && run[0] == "a" && run[1] == "c");
}

TEST(Plan, unknownName_isSuggested) {
    try {
        planOf("measure CYCLES = c\n", {{"CYCLE"}, {}, Split::None});
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("did you mean 'CYCLES'?"));
    }
}

/// Sixty pairs with no two in common and four registers: two of them in each run.
TEST(Plan, manyComputations_areStillPlanned) {
    std::string text = "registers = 4\n";
    for (int i = 0; i < 60; ++i)
        text +=
            "compute M" + std::to_string(i) + " = a" + std::to_string(i) + " - b" + std::to_string(i) + '\n';
    const Plan found = planOf(text);
    EXPECT_THAT(found.runs, SizeIs(30));
    EXPECT_EQ(found.atLeast, 30u);
}

/// Event b shares register 1 with c, and is needed with a and with d, which share register 0.
TEST(Plan, eventNeededTwice_countsTwiceInTheBound) {
    const std::string text =
        "registers = 2\nregisters 0 = a d\nregisters 1 = b c\n"
        "compute X = a - b\ncompute Y = b - d\ncompose ALL = X + Y + c\n";
    const Plan found = planOf(text);
    EXPECT_THAT(found.runs, SizeIs(3));
    EXPECT_EQ(found.atLeast, 3u);
    const Plan split = planOf(text, {kAll, {}, Split::Any});
    EXPECT_THAT(split.runs, SizeIs(2));
    EXPECT_EQ(split.atLeast, 2u);
}

/// The paper's sets for the core hierarchies are 6, 10 and 18.
TEST(Plan, coreHierarchiesOfThePaper_needTheFewestRuns) {
    const auto core = [](const char* platform, Split split) {
        return plan(find(platform),
                    {{"CYCLES/", "INSTRUCTION/", "DATA_ACCESS/", "INST_ACCESS/", "TLB_ACCESS/"}, {}, split});
    };
    for (const auto& [platform, split, runs] :
         {std::tuple("power4", Split::TooLarge, 6u), std::tuple("opteron", Split::TooLarge, 10u),
          std::tuple("ultrasparc3", Split::TooLarge, 19u), std::tuple("ultrasparc3", Split::Any, 18u)}) {
        const Plan found = core(platform, split);
        EXPECT_THAT(found.runs, SizeIs(runs)) << platform;
        EXPECT_EQ(found.atLeast, runs) << platform;
    }
}

}  // namespace
}  // namespace holos::specs
