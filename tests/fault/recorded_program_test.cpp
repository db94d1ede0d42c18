// SPDX-License-Identifier: BSD-3-Clause
// Programs that end badly or do things that are hard to record: they behave as without the recorder, and what
// they did until then is in the trace.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/command.h"
#include "tests/support/read_back.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Times without a processor take the room of events: more than a busy machine makes in these few
/// milliseconds.
constexpr std::int64_t kMostShortages = 5'000;

class RecordedProgram : public ::testing::Test {
  protected:
    /// Records the program; its standard output is in `output_`. The limit is for the size of files.
    int record(const std::string& way, rlim_t largestFile = RLIM_INFINITY) {
        const fs::path output = directory_.path() / "output";
        const pid_t child = ::fork();
        if (child == 0) {
            const rlimit limit{largestFile, largestFile};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            ::setenv("HOLOS_STORAGE", "mapped", 1);
            if (std::freopen(output.c_str(), "w", stdout) == nullptr) ::_exit(126);
            ::execl(HOLOS_PROGRAM, "holos", "record", "-o", trace().c_str(), "--", RECORDED_PROGRAM,
                    way.c_str(), nullptr);
            ::_exit(127);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        std::ifstream file(output);
        std::getline(file, output_, '\0');
        return status;
    }

    fs::path trace() const { return directory_.path() / "trace"; }
    std::vector<std::string> events() const { return readBack(trace() / "traces.otf2"); }
    nlohmann::json measurement() const {
        std::ifstream file(trace() / "measurement.json");
        return nlohmann::json::parse(file);
    }
    static std::size_t count(const std::vector<std::string>& lines, const std::string& end) {
        return static_cast<std::size_t>(std::count_if(
            lines.begin(), lines.end(), [&](const std::string& line) { return line.ends_with(end); }));
    }

    TemporaryDirectory directory_;
    std::string output_;
};

TEST_F(RecordedProgram, thatReturns_hasAllEvents_andNothingToNote) {
    const int status = record("return");
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(output_, "output of return\n");
    EXPECT_EQ(count(events(), "enter work"), 100u);
    EXPECT_TRUE(measurement()["notes"].empty());
    EXPECT_TRUE(measurement()["processes"][0]["endedInOrder"]);
    EXPECT_EQ(measurement()["ends"], "The program holos_recorded_program exited with code 0");
    const auto all = measurement();
    for (const auto& law : all["laws"]) EXPECT_TRUE(law["holds"]) << law;
}

TEST_F(RecordedProgram, thatExitsInTheMiddle_keepsItsStatus) {
    EXPECT_EQ(WEXITSTATUS(record("exit")), 7);
    EXPECT_EQ(measurement()["ends"], "The program holos_recorded_program exited with code 7");
    EXPECT_EQ(count(events(), "leave main"), 1u);
    EXPECT_TRUE(measurement()["processes"][0]["endedInOrder"]);
    EXPECT_TRUE(measurement()["notes"].empty());
}

TEST_F(RecordedProgram, thatCalls_exit_keepsItsStatus_andEndsInOrder) {
    EXPECT_EQ(WEXITSTATUS(record("_exit")), 8);
    EXPECT_EQ(output_, "output of _exit\n");
    EXPECT_EQ(measurement()["ends"], "The program holos_recorded_program called _exit with code 8");
    EXPECT_TRUE(measurement()["processes"][0]["endedInOrder"]);
}

TEST_F(RecordedProgram, thatCallsQuickExit_keepsItsStatus_andEndsInOrder) {
    EXPECT_EQ(WEXITSTATUS(record("quick_exit")), 9);
    EXPECT_EQ(measurement()["ends"], "The program holos_recorded_program called quick_exit with code 9");
    EXPECT_EQ(count(events(), "enter work"), 100u);
    EXPECT_TRUE(measurement()["processes"][0]["endedInOrder"]);
}

TEST_F(RecordedProgram, thatIsKilled_leavesWhatItDid) {
    const int status = record("kill");
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
    EXPECT_EQ(output_, "output of kill\n");
    EXPECT_EQ(count(events(), "leave work"), 100u);
    EXPECT_EQ(count(events(), "leave main"), 1u);
    EXPECT_FALSE(measurement()["processes"][0]["endedInOrder"]);
    EXPECT_EQ(measurement()["processes"][0]["end"]["signalName"], "SIGKILL");
    EXPECT_THAT(measurement()["ends"].get<std::string>(),
                ::testing::StartsWith("The program holos_recorded_program was ended by signal 9 (SIGKILL)"));
    EXPECT_EQ(count(events(), "enter NO MORE EVENTS"), 1u);
    EXPECT_THAT(measurement()["notes"][0].get<std::string>(),
                HasSubstr("Process stopped in main after main / work @recorded_program.c:"));
    EXPECT_THAT(measurement()["notes"].dump(), HasSubstr("did not end normally"));
}

TEST_F(RecordedProgram, thatAborts_leavesWhatItDid) {
    const int status = record("abort");
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGABRT);
    EXPECT_EQ(count(events(), "enter work"), 100u);
}

TEST_F(RecordedProgram, withThreads_hasALocationForEach) {
    EXPECT_EQ(record("threads"), 0);
    EXPECT_EQ(measurement()["locations"], 4);
    EXPECT_EQ(count(events(), "enter work"), 130u);
    EXPECT_EQ(count(events(), "enter threadWork"), 3u);
}

TEST_F(RecordedProgram, thatForks_recordsTheParentOnly) {
    EXPECT_EQ(record("fork"), 0);
    EXPECT_EQ(count(events(), "enter work"), 100u);
    EXPECT_EQ(measurement()["processes"].size(), 1u);
}

TEST_F(RecordedProgram, whoseChildExits_isNotEndedByIt) {
    EXPECT_EQ(record("fork and exit"), 0);
    EXPECT_EQ(count(events(), "enter work"), 150u);
    EXPECT_EQ(count(events(), "leave main"), 1u);
    EXPECT_EQ(measurement()["processes"].size(), 1u);
    EXPECT_EQ(measurement()["locations"], 1);
    EXPECT_TRUE(measurement()["processes"][0]["endedInOrder"]);
    EXPECT_THAT(measurement()["notes"], ::testing::ElementsAre("process 0: a forked child was not recorded"));
    EXPECT_EQ(measurement()["laws"][0]["says"],
              "2 processes started, 1 recorded, 1 not: 1 forked, and seen to run no program");
}

TEST_F(RecordedProgram, withAThreadThatOutlivesMain_endsInOrder) {
    EXPECT_EQ(record("late thread"), 0);
    EXPECT_EQ(output_, "output of late thread\n");
    EXPECT_GT(count(events(), "enter work"), 100u);
    EXPECT_EQ(count(events(), "enter work"), count(events(), "leave work"));
    EXPECT_EQ(count(events(), "leave workForever"), 1u);
    EXPECT_TRUE(measurement()["processes"][0]["endedInOrder"]);
    EXPECT_TRUE(measurement()["notes"].empty());
}

TEST_F(RecordedProgram, thatExitsInAThread_keepsItsStatus_andAllRegionsEnd) {
    EXPECT_EQ(WEXITSTATUS(record("exit in thread")), 9);
    EXPECT_EQ(count(events(), "enter work"), 110u);
    EXPECT_EQ(count(events(), "leave main"), 1u);
    EXPECT_EQ(count(events(), "leave exitHere"), 1u);
    EXPECT_TRUE(measurement()["processes"][0]["endedInOrder"]);
}

TEST_F(RecordedProgram, thatRunsAnother_recordsBothPrograms) {
    EXPECT_EQ(record("exec"), 0);
    EXPECT_EQ(output_, "output of exec\noutput of exit\n");
    EXPECT_EQ(count(events(), "enter work"), 200u);
    EXPECT_EQ(measurement()["processes"].size(), 2u);
}

TEST_F(RecordedProgram, withoutRoomForItsEvents_runsOn_andTheLossIsCounted) {
    // 200,100 regions need 6.4 MB; the files may have 1 MiB
    EXPECT_EQ(record("many", 1024 * 1024), 0);
    EXPECT_EQ(output_, "output of many\n");
    const auto facts = measurement();
    EXPECT_TRUE(facts["processes"][0]["endedInOrder"]);
    EXPECT_THAT(facts["notes"].dump(), HasSubstr("could not record to the end: File too large"));
    // of the records of two words each, 4 × 256 KiB hold 65,532 beside the number of the location, of which 3
    // are of the changes between them, and one in each tells the processor; so do times without one
    EXPECT_GE(facts["lostEvents"], 2 * 200'100 + 2 - 65'525);
    EXPECT_LE(facts["lostEvents"], 2 * 200'100 + 2 - 65'525 + kMostShortages);
    EXPECT_EQ(count(events(), "leave main"), 1u);
}

TEST_F(RecordedProgram, likeAnotherRun_hasItsSettings_butWhereAnOptionSaysOtherwise) {
    const std::vector<std::string> recordTo{HOLOS_PROGRAM, "record", "--force", "-o"};
    const std::vector<std::string> program{"--", RECORDED_PROGRAM, "return"};
    const fs::path first = directory_.path() / "first";
    const auto recorded =
        runCommand(recordTo +
                   std::vector<std::string>{first, "--call-paths", "none", "--polls", "each", "--locks",
                                            "each", "--throttle", "7", "--write-back", "1s",
                                            "--when-disk-low", "stop", "--disk-reserve", "1M"} +
                   program);
    ASSERT_EQ(recorded.exitCode, 0) << recorded.output;
    const auto again = runCommand(
        recordTo + std::vector<std::string>{trace(), "--like", first, "--throttle", "8"} + program);
    ASSERT_EQ(again.exitCode, 0) << again.output;
    const nlohmann::json settings = measurement()["settings"];
    EXPECT_EQ(settings["call-paths"], "none");
    EXPECT_EQ(settings["polls"], "each");
    EXPECT_EQ(settings["locks"], "each");
    EXPECT_EQ(settings["throttle"], 8);
    EXPECT_EQ(settings["write-back"], 1e9);
    EXPECT_EQ(settings["when-disk-low"], "stop");
    EXPECT_EQ(settings["disk-reserve"], 1 << 20);
    EXPECT_EQ(settings["when-full"], "stop");
}

TEST_F(RecordedProgram, withASmallBuffer_stopsOrKeepsTheNewest) {
    const auto recordSmall = [&](const std::string& whenFull) {
        const auto result = runCommand({HOLOS_PROGRAM, "record", "--force", "-o", trace(), "--buffer", "0.5",
                                        "--when-full", whenFull, "--", RECORDED_PROGRAM, "many"});
        EXPECT_EQ(result.exitCode, 0) << result.output;
        return result.output;
    };
    recordSmall("stop");  // two chunks of 16,383 records, of which one is of the change between them, and two
                          // tell the processor; so do times without one
    EXPECT_GE(measurement()["lostEvents"], 2 * 200'100 + 2 - 32'763);
    EXPECT_LE(measurement()["lostEvents"], 2 * 200'100 + 2 - 32'763 + kMostShortages);
    EXPECT_EQ(measurement()["recordedPart"]["whenFull"], "stop");
    EXPECT_EQ(count(events(), "enter main"), 1u);

    EXPECT_THAT(recordSmall("newest"), HasSubstr("only its newest events were kept"));
    EXPECT_EQ(measurement()["lostEvents"], 0);
    const auto newest = events();
    EXPECT_EQ(count(newest, "enter main"), 0u);
    EXPECT_GT(newest.size(), 16'384u);
    EXPECT_LT(newest.size(), 32'766u);
    EXPECT_TRUE(newest[newest.size() - 2].ends_with("leave work")) << newest[newest.size() - 2];
}

/// On a disk of 1 MiB, which is there for one command only.
TEST_F(RecordedProgram, onAFullDisk_runsOn_andTheTraceIsMadeLater) {
    const std::string disk = directory_.path() / "disk";
    const std::string outside = directory_.path() / "outside";
    fs::create_directories(disk);
    fs::create_directories(outside);
    const std::string mount = "mount -t tmpfs -o size=1m none '" + disk + "'";
    if (runCommand({"unshare", "-rm", "sh", "-c", mount}).exitCode != 0)
        GTEST_SKIP() << "no disk can be mounted here";
    const auto recorded = runCommand({"unshare", "-rm", "sh", "-c",
                                      mount + " && " HOLOS_PROGRAM " record --disk-reserve 0 -o '" + disk +
                                          "/trace' -- " RECORDED_PROGRAM " many; cp -r '" + disk +
                                          "/trace' '" + outside + "'"});
    EXPECT_THAT(recorded.output, HasSubstr("output of many\n"));
    EXPECT_THAT(recorded.output, HasSubstr("No space left on device"));
    EXPECT_THAT(recorded.output, HasSubstr("makes the trace later"));
    EXPECT_THAT(recorded.output, ::testing::Not(HasSubstr("[OTF2]")));
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", outside + "/trace"});
    EXPECT_EQ(analyzed.exitCode, 0);
    EXPECT_THAT(analyzed.output, HasSubstr("could not record to the end: No space left on device"));
    EXPECT_TRUE(fs::exists(outside + "/trace/analysis.cubex"));
}

/// What a lost node leaves is what was written to the disk.
TEST_F(RecordedProgram, writtenBackInBetween_hasAllItsFilesOnTheDisk) {
    const fs::path notes = directory_.path() / "syncs";
    const auto result =
        runCommand({"env", "NOTED_SYNCS=" + notes.string(), "LD_PRELOAD=" NOTED_SYNCS, HOLOS_PROGRAM,
                    "record", "--write-back", "2ms", "-o", trace(), "--", RECORDED_PROGRAM, "syncs"});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_EQ(count(events(), "enter work"), 100u);
    EXPECT_TRUE(measurement()["notes"].empty());
    std::ifstream file(notes);
    const std::string written{std::istreambuf_iterator<char>(file), {}};
    for (const char* name : {"/events\n", "/definitions\n", "/status\n"})
        EXPECT_THAT(written, HasSubstr(name));
}

TEST_F(RecordedProgram, inAFolderOfAnotherTrace_isNotStarted) {
    record("return");
    const int status = record("kill");
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 1);
    EXPECT_EQ(output_, "");
}

TEST(RecordedCommand, withAddressSanitizer_isRecorded) {
    const TemporaryDirectory directory;
    const auto result = runCommand({HOLOS_PROGRAM, "record", "-o", directory.path() / "trace", "--",
                                    RECORDED_WITH_ADDRESS_SANITIZER, "threads"});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("4 locations"));
}

TEST(RecordedCommand, withThreadSanitizer_runsUnrecorded) {
    const TemporaryDirectory directory;
    const auto result = runCommand({HOLOS_PROGRAM, "record", "-o", directory.path() / "trace", "--",
                                    RECORDED_WITH_THREAD_SANITIZER, "threads"});
    EXPECT_THAT(result.output, StartsWith("output of threads\nholos: nothing was recorded"));
    EXPECT_THAT(result.output, HasSubstr("-fsanitize=thread"));
    EXPECT_THAT(result.output, Not(HasSubstr("makes the trace later")));
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "trace"));
}

TEST(RecordedCommand, conditionWithThreadSanitizer_nothingIsReported) {
    const TemporaryDirectory directory;
    const auto result = runCommand({HOLOS_PROGRAM, "record", "-o", directory.path() / "trace", "--",
                                    RECORDED_WITH_THREAD_SANITIZER, "condition"});
    EXPECT_THAT(result.output, StartsWith("output of condition\nholos: nothing was recorded"));
}

TEST(RecordedCommand, failsBeforeAProgramRuns_leavesNoFolder) {
    const TemporaryDirectory directory;
    const auto result = runCommand({HOLOS_PROGRAM, "record", "-o", directory.path() / "trace", "--", "env",
                                    "--unset=LD_PRELOAD", "false"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, AllOf(StartsWith("holos: nothing was recorded"), HasSubstr("shells")));
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "trace"));
}

TEST(RecordedCommand, folderThatTakesNoFiles_reasonIsSaidAndNoFolderLeft) {
    const TemporaryDirectory directory;
    const std::string record =
        std::string(HOLOS_PROGRAM) + " record -o '" + (directory.path() / "trace").string() + "' -- true";
    const auto result = runCommand({"bash", "-c", "trap '' XFSZ; ulimit -f 0; exec " + record});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("cannot be written: File too large"));
    EXPECT_FALSE(fs::exists(directory.path() / "trace"));
}

TEST(RecordedCommand, thatDoesNotExist_isAnError) {
    const auto result = runCommand({HOLOS_PROGRAM, "record", "--", "/no/such/program"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("no such program"));
}

/// What is said of a file with this text instead of a program. No folder is left.
std::string refusalOf(const std::string& text, bool isExecutable = true) {
    const TemporaryDirectory directory;
    const fs::path file = directory.path() / "file";
    std::ofstream(file) << text;
    fs::permissions(file, isExecutable ? fs::perms::owner_all : fs::perms::owner_read);
    const auto result =
        runCommand({HOLOS_PROGRAM, "record", "-o", directory.path() / "trace", "--", file.string()});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_FALSE(fs::exists(directory.path() / "trace"));
    return result.output;
}

TEST(RecordedCommand, thatIsNoProgram_isRefusedWithTheReason) {
    EXPECT_THAT(refusalOf("#!/no/such/shell -e\n"),
                HasSubstr("its first line asks for /no/such/shell, which does not exist"));
    EXPECT_THAT(refusalOf("#!/bin/sh\r\ntrue\r\n"),
                HasSubstr("its first line asks for /bin/sh and ends with a carriage return"));
    EXPECT_THAT(refusalOf("true\n"), HasSubstr("nor a script that begins with #!"));
    EXPECT_THAT(refusalOf("#!/bin/sh\n", false), HasSubstr("is not executable (chmod +x"));
    const auto folder = runCommand({HOLOS_PROGRAM, "record", "--", "/"});
    EXPECT_THAT(folder.output, HasSubstr("is a folder, not a program"));
}

TEST(RecordedCommand, optionWithoutItsValue_isRefusedBeforeTheProgramIsLookedFor) {
    const auto output = runCommand({HOLOS_PROGRAM, "record", "-o", "--", "/no/such/program"});
    EXPECT_EQ(output.exitCode, 2);
    EXPECT_THAT(output.output, HasSubstr("--output: expected a folder, not '--'"));
    const auto sample = runCommand({HOLOS_PROGRAM, "record", "--sample", "-o", "x", "/no/such/program"});
    EXPECT_EQ(sample.exitCode, 2);
    EXPECT_THAT(sample.output, HasSubstr("--sample: expected a time"));
}

TEST(RecordedCommand, nothingRecordedInAFolderWithSpaces_hintCanBeTyped) {
    const TemporaryDirectory directory;
    const std::string trace = directory.path() / "two words";
    const auto result =
        runCommand({HOLOS_PROGRAM, "record", "-o", trace, "--", "env", "--unset=LD_PRELOAD", "true"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("holos analyze '" + trace + "'"));
}

TEST(RecordedCommand, withUnknownCounter_isAnErrorBeforeItRuns) {
    const TemporaryDirectory directory;
    const auto result = runCommand({HOLOS_PROGRAM, "record", "-o", directory.path() / "x", "--counters",
                                    "no-such-counter", "--", RECORDED_PROGRAM});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("no such counter"));
    EXPECT_FALSE(fs::exists(directory.path() / "x"));
}

TEST(RecordedCommand, withUnknownEventInASet_recordsItUnderItsOtherName) {
    const TemporaryDirectory directory;
    const std::string specification = directory.path() / "own.spec";
    std::ofstream(specification) << "aggroup S = UNKNOWN ru_nvcsw\nalias UNKNOWN = UNKNOWN_TOO ru_minflt\n";
    const auto result = runCommand({HOLOS_PROGRAM, "record", "-o", directory.path() / "x", "--set", "S",
                                    "--spec", specification, "--", RECORDED_PROGRAM, "return"});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    std::ifstream measurement(directory.path() / "x" / "measurement.json");
    const auto counters = nlohmann::json::parse(measurement).at("counters");
    EXPECT_EQ(counters, nlohmann::json({"ru_minflt", "ru_nvcsw"}));
}

TEST(RecordedByAnIncompleteInstallation, programDoesNotBegin_andNoFolderIsLeft) {
    const TemporaryDirectory directory;
    const fs::path program = fs::canonical(HOLOS_PROGRAM);
    fs::create_directories(directory.path() / "bin");
    fs::create_directories(directory.path() / "lib");
    fs::copy_file(program, directory.path() / "bin/holos");
    for (const auto& entry : fs::directory_iterator(program.parent_path().parent_path() / "lib"))
        if (entry.path().filename() != "libholos-exceptions.so")
            fs::create_symlink(entry.path(), directory.path() / "lib" / entry.path().filename());
    const auto ran = runCommand({directory.path() / "bin/holos", "record", "-o", directory.path() / "run",
                                 "--", "touch", directory.path() / "began"});
    EXPECT_EQ(ran.exitCode, 1);
    EXPECT_THAT(ran.output, AllOf(HasSubstr("libholos-exceptions.so is not in"),
                                  HasSubstr("the installation is incomplete")));
    EXPECT_FALSE(fs::exists(directory.path() / "run"));
    EXPECT_FALSE(fs::exists(directory.path() / "began"));
}

}  // namespace
}  // namespace holos::testing
