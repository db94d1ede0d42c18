// SPDX-License-Identifier: BSD-3-Clause
// The folder of a recording: shared by the ranks of a job, followed where it is moved.
#include "tracing/launch/recording_directory.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "tests/support/temporary_directory.h"
#include "tracing/archive/archive.h"
#include "tracing/launch/followed_folder.h"

namespace holos::launch {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class RecordingDirectory : public ::testing::Test {
  protected:
    fs::path folder() const { return directory_.path() / "run"; }
    PreparedRecording prepare(const std::optional<LaunchedRank>& rank, bool force = false) const {
        return prepareRecording(folder().string(), "app", rank, force);
    }

    testing::TemporaryDirectory directory_;
};

/// Of a job whose name no other has.
LaunchedRank rank(long number, long size, const std::string& job = "job 1") {
    return {number, size, {job, true, "boot", "origin"}};
}

TEST_F(RecordingDirectory, ranksOfAJob_shareTheRun) {
    const auto first = prepare(rank(0, 2));
    const auto second = prepare(rank(1, 2));
    EXPECT_EQ(first.directory, folder());
    EXPECT_EQ(first.run, second.run);
    EXPECT_FALSE(first.run.empty());
}

TEST_F(RecordingDirectory, anotherMeasurement_isReplacedOnlyByForce) {
    fs::create_directories(folder());
    std::ofstream(folder() / "traces.otf2") << "precious";
    EXPECT_THROW(prepare(std::nullopt), Error);
    EXPECT_TRUE(fs::exists(folder() / "traces.otf2"));
    prepare(std::nullopt, true);
    EXPECT_FALSE(fs::exists(folder() / "traces.otf2"));
}

TEST_F(RecordingDirectory, recordingUnderWay_isNotReplacedEvenByForce) {
    const auto first = prepare(rank(0, 1));
    EXPECT_THROW(prepare(rank(0, 1, "job 2"), true), Error);
}

TEST_F(RecordingDirectory, lastRank_isTheOneThatEndsLast) {
    prepare(rank(0, 3));
    EXPECT_FALSE(isLastRank(folder(), rank(2, 3)));
    EXPECT_FALSE(isLastRank(folder(), rank(0, 3)));
    EXPECT_FALSE(isLastRank(folder(), rank(0, 3)));  // the same once more
    EXPECT_TRUE(isLastRank(folder(), rank(1, 3)));
}

TEST_F(RecordingDirectory, lastOfManyRanks_isFoundThroughGroups) {
    constexpr long kRanks = 130;  // three groups, and one above them
    prepare(rank(0, kRanks));
    for (long number = kRanks - 1; number > 0; --number)
        EXPECT_FALSE(isLastRank(folder(), rank(number, kRanks))) << number;
    EXPECT_TRUE(isLastRank(folder(), rank(0, kRanks)));
}

TEST_F(RecordingDirectory, withoutALauncher_everyProcessIsTheLast) {
    EXPECT_TRUE(isLastRank(folder(), std::nullopt));
}

TEST_F(RecordingDirectory, folderThatWasMoved_isFollowed) {
    fs::create_directories(folder());
    const FollowedFolder followed(folder());
    EXPECT_EQ(followed.now(), folder());
    const fs::path moved = directory_.path() / "moved";
    fs::rename(folder(), moved);
    EXPECT_EQ(followed.now(), fs::canonical(moved));
    EXPECT_TRUE(fs::equivalent(followed.link(), moved));
    fs::remove(moved);
    EXPECT_THROW(followed.now(), Error);
}

class Launched : public ::testing::Test {
  protected:
    Launched() {
        for (const char* name : kNames) ::unsetenv(name);
    }
    ~Launched() override {
        for (const char* name : kNames) ::unsetenv(name);
    }
    static constexpr std::array kNames{"OMPI_COMM_WORLD_RANK",
                                       "OMPI_COMM_WORLD_SIZE",
                                       "PMIX_NAMESPACE",
                                       "OMPI_MCA_ess_base_jobid",
                                       "OMPI_MCA_orte_precondition_transports",
                                       "PMI_RANK",
                                       "PMI_SIZE",
                                       "PMI_JOBID",
                                       "HYDI_CONTROL_FD",
                                       "SLURM_PROCID",
                                       "SLURM_NTASKS",
                                       "SLURM_JOB_ID",
                                       "SLURM_STEP_ID"};
};

TEST_F(Launched, byNobody_isNoRank) {
    EXPECT_FALSE(launchedRank());
}

TEST_F(Launched, byOpenMpi_hasItsRankAndAKeyOfTheJob) {
    ::setenv("OMPI_COMM_WORLD_RANK", "3", 1);
    ::setenv("OMPI_COMM_WORLD_SIZE", "8", 1);
    ::setenv("PMIX_NAMESPACE", "ns", 1);
    ::setenv("OMPI_MCA_orte_precondition_transports", "0123-4567", 1);
    const auto found = launchedRank();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->rank, 3);
    EXPECT_EQ(found->size, 8);
    EXPECT_EQ(found->job.name, "ns 0123-4567");
    EXPECT_TRUE(found->job.isUnique);
}

TEST_F(Launched, bySlurm_hasANameThatMayComeAgain) {
    ::setenv("SLURM_PROCID", "1", 1);
    ::setenv("SLURM_NTASKS", "2", 1);
    ::setenv("SLURM_JOB_ID", "42", 1);
    ::setenv("SLURM_STEP_ID", "0", 1);
    const auto found = launchedRank();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->rank, 1);
    EXPECT_EQ(found->job.name, "420");
    EXPECT_FALSE(found->job.isUnique);
    EXPECT_THAT(found->job.origin, HasSubstr("namespace"));
}

}  // namespace
}  // namespace holos::launch
