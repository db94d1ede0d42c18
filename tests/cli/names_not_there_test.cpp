// SPDX-License-Identifier: BSD-3-Clause
// What a command line names and the input lacks is wrong usage: exit code 2, whatever the command; a file
// that is not there is a failure.
#include <gmock/gmock.h>

#include <sstream>

#include "tests/cli/command_test.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;

/// A folder with a trace, which takes a second, and its analysis.
class NamesNotThere : public CommandTest {
  protected:
    NamesNotThere() {
        TraceBuilder trace(2);
        const auto bytes = trace.counters({{"sent", "bytes"}});
        for (const int rank : {0, 1}) {
            trace.on(rank).enter(0, "main").counters(0, bytes, {0}).call(100, 400, "solve");
            trace.on(rank).counters(1000, bytes, {100}).leave(1000);
        }
        std::filesystem::create_directory(file("run"));
        trace.write(file("run"));
        EXPECT_EQ(holos({"analyze", file("run")}).exitCode, 0);
    }

    /// `RUN` and `OUT` stand for the folder and for a file to write, `NAME` for what is asked for.
    CommandResult asked(const std::string& command, const std::string& name) const {
        std::vector<std::string> words;
        std::istringstream parts(command);
        for (std::string word; parts >> word;) {
            if (word.starts_with("OUT")) word = file("out" + word.substr(3));
            if (word == "RUN") word = file("run");
            if (word == "RUN/analysis.cubex") word = file("run/analysis.cubex");
            if (word == "_SELECT") word = "SELECT " + name + " FROM calls";
            if (word == "_FROM") word = "SELECT count(*) FROM " + name;
            if (word == "_BALANCE") word = "balance " + name;
            if (word == "_SHARE") word = name + "=1";
            if (word == "_RENAME") word = name + "=main";
            if (word == "_FAIL") word = name + " > 1";
            words.push_back(word == "NAME" ? name : word);
        }
        return holos(words);
    }
};

constexpr std::array kCommands{
    "show RUN --metric NAME",
    "show RUN --lines --metric NAME",
    "show RUN --instances --metric NAME",
    "show RUN --per NAME",
    "export RUN --metric NAME",
    "export RUN --format folded --metric NAME",
    "export RUN --format hatchet --metric NAME",
    "plot RUN --metric NAME",
    "predict RUN --if NAME",
    "predict RUN --if _BALANCE",
    "query RUN _SELECT",
    "query RUN _FROM",
    "cut RUN --root NAME -o OUT.cubex",
    "cut RUN --prune NAME -o OUT.cubex",
    "cut RUN --share _SHARE -o OUT.cubex",
    "scale RUN --factor 2 --metric NAME -o OUT.cubex",
    "mean RUN RUN --rename _RENAME -o OUT.cubex",
    "merge RUN RUN --spec NAME -o OUT.cubex",
    "derive RUN --spec NAME -o OUT.cubex",
    "analyze RUN --spec NAME -o OUT.cubex",
    "report RUN RUN --call-paths NAME -o OUT.md",
    "report RUN --fail-if _FAIL",
    "spec show NAME",
    "spec check NAME",
    "spec sets NAME",
    "spec plan NAME",
    "spec plan linux-software NAME",
    "record --set NAME -o OUT -- true",
    "campaign --dry-run --spec linux-software --want NAME -o OUT -- true",
    "campaign --dry-run --spec linux-software --sets NAME -o OUT -- true",
    "campaign --dry-run --spec NAME -o OUT -- true",
    "counters validate --microbenchmark NAME",
};

TEST_F(NamesNotThere, everyCommand_callsItWrongUsageAndSaysTheName) {
    for (const char* command : kCommands)
        for (const std::string name : {"absent", "99999999999999999999999_", "-1x"}) {
            const auto result = asked(command, name);
            EXPECT_EQ(result.exitCode, 2) << command << ' ' << name << ": " << result.output;
            const bool isSql =
                std::string(command).starts_with("query");  // says what the parser does not take
            EXPECT_THAT(result.output, HasSubstr(isSql ? "" : name)) << command;
        }
}

TEST_F(NamesNotThere, timesAndNumbersOutsideOfTheRun_areWrongUsageToo) {
    for (const char* command :
         {"analyze RUN --from 2 -o OUT.cubex", "analyze RUN --from 1e300 -o OUT.cubex",
          "analyze RUN --from 0.5 --to 0.25 -o OUT.cubex", "analyze RUN --to -1 -o OUT.cubex",
          "plot RUN --from 2", "plot RUN --from 1e300", "plot RUN --from 0.5 --to 0.25",
          "export RUN --format chrome --from 2", "export RUN --format perfetto --from 1e300 -o OUT",
          "export RUN --format chrome --from 0.5 --to 0.25", "show RUN --why 1000", "show RUN --top -1",
          "cut RUN --depth 0 -o OUT.cubex"}) {
        const auto result = asked(command, "");
        EXPECT_EQ(result.exitCode, 2) << command << ": " << result.output;
    }
}

/// More than the run has is all of it.
TEST_F(NamesNotThere, endsBehindTheRun_areItsEnd) {
    const std::string whole = asked("export RUN --format chrome", "").output;
    EXPECT_THAT(whole, HasSubstr("solve"));
    EXPECT_EQ(asked("export RUN --format chrome --to 1e300", "").output, whole);
    EXPECT_EQ(asked("plot RUN --to 1e300", "").output, asked("plot RUN", "").output);
}

TEST_F(NamesNotThere, fileWithoutAName_isWrongUsageAndSaidSo) {
    using Words = std::vector<std::string>;
    for (const Words& command :
         {Words{"show"},        Words{"info"},   Words{"check"},   Words{"analyze"},
          Words{"score"},       Words{"watch"},  Words{"export"},  Words{"predict"},
          Words{"plot"},        Words{"cut"},    Words{"derive"},  Words{"query"},
          Words{"iterations"},  Words{"report"}, Words{"scaling"}, Words{"diff"},
          Words{"convert"},     Words{"serve"},  Words{"view"},    Words{"spec", "check"},
          Words{"spec", "show"}}) {
        const auto result = holos(command + Words{""});
        EXPECT_EQ(result.exitCode, 2) << command.back() << ": " << result.output;
        EXPECT_THAT(result.output, HasSubstr(": the name of the file or folder is empty\n"))
            << command.back();
    }
}

TEST_F(NamesNotThere, filesThatAreNotThere_areFailures) {
    for (const char* command :
         {"show NAME", "info NAME", "check NAME", "analyze NAME", "score NAME", "watch NAME --once",
          "export NAME", "predict NAME --each", "plot NAME", "cut NAME --depth 1 -o OUT.cubex",
          "derive RUN --spec NAME.spec -o OUT.cubex", "record --filter NAME -o OUT -- true",
          "report RUN --baseline NAME -o OUT.md"}) {
        const auto result = asked(command, "absent");
        EXPECT_EQ(result.exitCode, 1) << command << ": " << result.output;
    }
}

}  // namespace
}  // namespace holos::testing
