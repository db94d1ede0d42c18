// SPDX-License-Identifier: BSD-3-Clause
#include "base/defaults.h"

#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "base/error.h"
#include "tests/support/temporary_directory.h"

namespace holos {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Defaults : public ::testing::Test {
  protected:
    std::filesystem::path file(const std::string& name, const std::string& text) {
        const auto path = folder_.path() / name;
        std::ofstream(path) << text;
        places_.files.push_back(path);
        return path;
    }
    void setVariable(const std::string& name, const std::string& value) { variables_[name] = value; }

    std::vector<Default> defaults() {
        return defaultsOf(command_, places_, [this](const std::string& text) { warnings_.push_back(text); });
    }
    std::string problem() try {
        defaults();
        return "none";
    } catch (const Error& error) {
        return error.what();
    }

    std::vector<std::string> warnings_;

  private:
    Defaultable command_{"record", {"buffer", "call-paths"}, {"output"}, {"record", "counters list"}};
    std::map<std::string, std::string> variables_;
    testing::TemporaryDirectory folder_;
    DefaultPlaces places_{[this](const std::string& name) {
                              const auto found = variables_.find(name);
                              return found == variables_.end() ? nullptr : found->second.c_str();
                          },
                          {}};
};

auto is(const std::string& option, const std::string& value, const std::string& origin) {
    return AllOf(Field(&Default::option, option), Field(&Default::value, value),
                 Field(&Default::origin, EndsWith(origin)));
}

TEST_F(Defaults, severalPlaces_theNearestCounts) {
    file("near", "[record]\nbuffer = 2\n");
    file("far", "[record]\nbuffer = 3\ncall-paths = none\n");
    EXPECT_THAT(defaults(), ElementsAre(is("buffer", "2", "near:2"), is("call-paths", "none", "far:3")));
    setVariable("HOLOS_RECORD_CALL_PATHS", "sites");
    EXPECT_THAT(defaults(), ElementsAre(is("call-paths", "sites", "HOLOS_RECORD_CALL_PATHS"),
                                        is("buffer", "2", "near:2")));
}

TEST_F(Defaults, otherCommands_areNotRead) {
    file("settings", "\xEF\xBB\xBF# all\n[counters list]\nwhat = 1\n[ record ]\n buffer =a = b # c \r\n");
    EXPECT_THAT(defaults(), ElementsAre(is("buffer", "a = b # c", "settings:5")));
}

TEST_F(Defaults, optionSetTwice_theLastCounts) {
    file("settings", "[record]\nbuffer = 1\nbuffer = 2\n");
    EXPECT_THAT(defaults(), ElementsAre(is("buffer", "2", "settings:3")));
}

TEST_F(Defaults, fileThatIsNotThere_isPassedOver) {
    std::filesystem::remove(file("gone", ""));
    EXPECT_THAT(defaults(), IsEmpty());
    EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(Defaults, whatCannotBeUnderstood_isSaidWithItsLine) {
    const auto path = file("settings", "\n[recrod]\n");
    EXPECT_THAT(problem(),
                AllOf(HasSubstr("settings:2"), HasSubstr("no command 'recrod'"), HasSubstr("record")));
    const auto write = [&path](const std::string& text) { std::ofstream(path) << text; };
    write("buffer = 1\n");
    EXPECT_THAT(problem(), HasSubstr("expected a command in brackets"));
    write("[record]\nbuffer\n");
    EXPECT_THAT(problem(), HasSubstr("settings:2"));
    write("[record]\nbufer = 1\n");
    EXPECT_THAT(problem(), HasSubstr("no option 'bufer'"));
    write("[record]\noutput = x\n");
    EXPECT_THAT(problem(), HasSubstr("only be given on the command line"));
}

TEST_F(Defaults, variableWithoutTheCommand_isRefused) {
    setVariable("HOLOS_BUFFER", "1");
    EXPECT_THAT(problem(), HasSubstr("HOLOS_RECORD_BUFFER sets --buffer"));
}

}  // namespace
}  // namespace holos
