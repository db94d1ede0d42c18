// SPDX-License-Identifier: BSD-3-Clause
// Commands that start several MPI jobs.
#include <gmock/gmock.h>

#include "algebra/files/cubex.h"
#include "base/process.h"
#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class RecordedJobs : public RecordedMpi {
  protected:
    /// What starts the program that `sh` calls `$0`.
    std::string start(unsigned ranks) const { return shellLine(launcher(ranks, GetParam())) + " \"$0\""; }
    auto recordScript(const std::string& script) {
        return record(folder(), "/bin/sh", {}, {}, {"-c", script, path("ring")});
    }
    /// Tags of the messages that rank 0 sends.
    static std::vector<std::string> sent(const std::filesystem::path& archive) {
        return with(recordedEvents(archive).at(0), {"SEND to"});
    }
};

TEST_P(RecordedJobs, oneAfterTheOther_areTracesOfTheirOwn) {
    const auto archive = recordScript(start(1) + " && " + start(2));
    EXPECT_EQ(recordedEvents(archive).size(), 1u);
    EXPECT_THAT(sent(archive), ElementsAre(HasSubstr("to 0 tag 1 ")));
    EXPECT_EQ(recordedEvents(archive / "job-2").size(), 2u);
    EXPECT_THAT(sent(archive / "job-2"), ElementsAre(HasSubstr("to 1 tag 2 ")));
    EXPECT_THAT(analysisOf(archive), HasSubstr("job-2/analysis.cubex"));
}

TEST_P(RecordedJobs, addedUp_areProfilesOfTheirOwn) {
    const auto folders =
        record(folder(), "/bin/sh", {}, {"--profile"}, {"-c", start(1) + " && " + start(2), path("ring")});
    EXPECT_EQ(algebra::readCubex(folders / "profile.cubex").system.locations.size(), 1U);
    EXPECT_EQ(algebra::readCubex(folders / "job-2/profile.cubex").system.locations.size(), 2U);
}

/// The browser itself need not be there.
TEST_P(RecordedJobs, inTheBrowser_areShownOrSaidToBeElsewhere) {
    const auto archive = recordScript(start(1) + " && " + start(1));
    const auto said = [&] {
        return runCommand({HOLOS_PROGRAM, "view", "--screenshot", folder() / "picture.png", archive}).output;
    };
    EXPECT_THAT(said(), HasSubstr("its run had 2 MPI jobs, and this is the first; the other one is in"));
    EXPECT_THAT(analysisOf(archive), HasSubstr("job-2/analysis.cubex"));
    EXPECT_THAT(said(), Not(HasSubstr("MPI jobs")));
}

TEST_P(RecordedJobs, atTheSameTime_areTracesOfTheirOwn) {
    const auto archive = recordScript(start(2) + " & " + start(2) + "; wait");
    for (const auto& job : {archive, archive / "job-2"}) {
        EXPECT_EQ(recordedEvents(job).size(), 2u);
        EXPECT_THAT(sent(job), ElementsAre(HasSubstr("to 1 tag 2 ")));
    }
}

/// `programs/unequal_threads.c`: a first thread each, two more of OpenMP, one and two of POSIX.
TEST_P(RecordedJobs, ranksWithUnequalThreads_areOneSoundTrace) {
    const auto archive = archiveOf("unequal_threads", 3);
    EXPECT_EQ(recordedEvents(archive).size(), 8u);
    analysisOf(archive);
    const auto checked = runCommand({HOLOS_PROGRAM, "check", archive});
    EXPECT_EQ(checked.exitCode, 0) << checked.output;
}

/// Processes that meet: with Open MPI by TCP, which environments of tests may leave out.
class RecordedMeetings : public RecordedJobs {
  protected:
    Words launched(unsigned ranks) const {
        return Words{"env", "OMPI_MCA_btl=self,vader,tcp", "timeout", "60"} + launcher(ranks, GetParam());
    }
    bool meet(unsigned ranks, const std::string& program, const Words& arguments = {}) const {
        const auto alone = runCommand(launched(ranks) + Words{path(program)} + arguments);
        return alone.exitCode == 0 && alone.output.find("met") != std::string::npos;
    }
    /// All of it is recorded, also what is started.
    auto recordAll(unsigned ranks, const std::string& program, const Words& arguments = {}) {
        Words command = launched(ranks) + Words{path(program)} + arguments;
        const std::string first = command.front();
        command.erase(command.begin());
        return record(folder(), "/usr/bin/" + first, {}, {}, command);
    }
    static std::size_t count(const std::vector<std::string>& events, const std::string& word) {
        return with(events, {word}).size();
    }
};

TEST_P(RecordedMeetings, spawnedWorlds_areInOneTraceWithTheirMessages) {
    if (!meet(1, "spawns")) GTEST_SKIP() << GetParam() << " starts no processes here, recorded or not";
    const auto archive = recordAll(1, "spawns");
    const auto events = recordedEvents(archive);
    ASSERT_EQ(events.size(), 5u);  // more children than parents, twice
    EXPECT_GE(count(events.at(0), "COLLECTIVE_END CREATE_HANDLE"), 2u);
    EXPECT_THAT(with(events.at(0), {"RECV from"}),
                ElementsAre("MPI_RECV from 0 tag 3 bytes 4", "MPI_RECV from 1 tag 3 bytes 4",
                            "MPI_RECV from 0 tag 3 bytes 4", "MPI_RECV from 1 tag 3 bytes 4"));
    for (std::uint64_t rank = 0; rank < 5; ++rank) {
        const std::size_t rounds = rank == 0 ? 2 : 1;
        EXPECT_EQ(count(events.at(rank), "COLLECTIVE_END ALLREDUCE"), rounds) << rank;
        EXPECT_EQ(count(events.at(rank), "COLLECTIVE_END BCAST"), rounds) << rank;
        if (rank > 0) {
            EXPECT_THAT(with(events.at(rank), {"SEND to"}), ElementsAre("MPI_SEND to 0 tag 3 bytes 4"));
        }
    }
    const std::string said = analysisOf(archive);
    EXPECT_EQ(said.find("unmatched"), std::string::npos) << said;
    EXPECT_EQ(said.find("clock violation"), std::string::npos) << said;  // each world begins MPI by itself
}

TEST_P(RecordedMeetings, atPortsAndSockets_haveTheirMessages) {
    unsigned ways = 0;
    for (const char* way : {"port", "join"}) {
        if (!meet(2, "dynamic", {way})) continue;
        ++ways;
        const auto events = recordedEvents(recordAll(2, "dynamic", {way}));
        std::filesystem::remove_all(folder() / "env");
        ASSERT_EQ(events.size(), 2u);
        for (std::uint64_t rank : {0, 1}) {
            EXPECT_EQ(count(events.at(rank), "SEND to 0 tag 1 bytes 12"), 1u) << way;
            EXPECT_EQ(count(events.at(rank), "RECV from 0 tag 1 bytes 12"), 1u) << way;
        }
    }
    if (ways == 0) GTEST_SKIP() << "processes cannot meet with " << GetParam() << " here, recorded or not";
}

INSTANTIATE_TEST_SUITE_P(Libraries, RecordedMeetings, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& instance) { return instance.param; });

INSTANTIATE_TEST_SUITE_P(Libraries, RecordedJobs, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace holos::testing
