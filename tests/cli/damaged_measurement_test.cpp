// SPDX-License-Identifier: BSD-3-Clause
// What measurement.json says of a run is not in the trace: where it is damaged, commands do what they can
// without it, and say what is not known.
#include <gmock/gmock.h>

#include "base/json.h"
#include "tests/cli/command_test.h"
#include "tests/support/trace_builder.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class DamagedMeasurement : public CommandTest {
  protected:
    DamagedMeasurement() {
        TraceBuilder trace(2);
        for (const int rank : {0, 1}) trace.on(rank).enter(0, "main").call(100, 400, "solve").leave(1000);
        std::filesystem::create_directory(file("run"));
        trace.write(file("run"));
        measurement::Measurement run{.run = "1f", .holos = "1.0", .begin = "2026-01-02T03:04:05Z"};
        run.ends = "All 2 ranks exited with code 0";
        run.processes = {{.pid = 3, .host = "n1"}, {.pid = 4, .host = "n1"}};
        whole_ = nlohmann::json::parse(measurementText(run, folder_.path()));
        whole_["command"] = {"./app"};
        for (const char* missing : {"counters", "sampledCounters", "attached"})
            whole_[missing] = nlohmann::json::array();
        for (const char* missing : {"callStackSamples", "openmpRuntime", "workingDirectory"})
            whole_[missing] = "";
        for (const char* missing : {"host", "environment"}) whole_[missing] = nlohmann::json::object();
    }

    /// What each command that only reads says of the run with this file.
    std::vector<std::string> answers(const std::string& text) {
        std::ofstream(file("run/measurement.json")) << text;
        EXPECT_EQ(holos({"analyze", file("run")}).exitCode, 0) << text;
        std::vector<std::string> answers;
        for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
                 {"query", file("run"), "SELECT region, duration FROM calls"},
                 {"check", file("run")},
                 {"export", file("run")},
                 {"export", file("run"), "--format", "chrome"},
                 {"predict", file("run"), "--if", "balance solve"},
                 {"score", file("run")}}) {
            const auto answer = holos(words);
            EXPECT_EQ(answer.exitCode, 0) << text << answer.output;
            answers.push_back(answer.output);
        }
        return answers;
    }

    nlohmann::json whole_;
};

TEST_F(DamagedMeasurement, whatDoesNotNeedIt_staysAsItIs) {
    const auto whole = answers(whole_.dump());
    EXPECT_THAT(holos({"show", file("run")}).output, Not(HasSubstr("measurement.json")));
    for (const char* text : {"", "{", "[1]", R"({"version": "2.0.0"})"})
        EXPECT_EQ(answers(text), whole) << text;
    for (const auto& [member, value] : {std::pair<const char*, nlohmann::json>{"processes", -1},
                                        {"processes", {{{"pid", -1}}}},
                                        {"events", 1e300},
                                        {"ends", 3},
                                        {"laws", "x"},
                                        {"host", nullptr},
                                        {"furtherJobs", -1}}) {
        nlohmann::json changed = whole_;
        changed[member] = value;
        EXPECT_EQ(answers(changed.dump()), whole) << member;
    }
}

TEST_F(DamagedMeasurement, showReportAndDiff_sayWhatIsNotKnown) {
    answers(whole_.dump());
    std::filesystem::copy_file(file("run/analysis.cubex"), file("whole.cubex"));
    whole_["processes"] = -1;
    answers(whole_.dump());
    const std::string damage =
        "measurement.json is damaged or was changed: processes is missing or not of the form";
    EXPECT_THAT(holos({"info", file("run")}).output, HasSubstr(damage));
    EXPECT_THAT(holos({"info", file("run")}).output, HasSubstr("All 2 ranks exited with code 0"));
    EXPECT_EQ(holos({"diff", file("run"), file("whole.cubex"), "-o", file("diff.cubex")}).exitCode, 0);
    for (const char* name : {"run", "diff.cubex"}) {
        std::string shown = holos({"show", file(name)}).output;
        for (auto& each : shown)
            if (each == '\n') each = ' ';
        EXPECT_THAT(shown, HasSubstr("processes is missing or not")) << name;
    }
    EXPECT_EQ(holos({"report", file("run"), file("whole.cubex"), "-o", file("report.md")}).exitCode, 0);
    EXPECT_THAT(contentOf(file("report.md")), HasSubstr(damage));
    EXPECT_EQ(holos({"watch", file("run"), "--once"}).exitCode, 1) << "it has ended";
}

TEST_F(DamagedMeasurement, fileThatIsNoJson_isAnErrorWhereItIsAskedFor) {
    answers("{");
    const auto info = holos({"info", file("run")});
    EXPECT_EQ(info.exitCode, 1);
    EXPECT_THAT(info.output, HasSubstr("measurement.json"));
    const auto like = holos({"record", "--like", file("run"), "-o", file("new"), "--", "true"});
    EXPECT_EQ(like.exitCode, 1);
    EXPECT_THAT(like.output, HasSubstr("measurement.json"));
}

}  // namespace
}  // namespace holos::testing
