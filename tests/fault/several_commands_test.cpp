// SPDX-License-Identifier: BSD-3-Clause
// Commands that meet in one folder.
#include <sys/wait.h>

#include "tests/fault/recording_fixture.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

class SeveralCommands : public RecordingFixture {};

TEST_F(SeveralCommands, twoAnalysesAtOnce_bothHaveTheWholeRun) {
    leaveRecording();
    const fs::path unfinished = file("unfinished");
    fs::rename(trace(), unfinished);
    for (int i = 0; i < 5; ++i) {
        fs::remove_all(trace());
        fs::copy(unfinished, trace(), fs::copy_options::recursive);
        StartedCommand first({HOLOS_PROGRAM, "analyze", trace()}, file("first"));
        StartedCommand second({HOLOS_PROGRAM, "analyze", trace()}, file("second"));
        EXPECT_EQ(first.wait(), 0) << first.output();
        EXPECT_EQ(second.wait(), 0) << second.output();
        expectTheWholeRun();
        expectNothingElse();
    }
}

/// A namespace of process numbers of its own, as a container has, with the same host name. A launcher there
/// gives each job the same number.
class Container : public SeveralCommands {
  protected:
    void SetUp() override {
        if (runCommand(kContainer + Words{"true"}).exitCode != 0)
            GTEST_SKIP() << "no namespace can be made here";
    }
    Words recordIn(const Words& options = {}) const {
        const Words launched{"/usr/bin/env", "OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=1",
                             "PMIX_NAMESPACE=1234"};
        return kContainer + launched + Words{HOLOS_PROGRAM, "record", "-o", trace()} + options + Words{"--"} +
               program();
    }

    const Words kContainer{"/usr/bin/unshare", "--pid", "--fork", "--mount-proc", "--kill-child"};
};

TEST_F(Container, whenTheFirstWasKilled_theSecondIsNotTakenForIt) {
    StartedCommand first(recordIn(), file("output"));
    waitUntilBegun();
    first.send(SIGKILL);
    first.wait();
    waitUntilNobodyLives();
    const auto second = runCommand(recordIn());
    EXPECT_EQ(second.exitCode, 1);
    EXPECT_THAT(second.output, HasSubstr("holds another measurement"));
    analyzeInTheEnd();
    EXPECT_EQ(regionsInTrace(), kRegions);
    letGo();
    EXPECT_EQ(runCommand(recordIn({"--force"})).exitCode, 0);
    expectTheWholeRun();
}

TEST_F(Container, whileTheFirstLives_theSecondIsRefused) {
    StartedCommand first(recordIn(), file("output"));
    waitUntilBegun();
    const auto second = runCommand(recordIn({"--force"}));
    EXPECT_EQ(second.exitCode, 1);
    EXPECT_THAT(second.output, HasSubstr("another measurement is being recorded there"));
    EXPECT_THAT(analyze().output, HasSubstr("is still being recorded"));  // from outside
    letGo();
    EXPECT_EQ(first.wait(), 0) << first.output();
    expectTheWholeRun();
}

}  // namespace
}  // namespace holos::testing
