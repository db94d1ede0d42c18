// SPDX-License-Identifier: BSD-3-Clause
// Where results go, and what of hostile files gets into them and onto the terminal.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "algebra/files/experiment_file.h"
#include "base/descriptor.h"
#include "tests/cli/command_test.h"
#include "tests/support/small_experiment.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

/// An erase, a title, both as one character; a name that reads backwards; a formula.
constexpr const char* kHostile =
    "=cmd|' \x1b[2J\xC2\x9B"
    "2J\xE2\x80\xAEgpj.exe<script>";

class Outputs : public CommandTest {
  protected:
    Outputs() {
        algebra::Metric time;
        time.uniqueName = "time";
        time.displayName = "Time";
        time.unit = "sec";
        algebra::Experiment experiment =
            SmallExperiment().metric(time, "", {{"main", {2, 1}}, {"main/work", {0, 4}}}).take();
        experiment.regions[1].name = kHostile;
        // XML takes no escape character: such a name comes from a trace.
        std::erase(experiment.regions[1].name, '\x1b');
        algebra::writeExperiment(experiment, file("a.cubex"));
    }

    /// Commands that write to FILE.
    std::vector<Words> commandsFor(const std::string& output) const {
        return {{"mean", file("a.cubex"), "-o", output},
                {"export", file("a.cubex"), "-o", output},
                {"report", file("a.cubex"), "-o", output}};
    }
};

/// Also of commands that print piece by piece.
TEST_F(Outputs, thatTheDiskDoesNotTake_endTheCommandWithAFailure) {
    for (const char* command : {"counters list", "spec list", "completion", "--help"}) {
        const auto result =
            runCommand({"sh", "-c", "\"$0\" " + std::string(command) + " >/dev/full", HOLOS_PROGRAM});
        EXPECT_EQ(result.exitCode, 1) << command;
        EXPECT_THAT(result.output, HasSubstr("No space left on device")) << command;
    }
}

TEST_F(Outputs, symbolicLink_staysAndItsTargetIsReplaced) {
    for (const Words& command : commandsFor(file("link.html"))) {
        std::ofstream(file("target")) << "old";
        fs::create_symlink("target", file("link.html"));
        EXPECT_EQ(holos(command).exitCode, 0) << command[0];
        EXPECT_TRUE(fs::is_symlink(file("link.html"))) << command[0];
        EXPECT_GT(contentOf(file("target")).size(), 10) << command[0];
        fs::remove(file("link.html"));
    }
}

TEST_F(Outputs, namedPipe_isWritten) {
    for (const Words& command : commandsFor(file("pipe.html"))) {
        ASSERT_EQ(::mkfifo(file("pipe.html").c_str(), 0600), 0);
        const Descriptor reader(::open(file("pipe.html").c_str(), O_RDONLY | O_NONBLOCK));
        constexpr int kRoomForAll = 1 << 20;  // nobody reads
        ASSERT_GE(::fcntl(reader.number(), F_SETPIPE_SZ, kRoomForAll), kRoomForAll);
        EXPECT_EQ(holos(command).exitCode, 0) << command[0];
        EXPECT_TRUE(fs::is_fifo(file("pipe.html"))) << command[0];
        fs::remove(file("pipe.html"));
    }
}

TEST_F(Outputs, standardOutputByItsName_isWrittenBehindWhatIsThere) {
    const auto result =
        runCommand({"sh", "-c", "echo before > \"$3\"; \"$1\" export \"$2\" -o /dev/stdout >> \"$3\"", "sh",
                    HOLOS_PROGRAM, file("a.cubex"), file("log")});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(contentOf(file("log")), ::testing::StartsWith("before\nmetric,unit,"));
}

TEST_F(Outputs, resultThatCannotBeWritten_leavesTheOldOne) {
    for (const Words& command : commandsFor(file("none/x.html"))) {
        const auto result = holos(command);
        EXPECT_EQ(result.exitCode, 1) << command[0];
        EXPECT_THAT(result.output, HasSubstr("none/x.html: cannot be written")) << command[0];
    }
}

TEST_F(Outputs, hostileNames_neitherSteerTerminalsNorBecomeFormulas) {
    for (const Words& options : {Words{"show"}, Words{"show", "--metric", "time"}, Words{"check"}}) {
        Words words{options.front(), file("a.cubex")};
        words.insert(words.end(), options.begin() + 1, options.end());
        EXPECT_THAT(holos(words).output, AllOf(Not(HasSubstr("\xC2\x9B")), Not(HasSubstr("\xE2\x80\xAE")),
                                               Not(HasSubstr("\x1b"))));
    }
    const std::string missing = holos({"show", file("a.cubex"), "--metric", kHostile}).output;
    EXPECT_THAT(missing,
                AllOf(Not(HasSubstr("\xC2\x9B")), Not(HasSubstr("\xE2\x80\xAE")), Not(HasSubstr("\x1b"))));
    EXPECT_THAT(missing, HasSubstr("gpj.exe"));
    EXPECT_THAT(holos({"export", file("a.cubex")}).output,
                AllOf(HasSubstr(",'=cmd|'"), Not(HasSubstr(",=cmd"))));
}

TEST_F(Outputs, hostileNames_areTextInReports) {
    ASSERT_EQ(holos({"report", file("a.cubex"), "-o", file("r.html")}).exitCode, 0);
    ASSERT_EQ(holos({"report", file("a.cubex"), "-o", file("r.md")}).exitCode, 0);
    const std::string page = contentOf(file("r.html"));
    EXPECT_THAT(page, AllOf(HasSubstr("gpj.exe&lt;script&gt;"), Not(HasSubstr("gpj.exe<script>"))));
    EXPECT_THAT(contentOf(file("r.md")), AllOf(HasSubstr("=cmd\\|"), Not(HasSubstr("\xC2\x9B"))));
}

TEST_F(Outputs, descriptionNestedWithoutEnd_isRefused) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").leave(10000);
    const fs::path folder = trace.write(folder_.path()).parent_path();
    std::string text;
    for (int level = 0; level < 300'000; ++level) text += "{\"a\":";
    std::ofstream(folder / "measurement.json") << text << "1" << std::string(300'000, '}');
    const auto info = holos({"info", folder.string()});
    EXPECT_EQ(info.exitCode, 1);
    EXPECT_THAT(info.output, HasSubstr("measurement.json: is nested deeper than 100 levels"));
    EXPECT_EQ(holos({"analyze", folder.string()}).exitCode, 0);
}

}  // namespace
}  // namespace holos::testing
