// SPDX-License-Identifier: BSD-3-Clause
// Recordings on a disk on which little room is left.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/files/experiment_file.h"
#include "tests/support/command.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kTimes = 1'000'000;  ///< of the loop: 48 MB of events, and 33 MB of a trace

/// A disk of memory with 80 MiB, which is there for one command only.
class LowDisk : public ::testing::Test {
  protected:
    void SetUp() override {
        fs::create_directories(disk_);
        if (runCommand({"unshare", "-rm", "sh", "-c", mount_}).exitCode != 0)
            GTEST_SKIP() << "no disk can be mounted here";
    }
    void recordOnIt(const std::string& options, int times = kTimes) {
        const std::string record = std::string("env HOLOS_STORAGE=mapped " HOLOS_PROGRAM) + " record " +
                                   options + " -o '" + disk_ + "/run' -- " HOLOS_PROGRAMS "/loop " +
                                   std::to_string(times);
        const auto result = runCommand({"unshare", "-rm", "sh", "-c",
                                        mount_ + " && { " + record + "; echo status $?; mv '" + disk_ +
                                            "/run' '" + directory_.path().string() + "'; }"});
        output_ = result.output;
        EXPECT_THAT(output_, HasSubstr("status 0"));
        const auto analysis = runCommand({HOLOS_PROGRAM, "analyze", folder_});
        EXPECT_EQ(analysis.exitCode, 0) << analysis.output;
    }
    algebra::Experiment experiment(const char* name) const { return algebra::readExperiment(folder_ / name); }
    static double visits(const algebra::Experiment& experiment, const char* region) {
        return severityOfRegion(experiment, "visits", region, algebra::LocationId(0));
    }

    TemporaryDirectory directory_;
    std::string disk_ = directory_.path() / "disk";
    std::string mount_ = "mount -t tmpfs -o size=80m none '" + disk_ + "'";
    fs::path folder_ = directory_.path() / "run";
    std::string output_;
};

TEST_F(LowDisk, lessThanTheReserve_restIsAddedUpAndNothingIsMissing) {
    recordOnIt("--disk-reserve 50M");
    EXPECT_THAT(output_, HasSubstr("the disk had less than 52 MB left"));
    EXPECT_THAT(output_, HasSubstr("profile.cubex has that part"));
    EXPECT_THAT(output_, Not(HasSubstr("lost")));
    const auto trace = experiment("analysis.cubex"), profile = experiment("profile.cubex");
    for (const char* region : {"even", "odd", "inner"}) {
        EXPECT_GT(visits(trace, region), 0) << region;
        EXPECT_GT(visits(profile, region), 0) << region;
        EXPECT_EQ(visits(trace, region) + visits(profile, region), kTimes / 2) << region;
    }
    // What was traced is no part of the profile's time.
    EXPECT_GT(total(trace, "unrecorded"), 0);
    EXPECT_NEAR(total(trace, "unrecorded"), total(profile, "time"), 0.1 * total(profile, "time"));
}

/// The recording alone would leave room, but not with the trace.
TEST_F(LowDisk, noRoomForTheTrace_restIsAddedUpAndTheTraceIsMade) {
    recordOnIt("--disk-reserve 1M", 3 * kTimes / 2);
    EXPECT_THAT(output_, HasSubstr("the disk had less than 1 MB left beside room for the trace"));
    EXPECT_THAT(output_, Not(HasSubstr("lost")));
    EXPECT_THAT(output_, Not(HasSubstr("no room")));
    EXPECT_EQ(visits(experiment("analysis.cubex"), "even") + visits(experiment("profile.cubex"), "even"),
              3 * kTimes / 4);
}

TEST_F(LowDisk, lessThanTheReserve_stopsOnRequest) {
    recordOnIt("--disk-reserve 50M --when-disk-low stop");
    EXPECT_THAT(output_, HasSubstr("the disk had less than 52 MB left beside room for the trace "
                                   "(--disk-reserve): the recording stopped"));
    EXPECT_THAT(output_, HasSubstr("lost"));
    EXPECT_FALSE(fs::exists(folder_ / "profile.cubex"));
    EXPECT_LT(visits(experiment("analysis.cubex"), "even"), kTimes / 2);
}

TEST_F(LowDisk, enoughForAll_nothingIsSaid) {
    recordOnIt("--disk-reserve 1M --polls thin", kTimes / 2);
    EXPECT_THAT(output_, Not(HasSubstr("disk had less")));
}

}  // namespace
}  // namespace holos::testing
