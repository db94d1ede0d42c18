// SPDX-License-Identifier: BSD-3-Clause
// Commands that meet a recording on which somebody still works: nothing that is recorded later is lost.
#include <fcntl.h>
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

TEST_F(LivingRecording, isAnalyzed_refusedAndNothingOfTheRunIsLost) {
    const auto command = record(program());
    waitUntilBegun();
    const auto analyzed = analyze();
    EXPECT_EQ(analyzed.exitCode, 1);
    EXPECT_THAT(analyzed.output, AllOf(HasSubstr("is still being recorded"), HasSubstr("process ")));
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    EXPECT_EQ(regionsInTrace(), 2 * kRegions);
    EXPECT_EQ(measurement()["lostEvents"], 0);
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

TEST_F(LivingRecording, snapshot_analyzesWhatIsThereAndLeavesTheRecordingAlone) {
    const auto command = record(program());
    waitUntilBegun();
    const auto analyzed = analyze({"--snapshot"});
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    EXPECT_THAT(analyzed.output, HasSubstr("1 process is still being recorded"));
    const auto shown = runCommand({HOLOS_PROGRAM, "show", trace() / "analysis.cubex", "--metric", "visits"});
    EXPECT_THAT(shown.output, HasSubstr(std::to_string(kRegions)));
    EXPECT_FALSE(fs::exists(trace() / "traces.otf2"));
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    EXPECT_EQ(regionsInTrace(), 2 * kRegions);
    EXPECT_EQ(std::distance(fs::directory_iterator(trace()), fs::directory_iterator()), 5);
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
