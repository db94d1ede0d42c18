// SPDX-License-Identifier: BSD-3-Clause
#include "tests/unit/specs/problems_of.h"

namespace holos::specs {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::problemOf;
using testing::problemsOf;
using ::testing::SizeIs;

TEST(Checks, metricWithTwoParents_isReportedAtTheSecond) {
    const Problem problem = problemOf("measure X = e\ncompose A = X + b\ncompose C = d + X\n");
    EXPECT_EQ(problem.line, 3u);
    EXPECT_EQ(problem.column, 17u);
    EXPECT_THAT(problem.message, HasSubstr("'X' is composed into two parents, 'A' (line 2) and 'C'"));
}

TEST(Checks, eventInTwoHierarchies_isAllowed) {
    EXPECT_THAT(problemsOf("compose A = x + b\ncompose C = d + x\n"), IsEmpty());
}

TEST(Checks, eventTwiceInOneHierarchy_isReported) {
    const Problem problem = problemOf("compose R = A + B\ncompose A = x + y\ncompose B = x + z\n");
    EXPECT_EQ(problem.line, 3u);
    EXPECT_THAT(problem.message, HasSubstr("'x' counts twice in 'R'"));
}

TEST(Checks, undefinedEventInCompute_isSuggested) {
    const Problem problem = problemOf("aggroup S = DC_ACCESS DC_MISS\ncompute H = DC_ACCESS - DC_MISSES\n");
    EXPECT_EQ(problem.line, 2u);
    EXPECT_EQ(problem.column, 25u);
    EXPECT_EQ(problem.text, "DC_MISSES");
    EXPECT_THAT(problem.message, HasSubstr("did you mean 'DC_MISS'?"));
}

TEST(Checks, undefinedEventInRatioAndFinding_isReported) {
    EXPECT_THAT(problemOf("aggroup S = a\nratio R = a / q\n").text, "q");
    EXPECT_THAT(problemOf("aggroup S = a\nfinding F = q > 1\ndescribe F \"f\"\n").text, "q");
    EXPECT_THAT(problemsOf("aggroup S = a\nratio RATE = a / time\n"), IsEmpty());
}

TEST(Checks, withoutSets_anyEventMayBeMeant) {
    EXPECT_THAT(problemsOf("compute H = PAPI_L1_DCA - PAPI_L1_DCM\n"), IsEmpty());
}

TEST(Checks, setWithTooManyEvents_isReported) {
    const Problem problem = problemOf("registers = 2\naggroup S = a b c\n");
    EXPECT_EQ(problem.line, 2u);
    EXPECT_THAT(problem.message, HasSubstr("'S' cannot be counted: 3 events for 2 registers: a, b, c"));
}

TEST(Checks, setWithTwoEventsForOneRegister_isReported) {
    EXPECT_THAT(problemOf("registers = 2\nregisters 0 = a b\naggroup S = a b\n").message,
                HasSubstr("a, b can be counted on register 0 only"));
}

TEST(Checks, everyMistakeOfAFile_isReportedInOneRun) {
    const auto problems = problemsOf(
        "registers = 1\naggroup S = a b\ncompose A = A\ncompute B = a - nothing\nmesure C = a\nunit Q = s\n");
    ASSERT_THAT(problems, SizeIs(5));
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(problems[i].line, i + 2);
}

}  // namespace
}  // namespace holos::specs
