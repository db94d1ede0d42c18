// SPDX-License-Identifier: BSD-3-Clause
#include <map>

#include "tests/unit/specs/problems_of.h"

namespace holos::specs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::problemOf;
using testing::problemsOf;
using ::testing::SizeIs;

SourceText readTestFile(const std::string& name, const std::string& /*from*/) {
    static const std::map<std::string, std::string> files{
        {"generic",
         "# caches\ncompose ACCESS = HIT + MISS\nunit ACCESS = occ\nmeasure HIT = generic_hit\n"
         "platform generic\nregisters = 4\n"},
        {"second", "include generic\ncompose OTHER = X + Y\n"},
        {"alternatives", "compose A = B\nalternative compose A = C\n"},
        {"round", "include trip\n"},
        {"trip", "include round\n"},
        {"bad", "compose A = \n"}};
    const auto found = files.find(name);
    if (found == files.end()) throw Error("there is no such file");
    return {name, found->second};
}

Specification parsed(const std::string& text) {
    return parse(text, "own.spec", readTestFile);
}

TEST(Include, definitions_arePutInPlace) {
    const Specification spec = parsed("compose FIRST = a\ninclude generic\n");
    ASSERT_THAT(spec.definitions, SizeIs(2));
    EXPECT_EQ(spec.definitions[1].name, "ACCESS");
    EXPECT_EQ(spec.definitions[1].at.file, "generic");
    EXPECT_EQ(spec.registers.count, 4u);
}

TEST(Include, ownDefinitions_replaceIncludedOnesKindByKind) {
    const Specification spec = parsed(
        "include generic\ncompute ACCESS = a - b\nmeasure HIT = own_hit\nplatform own\nregisters = 2\n");
    ASSERT_THAT(spec.definitions, SizeIs(1));
    EXPECT_EQ(spec.definitions[0].kind, Definition::Kind::Compute);
    EXPECT_EQ(spec.units.at("ACCESS"), "occ");
    ASSERT_THAT(spec.aliases, SizeIs(1));
    EXPECT_EQ(spec.aliases[0].event, "own_hit");
    EXPECT_EQ(spec.platform->name, "own");
    EXPECT_EQ(spec.registers.count, 2u);
}

TEST(Include, alternative_addsToTheIncludedDefinition) {
    EXPECT_THAT(parsed("include generic\nalternative compute ACCESS = a - b\n").definitions, SizeIs(2));
}

TEST(Include, replacedDefinition_takesItsAlternativesAlong) {
    EXPECT_THAT(parsed("include alternatives\ncompose A = D\n").definitions, SizeIs(1));
}

TEST(Include, nested_isReadToo) {
    EXPECT_THAT(parsed("include second\n").definitions, SizeIs(2));
}

TEST(Include, text_declaresTheSameWithoutTheFiles) {
    const Specification spec = parsed("# mine\ninclude generic\ncompute ACCESS = a - b # own\n");
    const Specification again = parse(spec.text, "again.spec");
    ASSERT_THAT(again.definitions, SizeIs(1));
    EXPECT_THAT(again.definitions[0].formula.terms, ElementsAre("a", "b"));
    EXPECT_EQ(again.aliases.at(0).event, "generic_hit");
    EXPECT_EQ(again.units.at("ACCESS"), "occ");
}

TEST(Include, circle_isReportedWithItsChain) {
    EXPECT_THAT(problemOf("include round\n", readTestFile).message, HasSubstr("round → trip → round"));
}

TEST(Include, missingFile_isReportedAtTheName) {
    const Problem problem = problemOf("include nowhere\n", readTestFile);
    EXPECT_EQ(problem.column, 9u);
    EXPECT_THAT(problem.message, HasSubstr("cannot include 'nowhere': there is no such file"));
}

TEST(Include, mistakeOfAnIncludedFile_namesThatFile) {
    const auto problems = problemsOf("measure X\ninclude bad\n", readTestFile);
    ASSERT_THAT(problems, SizeIs(2));
    EXPECT_EQ(problems[0].file, "bad.spec");
    EXPECT_EQ(problems[1].file, "bad");
}

TEST(Include, sameNameInTwoIncludedFiles_isReportedWithBothPlaces) {
    EXPECT_THAT(problemOf("include generic\ninclude second\nplatform p\nregisters = 1\nmeasure HIT = h\n"
                          "unit ACCESS = occ\n",
                          readTestFile)
                    .message,
                HasSubstr("'ACCESS' is defined already in line 2"));
}

TEST(Include, textWithoutFile_includesNothing) {
    EXPECT_THAT(problemOf("include generic\n").message, HasSubstr("nothing can be included here"));
    EXPECT_THAT(problemOf("include\n").message, HasSubstr("the name or the path"));
    EXPECT_THAT(problemOf("include a b\n").message, HasSubstr("end of the line"));
}

}  // namespace
}  // namespace holos::specs
