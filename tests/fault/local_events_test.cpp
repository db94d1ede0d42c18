// SPDX-License-Identifier: BSD-3-Clause
// Events that are kept on a disk of the node while the program runs (--local), and moved at its end.
#include <sys/wait.h>

#include <csignal>

#include "tests/fault/killer.h"
#include "tests/fault/recording_fixture.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class LocalEvents : public RecordingFixture {
  protected:
    void SetUp() override { fs::create_directory(local()); }

    fs::path local() const { return file("local"); }
    std::unique_ptr<StartedCommand> recordLocally() const { return record(program(), {"--local", local()}); }
    fs::path onlyProcess() const { return archive::processFolders(recording()).at(0); }
    /// Its process and its command were killed.
    void leaveRecordingOnTheDisk() const {
        const auto command = recordLocally();
        waitUntilBegun();
        command->send(SIGKILL);
        command->wait();
        letGo();
        waitUntilNobodyLives();
        ASSERT_TRUE(fs::is_symlink(onlyProcess() / "events"));
    }
    void expectNothingOnTheDisk() const { EXPECT_TRUE(fs::is_empty(local())); }
    std::vector<std::string> notes() const { return measurement()["notes"]; }
};

TEST_F(LocalEvents, ofAProgram_areOnTheDiskWhileItRuns_andInTheTraceAtItsEnd) {
    const auto command = recordLocally();
    waitUntilBegun();
    const fs::path events = fs::read_symlink(onlyProcess() / "events");
    EXPECT_TRUE(events.string().starts_with(local().string() + '/')) << events;
    EXPECT_GT(fs::file_size(events), 0U);
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    expectTheWholeRun();
    expectNothingOnTheDisk();
    EXPECT_EQ(measurement()["settings"]["local"], local().string());
}

TEST_F(LocalEvents, thatAreCopied_areInTheTrace) {
    const std::vector<std::string> words{"/usr/bin/env",
                                         "HOLOS_STORAGE=copied",
                                         HOLOS_PROGRAM,
                                         "record",
                                         "--local",
                                         local(),
                                         "-o",
                                         trace(),
                                         "--"};
    letGo();
    const auto recorded = runCommand(words + program());
    EXPECT_EQ(recorded.exitCode, 0) << recorded.output;
    expectTheWholeRun();
    expectNothingOnTheDisk();
}

TEST_F(LocalEvents, ofAProgramThatIsKilled_areInTheTrace) {
    const auto command = recordLocally();
    waitUntilBegun();
    tellProgram(SIGKILL);
    command->wait();
    EXPECT_EQ(regionsInTrace(), kRegions);
    EXPECT_EQ(measurement()["lostEvents"], 0);
    expectNothingOnTheDisk();
}

TEST_F(LocalEvents, whileTheProgramRuns_snapshotHasThem) {
    const auto command = recordLocally();
    waitUntilBegun();
    const auto analyzed = analyze();
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    const auto shown = runCommand({HOLOS_PROGRAM, "show", trace(), "--metric", "visits"});
    EXPECT_THAT(shown.output, HasSubstr(std::to_string(kRegions)));
    letGo();
    EXPECT_EQ(command->wait(), 0) << command->output();
    EXPECT_EQ(regionsInTrace(), 2 * kRegions);
}

TEST_F(LocalEvents, whoseCommandIsKilledAnywhere_areMovedByTheNext) {
    leaveRecordingOnTheDisk();
    const fs::path unfinished = file("unfinished");
    const fs::path untouched = file("untouched");
    fs::rename(trace(), unfinished);
    fs::rename(local(), untouched);
    for (std::size_t place = 1;; ++place) {
        SCOPED_TRACE("killed at system call " + std::to_string(place) + " of the move");
        fs::remove_all(trace());
        fs::remove_all(local());
        const auto all = fs::copy_options::recursive | fs::copy_options::copy_symlinks;
        fs::copy(unfinished, trace(), all);
        fs::copy(untouched, local(), all);
        const fs::path process = onlyProcess();
        const auto moves = [&] {
            return fs::exists(process / "events.new") || !fs::is_symlink(process / "events");
        };
        std::size_t left = place;
        const Fate fate =
            traceCommand({HOLOS_PROGRAM, "analyze", trace()}, file("output"),
                         [&](bool changesFiles) { return changesFiles && moves() && --left == 0; });
        if (fate == Fate::NotAllowed) GTEST_SKIP() << "no process may be traced here";
        const bool isMoved = fs::is_empty(local());
        const auto analyzed = analyze();
        EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
        expectTheWholeRun();
        if (isMoved || HasFailure()) break;  // what comes then knows of no disk
        ASSERT_NE(fate, Fate::Ended);
    }
}

TEST_F(LocalEvents, onADiskThatIsNotThere_recordingStays_andTheTraceIsMadeWhereItIs) {
    leaveRecordingOnTheDisk();
    fs::rename(local(), file("elsewhere"));
    const auto analyzed = analyze();
    EXPECT_EQ(analyzed.exitCode, 1);
    EXPECT_THAT(analyzed.output, HasSubstr("misses events of 1 process, which were kept on "));
    EXPECT_THAT(analyzed.output, HasSubstr(" in " + local().string()));
    EXPECT_TRUE(fs::exists(recording()));
    fs::rename(file("elsewhere"), local());
    EXPECT_EQ(analyze().exitCode, 0);
    expectTheWholeRun();
    expectNothingOnTheDisk();
}

TEST_F(LocalEvents, onADiskThatIsLost_traceSaysWhoseTheyWere) {
    leaveRecordingOnTheDisk();
    fs::remove_all(local());
    const auto analyzed = analyze({"--finish"});
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    EXPECT_FALSE(fs::exists(recording()));
    EXPECT_EQ(regionsInTrace(), 0U);
    EXPECT_TRUE(measurement()["lostEvents"].is_null());
    EXPECT_THAT(nlohmann::json(notes()).dump(), HasSubstr("its events were kept on "));
}

TEST_F(LocalEvents, withoutRoomInTheFolder_stayOnTheDisk) {
    leaveRecordingOnTheDisk();
    const fs::path disk = file("disk");
    fs::create_directory(disk);
    const std::string mount = "mount -t tmpfs -o size=100k none '" + disk.string() + "'";
    if (runCommand({"unshare", "-rm", "sh", "-c", mount}).exitCode != 0)
        GTEST_SKIP() << "no disk can be mounted here";
    const auto analyzed =
        runCommand({"unshare", "-rm", "sh", "-c",
                    mount + " && cp -r --no-dereference '" + trace().string() + "' '" + disk.string() +
                        "' && " HOLOS_PROGRAM " analyze --finish '" + (disk / "trace").string() + "'"});
    EXPECT_EQ(analyzed.exitCode, 1);
    EXPECT_THAT(analyzed.output, HasSubstr("cannot be moved into the recording: No space left on device"));
    EXPECT_EQ(analyze().exitCode, 0);
    expectTheWholeRun();
    expectNothingOnTheDisk();
}

TEST_F(LocalEvents, ofARecordingThatIsReplaced_areRemoved) {
    leaveRecordingOnTheDisk();
    const auto recorded = runCommand({HOLOS_PROGRAM, "record", "--force", "-o", trace(), "--", "/bin/true"});
    EXPECT_EQ(recorded.exitCode, 0) << recorded.output;
    expectNothingOnTheDisk();
}

TEST_F(LocalEvents, onADiskThatAVariableNames_areThere) {
    const std::vector<std::string> words{"/usr/bin/env",
                                         "OWN_DISK=" + local().string(),
                                         HOLOS_PROGRAM,
                                         "record",
                                         "--local",
                                         "$OWN_DISK/.",
                                         "-o",
                                         trace(),
                                         "--"};
    StartedCommand command(words + program(), file("output"));
    waitUntilBegun();
    EXPECT_FALSE(fs::is_empty(local()));
    letGo();
    EXPECT_EQ(command.wait(), 0) << command.output();
    expectTheWholeRun();
    expectNothingOnTheDisk();
}

TEST_F(LocalEvents, whereThereIsNoSuchDisk_areInTheRecording_andThatIsSaid) {
    letGo();
    const auto command = record(program(), {"--local", file("nowhere") / "at all"});
    EXPECT_EQ(command->wait(), 0) << command->output();
    EXPECT_EQ(regionsInTrace(), 2 * kRegions);
    EXPECT_EQ(measurement()["lostEvents"], 0);
    EXPECT_THAT(nlohmann::json(notes()).dump(), HasSubstr("(--local: no such folder)"));
}

TEST_F(LocalEvents, inAFolderOfNoFixedPlace_areRefused) {
    const auto command = record(program(), {"--local", "here"});
    EXPECT_EQ(WEXITSTATUS(command->wait()), 2);
    EXPECT_THAT(command->output(), HasSubstr("--local: expected a path that begins with / or $NAME"));
}

/// A link that somebody else put there.
TEST_F(LocalEvents, linkToAnotherFile_isNotFollowed) {
    leaveRecordingOnTheDisk();
    const fs::path other = file("other");
    std::ofstream(other) << "of a user";
    fs::remove(onlyProcess() / "events");
    fs::create_symlink(other, onlyProcess() / "events");
    analyze({"--finish"});
    EXPECT_TRUE(fs::exists(other));
    EXPECT_EQ(fs::file_size(other), std::string("of a user").size());
}

}  // namespace
}  // namespace holos::testing
