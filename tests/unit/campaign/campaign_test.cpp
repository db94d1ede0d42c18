// SPDX-License-Identifier: BSD-3-Clause
// A campaign in its folder, from its plan to what its scripts left; no program runs.
#include "campaign/campaign.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "campaign/execution.h"
#include "tests/support/temporary_directory.h"

namespace holos::campaign {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class CampaignInFolder : public ::testing::Test {
  protected:
    CampaignInFolder() {
        std::ofstream(specification()) << "platform own\nregisters = 1\nmeasure A = a\nmeasure A = other_a\n"
                                          "measure B = b\n";
    }
    fs::path folder() const { return directory_.path() / "study"; }
    fs::path specification() const { return directory_.path() / "own.spec"; }

    /// Of a batch system, so that this machine is not asked what it can count.
    campaign::Setup setup() const {
        return {.folder = folder(),
                .specification = specification().string(),
                .command = {"true"},
                .isElsewhere = true,
                .tell = [](const std::string&) {}};
    }
    void scripts() const {
        Campaign campaign(setup());
        campaign.prepareScripts("#!/bin/sh\n@RECORD@\n");
        for (const campaign::Run& run : campaign.remaining()) campaign.writeScript(run);
    }
    /// The run of a script, by its event.
    campaign::Run scripted(const std::string& event) const {
        const std::vector<campaign::Run> runs = loadState(folder())->scripted;
        return *std::find_if(runs.begin(), runs.end(),
                             [&](const campaign::Run& each) { return each.events == Measurement{event}; });
    }
    campaign::Setup collecting() const {
        campaign::Setup collecting = setup();
        collecting.command.clear();
        collecting.onlyCollects = true;
        return collecting;
    }

    testing::TemporaryDirectory directory_;
};

std::string messageOf(const campaign::Setup& setup) {
    try {
        const Campaign campaign(setup);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST_F(CampaignInFolder, newOne_plansItsRunsAndChangesNothing) {
    const Campaign campaign(setup());
    EXPECT_THAT(campaign.remaining(), SizeIs(2));
    EXPECT_EQ(campaign.missing(), 2);
    EXPECT_FALSE(fs::exists(folder()));
}

TEST_F(CampaignInFolder, scripts_areWrittenOnceAndRememberedByTheNextCommand) {
    scripts();
    EXPECT_TRUE(fs::exists(folder() / "run-01.sh"));
    const Campaign again(setup());
    EXPECT_THAT(again.state().scripted, SizeIs(2));
    EXPECT_THAT(again.remaining(), SizeIs(0));
    EXPECT_EQ(again.missing(), 2);
}

TEST_F(CampaignInFolder, whatTheMachineRefused_isPlannedByItsAlternative) {
    scripts();
    Campaign campaign(collecting());
    const campaign::Run run = scripted("a");
    EXPECT_FALSE(campaign.collect(run));  // it has not ended
    std::ofstream(statusOf(folder(), run)) << "1\n";
    std::ofstream(refusedOf(folder(), run)) << R"({"a": "not here"})";
    const auto outcome = campaign.collect(run);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->kind, Outcome::Kind::Failed);
    EXPECT_EQ(outcome->reason, "ended with exit status 1");
    campaign.keep(run, *outcome);
    EXPECT_FALSE(campaign.hasFailedNow());
    ASSERT_THAT(campaign.remaining(), SizeIs(1));
    EXPECT_THAT(campaign.remaining().front().events, ElementsAre("other_a"));
    EXPECT_EQ(campaign.plan().refused.at("a"), "not here");
    EXPECT_EQ(loadState(folder())->refused.at("a"), "not here");
}

TEST_F(CampaignInFolder, runThatFailed_waitsForTheNextSession) {
    scripts();
    const campaign::Run run = scripted("a");
    std::ofstream(statusOf(folder(), run)) << "3\n";
    {
        Campaign campaign(collecting());
        campaign.keep(run, *campaign.collect(run));
        EXPECT_TRUE(campaign.hasFailedNow());
        EXPECT_THAT(campaign.remaining(), SizeIs(0));
    }
    EXPECT_THAT(Campaign(collecting()).remaining(), SizeIs(1));
}

TEST_F(CampaignInFolder, damagedListOfRefusals_isAnErrorThatNamesIt) {
    scripts();
    const campaign::Run run = scripted("a");
    std::ofstream(statusOf(folder(), run)) << "1\n";
    std::ofstream(refusedOf(folder(), run)) << "[1]";
    const Campaign campaign(collecting());
    EXPECT_THROW(campaign.collect(run), Error);
}

TEST_F(CampaignInFolder, secondOne_isRefusedWhileTheFirstWorksThere) {
    scripts();
    const Campaign first(collecting());
    EXPECT_THAT(messageOf(collecting()), HasSubstr("another holos campaign works in this folder"));
}

TEST_F(CampaignInFolder, anotherCommand_isRefusedAndReplacesByForce) {
    scripts();
    campaign::Setup another = setup();
    another.command = {"true", "again"};
    EXPECT_THAT(messageOf(another), HasSubstr("is a campaign of another command (true)"));
    another.replaces = true;
    EXPECT_THAT(Campaign(another).state().scripted, SizeIs(0));
}

TEST_F(CampaignInFolder, runsHere_areRefusedWhileScriptsWait) {
    scripts();
    Campaign campaign(setup());
    EXPECT_THROW(campaign.prepareRuns(), Error);
}

TEST_F(CampaignInFolder, noCampaign_cannotBeCollected) {
    EXPECT_THAT(messageOf(collecting()), HasSubstr("is no folder of a campaign"));
}

TEST(CampaignOfSeveralJobs, result_isSaidToBeOfTheFirst_andHowToMergeTheOthers) {
    const testing::TemporaryDirectory directory;
    const auto addJob = [&](const std::string& folder) {
        fs::create_directories(directory.path() / folder);
        std::ofstream(directory.path() / folder / "measurement.json") << R"({"run": "a"})";
    };
    const std::vector<campaign::Run> runs{{"run-01", {}, false, false}, {"run-02", {}, true, false}};
    addJob("run-01");
    addJob("run-02");
    EXPECT_EQ(saidOfFurtherJobs(directory.path(), runs), "");
    addJob("run-01/job-2");
    addJob("run-02/job-2");
    const std::string path = directory.path().string();
    EXPECT_EQ(
        saidOfFurtherJobs(directory.path(), runs),
        "each run had 2 MPI jobs, and the result is of the first; the second has its own with holos merge " +
            path + "/run-01/job-2/analysis.cubex " + path + "/run-02/job-2/profile.cubex -o job-2.cubex");
}

}  // namespace
}  // namespace holos::campaign
