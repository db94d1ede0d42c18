// SPDX-License-Identifier: BSD-3-Clause
// What a user has set for all uses of a command: in variables, in `.holos`, in the configuration file.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "tests/cli/command_test.h"

namespace holos::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

class SettingsTest : public CommandTest {
  protected:
    void write(const std::string& name, const std::string& text) const {
        const std::filesystem::path path = file(name);
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    void setForFolder(const std::string& text) const { write(".holos", text); }
    void setForUser(const std::string& text) const { write("config/holos/config", text); }

    CommandResult inFolder(const Words& variables, const Words& words) const {
        Words all{"env", "-C", folder_.path().string(), "XDG_CONFIG_HOME=" + file("config")};
        all.insert(all.end(), variables.begin(), variables.end());
        all.push_back(HOLOS_PROGRAM);
        all.insert(all.end(), words.begin(), words.end());
        return runCommand(all);
    }
    std::string shown(const Words& variables, Words words) const {
        words.push_back("--show-settings");
        const auto result = inFolder(variables, words);
        EXPECT_EQ(result.exitCode, 0) << result.output;
        return result.output;
    }
};

TEST_F(SettingsTest, optionSetInSeveralPlaces_nearestCounts) {
    setForUser("[record]\nbuffer = 1\nthrottle = 1\nranks = 1\nphase = one\n");
    setForFolder("# of the project\n\n[record]\nthrottle = 2\nranks = 2\nphase = a b # c\n");
    const std::string text =
        shown({"HOLOS_RECORD_RANKS=3", "HOLOS_RECORD_PHASE=three"}, {"record", "--ranks", "4"});
    EXPECT_THAT(text, ContainsRegex("buffer +1 +.*/config/holos/config:2\n"));
    EXPECT_THAT(text, ContainsRegex("throttle +2 +.holos:4\n"));
    EXPECT_THAT(text, ContainsRegex("phase +three +HOLOS_RECORD_PHASE\n"));
    EXPECT_THAT(text, ContainsRegex("ranks +4 +command line\n"));
    EXPECT_THAT(text, ContainsRegex("call-paths +full +default\n"));
}

TEST_F(SettingsTest, wholeValue_isOneWord) {
    setForFolder("[record]\nphase = a b # c\n");
    EXPECT_THAT(shown({}, {"record"}), HasSubstr("a b # c"));
}

TEST_F(SettingsTest, defaultThatAGivenOptionExcludes_isNotTaken) {
    setForFolder("[record]\ncounters = page-faults\n");
    EXPECT_THAT(shown({}, {"record", "--set", "FAULTS"}), Not(HasSubstr("page-faults")));
}

TEST_F(SettingsTest, defaultThatNeedsAnotherOption_isTakenWithIt) {
    setForFolder("[record]\nwhen-full = newest\n");
    EXPECT_THAT(shown({}, {"record"}), Not(HasSubstr("newest")));
    EXPECT_THAT(shown({"HOLOS_RECORD_BUFFER=1"}, {"record"}), HasSubstr("newest"));
}

TEST_F(SettingsTest, optionsOfTheRecordedProgram_areNotTheCommands) {
    setForFolder("[record]\nranks = 7\n");
    EXPECT_THAT(inFolder({}, {"record", "--show-settings", "solver", "--ranks", "3"}).output,
                ContainsRegex("ranks +7 +.holos:2"));
}

TEST_F(SettingsTest, flag_isOnOrOff) {
    setForUser("[record]\ncompensate = true\n");
    EXPECT_THAT(shown({}, {"record"}), ContainsRegex("compensate +true"));
    EXPECT_THAT(shown({"HOLOS_RECORD_COMPENSATE=off"}, {"record"}), ContainsRegex("not set: .*compensate"));
    const auto wrong = inFolder({"HOLOS_RECORD_COMPENSATE=maybe"}, {"record", "true"});
    EXPECT_EQ(wrong.exitCode, 2);
    EXPECT_THAT(wrong.output, HasSubstr("HOLOS_RECORD_COMPENSATE: expected true or false for --compensate"));
}

TEST_F(SettingsTest, wrongValue_errorNamesItsOrigin) {
    setForFolder("[record]\nranks = many\n");
    const auto result = inFolder({}, {"record", "true"});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.output, HasSubstr("--ranks: expected numbers"));
    EXPECT_THAT(result.output, HasSubstr("--ranks is set by .holos:2"));
}

TEST_F(SettingsTest, commandBelowAnother_hasASectionAndVariables) {
    setForFolder("[counters list]\nformat = json\n");
    EXPECT_THAT(shown({}, {"counters", "list"}), ContainsRegex("format +json +.holos:2"));
    EXPECT_THAT(shown({"HOLOS_COUNTERS_LIST_FORMAT=text"}, {"counters", "list"}),
                ContainsRegex("format +text +HOLOS_COUNTERS_LIST_FORMAT"));
}

TEST_F(SettingsTest, otherCommandsSections_areLeftToThem) {
    setForFolder("[show]\nbananas = 3\n[record]\n");
    EXPECT_EQ(inFolder({}, {"record", "--show-settings"}).exitCode, 0);
}

TEST_F(SettingsTest, variableWithoutTheCommandsName_isRefused) {
    const auto result = inFolder({"HOLOS_COUNTERS=page-faults"}, {"record", "true"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("HOLOS_RECORD_COUNTERS sets --counters of holos record"));
}

TEST_F(SettingsTest, fileThatCannotBeUnderstood_errorWithItsLine) {
    const std::pair<const char*, const char*> wrong[] = {
        {"[recrd]\n", ".holos:1: no command 'recrd'; did you mean 'record'?"},
        {"[record\n", ".holos:1: expected the name of a command in brackets"},
        {"ranks = 1\n", ".holos:1: expected a command in brackets, such as [record], before its options"},
        {"[record]\nranks\n", ".holos:2: expected 'option = value'"},
        {"[record]\n\nrnaks = 1\n", ".holos:3: holos record has no option 'rnaks'; did you mean 'ranks'?"},
        {"[record]\nforce = true\n", ".holos:2: 'force' can only be given on the command line"},
        {"[record]\noutput = x\n", ".holos:2: 'output' can only be given on the command line"},
    };
    for (const auto& [text, message] : wrong) {
        setForFolder(text);
        const auto result = inFolder({}, {"record", "true"});
        EXPECT_EQ(result.exitCode, 1) << text;
        EXPECT_THAT(result.output, HasSubstr(message)) << text;
        EXPECT_FALSE(std::filesystem::exists(file("x")));
    }
}

TEST_F(SettingsTest, fileOfAnotherSystemsEditor_isRead) {
    setForFolder("\xEF\xBB\xBF[record]\r\nranks = 1\r\n");
    EXPECT_THAT(shown({}, {"record"}), ContainsRegex("ranks +1 +.holos:2"));
}

TEST_F(SettingsTest, valueThatWouldSteerATerminal_isShownWithoutThat) {
    setForFolder("[record]\nranks = \x1b[31mred\n");
    const auto result = inFolder({}, {"record", "true"});
    EXPECT_EQ(result.exitCode, 2);
    EXPECT_THAT(result.output, Not(HasSubstr("\x1b")));
    EXPECT_THAT(shown({}, {"record"}), Not(HasSubstr("\x1b")));
}

TEST_F(SettingsTest, whatIsNoFile_isNotRead) {
    std::filesystem::create_directory(file(".holos"));
    EXPECT_EQ(inFolder({"XDG_CONFIG_HOME=/dev/null"}, {"record", "--show-settings"}).exitCode, 0);
}

TEST_F(SettingsTest, fileOfAnotherUser_isNotReadAndSaid) {
    setForFolder("[record]\nranks = 7\n");
    constexpr unsigned kNobody = 65534;
    if (::chown(file(".holos").c_str(), kNobody, kNobody) != 0) GTEST_SKIP() << "files cannot be given away";
    const auto result = inFolder({}, {"record", "--show-settings"});
    EXPECT_THAT(result.output, HasSubstr(".holos is not read: it belongs to another user"));
    EXPECT_THAT(result.output, Not(ContainsRegex("ranks +7")));
}

}  // namespace
}  // namespace holos::testing
