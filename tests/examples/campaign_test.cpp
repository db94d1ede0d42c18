// SPDX-License-Identifier: BSD-3-Clause
// holos campaign on a real program with real counters.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

/// ppm, in a script that writes a line for each of its runs and in the second one ends as by Ctrl-C.
class CampaignOfPpm : public ::testing::Test {
  protected:
    void SetUp() override {
        if (launcher(1).empty()) GTEST_SKIP() << "no mpirun here";
        std::string command;
        for (const std::string& word : launcher(2)) command += "'" + word + "' ";
        std::ofstream(script()) << "#!/bin/sh\necho run >> '" << count().string() << "'\n"
                                << "if [ $(wc -l < '" << count().string() << "') = 2 ]; then exit 130; fi\n"
                                << "exec " << command << HOLOS_EXAMPLES_DIRECTORY
                                << "/ppm/ppm --size 8 --steps 1\n";
        std::filesystem::permissions(script(), std::filesystem::perms::owner_all);
    }
    CommandResult campaign() const {
        return runCommand({HOLOS_PROGRAM, "campaign", "--spec", "linux-software", "--want",
                           "MINOR_FAULTS,MAJOR_FAULTS", "--registers", "1", "-o", folder().string(),
                           "--delete-traces", "--", script().string()});
    }
    std::ptrdiff_t runs() const {
        std::ifstream in(count());
        return std::count(std::istreambuf_iterator<char>(in), {}, '\n');
    }
    std::filesystem::path folder() const { return directory_.path() / "study"; }
    std::filesystem::path script() const { return directory_.path() / "program.sh"; }
    std::filesystem::path count() const { return directory_.path() / "count"; }

    TemporaryDirectory directory_;
};

TEST_F(CampaignOfPpm, interruptedAndGivenAgain_runsOnlyTheRestAndCompletesAll) {
    const auto interrupted = campaign();
    EXPECT_NE(interrupted.exitCode, 0);
    EXPECT_THAT(interrupted.output, HasSubstr("interrupted"));
    EXPECT_EQ(runs(), 2);

    const auto result = campaign();
    ASSERT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("1 finished before"));
    EXPECT_EQ(runs(), 3);  // two measurements, one of them tried twice
    const auto experiment = algebra::readCubex(folder() / "campaign.cubex");
    for (const algebra::MetricId id : experiment.metrics.ids())
        EXPECT_FALSE(experiment.metrics[id].incomplete) << experiment.metrics[id].displayName;
    EXPECT_TRUE(experiment.findMetric("PAGE_FAULTS"));
    EXPECT_EQ(algebra::readCubex(folder() / "deviation.cubex").system.locations.size(), 4);
    EXPECT_FALSE(std::filesystem::exists(folder() / "run-01" / "traces.otf2"));
    EXPECT_TRUE(std::filesystem::exists(folder() / "run-01" / "measurement.json"));
}

TEST_F(CampaignOfPpm, scriptsOfABatchSystem_areCollectedIntoACompleteResult) {
    std::ofstream(count()) << "run\nrun\n";  // none of its runs is the interrupted one
    const auto file = directory_.path() / "template.sh";
    std::ofstream(file) << "#!/bin/sh\n@RECORD@\n";
    const auto scripts = runCommand({HOLOS_PROGRAM, "campaign", "--spec", "linux-software", "--want",
                                     "ru_minflt,ru_majflt", "--registers", "1", "--template", file.string(),
                                     "-o", folder().string(), "--", script().string()});
    ASSERT_EQ(scripts.exitCode, 0) << scripts.output;
    const Words collect{HOLOS_PROGRAM, "campaign", "--collect", folder().string()};
    ASSERT_EQ(runCommand({"sh", (folder() / "run-01.sh").string()}).exitCode, 0);
    const auto half = runCommand(collect);
    EXPECT_EQ(half.exitCode, 1);
    EXPECT_THAT(half.output, HasSubstr("run-02 has not ended"));
    ASSERT_EQ(runCommand({"sh", (folder() / "run-02.sh").string()}).exitCode, 0);
    const auto whole = runCommand(collect);
    ASSERT_EQ(whole.exitCode, 0) << whole.output;
    const auto experiment = algebra::readCubex(folder() / "campaign.cubex");
    const auto faults = experiment.findMetric("PAGE_FAULTS");
    ASSERT_TRUE(faults);
    EXPECT_FALSE(experiment.metrics[*faults].incomplete);
}

}  // namespace
}  // namespace holos::testing
