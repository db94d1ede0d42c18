// SPDX-License-Identifier: BSD-3-Clause
// Disks that take what is written and lose it later (`late_disk.c`): recordings on them say what is missing,
// and commands whose results do not come to them fail.
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "tests/fault/started_command.h"
#include "tests/support/command.h"
#include "tests/support/read_back.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Lt;
using ::testing::Not;

constexpr const char* kNoDisk = "no file system of a user's program (FUSE) can be mounted here";
constexpr long kAll = 200'100;  ///< regions of the program
constexpr const char* kPlenty = "1000000000";

class LateDisk : public ::testing::TestWithParam<std::string> {
  protected:
    void TearDown() override {
        if (HasFailure()) std::fputs(output_.c_str(), stderr);
        unmount();
    }
    /// `kept`: so many bytes come to files that have `name` in theirs. `reports`: how the loss of others is
    /// told, when a file is closed. False where there are no such disks.
    bool mount(const std::string& reports, const std::string& kept, const std::string& name) {
        if (std::string(LATE_DISK).empty()) return false;
        fs::create_directories(disk_);
        fs::create_directories(below_);
        const fs::path said = directory_.path() / "said";
        fs::remove(said);
        program_ = std::make_unique<StartedCommand>(
            std::vector<std::string>{LATE_DISK, disk_, below_, reports, kept, name}, said);
        return becomesTrue([&] {
                   return program_->output().find("there") != std::string::npos || program_->hasEnded();
               }) &&
               !program_->hasEnded();
    }
    void unmount() {
        if (!program_) return;
        program_->send(SIGTERM);
        program_->wait();
        program_.reset();
    }
    /// On the disk, as its file system has it; the exit code.
    int record(const std::vector<std::string>& options = {}) {
        const auto result = runCommand(
            std::vector<std::string>{"env", "HOLOS_STORAGE=", HOLOS_PROGRAM, "record", "-o", folder_} +
            options + std::vector<std::string>{"--", HARSH_PROGRAM, "many"});
        output_ += result.output;
        return result.exitCode;
    }
    nlohmann::json measurement() const {
        std::ifstream file(folder_ / "measurement.json");
        return nlohmann::json::parse(file);
    }
    long works() const {
        const auto events = readBack(folder_ / "traces.otf2");
        return std::ranges::count_if(
            events, [](const std::string& line) { return line.find("enter work") != std::string::npos; });
    }
    std::string notes() const { return measurement()["notes"].dump(); }

    TemporaryDirectory directory_;
    fs::path disk_ = directory_.path() / "disk";
    fs::path below_ = directory_.path() / "below";
    fs::path folder_ = disk_ / "run";
    std::string output_;
    std::unique_ptr<StartedCommand> program_;
};

std::string reasonOf(const std::string& reports) {
    if (reports == "ENOSPC") return "No space left on device";
    if (reports == "EDQUOT") return "Disk quota exceeded";
    return reports == "EIO" ? "Input/output error" : "the file system reported no error";
}

TEST_P(LateDisk, losesEvents_recordingSaysSo) {
    if (!mount(GetParam(), "2000000", "events")) GTEST_SKIP() << kNoDisk;
    EXPECT_EQ(record(), 0);
    EXPECT_THAT(output_, HasSubstr("lost on the way to the disk or on it (" + reasonOf(GetParam())));
    EXPECT_TRUE(measurement()["lostEvents"].is_null());
    EXPECT_TRUE(measurement()["processes"][0]["lostEvents"].is_null());
    EXPECT_THAT(works(), Gt(0));
    EXPECT_THAT(works(), Lt(kAll));
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", folder_});
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
}

TEST_P(LateDisk, losesAllEvents_recordingSaysSo) {
    if (!mount(GetParam(), "0", "events")) GTEST_SKIP() << kNoDisk;
    EXPECT_EQ(record(), 0);
    EXPECT_THAT(output_, HasSubstr("lost on the way to the disk or on it"));
    EXPECT_TRUE(measurement()["lostEvents"].is_null());
    EXPECT_EQ(works(), 0);
}

TEST_P(LateDisk, losesDefinitions_recordingSaysSo) {
    if (!mount(GetParam(), "1000", "definitions")) GTEST_SKIP() << kNoDisk;
    record();
    EXPECT_THAT(output_, HasSubstr("its definitions are not those that it wrote"));
    EXPECT_TRUE(measurement()["lostEvents"].is_null());
}

TEST_P(LateDisk, losesTheStatus_recordingSaysSo) {
    if (!mount(GetParam(), "0", "status")) GTEST_SKIP() << kNoDisk;
    record();
    EXPECT_THAT(output_, HasSubstr("its status is missing"));
    EXPECT_TRUE(measurement()["lostEvents"].is_null());
}

TEST_P(LateDisk, losesWhatAProfileAddedUp_recordingSaysSo) {
    if (!mount(GetParam(), "4096", "events")) GTEST_SKIP() << kNoDisk;
    record({"--profile"});
    EXPECT_THAT(output_, HasSubstr("a damaged part of what it added up was left out"));
    EXPECT_TRUE(measurement()["lostEvents"].is_null());
}

TEST_P(LateDisk, losesTheTrace_recordingStaysAndTheTraceIsMadeLater) {
    if (GetParam() == "nothing") return;  // nobody can know
    if (!mount(GetParam(), "100000", ".evt")) GTEST_SKIP() << kNoDisk;
    EXPECT_NE(record(), 0);
    EXPECT_THAT(output_, HasSubstr(reasonOf(GetParam())));
    EXPECT_TRUE(fs::exists(folder_ / "recording"));
    EXPECT_FALSE(fs::exists(folder_ / "traces.otf2"));
    unmount();
    ASSERT_TRUE(mount("nothing", kPlenty, ""));
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", folder_});
    EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    EXPECT_EQ(works(), kAll);
    EXPECT_EQ(measurement()["lostEvents"], 0);
}

/// For which only the surroundings are those of one that loses something.
class SoundDisk : public LateDisk {};

TEST_P(SoundDisk, losesNothing_recordingIsWholeAndNothingIsSaid) {
    if (!mount(GetParam(), kPlenty, "")) GTEST_SKIP() << kNoDisk;
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{}, {"--write-back", "1ms"}, {"--buffer", "64"}}) {
        fs::remove_all(folder_);
        EXPECT_EQ(record(options), 0);
        EXPECT_EQ(measurement()["lostEvents"], 0);
        EXPECT_EQ(notes(), "[]");
        EXPECT_EQ(works(), kAll);
    }
}

/// Where they are used again, older ones are not missed.
TEST_P(LateDisk, losesEventsOfWhichTheNewestAreKept_recordingSaysSo) {
    for (const std::string& kept : {std::string(kPlenty), std::string("1000000")}) {
        if (!mount(GetParam(), kept, "events")) GTEST_SKIP() << kNoDisk;
        fs::remove_all(folder_);
        output_.clear();
        EXPECT_EQ(record({"--buffer", "0.5", "--when-full", "newest"}), 0);
        const bool isWhole = kept == kPlenty;
        EXPECT_EQ(measurement()["lostEvents"].is_null(), !isWhole) << kept;
        const auto isSaid = HasSubstr("lost on the way to the disk");
        if (isWhole)
            EXPECT_THAT(output_, Not(isSaid));
        else
            EXPECT_THAT(output_, isSaid);
        unmount();
    }
}

/// Written back in between, the error comes early, and ends the recording.
TEST_P(LateDisk, losesEventsThatAreWrittenBack_recordingSaysSo) {
    if (!mount(GetParam(), "2000000", "events")) GTEST_SKIP() << kNoDisk;
    EXPECT_EQ(record({"--write-back", "1ms"}), 0);
    EXPECT_TRUE(measurement()["lostEvents"].is_null() || measurement()["lostEvents"] > 0);
    EXPECT_THAT(output_, AnyOf(HasSubstr("lost on the way to the disk"), HasSubstr("lost events")));
}

/// The result of no command is taken for written, and nothing is left of it under its name.
class ResultsOnALateDisk : public LateDisk {
  protected:
    /// Each with the name of its result.
    struct Command {
        std::vector<std::string> words;
        const char* result = "result.cubex";
    };
    static std::vector<Command> commands(const std::string& run, const std::string& own) {
        const std::string a = own + "/a.cubex", b = own + "/b.cubex";
        std::vector<Command> all = {
            {{"analyze", run}},
            {{"convert", a}},
            {{"convert", a}, "result.cube"},
            {{"cut", a, "--prune", "work"}},
            {{"flatten", a}},
            {{"collapse", a, "--to", "processes"}},
            {{"scale", a, "--factor", "2"}},
            {{"export", a}, "result.csv"},
            {{"report", a, b}, "result.html"},
            {{"report", a, b}, "result.csv"},
            {{"report", a, b}, "result.md"},
            {{"score", a, "--max", "1k"}, "result.filter"},
            {{"plot", run}, "result.svg"},
            {{"plot", run}, "result.csv"},
            {{"predict", run, "--if", "network=ideal"}},
        };
        for (const char* one : {"merge", "mean", "diff", "sum", "min", "max", "stddev"})
            all.push_back({{one, a, b}});
        return all;
    }
};

TEST_P(ResultsOnALateDisk, areNotTakenForWritten) {
    const std::string own = directory_.path();
    const std::string run = own + "/whole";
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "record", "--counters", "ru_minflt", "-o", run, "--", HARSH_PROGRAM,
                          "none"})
                  .exitCode,
              0);
    for (const char* name : {"/a.cubex", "/b.cubex"})
        ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", run, "-o", own + name}).exitCode, 0);
    if (!mount(GetParam(), "0", "")) GTEST_SKIP() << kNoDisk;
    for (const Command& command : commands(run, own)) {
        const std::string& name = command.words.front();
        const fs::path result = disk_ / command.result;
        const auto done = runCommand(std::vector<std::string>{HOLOS_PROGRAM} + command.words +
                                     std::vector<std::string>{"-o", result});
        EXPECT_EQ(done.exitCode, 1) << name << ": " << done.output;
        EXPECT_THAT(done.output, HasSubstr(reasonOf(GetParam()))) << name;
        EXPECT_FALSE(fs::exists(result)) << name;
        EXPECT_TRUE(fs::is_empty(below_)) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Reports, SoundDisk, ::testing::Values("nothing"));
INSTANTIATE_TEST_SUITE_P(Reports, LateDisk, ::testing::Values("ENOSPC", "EDQUOT", "EIO", "nothing"),
                         [](const auto& one) { return one.param; });
INSTANTIATE_TEST_SUITE_P(Reports, ResultsOnALateDisk, ::testing::Values("ENOSPC", "EDQUOT", "EIO"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace holos::testing
