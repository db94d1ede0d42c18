// SPDX-License-Identifier: BSD-3-Clause
// holos campaign, with programs that need no MPI; tests/examples/campaign_test.cpp has one that does.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>

#include <fstream>

#include "base/descriptor.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

class Campaign : public ::testing::Test {
  protected:
    CommandResult campaign(const Words& options, const Words& program = {}) const {
        Words words{HOLOS_PROGRAM, "campaign", "--spec", "linux-software"};
        if (!program.empty()) words = words + Words{"-o", folder().string()};
        words = words + options;
        return runCommand(program.empty() ? words : words + Words{"--"} + program);
    }
    fs::path folder() const { return directory_.path() / "study"; }
    std::string textOf(const char* file) const {
        std::ifstream in(folder() / file);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    TemporaryDirectory directory_;
};

const Words kFaults{"--want", "MINOR_FAULTS,VOLUNTARY_SWITCHES", "--registers", "1"};

TEST_F(Campaign, sizes_haveFoldersOfTheirOwnAndAStudy) {
    const Words sizes{"--want", "MINOR_FAULTS", "--sizes", "1,3"};
    const auto plan = campaign(sizes + Words{"--dry-run"}, {"sh", "@SIZE@", "c=@SIZE@"});
    EXPECT_THAT(plan.output, AllOf(HasSubstr("Size 1: sh 1 c=1"), HasSubstr("size-3/run-01")));
    EXPECT_THAT(campaign(sizes + Words{"--dry-run"}, {"sh", "-n", "4", "./app", "-n", "9"}).output,
                HasSubstr("Size 3: sh -n 3 ./app -n 9"));
    for (const char* list : {"1,x", "1,2,1", "1,0"}) {
        const auto refused = campaign({"--sizes", list}, {"sh", "@SIZE@"});
        EXPECT_EQ(refused.exitCode, 2) << list;
        EXPECT_THAT(refused.output, Not(HasSubstr("Size 1"))) << "nothing has run";
    }
    const auto wrong = campaign(sizes, {"sh", "x"});
    EXPECT_EQ(wrong.exitCode, 2);
    EXPECT_THAT(wrong.output, HasSubstr("write @SIZE@ in the command"));
}

TEST_F(Campaign, dryRun_printsPlanAndCommandsAndDoesNothing) {
    const auto result = campaign(kFaults + Words{"--dry-run", "--repeat", "2"}, {"sh", "-c", "exit 3"});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, AllOf(HasSubstr("4 runs (2 measurements, 2 times each)"),
                                     HasSubstr("run-04.refused.json --counters ru_nvcsw -- sh -c 'exit 3'"),
                                     HasSubstr("holos analyze --spec")));
    EXPECT_FALSE(fs::exists(folder()));
}

/// Each run touches a megabyte more than the one before.
TEST_F(Campaign, totalThatIsNotKnownWell_isMeasuredAgainAsOftenAsAllowed) {
    const std::string number = (directory_.path() / "number").string();
    const std::string script = "i=$(($(cat " + number + " 2>/dev/null || echo 0) + 1)); echo $i >" + number +
                               "; dd if=/dev/zero of=/dev/null bs=${i}M count=1 2>/dev/null";
    const auto result =
        campaign({"--want", "MINOR_FAULTS", "--within", "1", "--most", "3"}, {"sh", "-c", script});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_TRUE(fs::exists(folder() / "run-03"));
    EXPECT_FALSE(fs::exists(folder() / "run-04"));
    EXPECT_THAT(result.output, HasSubstr("% only, after 3 runs"));
}

TEST_F(Campaign, profiles_leaveNoTraceButTheFirstUnlessAllAreProfiles) {
    const Words sleep{"sleep", "0.01"};
    for (const bool all : {false, true}) {
        const auto result = campaign(kFaults + (all ? Words{"--profile", "--force"} : Words{}), sleep);
        ASSERT_EQ(result.exitCode, 0) << result.output;
        EXPECT_EQ(fs::exists(folder() / "run-01/traces.otf2"), !all);
        EXPECT_EQ(fs::exists(folder() / "run-01/profile.cubex"), all);
        EXPECT_FALSE(fs::exists(folder() / "run-02/traces.otf2"));
        EXPECT_TRUE(fs::exists(folder() / "run-02/profile.cubex"));
        const auto shown = runCommand({HOLOS_PROGRAM, "show", folder() / "campaign.cubex"});
        EXPECT_THAT(shown.output, AllOf(HasSubstr("MINOR_FAULTS"), HasSubstr("VOLUNTARY_SWITCHES")));
    }
}

TEST_F(Campaign, multiplexedRun_isComparedAndIsNoPartOfTheResult) {
    const auto result = campaign(kFaults + Words{"--compare-multiplexed"}, {"sleep", "0.01"});
    ASSERT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, AllOf(HasSubstr("2 runs, and one of all events at once\n"),
                                     HasSubstr("multiplexing.csv: 2 events\n")));
    EXPECT_THAT(textOf("multiplexing.csv"),
                AllOf(HasSubstr("\nminor-faults,occ,"), HasSubstr("\nru_nvcsw,occ,")));
    EXPECT_THAT(textOf("variation.csv"), Not(HasSubstr("minor-faults"))) << "it was measured once";
}

TEST_F(Campaign, failingProgram_isReportedWithItsOutputAndTriedAgainLater) {
    const Words program{"sh", "-c", "echo no luck; exit 3"};
    for (const char* name : {"run-01", "run-03"}) {
        const auto result = campaign(kFaults, program);
        EXPECT_EQ(result.exitCode, 1);
        EXPECT_THAT(result.output, AllOf(HasSubstr(std::string(name) + " ended with exit status 3"),
                                         HasSubstr("no run finished")));
        EXPECT_THAT(textOf((std::string(name) + ".txt").c_str()), HasSubstr("no luck"));
    }
}

TEST_F(Campaign, folderOfAnotherCommand_isRefused) {
    campaign(kFaults, {"sh", "-c", "exit 3"});
    const auto result = campaign(kFaults, {"sh", "-c", "exit 4"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("is a campaign of another command (sh -c 'exit 3')"));
}

TEST_F(Campaign, another_replacesTheFirstOnlyByForce) {
    campaign(kFaults, {"sh", "-c", "echo first; exit 3"});
    const Words second{"sh", "-c", "exit 4"};
    EXPECT_EQ(campaign(kFaults, second).exitCode, 1);
    EXPECT_THAT(textOf("run-01.txt"), HasSubstr("first"));
    const auto replaced = campaign(kFaults + Words{"--force"}, second);
    EXPECT_THAT(replaced.output, HasSubstr("run-01 ended with exit status 4"));
    EXPECT_THAT(textOf("run-01.txt"), Not(HasSubstr("first")));
}

TEST_F(Campaign, resultsOfOneThatNothingIsKnownOf_areNotReplaced) {
    fs::create_directories(folder() / "run-01");
    std::ofstream(folder() / "run-01" / "traces.otf2") << "precious";
    std::ofstream(folder() / "notes.txt") << "mine";
    const auto refused = campaign(kFaults, {"sh", "-c", "exit 3"});
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_THAT(refused.output, HasSubstr("has run-01, which no campaign is known to have made"));
    EXPECT_EQ(campaign(kFaults + Words{"--force"}, {"sh", "-c", "exit 3"}).exitCode, 1);
    EXPECT_EQ(textOf("run-01/traces.otf2"), "precious");
    EXPECT_EQ(textOf("notes.txt"), "mine");
    EXPECT_FALSE(fs::exists(folder() / "campaign.json"));
}

TEST_F(Campaign, damagedState_isToldInWordsOfHolos) {
    fs::create_directories(folder());
    std::ofstream(folder() / "campaign.json") << "{}";
    const auto refused = campaign(kFaults, {"true"});
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_THAT(refused.output, AllOf(HasSubstr("campaign.json: is not what a campaign writes"),
                                      Not(HasSubstr("json.exception"))));
}

TEST_F(Campaign, filesOfOthersAmongItsOwn_stayByForceToo) {
    campaign(kFaults, {"false"});
    std::ofstream(folder() / "run-07.txt") << "mine";
    const auto refused = campaign(kFaults + Words{"--force"}, {"true"});
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_THAT(refused.output, HasSubstr("has run-07.txt"));
    EXPECT_EQ(textOf("run-07.txt"), "mine");
    EXPECT_TRUE(fs::exists(folder() / "run-01"));
    fs::remove(folder() / "run-07.txt");
    std::ofstream(folder() / "run-01" / "traces" / "notes.txt") << "mine";
    EXPECT_THAT(campaign(kFaults + Words{"--force"}, {"true"}).output, HasSubstr("traces/notes.txt"));
    EXPECT_EQ(textOf("run-01/traces/notes.txt"), "mine");
}

TEST_F(Campaign, whileAnotherWorksInTheFolder_isRefused) {
    const Words program{"sh", "-c", "exit 3"};
    campaign(kFaults, program);
    const Descriptor other(::open((folder() / ".holos-campaign-lock").c_str(), O_RDWR | O_CREAT, 0600));
    ASSERT_EQ(::flock(other.number(), LOCK_EX | LOCK_NB), 0);
    for (const Words& options : {Words{}, Words{"--force"}}) {
        const auto result = campaign(kFaults + options, program);
        EXPECT_EQ(result.exitCode, 1);
        EXPECT_THAT(result.output, HasSubstr("another holos campaign works in this folder"));
    }
}

TEST_F(Campaign, template_makesOneScriptPerRunAndNoneTwice) {
    const fs::path file = directory_.path() / "template.sh";
    std::ofstream(file) << "#!/bin/sh\n#SBATCH --job-name=@NAME@\n@RECORD@\n";
    const auto result = campaign(kFaults + Words{"--template", file.string()}, {"./app"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("./app: no such program"));
    const auto scripts = campaign(kFaults + Words{"--template", file.string()}, {"sh", "-c", "exit 3"});
    EXPECT_EQ(scripts.exitCode, 0) << scripts.output;
    EXPECT_THAT(textOf("run-02.sh"),
                AllOf(HasSubstr("--job-name=run-02\n"), HasSubstr("-- sh -c 'exit 3' > ")));
    const auto again = campaign(kFaults + Words{"--template", file.string()}, {"sh", "-c", "exit 3"});
    EXPECT_THAT(again.output, Not(HasSubstr("run-03.sh")));

    const auto early = runCommand({HOLOS_PROGRAM, "campaign", "--collect", folder().string()});
    EXPECT_EQ(early.exitCode, 1);
    EXPECT_THAT(early.output, AllOf(HasSubstr("run-01 has not ended"), HasSubstr("run-02 has not ended")));
    ASSERT_EQ(runCommand({"sh", (folder() / "run-01.sh").string()}).exitCode, 0);
    const auto late = runCommand({HOLOS_PROGRAM, "campaign", "--collect", folder().string()});
    EXPECT_THAT(late.output, HasSubstr("run-01 ended with exit status 3"));
}

TEST_F(Campaign, templateAndSizes_makeScriptsOfEachSizeThatAreCollectedTogether) {
    const fs::path file = directory_.path() / "template.sh";
    const Words options{"--want", "MINOR_FAULTS", "--template", file.string(), "--sizes", "2,10"};
    std::ofstream(file) << "@RECORD@\n";
    const auto wrong = campaign(options, {"sleep", "0.01"});
    EXPECT_EQ(wrong.exitCode, 2);
    EXPECT_THAT(wrong.output, HasSubstr("write @SIZE@ in the command"));
    std::ofstream(file) << "#SBATCH --ntasks=@SIZE@\n@RECORD@\n";
    const auto scripts = campaign(options, {"sleep", "0.01"});
    ASSERT_EQ(scripts.exitCode, 0) << scripts.output;
    EXPECT_THAT(scripts.output, HasSubstr("--collect " + folder().string() + "\n"));
    EXPECT_THAT(textOf("size-2/run-01.sh"), HasSubstr("--ntasks=2\n"));
    EXPECT_THAT(textOf("size-10/run-01.sh"), HasSubstr("--ntasks=10\n"));

    ASSERT_EQ(runCommand({"sh", (folder() / "size-2" / "run-01.sh").string()}).exitCode, 0);
    const Words collect{HOLOS_PROGRAM, "campaign", "--collect", folder().string()};
    const auto early = runCommand(collect);
    EXPECT_EQ(early.exitCode, 1);
    EXPECT_TRUE(fs::exists(folder() / "size-2" / "campaign.cubex")) << early.output;
    EXPECT_THAT(early.output, HasSubstr("run-01 has not ended: " + (folder() / "size-10").string()));
    ASSERT_EQ(runCommand({"sh", (folder() / "size-10" / "run-01.sh").string()}).exitCode, 0);
    const auto late = runCommand(collect);
    EXPECT_EQ(late.exitCode, 0) << late.output;
    EXPECT_TRUE(fs::exists(folder() / "size-10" / "campaign.cubex"));
    EXPECT_THAT(late.output, AllOf(HasSubstr("2 runs of 2 sizes"), HasSubstr("threads  size  runs")))
        << "neither processes nor threads differ";
}

TEST_F(Campaign, wrongUsage_isExitCode2) {
    EXPECT_EQ(runCommand({HOLOS_PROGRAM, "campaign", "-o", folder().string()}).exitCode, 2);
    EXPECT_EQ(runCommand({HOLOS_PROGRAM, "campaign", "--", "ls"}).exitCode, 2);
    EXPECT_EQ(campaign({"--want", "PAGE_FAULTS", "--sets", "FAULTS"}, {"ls"}).exitCode, 2);
}

}  // namespace
}  // namespace holos::testing
