// SPDX-License-Identifier: BSD-3-Clause
// Commands that meet a recording of another machine, whose locks cannot be seen here.
#include <sys/wait.h>

#include <csignal>

#include "tests/fault/recording_fixture.h"
#include "tracing/recordings/archive/folder/living.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

/// A machine with a name and a kernel of its own, as far as the recorder can tell.
class OtherMachine : public RecordingFixture {
  protected:
    void SetUp() override {
        std::ofstream(file("boot")) << "elsewhere\n";
        if (runCommand(elsewhere({"/bin/true"})).exitCode != 0)
            GTEST_SKIP() << "no namespace can be made here";
    }
    Words elsewhere(const Words& command) const {
        const Words machine{
            "/usr/bin/unshare",
            "--mount",
            "--uts",
            "/bin/sh",
            "-c",
            "hostname node5 && mount --bind \"$1\" /proc/sys/kernel/random/boot_id && shift && "
            "exec \"$@\"",
            "sh",
            file("boot")};
        return machine + command;
    }
    static Words writtenBack() { return {HOLOS_PROGRAM, "record", "--write-back", "20ms"}; }
    static Words copied() { return {"/usr/bin/env", "HOLOS_STORAGE=copied", HOLOS_PROGRAM, "record"}; }
    /// Until its first half is done and its folder is all that others know of it.
    std::unique_ptr<StartedCommand> recordElsewhere(const Words& recorder = writtenBack()) const {
        const Words words = recorder + Words{"-o", trace(), "--"};
        auto command = std::make_unique<StartedCommand>(elsewhere(words + program()), file("output"));
        waitUntilBegun();
        for (const auto& folder : archive::processFolders(recording())) hideLock(folder / "alive");
        hideLock(recording() / "commands" / "alone");
        return command;
    }
    static void hideLock(const fs::path& note) {
        const fs::path copy = note.string() + ".copy";
        fs::copy_file(note, copy);
        fs::rename(copy, note);
    }
};

TEST_F(OtherMachine, whileItsProgramLives_snapshotIsAnalyzedAndNothingOfTheRunIsLost) {
    const auto command = recordElsewhere();
    const auto analyzed = analyze({"--listen", "3600s"});
    EXPECT_EQ(analyzed.exitCode, 0);
    EXPECT_THAT(analyzed.output, AllOf(HasSubstr("is still being recorded: process "),
                                       HasSubstr(" on node5 (seen "), HasSubstr("analyzing a snapshot")));
    EXPECT_TRUE(fs::exists(trace() / "snapshot.cubex"));
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    expectTheWholeRun();
}

TEST_F(OtherMachine, whileItsProgramLives_anotherRecordingIsRefusedByForce) {
    const auto command = recordElsewhere();
    const auto other = runCommand({HOLOS_PROGRAM, "record", "--force", "-o", trace(), "--", "/bin/ls"});
    EXPECT_EQ(other.exitCode, 1);
    EXPECT_THAT(other.output, HasSubstr("another measurement is being recorded there"));
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    expectTheWholeRun();
}

/// The program waits and records nothing.
TEST_F(OtherMachine, whoseRecorderCopies_isSeenToLive) {
    const auto command = recordElsewhere(copied());
    const auto analyzed = analyze({"--listen", "3600s"});
    EXPECT_EQ(analyzed.exitCode, 0);
    EXPECT_THAT(analyzed.output, HasSubstr(" on node5 (seen "));
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    expectTheWholeRun();
}

TEST_F(OtherMachine, whoseProgramIsStopped_isNotTakenForDead) {
    const auto command = recordElsewhere();
    tellProgram(SIGSTOP);
    const auto analyzed = analyze({"--listen", "1ms"});
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    EXPECT_THAT(analyzed.output, AllOf(HasSubstr("no sign of life for 0.001 s from process "),
                                       HasSubstr("analyzing a snapshot"), HasSubstr("analyze --finish")));
    EXPECT_TRUE(fs::exists(trace() / "snapshot.cubex"));
    EXPECT_FALSE(fs::exists(trace() / "traces.otf2"));
    tellProgram(SIGCONT);
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    expectTheWholeRun();
}

TEST_F(OtherMachine, whoseProgramIsGone_finishedByRequestAndSaysSo) {
    const auto command = recordElsewhere();
    tellProgram(SIGSTOP);
    const auto stopped = recorded();
    command->send(SIGKILL);
    command->wait();
    EXPECT_EQ(analyze({"--finish"}).exitCode, 0);
    for (const pid_t pid : stopped) ::kill(pid, SIGKILL);
    EXPECT_FALSE(fs::exists(recording()));
    EXPECT_THAT(measurement()["notes"].dump(), HasSubstr("not known whether these had ended"));
}

}  // namespace
}  // namespace holos::testing
