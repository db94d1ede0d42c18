// SPDX-License-Identifier: BSD-3-Clause
// Programs that processes start or become: `programs/other_programs.c`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kProgram = HOLOS_PROGRAMS "/other_programs";
constexpr const char* kNobody = "65534";

/// For `setpriv`, before a command that another user runs.
std::vector<std::string> asNobody() {
    return {"setpriv", "--reuid", kNobody, "--regid", kNobody, "--clear-groups"};
}
/// Root alone may become another user, who may have no way to what was built here.
bool mayNobodyRunPrograms() {
    auto command = asNobody();
    command.insert(command.end(), {"test", "-x", kProgram});
    return ::geteuid() == 0 && runCommand(command).exitCode == 0;
}

class OtherPrograms : public ::testing::Test {
  protected:
    OtherPrograms() { fs::permissions(directory_.path(), fs::perms::all); }

    fs::path run() const { return directory_.path() / "run"; }
    /// The output of `holos record` behind `before`.
    std::string said(const std::vector<std::string>& command,
                     const std::vector<std::string>& before = {}) const {
        std::vector<std::string> words = before;
        for (const std::string& word : {std::string(HOLOS_PROGRAM), std::string("record"), std::string("-o"),
                                        run().string(), std::string("--")})
            words.push_back(word);
        words.insert(words.end(), command.begin(), command.end());
        return runCommand(words).output;
    }
    std::size_t timesReached() const {
        std::size_t times = 0;
        for (const auto& [location, events] : recordedEvents(run()))
            times += with(events, {"ENTER reached"}).size();
        return times;
    }

    nlohmann::json measurement() const {
        std::ifstream file(run() / "measurement.json");
        return nlohmann::json::parse(file);
    }
    std::string processesLaw() const {
        const nlohmann::json all = measurement();
        for (const auto& law : all["laws"])
            if (law["law"] == "processes") return law["says"];
        return "";
    }

    TemporaryDirectory directory_;
};

TEST_F(OtherPrograms, startedInAnyWayWithAnotherPreload_areRecorded) {
    said({kProgram, "ways"});
    EXPECT_EQ(timesReached(), 11);
}

TEST_F(OtherPrograms, ofAScriptThatPreloadsItsOwn_areRecorded) {
    said({"sh", "-c", std::string("LD_PRELOAD=libm.so.6 exec ") + kProgram + " reached"});
    EXPECT_EQ(timesReached(), 1);
}

TEST_F(OtherPrograms, ofAProcessThatLeavesTheRunByItself_areNotRecorded) {
    const std::string output = said({"sh", "-c", std::string("env -u LD_PRELOAD ") + kProgram + " reached"});
    EXPECT_THAT(output, HasSubstr("nothing was recorded"));
    EXPECT_THAT(output, Not(HasSubstr("statically"))) << "it is not";
}

TEST_F(OtherPrograms, thatIsStaticallyLinked_isNamedWithTheReason) {
    EXPECT_THAT(said({"sh", "-c", "cd /; " HOLOS_PROGRAMS "/static_program"}),
                HasSubstr("static_program is statically linked"));
}

TEST_F(OtherPrograms, withoutTheRecorder_areCountedWithTheReason) {
    said({"sh", "-c",
          HOLOS_PROGRAMS "/static_program; env -u LD_PRELOAD true; " HOLOS_PROGRAMS
                         "/other_programs reached; exit 3"});
    EXPECT_EQ(
        processesLaw(),
        "4 processes started, 1 recorded, 3 not: 1 of shells, launchers and the like (sh), 1 ran a program "
        "that is statically linked (static_program), 1 ran without the recorder in their environment "
        "(true)");
    EXPECT_EQ(measurement()["ends"],
              "The command sh exited with code 3; the program other_programs exited with code 0");
}

/// Two of its children do not become a program themselves, but start one.
TEST_F(OtherPrograms, startedInAnyWayWithoutTheRecorder_areCounted) {
    said({kProgram, "bare"});
    EXPECT_EQ(timesReached(), 1);
    EXPECT_EQ(
        processesLaw(),
        "14 processes started, 1 recorded, 13 not: 2 forked, and seen to run no program, 11 ran without "
        "the recorder in their environment (other_programs)");
}

/// The child is process 1 there, as the first process of another one may be.
TEST_F(OtherPrograms, forkedIntoANamespaceOfItsOwn_isNoted) {
    const auto ran = runCommand({HOLOS_PROGRAM, "record", "-o", run().string(), "--", kProgram, "numbers"});
    if (ran.exitCode == 77) GTEST_SKIP() << "no namespaces of process numbers here";
    EXPECT_EQ(ran.exitCode, 0) << ran.output;
    EXPECT_THAT(ran.output, HasSubstr("1 forked process was not recorded"));
}

/// `root`: with a program that succeeds when nothing is to be preloaded, also in place of the shell.
class OtherRoot : public OtherPrograms {
  protected:
    OtherRoot() {
        fs::create_directories(root() / "bin");
        fs::copy_file(HOLOS_PROGRAMS "/inside_other_root", root() / "inside");
        fs::copy_file(HOLOS_PROGRAMS "/inside_other_root", root() / "bin/sh");
    }
    fs::path root() const { return directory_.path() / "root"; }
    /// Records `command`, which makes it the root folder; false where it may not.
    bool isRecorded(const std::vector<std::string>& command) const {
        std::vector<std::string> words{HOLOS_PROGRAM, "record", "-o", run().string(), "--"};
        words.insert(words.end(), command.begin(), command.end());
        const auto ran = runCommand(words);
        if (ran.exitCode == 77) return false;
        EXPECT_EQ(ran.exitCode, 0) << ran.output;
        EXPECT_THAT(ran.output, Not(HasSubstr("ld.so")));
        return true;
    }
};

class StartedBelow : public OtherRoot, public ::testing::WithParamInterface<const char*> {};

TEST_P(StartedBelow, anotherRoot_isCounted_andTheSystemDoesNotComplain) {
    if (!isRecorded({HOLOS_PROGRAMS "/other_root", GetParam(), root().string()}))
        GTEST_SKIP() << "the root folder cannot be another one here";
    EXPECT_EQ(
        processesLaw(),
        "2 processes started, 1 recorded, 1 not: 1 could not be noted at the start, as below another root "
        "folder (chroot) or by another user");
}

INSTANTIATE_TEST_SUITE_P(Ways, StartedBelow, ::testing::Values("fork", "vfork", "spawn", "system", "popen"),
                         [](const auto& test) { return test.param; });

TEST_F(OtherRoot, ofAProgramThatBecomesAnother_isNamedAsTheReason) {
    if (!isRecorded({HOLOS_PROGRAMS "/other_root", "become", root().string()}))
        GTEST_SKIP() << "the root folder cannot be another one here";
    EXPECT_THAT(
        measurement().dump(),
        HasSubstr("inside, which left no recording: it could not reach the recorder's files, as below "
                  "another root folder (chroot)"));
}

TEST_F(OtherRoot, ofTheCommand_isNamedAsTheReason) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root may call chroot";
    const auto ran = runCommand(
        {HOLOS_PROGRAM, "record", "-o", run().string(), "--", "chroot", root().string(), "/inside"});
    EXPECT_THAT(ran.output, Not(HasSubstr("ld.so")));
    EXPECT_THAT(ran.output, HasSubstr("could not reach the recorder's files")) << ran.exitCode;
}

TEST_F(OtherPrograms, withAnotherPreloadInFrontOfTheRecorders_areRecorded) {
    said({"sh", "-c", std::string("LD_PRELOAD=libm.so.6:$LD_PRELOAD exec ") + kProgram + " ways"});
    EXPECT_EQ(timesReached(), 11);
}

/// The shell keeps its number while it becomes the program.
TEST_F(OtherPrograms, behindMoreThanAThousandOthersOfTheProcess_isRecorded) {
    said({"sh", "-c",
          std::string("all=$(seq -f \"$HOLOS_RECORDING/$(hostname).$$.%g\" 0 1010); mkdir $all; "
                      "for one in $all; do : > $one/definitions; done; exec ") +
              kProgram + " reached"});
    EXPECT_EQ(timesReached(), 1);
}

TEST_F(OtherPrograms, ofAProcessThatMayNotWriteTheRecording_isNamedWithTheReason) {
    if (!mayNobodyRunPrograms()) GTEST_SKIP() << "no other user can be had here";
    fs::permissions(directory_.path(), fs::perms::owner_all);
    fs::permissions(directory_.path(), fs::perms::others_exec | fs::perms::others_read,
                    fs::perm_options::add);
    const std::string output = said({kProgram, "user", kNobody});
    EXPECT_THAT(
        output,
        HasSubstr("other_programs, which left no recording: it ran as user 65534, who may not write"));
    EXPECT_EQ(timesReached(), 1) << "before it became another user";
}

/// It may not write that it started, either.
TEST_F(OtherPrograms, ofTheChildOfSuchAProcess_isNamed) {
    if (!mayNobodyRunPrograms()) GTEST_SKIP() << "no other user can be had here";
    fs::permissions(directory_.path(), fs::perms::owner_all);
    fs::permissions(directory_.path(), fs::perms::others_exec | fs::perms::others_read,
                    fs::perm_options::add);
    EXPECT_THAT(said({kProgram, "user's child", kNobody}), HasSubstr("a forked child was not recorded"));
    EXPECT_EQ(timesReached(), 1) << "before it became another user";
}

TEST_F(OtherPrograms, underAUmaskThatTakesEverythingAway_areRecorded) {
    if (!mayNobodyRunPrograms()) GTEST_SKIP() << "no other user can be had here";
    const std::string output = said({kProgram, "umask"}, asNobody());
    EXPECT_THAT(output, HasSubstr("2 processes")) << output;
    EXPECT_EQ(timesReached(), 2);
}

TEST_F(OtherPrograms, ofACommandWithSuchAUmask_areRecordedAndHaveIt) {
    if (!mayNobodyRunPrograms()) GTEST_SKIP() << "no other user can be had here";
    auto asUser = asNobody();
    asUser.insert(asUser.end(), {"sh", "-c", "umask 0222; exec \"$@\"", "sh"});
    const std::string output =
        said({"sh", "-c", std::string("umask; exec ") + kProgram + " reached"}, asUser);
    EXPECT_THAT(output, ::testing::StartsWith("0222")) << output;
    EXPECT_EQ(timesReached(), 1);
}

}  // namespace
}  // namespace holos::testing
