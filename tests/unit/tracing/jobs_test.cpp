// SPDX-License-Identifier: BSD-3-Clause
// Several MPI jobs in one recording: each is a trace of its own.
#include "tracing/recordings/archive/run/jobs.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "tests/unit/tracing/conversion_fixture.h"
#include "tracing/recordings/archive/folder/commit.h"
#include "tracing/recordings/archive/folder/ownership.h"

namespace holos::archive {
namespace {

class Jobs : public ConversionTest {
  protected:
    Jobs() { writeRun(recording(), newRun({})); }

    /// Sends a message with this tag to rank 0 of its world.
    void addRank(std::uint32_t rank, std::uint32_t size, std::uint64_t world, std::uint64_t tag) {
        auto log = program();
        log.world(rank, size, world).begin(DefinitionKind::Comm).add(1U).add(0U).add(0U);
        log.text("MPI_COMM_WORLD").add(size).add(0U).add(rank).add(0U).sync(3'000, 1'500);
        const auto folder = writeProcess(recording(), "host." + std::to_string(++processes_) + ".0", log);
        RawEvents().add(RecordKind::MpiSend, 1'200, {pair(0, 1), tag, 64}).write(folder);
    }
    fs::path second() const { return directory_.path() / "job-2"; }

    std::uint64_t processes_ = 0;
};

TEST_F(Jobs, ranksOfTwoWorlds_areNotMixed) {
    addRank(0, 1, 7, 1);
    addRank(1, 2, 9, 2);
    addRank(0, 2, 9, 2);
    const Result result = finish(directory_.path());
    EXPECT_EQ(result.processes, 1u);
    ASSERT_EQ(result.furtherJobs.size(), 1u);
    EXPECT_EQ(result.furtherJobs[0].processes, 2u);
    EXPECT_THAT(result.notes, Contains("the recording has 2 MPI jobs, each a trace of its own: /bin/app, 1 "
                                       "process; job-2: /bin/app, 2 processes"));
    EXPECT_THAT(events(), Contains("0 100 send to 0 tag 1 bytes 64"));
    const auto ofSecond = holos::testing::readBack(second() / "traces.otf2");
    EXPECT_THAT(ofSecond, Contains("0 100 send to 0 tag 2 bytes 64"));
    EXPECT_THAT(ofSecond, Contains("1 100 send to 0 tag 2 bytes 64"));
    EXPECT_THAT(foldersOfFurtherJobs(directory_.path()), ElementsAre(second()));
    for (const fs::path& path : {directory_.path(), directory_.path() / "traces.otf2"})
        EXPECT_EQ(whereFurtherJobsAre(path),
                  path.string() + ": its run had 2 MPI jobs, and this is the first; the other one is in " +
                      second().string());
    EXPECT_EQ(whereFurtherJobsAre(second()), "");
    removeMeasurement(directory_.path());
    EXPECT_TRUE(fs::is_empty(directory_.path()));
}

TEST_F(Jobs, folderThatIsNotThereAnyMore_isSaid) {
    for (const std::uint64_t job : {1, 2, 3}) addRank(0, 1, 6 + job, job);
    finish(directory_.path());
    EXPECT_EQ(missingFurtherJobs(directory_.path()), "");
    std::ofstream(second() / "measurement.json") << "{";
    EXPECT_EQ(whereFurtherJobsAre(directory_.path()),
              directory_.path().string() +
                  ": its run had 3 MPI jobs, and this is the first; another one is in " +
                  (directory_.path() / "job-3").string() +
                  "; 1 of them is not there, or without a measurement.json that can be read");
    fs::remove_all(directory_.path() / "job-3");
    EXPECT_EQ(missingFurtherJobs(directory_.path()),
              "2 of them are not there, or without a measurement.json that can be read");
}

TEST_F(Jobs, folderOfTheUserInTheWay_isLeftAlone_andTheRecordingStays) {
    addRank(0, 1, 7, 1);
    addRank(0, 1, 9, 2);
    fs::create_directory(second());
    std::ofstream(second() / "thesis.tex") << "mine\n";
    EXPECT_THROW(finish(directory_.path()), Error);
    EXPECT_TRUE(fs::exists(second() / "thesis.tex"));
    EXPECT_TRUE(fs::exists(recording()));
    fs::rename(second(), directory_.path() / "mine");
    finish(directory_.path());
    EXPECT_THAT(foldersOfFurtherJobs(directory_.path()), ElementsAre(second()));
    EXPECT_TRUE(fs::exists(directory_.path() / "traces.otf2"));
    EXPECT_FALSE(hasLeftovers(directory_.path()));
}

TEST_F(Jobs, publishingOfAKilledCommand_goesOn) {
    addRank(0, 1, 7, 1);
    addRank(0, 1, 8, 2);
    addRank(0, 1, 9, 3);
    finish(directory_.path());
    const fs::path ready = directory_.path() / ("traces.ready." + recordedRun(directory_.path()));
    fs::create_directory(ready);
    for (const char* name : {"job-3", "traces", "traces.def", "measurement.json", "traces.otf2"})
        fs::rename(directory_.path() / name, ready / name);
    finish(directory_.path());
    EXPECT_THAT(foldersOfFurtherJobs(directory_.path()), ElementsAre(second(), directory_.path() / "job-3"));
    EXPECT_FALSE(fs::exists(ready));
}

TEST_F(Jobs, folderWithAFileOfTheUser_orOfAnotherRun_isNotRemoved) {
    addRank(0, 1, 7, 1);
    addRank(0, 1, 9, 2);
    finish(directory_.path());
    std::ofstream(second() / "thesis.tex") << "mine\n";
    EXPECT_THAT(inTheWay(directory_.path()).others, ElementsAre("job-2/thesis.tex"));
    removeMeasurement(directory_.path());
    EXPECT_TRUE(fs::exists(second() / "thesis.tex"));
    EXPECT_FALSE(inTheWay(directory_.path()).any());  // what is of no measurement here is not in the way
}

TEST_F(Jobs, worldsWithoutAnId_areOneJobWhereTheirSizesAreEqual) {
    std::vector<RecordedProcess> processes(4);
    for (auto& one : processes) one.syncs = {{0, 0, 0}};
    processes[0].world = World{0, 2, 0};
    processes[1].world = World{0, 3, 0};
    processes[2].world = World{1, 2, 0};
    const auto jobs = byJob(processes);
    ASSERT_EQ(jobs.size(), 2u);
    EXPECT_EQ(jobs[0].size(), 3u);  // with the process that is of no job
    EXPECT_EQ(jobs[1].size(), 1u);
}

}  // namespace
}  // namespace holos::archive
