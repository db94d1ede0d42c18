// SPDX-License-Identifier: BSD-3-Clause
// Commands that meet a recording on which somebody still works: nothing that is recorded later is lost.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/fault/recording_fixture.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class LivingRecording : public RecordingFixture {};

TEST_F(LivingRecording, isAnalyzed_snapshotSaysWhoLivesAndNothingOfTheRunIsLost) {
    const auto command = record(program());
    waitUntilBegun();
    const auto analyzed = analyze();
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    EXPECT_THAT(analyzed.output,
                AllOf(HasSubstr("is still being recorded: process "), HasSubstr("analyzing a snapshot"),
                      HasSubstr("the newest event was "), HasSubstr("Process went on ")));
    const auto shown = runCommand({HOLOS_PROGRAM, "show", trace(), "--metric", "visits"});
    EXPECT_THAT(shown.output, HasSubstr(std::to_string(kRegions)));
    EXPECT_THAT(runCommand({HOLOS_PROGRAM, "show", trace()}).output,
                HasSubstr("a snapshot of a run that went on"));
    EXPECT_FALSE(fs::exists(trace() / "traces.otf2"));
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    expectTheWholeRun();
}

TEST_F(LivingRecording, isAnalyzed_notAByteOfItChanges) {
    const auto command = record(program());
    waitUntilBegun();
    tellProgram(SIGSTOP);
    const auto before = contentsOf(trace());
    const auto analyzed = analyze({"-o", file("elsewhere.cubex")});
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    EXPECT_EQ(contentsOf(trace()), before);
    tellProgram(SIGCONT);
}

TEST_F(LivingRecording, isAnalyzedAndThenAsAWhole_resultOfTheSnapshotIsReplaced) {
    const auto command = record(program());
    waitUntilBegun();
    EXPECT_EQ(analyze().exitCode, 0);
    EXPECT_TRUE(fs::exists(trace() / "snapshot.cubex"));
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    EXPECT_EQ(analyze().exitCode, 0);
    expectTheWholeRun();
    expectNothingElse();
}

/// The second chunk of its ring is written over again and again.
TEST_F(LivingRecording, thatKeepsTheNewestOnly_snapshotHasThose) {
    const std::vector<std::string> words{HOLOS_PROGRAM, "record",      "--buffer", "0.5", "--when-full",
                                         "newest",      "-o",          trace(),    "--",  LIVING_PROGRAM,
                                         "40000",       file("begun"), file("go")};
    StartedCommand command(words, file("output"));
    waitUntilBegun();
    const auto analyzed = analyze();
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    EXPECT_THAT(analyzed.output, AllOf(HasSubstr("only its newest events were kept"),
                                       Not(HasSubstr("damaged")), Not(HasSubstr("undefined"))));
}

TEST_F(LivingRecording, isAnalyzedByTwoCommands_bothHaveASnapshot) {
    const auto command = record(program());
    waitUntilBegun();
    StartedCommand first({HOLOS_PROGRAM, "analyze", trace()}, file("first"));
    StartedCommand second({HOLOS_PROGRAM, "analyze", trace()}, file("second"));
    EXPECT_EQ(first.wait(), 0) << first.output();
    EXPECT_EQ(second.wait(), 0) << second.output();
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    expectTheWholeRun();
}

TEST_F(LivingRecording, inAFolderThatTakesNoFiles_snapshotCanBePutElsewhere) {
    const auto command = record(program());
    waitUntilBegun();
    const std::vector<std::string> readOnly{
        "/usr/bin/unshare",
        "--mount",
        "/bin/sh",
        "-c",
        "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && exec \"$@\"",
        trace()};
    if (runCommand(readOnly + std::vector<std::string>{"/bin/true"}).exitCode != 0)
        GTEST_SKIP() << "nothing can be mounted here";
    const auto refused = runCommand(readOnly + std::vector<std::string>{HOLOS_PROGRAM, "analyze", trace()});
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_THAT(refused.output, HasSubstr("with -o"));
    const auto analyzed = runCommand(readOnly + std::vector<std::string>{HOLOS_PROGRAM, "analyze", trace(),
                                                                         "-o", file("elsewhere.cubex")});
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    EXPECT_TRUE(fs::exists(file("elsewhere.cubex")));
}

TEST_F(LivingRecording, isScored_ofASnapshotAndNothingOfTheRunIsLost) {
    const auto command = record(program());
    waitUntilBegun();
    const auto score = runCommand({HOLOS_PROGRAM, "score", trace()});
    EXPECT_EQ(score.exitCode, 0) << score.output;
    EXPECT_THAT(score.output, AllOf(HasSubstr("of a snapshot"), HasSubstr("size of its files")));
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    expectTheWholeRun();
}

TEST_F(LivingRecording, otherCommandsThatWantATrace_nameAnalyze) {
    const auto command = record(program());
    waitUntilBegun();
    EXPECT_THAT(runCommand({HOLOS_PROGRAM, "info", trace()}).output,
                AllOf(HasSubstr("holds a recording"), HasSubstr("'holos analyze'")));
}

TEST_F(LivingRecording, snapshotWithoutRoom_saysWhereAndTheRunGoesOn) {
    const auto command = record(program());
    waitUntilBegun();
    const auto analyzed =
        runCommand({"env", "TMPDIR=" + file("missing").string(), HOLOS_PROGRAM, "analyze", trace()});
    EXPECT_EQ(analyzed.exitCode, 1);
    EXPECT_THAT(analyzed.output, AllOf(HasSubstr("missing"), HasSubstr("TMPDIR")));
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    expectTheWholeRun();
}

TEST_F(LivingRecording, isRecordedInto_refusedEvenByForce) {
    const auto command = record(program());
    waitUntilBegun();
    for (const std::string option : {"--force", "--compensate"}) {
        const auto other = runCommand({HOLOS_PROGRAM, "record", option, "-o", trace(), "--", "/bin/ls"});
        EXPECT_EQ(other.exitCode, 1);
        EXPECT_THAT(other.output, HasSubstr("another measurement is being recorded there"));
    }
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    EXPECT_EQ(regionsInTrace(), 2 * kRegions);
}

TEST_F(LivingRecording, programOutlivesTheCommand_analyzedInTheEnd) {
    const auto command = record(program());
    waitUntilBegun();
    command->send(SIGKILL);
    command->wait();
    EXPECT_THAT(analyze().output,
                AllOf(HasSubstr("is still being recorded"), Not(HasSubstr("'holos record'"))));
    letGo();
    analyzeInTheEnd();
    EXPECT_EQ(regionsInTrace(), 2 * kRegions);
}

TEST_F(LivingRecording, finishedByRequest_makesTheTraceOfWhatIsThere) {
    const auto command = record(program());
    waitUntilBegun();
    command->send(SIGKILL);
    command->wait();
    const auto analyzed = analyze({"--finish"});
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    EXPECT_EQ(regionsInTrace(), kRegions);
}

TEST_F(LivingRecording, snapshotOfAnEndedRunOnRequest_leavesTheRecordingAlone) {
    leaveRecording();
    const auto before = contentsOf(recording());
    const auto analyzed = analyze({"--snapshot"});
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    EXPECT_TRUE(fs::exists(trace() / "snapshot.cubex"));
    EXPECT_EQ(contentsOf(recording()), before);
    EXPECT_FALSE(fs::exists(trace() / "traces.otf2"));
}

TEST_F(LivingRecording, childThatOutlivesTheProgram_isWaitedFor) {
    const auto command = record(programInBackground());
    waitUntilBegun();
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    EXPECT_EQ(regionsInTrace(), 2 * kRegions);
}

TEST_F(LivingRecording, rankThatOutlivesAKilledLauncher_isWaitedFor) {
    const auto words = launcher(1);
    if (words.empty()) GTEST_SKIP() << "no MPI launcher here";
    const auto command = record(words + program());
    waitUntilBegun();
    const std::string pid = std::to_string(command->pid());
    pid_t launched = 0;
    std::ifstream("/proc/" + pid + "/task/" + pid + "/children") >> launched;
    ASSERT_GT(launched, 0);
    ::kill(launched, SIGKILL);
    ASSERT_TRUE(
        becomesTrue([&] { return command->output().find("waiting for process") != std::string::npos; }));
    letGo();
    EXPECT_EQ(WTERMSIG(command->wait()), SIGKILL);  // as the launcher
    EXPECT_EQ(regionsInTrace(), 2 * kRegions);
}

TEST_F(LivingRecording, waitEndedByASignal_keepsTheRecordingAndTheStatus) {
    const auto command = record(
        {"/bin/sh", "-c", "\"$@\" & exit 7", "sh", program()[0], program()[1], program()[2], program()[3]});
    waitUntilBegun();
    ASSERT_TRUE(
        becomesTrue([&] { return command->output().find("waiting for process") != std::string::npos; }));
    command->send(SIGINT);
    EXPECT_EQ(WEXITSTATUS(command->wait()), 7);
    EXPECT_THAT(command->output(), HasSubstr("makes the trace later"));
    letGo();
    analyzeInTheEnd();
    EXPECT_EQ(regionsInTrace(), 2 * kRegions);
}

/// Others that change what is in the folder are waited for.
TEST_F(LivingRecording, signalWhileTheTraceIsMade_endsTheCommandAndKeepsTheRecording) {
    const auto command = record(program());
    waitUntilBegun();
    const int lock = ::open((trace() / ".holos-lock").c_str(), O_RDWR | O_CREAT, 0600);
    ASSERT_EQ(::flock(lock, LOCK_EX), 0);
    letGo();
    ASSERT_TRUE(becomesTrue([&] {
        command->send(SIGINT);  // ignored as long as the program runs
        return command->hasEnded();
    }));
    EXPECT_TRUE(fs::exists(recording()));
    ::close(lock);
    analyzeInTheEnd();
    EXPECT_EQ(regionsInTrace(), 2 * kRegions);
}

/// What is recorded afterwards needs a larger file.
class MovedRecording : public LivingRecording, public ::testing::WithParamInterface<const char*> {
  protected:
    MovedRecording() { ::setenv("HOLOS_STORAGE", GetParam(), 1); }
    ~MovedRecording() override { ::unsetenv("HOLOS_STORAGE"); }

    static constexpr std::size_t kMany = 300'000;
    std::vector<std::string> longProgram() const {
        return {LIVING_PROGRAM, std::to_string(kMany), file("begun"), file("go")};
    }
    void move() const { fs::rename(trace(), file("moved")); }
    void expectAllOfIt() const {
        std::ifstream in(file("moved") / "measurement.json");
        const auto measured = nlohmann::json::parse(in);
        EXPECT_EQ(measured["lostEvents"], 0);
        EXPECT_EQ(measured["notes"], nlohmann::json::array());
        EXPECT_GE(measured["events"], 4 * kMany);
        EXPECT_FALSE(fs::exists(file("moved") / "recording"));
        EXPECT_FALSE(fs::exists(trace()));
    }
};
INSTANTIATE_TEST_SUITE_P(Storage, MovedRecording, ::testing::Values("mapped", "copied"));

TEST_P(MovedRecording, whileTheProgramRuns_isWholeInItsNewPlace) {
    const auto command = record(longProgram());
    waitUntilBegun();
    move();
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    EXPECT_THAT(command->output(), HasSubstr(file("moved").string()));
    expectAllOfIt();
}

TEST_P(MovedRecording, whoseCommandWasKilled_isWholeInItsNewPlace) {
    const auto command = record(longProgram());
    waitUntilBegun();
    command->send(SIGKILL);
    command->wait();
    move();
    letGo();
    ASSERT_TRUE(becomesTrue([this] {
        runCommand({HOLOS_PROGRAM, "analyze", "--no-causes", file("moved")});
        return !fs::exists(file("moved") / "recording");
    }));
    std::ifstream in(file("moved") / "measurement.json");
    EXPECT_EQ(nlohmann::json::parse(in)["lostEvents"], 0);
}

TEST_F(LivingRecording, thatIsMoved_programsThatBeginLaterAreInIt) {
    const std::vector<std::string> twice{"/bin/sh", "-c", "\"$@\" && \"$@\"", "sh"};
    const auto command = record(twice + program());
    waitUntilBegun();
    fs::rename(trace(), file("moved"));
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    fs::rename(file("moved"), trace());
    EXPECT_EQ(regionsInTrace(), 4 * kRegions);
}

TEST_F(LivingRecording, thatIsRemoved_isSaidAndTheProgramIsUnharmed) {
    const auto command = record(
        {"/bin/sh", "-c", "\"$@\"; exit 7", "sh", program()[0], program()[1], program()[2], program()[3]});
    waitUntilBegun();
    fs::remove_all(trace());
    letGo();
    EXPECT_EQ(WEXITSTATUS(command->wait()), 7);
    EXPECT_THAT(command->output(), HasSubstr("was removed, or moved to another disk"));
    EXPECT_THAT(command->output(), Not(HasSubstr("makes the trace later")));
    EXPECT_FALSE(fs::exists(trace()));
}

TEST(RecordedCommand, startedWithASignalIgnored_programIgnoresItToo) {
    const TemporaryDirectory directory;
    const auto result = runCommand({"/bin/sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh", HOLOS_PROGRAM,
                                    "record", "-o", directory.path() / "trace", "--", "/bin/sh", "-c",
                                    "kill -INT $$; kill -HUP $$; echo survived"});
    EXPECT_THAT(result.output, HasSubstr("survived"));
}

TEST(RecordedCommand, forceIntoAFinishedFolder_removesTheAnalysisOfTheOldMeasurement) {
    const TemporaryDirectory directory;
    const fs::path trace = directory.path() / "trace";
    const auto record = [&] {
        return runCommand({HOLOS_PROGRAM, "record", "--force", "-o", trace, "--", "/bin/ls"});
    };
    ASSERT_EQ(record().exitCode, 0);
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", trace}).exitCode, 0);
    ASSERT_TRUE(fs::exists(trace / "analysis.cubex"));
    EXPECT_EQ(record().exitCode, 0);
    EXPECT_FALSE(fs::exists(trace / "analysis.cubex"));
}

}  // namespace
}  // namespace holos::testing
