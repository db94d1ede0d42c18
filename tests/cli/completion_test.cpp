// SPDX-License-Identifier: BSD-3-Clause
// `holos completion`, as shells take it.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "tests/cli/command_test.h"
#include "tests/support/command.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Completion : public CommandTest {
  protected:
    /// What a shell prints that has read its script; nothing where the machine has no such shell.
    std::optional<std::string> saidBy(const std::string& shell, const std::string& words) const {
        if (std::system(("command -v " + shell + " > /dev/null").c_str()) != 0) return {};
        std::ofstream(file("script")) << holos({"completion", shell}).output;
        return runCommand({shell, "-c", "source " + file("script") + "; " + words}).output;
    }

    static std::string completedByBash(const std::string& words) {
        return "COMP_WORDS=(" + words +
               "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _holos; echo ${COMPREPLY[@]}";
    }
};

TEST_F(Completion, ofBash_knowsCommandsOptionsAndTheirWords) {
    EXPECT_EQ(saidBy("bash", completedByBash("holos sco")), "score\n");
    EXPECT_THAT(saidBy("bash", completedByBash("holos show --dep")).value(), HasSubstr("--depth"));
    EXPECT_EQ(saidBy("bash", completedByBash("holos show --format ''")), "text csv json\n");
    EXPECT_EQ(saidBy("bash", completedByBash("holos counters l")), "list\n");
    EXPECT_EQ(saidBy("bash", completedByBash("holos query run --format ''")), "text csv json parquet\n");
}

TEST_F(Completion, ofFish_knowsCommandsOptionsAndTheirWords) {
    const auto said = saidBy("fish", "complete -C 'holos show --format '; complete -C 'holos sco'");
    if (!said) GTEST_SKIP() << "there is no fish";
    EXPECT_THAT(*said, HasSubstr("csv\t"));
    EXPECT_THAT(*said, HasSubstr("score\t"));
}

TEST_F(Completion, ofZsh_isReadWithoutComplaint) {
    const auto said = saidBy("zsh", "print $functions[_holos]");
    if (!said) GTEST_SKIP() << "there is no zsh";
    EXPECT_THAT(*said, HasSubstr("--format[How to print the result]:word:(text csv json)"));
    EXPECT_THAT(*said, Not(HasSubstr("parse error")));
}

TEST_F(Completion, ofAnotherShell_isWrongUsage) {
    EXPECT_EQ(holos({"completion", "tcsh"}).exitCode, 2);
}

}  // namespace
}  // namespace holos::testing
