// SPDX-License-Identifier: BSD-3-Clause
// Lines of OpenMP's constructs, as their source has them.
#include "tracing/recordings/archive/code_names/region_names.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>

#include "tests/support/temporary_directory.h"
#include "tracing/code/openmp_directives.h"

namespace holos::archive {
namespace {

class OpenMpSource : public ::testing::Test {
  protected:
    OpenMpSource() {
        std::ofstream(file()) << "void one(void) {\n"                         // 1
                                 "#pragma omp parallel num_threads(2)\n"      // 2
                                 "    body();\n"                              // 3
                                 "}\n"                                        // 4
                                 "void other(void) {\n"                       // 5
                                 "#pragma omp parallel for\n"                 // 6
                                 "    for (int i = 0; i < 9; ++i) body();\n"  // 7
                                 "}\n";                                       // 8
    }
    std::uint32_t lineOf(const std::string& name, tracing::Role role, std::uint32_t line,
                         bool isOutlinedBody) {
        return lineOf(name, role, line, isOutlinedBody, file());
    }
    std::uint32_t lineOf(const std::string& name, tracing::Role role, std::uint32_t line, bool isOutlinedBody,
                         const std::string& source) {
        RecordedRegion region;
        region.name = name;
        region.role = role;
        region.file = source;
        region.beginLine = region.endLine = line;
        correctFromSource(region, isOutlinedBody, [this] { return call_; });
        EXPECT_EQ(region.beginLine, region.endLine);
        return region.beginLine;
    }
    std::string file() const { return directory_.path() / "code.c"; }

    code::CallLines call_;
    holos::testing::TemporaryDirectory directory_;
};

TEST_F(OpenMpSource, regionWhoseCodeBeginsInItsBody_hasTheLineOfItsDirective) {
    for (const bool isFirst : {true, false}) {
        const std::uint32_t directive = isFirst ? 2 : 6;
        EXPECT_EQ(lineOf("!$omp parallel", tracing::Role::Parallel, directive + 1, true), directive);
        EXPECT_EQ(lineOf("!$omp implicit barrier", tracing::Role::ImplicitBarrier, directive + 1, true),
                  directive);
        EXPECT_EQ(lineOf("!$omp parallel", tracing::Role::Parallel, directive, true), directive);
    }
}

/// A task with nothing to do before its first statement; that may begin with a directive, too.
TEST_F(OpenMpSource, taskWhoseCodeBeginsInItsBody_hasTheLineOfItsDirective) {
    const auto source = directory_.path() / "tasks.c";
    std::ofstream(source) << "#pragma omp parallel\n"             // 1
                             "{\n"                                // 2
                             "#pragma omp task\n"                 // 3
                             "  {\n"                              // 4
                             "#pragma omp atomic\n"               // 5
                             "    ++a;\n"                         // 6
                             "#pragma omp taskloop\n"             // 7
                             "    for (int i = 0; i < 9; ++i)\n"  // 8
                             "      body();\n"                    // 9
                             "  }\n"                              // 10
                             "  other();\n"                       // 11
                             "}\n";                               // 12
    const auto lineOfTask = [&](std::uint32_t line) {
        const std::uint32_t created =
            lineOf("!$omp create task", tracing::Role::TaskCreate, line, true, source);
        EXPECT_EQ(lineOf("!$omp task", tracing::Role::Task, line, true, source), created);
        return created;
    };
    for (const std::uint32_t line : {3, 4, 5, 6}) EXPECT_EQ(lineOfTask(line), 3) << line;
    for (const std::uint32_t line : {7, 9}) EXPECT_EQ(lineOfTask(line), 7) << line;
    EXPECT_EQ(lineOfTask(11), 11) << "by a macro";
    EXPECT_EQ(lineOf("!$omp taskgroup", tracing::Role::TaskWait, 9, true, source), 7);
}

/// gcc may say the line of the statement before.
TEST_F(OpenMpSource, groupThatIsKnownByItsCall_isTheNextOneAndOfALoopOnlyOnItsLine) {
    const auto source = directory_.path() / "groups.c";
    std::ofstream(source) << "body();\n"                      // 1
                             "#pragma omp taskloop\n"         // 2
                             "for (int i = 0; i < 9; ++i)\n"  // 3
                             "    body();\n"                  // 4
                             "#pragma omp taskgroup\n"        // 5
                             "{ body(); }\n";                 // 6
    const auto lineOfGroup = [&](std::uint32_t line) {
        return lineOf("!$omp taskgroup", tracing::Role::TaskWait, line, false, source);
    };
    EXPECT_EQ(lineOfGroup(1), 5);
    EXPECT_EQ(lineOfGroup(2), 2);
    EXPECT_EQ(lineOfGroup(5), 5);
}

/// By a macro: no directive before it is its own. (`line`: of the first instruction in its body.)
class RegionsOfMacros : public OpenMpSource {
  protected:
    std::uint32_t regionIn(const std::string& source, std::uint32_t line, const char* name = "code.c") {
        const auto path = directory_.path() / name;
        std::ofstream(path) << source;
        std::uint32_t found = 0;
        for (const auto& [region, role] : {std::pair("!$omp parallel", tracing::Role::Parallel),
                                           {"!$omp implicit barrier", tracing::Role::ImplicitBarrier}}) {
            const std::uint32_t one = lineOf(region, role, line, true, path);
            EXPECT_TRUE(found == 0 || found == one) << region;
            found = one;
        }
        return found;
    }
};

TEST_F(RegionsOfMacros, directiveOfAnotherFunction_isNotTheirs) {
    const std::string before = "void one(void) {\n#pragma omp parallel\nbody();\n}\n";
    EXPECT_EQ(regionIn(before + "void two(void) { P\nbody();\nP\n{ body(); }\n}\n", 5), 5);
    EXPECT_EQ(regionIn(before + "void two(void) { P\nbody();\nP\n{ body(); }\n}\n", 7), 7);
    EXPECT_EQ(regionIn("void one(void) {\n#pragma omp parallel\n{ body(); }\nP\nbody();\n}\n", 4), 4);
}

TEST_F(RegionsOfMacros, directiveBehindThem_isNotTheirs) {
    EXPECT_EQ(regionIn("P\nbody();\n}\nvoid other(void) {\n#pragma omp parallel\nbody();\n}\n", 1), 1);
}

TEST_F(RegionsOfMacros, macroItself_isNone) {
    EXPECT_EQ(regionIn("#define P _Pragma(\"omp parallel\")\nP\nbody();\nP\n", 2), 2);
    EXPECT_EQ(regionIn("#define P \\\n _Pragma(\"omp parallel\")\nP\nbody();\nP\n", 3), 3);
}

TEST_F(RegionsOfMacros, lineWithinTheStatementOfADirective_isOfThat) {
    EXPECT_EQ(regionIn("#pragma omp parallel \\\n num_threads(2)\n{\nint a; // }\n\"}\"; body();\n}\n", 5),
              1);
    EXPECT_EQ(regionIn("#pragma omp parallel for\nfor (int i = 0; i < 9; ++i)\nbody();\n", 3), 1);
    EXPECT_EQ(regionIn("#pragma omp parallel\nif (a) { b(); }\nelse\nbody();\n", 4), 1);
    EXPECT_EQ(regionIn("_Pragma(\"omp parallel\")\nbody();\n", 2), 1);
    EXPECT_EQ(regionIn("_Pragma(\"omp parallel\") body();\nP\nbody();\n", 2), 2);
}

TEST_F(RegionsOfMacros, regionOfFortranThatHasEnded_isNotTheirs) {
    EXPECT_EQ(regionIn("!$omp parallel\ncall a\n", 2, "code.f90"), 1);
    EXPECT_EQ(regionIn("!$omp parallel\ncall a\n!$omp end parallel\ncall b\n", 4, "code.f90"), 4);
}

TEST_F(OpenMpSource, regionThatIsKnownByItsCall_hasThatLine) {
    EXPECT_EQ(lineOf("!$omp parallel", tracing::Role::Parallel, 8, false), 8);
}

TEST_F(OpenMpSource, lineThatTheSourceDoesNotHave_staysAsItIs) {
    EXPECT_EQ(lineOf("!$omp parallel", tracing::Role::Parallel, 99, true), 99);
}

/// What looks like the directive of a construct in the lines behind its call, and is not.
class OpenMpDirectives : public OpenMpSource {
  protected:
    /// The line of a construct whose call stands on the first line of that source.
    std::uint32_t lineIn(const std::string& source, const std::string& name, tracing::Role role) {
        std::ofstream(file()) << source;
        return lineOf(name, role, 1, false);
    }
    std::uint32_t loopIn(const std::string& source) {
        return lineIn(source, "!$omp for", tracing::Role::Loop);
    }
};

TEST_F(OpenMpDirectives, comment_isNoDirective) {
    EXPECT_EQ(loopIn("call();\n// #pragma omp for\n#pragma omp for\n"), 3);
    EXPECT_EQ(loopIn("call();\n/*\n#pragma omp for\n*/\n#pragma omp for\n"), 5);
    EXPECT_EQ(loopIn("call(\"/*\");\n#pragma omp parallel for\n"), 2);
    EXPECT_EQ(loopIn("call(); // omp for\n"), 1);
}

TEST_F(OpenMpDirectives, directiveThatCancels_beginsNoConstruct) {
    EXPECT_EQ(loopIn("call();\n#pragma omp cancel for\n#pragma omp cancellation point for\n"), 1);
    EXPECT_EQ(lineIn("call();\n#pragma omp cancel sections\n#pragma omp sections\n", "!$omp sections",
                     tracing::Role::Sections),
              3);
}

TEST_F(OpenMpDirectives, codeThatIsLeftOut_hasNoDirectives) {
    EXPECT_EQ(loopIn("call();\n#if 0\n#ifdef A\n#pragma omp for\n#endif\n#endif\n#pragma omp for\n"), 7);
    EXPECT_EQ(loopIn("call();\n#if 0\n#pragma omp for\n#else\n#pragma omp for\n#endif\n"), 5);
}

TEST_F(OpenMpDirectives, clauses_areNotTheConstruct) {
    EXPECT_EQ(lineIn("call();\n#pragma omp parallel if (parallel: single)\n# pragma  omp  single\n",
                     "!$omp single", tracing::Role::Single),
              3);
    EXPECT_EQ(lineIn("call();\n#pragma omp for ordered\n#pragma omp ordered\n", "!$omp ordered",
                     tracing::Role::Ordered),
              3);
}

TEST_F(OpenMpDirectives, directiveOnSeveralLines_isWhereItBegins) {
    EXPECT_EQ(loopIn("call();\n#pragma omp parallel \\\n  for schedule(dynamic)\n"), 2);
    EXPECT_EQ(loopIn("_Pragma(\"omp for\")\n"), 1);
}

/// gcc calls the same function for both. `line`: that of the call.
TEST_F(OpenMpDirectives, barrierWithinALoop_isThatOfTheLoop) {
    const auto barrierIn = [&](const std::string& source, std::uint32_t line) {
        std::ofstream(file()) << source;
        RecordedRegion region;
        region.name = "!$omp barrier";
        region.role = tracing::Role::Barrier;
        region.file = file();
        region.beginLine = region.endLine = line;
        correctFromSource(region, false, [] { return code::CallLines(); });
        return region.name + ' ' + std::to_string(region.beginLine);
    };
    EXPECT_EQ(barrierIn("#pragma omp for\nfor (;;)\n  body();\n", 3), "!$omp implicit barrier 1");
    EXPECT_EQ(barrierIn("#pragma omp loop\nfor (;;)\n  body();\n", 3), "!$omp implicit barrier 1");
    EXPECT_EQ(barrierIn("#pragma omp scope\n{\n}\n", 3), "!$omp implicit barrier 1");
    EXPECT_EQ(barrierIn("#pragma omp for\nfor (;;) body();\n#pragma omp barrier\n", 3), "!$omp barrier 3");
    EXPECT_EQ(barrierIn("#pragma omp for nowait\nfor (;;) body();\nBARRIER();\n", 3), "!$omp barrier 3");
    EXPECT_EQ(barrierIn("#pragma omp parallel\n{\nBARRIER();\n}\n", 3), "!$omp barrier 3");
}

TEST_F(OpenMpDirectives, directiveOfFortran_isFound) {
    RecordedRegion region;
    region.name = "!$omp for";
    region.role = tracing::Role::Loop;
    region.file = directory_.path() / "code.f90";
    region.beginLine = region.endLine = 1;
    std::ofstream(region.file) << "call a\n!$omp end do\n!$OMP parallel &\n!$omp& do\n";
    correctFromSource(region, false, [] { return code::CallLines(); });
    EXPECT_EQ(region.beginLine, 3);
    EXPECT_EQ(region.name, "!$omp do");
}

/// Loops whose schedule libgomp decides, by what gcc says around the call that begins them.
class OpenMpLoops : public OpenMpDirectives {
  protected:
    OpenMpLoops() {
        std::ofstream(file()) << "#pragma omp parallel\n"                     // 1
                                 "{ for (s = 0; s < 3; ++s) {\n"              // 2
                                 "#pragma omp for schedule(dynamic) \\\n"     // 3
                                 "                nowait\n"                   // 4
                                 "/* */ for (i = 0; i < 9; ++i) { one(i);\n"  // 5
                                 "  }}\n"                                     // 6
                                 "#pragma omp for schedule(dynamic)\n"        // 7
                                 "// as before\n"                             // 8
                                 "for (i = 0;\n"                              // 9
                                 "     i < 9; ++i) other(i); }\n"             // 10
                                 "#pragma omp parallel for\n"                 // 11
                                 "for (i = 0; i < 9; ++i) other(i);\n";       // 12
        call_ = {file(), code::Compiled::ByGccOptimised, 0, 0, 0, 1, 10};
    }
    /// Of the loop whose call has this line; the statement before it has this place, and what follows stands
    /// on the line `next`.
    std::uint32_t loopAt(std::uint32_t line, code::SourcePlace statement, std::uint32_t next = 0) {
        call_.statement = statement.line;
        call_.column = statement.column;
        call_.next = next;
        return lineOf("!$omp for", tracing::Role::Loop, line, false);
    }
};

TEST_F(OpenMpLoops, optimisedLoop_isThatInWhoseHeadItsFirstStatementStands) {
    EXPECT_EQ(loopAt(5, {5, 12}), 3);
    EXPECT_EQ(loopAt(1, {5, 12}), 3) << "the call itself may have the line of what comes before";
    EXPECT_EQ(loopAt(9, {9, 6}), 7);
    EXPECT_EQ(loopAt(5, {5, 0}), 3) << "without columns";
}

TEST_F(OpenMpLoops, optimisedLoopOfAnUnknownHead_isTheOnlyOneOrSaysWhereItsFunctionBegins) {
    EXPECT_EQ(loopAt(1, {1, 1}), 1) << "of two";
    EXPECT_EQ(loopAt(5, {5, 36}), 1) << "what the loop before does is not its head";
    call_.lastInFunction = 6;
    EXPECT_EQ(loopAt(1, {1, 1}), 3);
    call_.lastInFunction = 2;
    EXPECT_EQ(loopAt(2, {2, 1}), 2) << "of none";
}

TEST_F(OpenMpLoops, loopWhoseCallHasTheLineOfItsDirective_staysThere) {
    EXPECT_EQ(loopAt(11, {1, 1}), 11);
    EXPECT_EQ(loopAt(7, {5, 12}), 7);
}

TEST_F(OpenMpLoops, loopThatIsNotOptimised_isTheLastBeforeWhatFollowsItsCall) {
    call_.by = code::Compiled::ByGcc;
    EXPECT_EQ(loopAt(2, {2, 5}, 5), 3);
    EXPECT_EQ(loopAt(2, {2, 5}, 10), 7) << "the loop around the other one stands before both";
    EXPECT_EQ(loopAt(5, {5, 36}, 10), 7);
    EXPECT_EQ(loopAt(10, {10, 20}, 5), 3) << "code need not stand in the order of the source";
    EXPECT_EQ(loopAt(2, {2, 5}, 2), 3) << "nothing follows that is known";
}

}  // namespace
}  // namespace holos::archive
