// SPDX-License-Identifier: BSD-3-Clause
// The folder of a recording: shared by the ranks of a job, followed where it is moved.
#include "tracing/recordings/launch/recording_directory.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "tests/support/temporary_directory.h"
#include "tracing/recordings/launch/recording_end.h"

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

constexpr std::array kParts{"traces", "traces.def", "traces.otf2", "measurement.json", "analysis.cubex"};

/// All that a run leaves, each part with its id.
void writeMeasurement(const fs::path& folder, const std::string& run = "1f") {
    fs::create_directories(folder / "traces");
    std::ofstream(folder / "traces" / "run") << run << '\n';
    std::ofstream(folder / "traces" / "0.evt") << "events";
    std::ofstream(folder / "traces.def") << "OTF2 HOLOS::RUN " << run << " more";
    std::ofstream(folder / "traces.otf2") << "OTF2 HOLOS::RUN" << '\0' << run << '\n';
    std::ofstream(folder / "measurement.json") << R"({"run": ")" << run << R"("})";
    std::ofstream(folder / "analysis.cubex")
        << R"(<attr key="holos::provenance" value="{&quot;operation&quot;:&quot;analyze&quot;,&quot;run&quot;:&quot;)"
        << run << R"(&quot;,)";
}

std::string textOf(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(RecordingDirectory, anotherMeasurement_isReplacedOnlyByForce) {
    writeMeasurement(folder());
    EXPECT_THROW(prepare(std::nullopt), Error);
    for (const char* part : kParts) EXPECT_TRUE(fs::exists(folder() / part)) << part;
    prepare(std::nullopt, true);
    for (const char* part : kParts) EXPECT_FALSE(fs::exists(folder() / part)) << part;
}

TEST_F(RecordingDirectory, filesOfOthers_areRefusedByNameAndStayEvenByForce) {
    for (const char* name : {"recording", "traces", "traces.def", "traces.otf2", "measurement.json",
                             "profile.cubex", "analysis.cubex", "snapshot.cubex", "range.cubex"}) {
        fs::remove_all(folder());
        fs::create_directories(folder());
        const bool isFolder = fs::path(name).extension().empty();
        const fs::path file = isFolder ? folder() / name / "data.csv" : folder() / name;
        if (isFolder) fs::create_directory(folder() / name);
        std::ofstream(file) << "mine";
        for (const bool force : {false, true}) try {
                prepare(std::nullopt, force);
                ADD_FAILURE() << name;
            } catch (const Error& error) {
                EXPECT_THAT(error.what(), HasSubstr(name));
            }
        EXPECT_EQ(textOf(file), "mine") << name;
    }
}

TEST_F(RecordingDirectory, ranksOfAJobBesideFilesOfOthers_areAllRefused) {
    fs::create_directories(folder() / "traces");
    for (const long number : {0, 1}) EXPECT_THROW(prepare(rank(number, 2), true), Error);
    EXPECT_TRUE(fs::exists(folder() / "traces"));
    EXPECT_FALSE(fs::exists(folder() / "recording"));
}

TEST_F(RecordingDirectory, partsOfAMeasurementThatAreOfOthers_stayEvenByForce) {
    const auto besideEvents = [this] { std::ofstream(folder() / "traces" / "notes.txt") << "mine"; };
    const auto ofAnotherRun = [this] { writeMeasurement(folder() / "other", "2e"); };
    for (const bool isBesideEvents : {true, false}) {
        fs::remove_all(folder());
        writeMeasurement(folder());
        if (isBesideEvents) {
            besideEvents();
        } else {
            ofAnotherRun();
            fs::rename(folder() / "other" / "analysis.cubex", folder() / "analysis.cubex");
        }
        EXPECT_THROW(prepare(std::nullopt, true), Error);
        for (const char* part : kParts) EXPECT_TRUE(fs::exists(folder() / part)) << part;
    }
}

TEST_F(RecordingDirectory, linkInThePlaceOfAPart_isRefusedAndNothingBehindItTouched) {
    fs::create_directories(folder());
    writeMeasurement(directory_.path() / "other");
    fs::create_symlink(directory_.path() / "other" / "traces", folder() / "traces");
    EXPECT_THROW(prepare(std::nullopt, true), Error);
    EXPECT_TRUE(fs::exists(directory_.path() / "other" / "traces" / "0.evt"));
}

TEST_F(RecordingDirectory, foldersThatAreNamedLikeLeftovers_stay) {
    constexpr std::array kNames{"traces.new", "recording.new", "recording.done.mine", "traces.ready"};
    for (const char* name : kNames) fs::create_directories(folder() / name);
    prepare(std::nullopt);
    for (const char* name : kNames) EXPECT_TRUE(fs::exists(folder() / name)) << name;
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
