// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "tests/unit/specs/problems_of.h"

namespace holos::specs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::problemOf;
using testing::problemsOf;
using ::testing::SizeIs;

TEST(Parser, emptyText_declaresNothing) {
    const Specification spec = parse("\n# only a comment\n   \n", "x.spec");
    EXPECT_THAT(spec.definitions, IsEmpty());
    EXPECT_THAT(spec.sets, IsEmpty());
}

TEST(Parser, measure_isAnAlias) {
    const Specification spec = parse("measure CYCLES = PAPI_TOT_CYC # or another\n", "x.spec");
    ASSERT_THAT(spec.aliases, SizeIs(1));
    EXPECT_EQ(spec.aliases[0].name, "CYCLES");
    EXPECT_EQ(spec.aliases[0].event, "PAPI_TOT_CYC");
}

TEST(Parser, aggroup_keepsOrderOfEvents) {
    const Specification spec = parse("aggroup US3_DCR = DC_rd DC_rd_miss\n", "x.spec");
    EXPECT_THAT(spec.set("US3_DCR").events, ElementsAre("DC_rd", "DC_rd_miss"));
}

TEST(Parser, unknownSet_namesTheNearest) {
    const Specification spec = parse("aggroup FAULTS = a\naggroup SWITCHES = b\n", "x.spec");
    try {
        spec.set("FAULT");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("did you mean 'FAULTS'?"));
    }
}

TEST(Parser, trailingOperator_continuesTheLine) {
    const Specification spec =
        parse("compose A = B + C +\n      # between\n      D\ncompose E = F\n", "x.spec");
    EXPECT_THAT(spec.definitions.at(0).formula.terms, ElementsAre("B", "C", "D"));
    EXPECT_EQ(spec.definitions.at(1).name, "E");
}

TEST(Parser, leadingOperator_continuesTheLine) {
    const Specification spec = parse("compose A = B # first\n   + C\n   + D\n", "x.spec");
    EXPECT_THAT(spec.definitions.at(0).formula.terms, ElementsAre("B", "C", "D"));
}

TEST(Parser, specialCharacters_belongToNames) {
    const Specification spec =
        parse("compose HT_I/O = P$_READS + perf::L1-DCACHE + a.b\nmeasure X = unc::READS:cpu=0\n", "x.spec");
    EXPECT_EQ(spec.definitions.at(0).name, "HT_I/O");
    EXPECT_THAT(spec.definitions.at(0).formula.terms, ElementsAre("P$_READS", "perf::L1-DCACHE", "a.b"));
    EXPECT_EQ(spec.aliases.at(0).event, "unc::READS:cpu=0");
}

TEST(Parser, minusInsideName_isNoOperator) {
    EXPECT_THAT(parse("compute A = page-faults - major-faults\n", "x.spec").definitions.at(0).formula.terms,
                ElementsAre("page-faults", "major-faults"));
}

TEST(Parser, windowsLineEnds_areBlanks) {
    EXPECT_EQ(parse("measure A = B\r\nmeasure C = D\r\n", "x.spec").aliases.at(1).event, "D");
}

TEST(Parser, describeAndUnit_areKept) {
    const Specification spec =
        parse("measure A = B\nunit A = occ\ndescribe A \"one # two\"\n   \"three\"\n", "x.spec");
    EXPECT_EQ(spec.units.at("A"), "occ");
    EXPECT_EQ(spec.description("A"), "one # two three");
}

TEST(Parser, events_areThoseWithoutDefinition) {
    const Specification spec = parse("aggroup S = e1\ncompose A = B + e2\nmeasure B = e3\n", "x.spec");
    EXPECT_THAT(spec.events(), ElementsAre("e3", "e1", "e2"));
}

TEST(Parser, metricsOfTheTrace_areNoEvents) {
    EXPECT_THAT(parse("ratio R = flops / time\n", "x.spec").events(), ElementsAre("flops"));
}

TEST(Parser, misspeltKeyword_isSuggested) {
    const Problem problem = problemOf("mesure A = B\n");
    EXPECT_EQ(problem.text, "mesure");
    EXPECT_THAT(problem.message, HasSubstr("did you mean 'measure'?"));
}

TEST(Parser, severalMistakes_areReportedTogetherWithPlaces) {
    const std::string text = "compose A = B +\nmeasure = C\n\ncompute D = 2 *\n";
    const auto problems = problemsOf(text);
    ASSERT_THAT(problems, SizeIs(3));
    EXPECT_EQ(problems[0].line, 1u);
    EXPECT_EQ(problems[0].column, 16u);
    EXPECT_EQ(problems[1].line, 2u);
    EXPECT_EQ(problems[1].column, 9u);
    EXPECT_EQ(problems[2].line, 4u);
    try {
        parse(text, "bad.spec");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), ::testing::StartsWith("bad.spec:1:16: "));
        EXPECT_THAT(error.what(), HasSubstr("\nbad.spec:2:9: found '=', expected the name to define"));
    }
}

TEST(Parser, subtractionInCompose_pointsToCompute) {
    const Problem problem = problemOf("compose A = B - C\n");
    EXPECT_EQ(problem.column, 15u);
    EXPECT_THAT(problem.message, HasSubstr("use 'compute'"));
}

TEST(Parser, operandWithoutOperator_isReported) {
    EXPECT_THAT(problemOf("compose A = BRANCH PRED\n").message, HasSubstr("expected '+'"));
    EXPECT_THAT(problemOf("compute A = B C\n").message, HasSubstr("expected an operator"));
    EXPECT_THAT(problemOf("measure A = B C\n").message, HasSubstr("end of the line"));
}

TEST(Parser, nameThatEndsWithMinus_asksForABlank) {
    EXPECT_THAT(problemOf("compute A = B- C\n").message, HasSubstr("put a blank before '-'"));
}

TEST(Parser, missingParts_areReported) {
    EXPECT_THAT(problemOf("measure\n").message, HasSubstr("expected the name to define"));
    EXPECT_THAT(problemOf("measure A\n").message, HasSubstr("expected '='"));
    EXPECT_THAT(problemOf("aggroup A =\n").message, HasSubstr("expected the events"));
    EXPECT_THAT(problemOf("compute A = ( B\n").message, HasSubstr("')'"));
    EXPECT_THAT(problemOf("compute A = 1 + 2\n").message, HasSubstr("names no metric"));
    EXPECT_THAT(problemOf("measure A = B\ndescribe A \"open\n").message, HasSubstr("no closing"));
}

TEST(Parser, duplicates_areReportedWithTheFirstLine) {
    EXPECT_THAT(problemOf("compose A = B\ncompute A = C\n").message, HasSubstr("already in line 1"));
    EXPECT_THAT(problemOf("aggroup A = B B\n").message, HasSubstr("twice"));
    EXPECT_THAT(problemOf("compose A = B + B\n").message, HasSubstr("twice"));
    EXPECT_THAT(problemOf("measure A = B\nmeasure A = B\n").message, HasSubstr("twice"));
}

TEST(Parser, annotationOfUnknownName_isSuggested) {
    const Problem problem = problemOf("measure CYCLES = x\nunit CYCLE = occ\n");
    EXPECT_EQ(problem.line, 2u);
    EXPECT_THAT(problem.message, HasSubstr("did you mean 'CYCLES'?"));
}

TEST(Parser, cycle_isReportedOnceWithItsChain) {
    const Problem problem = problemOf("compose A = B + x\ncompute B = C - y\ncompose C = A\n");
    EXPECT_EQ(problem.line, 1u);
    EXPECT_THAT(problem.message, HasSubstr("A → B → C → A"));
}

TEST(Parser, selfReference_isACycle) {
    EXPECT_THAT(problemOf("compose A = A + B\n").message, HasSubstr("A → A"));
}

TEST(Parser, cycleThroughAlias_isReported) {
    EXPECT_THAT(problemOf("compose A = B\nmeasure B = A\n").message, HasSubstr("A → B → A"));
}

TEST(Parser, deepNesting_isRefused) {
    const std::string open(100000, '(');
    EXPECT_THAT(problemOf("compute A = " + open + "B\n").message, HasSubstr("nested parentheses"));
}

TEST(Parser, binaryBytes_areShownEscaped) {
    EXPECT_THAT(problemsOf(std::string("measure A = \x01\xff\n")).at(0).message, HasSubstr("\\x01"));
}

TEST(Parser, countlessMistakes_areBounded) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "nonsense\n";
    const auto problems = problemsOf(text);
    EXPECT_THAT(problems, SizeIs(Problems::kMost));
    EXPECT_THAT(problems.back().message, HasSubstr("4900 more problems"));
}

}  // namespace
}  // namespace holos::specs
