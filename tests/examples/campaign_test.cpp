// SPDX-License-Identifier: BSD-3-Clause
// holos campaign on real programs with real counters of the kernel, two at a time.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

/// Three hierarchies of two counters each, with two registers: three runs.
const Words kWanted{"--want",
                    "MINOR_FAULTS,MAJOR_FAULTS,VOLUNTARY_SWITCHES,INVOLUNTARY_SWITCHES,USER_TIME,SYSTEM_TIME",
                    "--registers", "2"};

/// A script that writes a line for each of its runs, and then does what the number of its run says. It counts
/// by itself: a command that it ran would be recorded, too, and has more call paths where it has to wait for
/// a busy machine.
class CampaignOfScript : public ::testing::Test {
  protected:
    /// `cases`: of a shell's `case` over the number of the run, such as `2) exit 3 ;;`.
    void script(const std::string& cases) const {
        const std::string file = "'" + count().string() + "'";
        std::ofstream(program()) << "#!/bin/sh\necho run >> " << file
                                 << "\nrun=0\nwhile read -r line; do run=$((run + 1)); done < " << file
                                 << "\ncase $run in\n"
                                 << cases << "\nesac\n";
        std::filesystem::permissions(program(), std::filesystem::perms::owner_all);
    }
    CommandResult campaign(const Words& options, const std::string& specification = "linux-software") const {
        return runCommand(Words{HOLOS_PROGRAM, "campaign", "--spec", specification, "-o", folder().string()} +
                          options + Words{"--", program().string()});
    }
    CommandResult collect() const {
        return runCommand({HOLOS_PROGRAM, "campaign", "--collect", folder().string()});
    }
    CommandResult runScript(const std::string& name) const {
        return runCommand({"sh", (folder() / (name + ".sh")).string()});
    }
    std::ptrdiff_t runs() const {
        std::ifstream in(count());
        return std::count(std::istreambuf_iterator<char>(in), {}, '\n');
    }
    algebra::Experiment result() const { return algebra::readCubex(folder() / "campaign.cubex"); }
    /// Of the metrics with a `~`.
    Words incomplete() const {
        Words names;
        const auto experiment = result();
        for (const algebra::MetricId id : experiment.metrics.ids())
            if (experiment.metrics[id].incomplete) names.push_back(experiment.metrics[id].displayName);
        return names;
    }

    std::filesystem::path folder() const { return directory_.path() / "study"; }
    std::filesystem::path program() const { return directory_.path() / "program.sh"; }
    std::filesystem::path count() const { return directory_.path() / "count"; }

    TemporaryDirectory directory_;
};

class CampaignOfPpm : public CampaignOfScript {
  protected:
    void SetUp() override {
        if (launcher(1).empty()) GTEST_SKIP() << "no mpirun here";
    }
    static std::string ppm() {
        std::string command;
        for (const std::string& word : launcher(2)) command += "'" + word + "' ";
        return command + HOLOS_EXAMPLES_DIRECTORY "/ppm/ppm --size 8 --steps 1";
    }
};

TEST_F(CampaignOfPpm, interruptedAndGivenAgain_runsOnlyTheRestAndCompletesAll) {
    script("2) exit 130 ;;\n*) exec " + ppm() + " ;;");  // the second one ends as by Ctrl-C
    const Words options = kWanted + Words{"--delete-traces"};
    const auto interrupted = campaign(options);
    EXPECT_NE(interrupted.exitCode, 0);
    EXPECT_THAT(interrupted.output, AllOf(HasSubstr("3 runs"), HasSubstr("interrupted")));
    EXPECT_EQ(runs(), 2);

    const auto finished = campaign(options);
    ASSERT_EQ(finished.exitCode, 0) << finished.output;
    EXPECT_THAT(finished.output, AllOf(HasSubstr("1 finished before"), HasSubstr("run 2 of 3")));
    EXPECT_EQ(runs(), 4);  // three measurements, one of them tried twice
    EXPECT_THAT(incomplete(), ::testing::IsEmpty());
    for (const char* metric : {"PAGE_FAULTS", "CONTEXT_SWITCHES", "CPU_TIME"})
        EXPECT_TRUE(result().findMetric(metric)) << metric;
    EXPECT_EQ(algebra::readCubex(folder() / "deviation.cubex").system.locations.size(), 4);
    EXPECT_FALSE(std::filesystem::exists(folder() / "run-01" / "traces.otf2"));
    EXPECT_TRUE(std::filesystem::exists(folder() / "run-01" / "measurement.json"));
}

TEST_F(CampaignOfPpm, scriptsOfABatchSystem_areCollectedIntoACompleteResult) {
    script("*) exec " + ppm() + " ;;");
    const auto file = directory_.path() / "template.sh";
    std::ofstream(file) << "#!/bin/sh\n@RECORD@\n";
    const auto scripts =
        campaign({"--want", "ru_minflt,ru_majflt", "--registers", "1", "--template", file.string()});
    ASSERT_EQ(scripts.exitCode, 0) << scripts.output;
    ASSERT_EQ(runScript("run-01").exitCode, 0);
    const auto half = collect();
    EXPECT_EQ(half.exitCode, 1);
    EXPECT_THAT(half.output, HasSubstr("run-02 has not ended"));
    ASSERT_EQ(runScript("run-02").exitCode, 0);
    const auto whole = collect();
    ASSERT_EQ(whole.exitCode, 0) << whole.output;
    EXPECT_THAT(incomplete(), ::testing::IsEmpty());
    EXPECT_TRUE(result().findMetric("PAGE_FAULTS"));
}

TEST_F(CampaignOfScript, oneRunFails_theOthersCountAndItIsTriedAgain) {
    script("2) echo no luck; exit 3 ;;\n*) exec true ;;");
    const auto failed = campaign(kWanted);
    EXPECT_EQ(failed.exitCode, 1);
    EXPECT_THAT(failed.output, AllOf(HasSubstr("run-02 ended with exit status 3; its output is in "),
                                     HasSubstr("1 run is missing")));
    EXPECT_EQ(runs(), 3);
    std::ifstream kept(folder() / "run-02.txt");
    EXPECT_THAT(std::string(std::istreambuf_iterator<char>(kept), {}), HasSubstr("no luck"));
    EXPECT_TRUE(std::filesystem::exists(folder() / "campaign.cubex"));

    const auto again = campaign(kWanted);
    EXPECT_EQ(again.exitCode, 0) << again.output;
    EXPECT_EQ(runs(), 4);
    EXPECT_THAT(incomplete(), ::testing::IsEmpty());
    EXPECT_TRUE(std::filesystem::exists(folder() / "run-02.txt"));
}

TEST_F(CampaignOfScript, eventRefusedAtRunTime_leadsToAnotherPlan) {
    script("1) echo '{\"minor-faults\": \"not today\"}' > '" + (folder() / "run-01.refused.json").string() +
           "'; exit 1 ;;\n*) exec true ;;");
    const auto planned = campaign({"--want", "MINOR_FAULTS"});
    ASSERT_EQ(planned.exitCode, 0) << planned.output;
    EXPECT_THAT(planned.output, HasSubstr("minor-faults is refused: not today"));
    EXPECT_EQ(runs(), 2);
    EXPECT_TRUE(result().findMetric("ru_minflt"));  // its other definition
    EXPECT_FALSE(result().findMetric("minor-faults"));
}

TEST_F(CampaignOfScript, whatTheProgramPrints_refusesNoEvent) {
    script("*) echo 'holos: minor-faults: not today'; exit 1 ;;");
    const auto failed = campaign({"--want", "MINOR_FAULTS"});
    EXPECT_EQ(failed.exitCode, 1);
    EXPECT_THAT(failed.output,
                AllOf(HasSubstr("run-01 ended with exit status 1"), Not(HasSubstr("refused"))));
    EXPECT_EQ(runs(), 1);
}

TEST_F(CampaignOfScript, eventsOfAnotherMachine_areReplacedWhenCollected) {
    script("*) exec true ;;");
    const auto file = directory_.path() / "template.sh";
    std::ofstream(file) << "#!/bin/sh\n@RECORD@\n";
    const auto own = directory_.path() / "own.spec";
    std::ofstream(own)
        << "platform own\nregisters = 2\nmeasure FAULTS = NO_SUCH_EVENT\nmeasure FAULTS = ru_minflt\n";
    const auto scripts = campaign({"--template", file.string()}, own.string());
    ASSERT_EQ(scripts.exitCode, 0) << scripts.output;
    runScript("run-01");
    const auto refused = collect();
    EXPECT_THAT(refused.output, AllOf(HasSubstr("NO_SUCH_EVENT is refused"), HasSubstr("run-02.sh")));
    ASSERT_EQ(runScript("run-02").exitCode, 0);
    const auto whole = collect();
    EXPECT_EQ(whole.exitCode, 0) << whole.output;
    EXPECT_TRUE(result().findMetric("ru_minflt"));
}

TEST_F(CampaignOfScript, runsThatDiffer_areWarnedOf) {
    const std::string smxv = HOLOS_EXAMPLES_DIRECTORY "/smxv/smxv ";
    script("1) exec " + smxv + "plain 1000 1 ;;\n*) exec " + smxv + "blocked 100000 1 ;;");
    const auto warned = campaign({"--want", "MINOR_FAULTS", "--repeat", "2"});
    ASSERT_EQ(warned.exitCode, 0) << warned.output;
    EXPECT_THAT(warned.output,
                AllOf(HasSubstr("warning: the call path "), HasSubstr("is only in run-02"),
                      ::testing::ContainsRegex("warning: .*faults varies by [0-9]+ % over 2 runs"),
                      HasSubstr("counted under different conditions")));
}

TEST_F(CampaignOfScript, runsThatAreAlike_areNotWarnedOf) {
    script("*) exec true ;;");
    const auto result = campaign({"--want", "MAJOR_FAULTS", "--repeat", "2"});
    ASSERT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, Not(HasSubstr("warning: the call path")));
}

}  // namespace
}  // namespace holos::testing
