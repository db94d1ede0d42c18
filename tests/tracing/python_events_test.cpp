// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of Python programs that use MPI, through mpi4py or a library that they load.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tracing/python.h"
#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;

TEST(RecordedMpi4py, messagesAndCollectives_exactSequence) {
    const auto launch = launcher(2, familyOfMpi4py());
    if (familyOfMpi4py().empty() || launch.empty()) GTEST_SKIP() << "no mpi4py with its MPI's mpirun here";
    const TemporaryDirectory directory;
    const std::string archive = directory.path() / "run";
    const auto recorded =
        runCommand(launch + std::vector<std::string>{HOLOS_PROGRAM, "record", "-o", archive, "--", kPython,
                                                     HOLOS_SOURCES "/messages.py"});
    ASSERT_EQ(recorded.exitCode, 0) << recorded.output;
    const auto events = recordedEvents(archive);
    ASSERT_EQ(events.size(), 2);
    const std::string end = "MPI_COLLECTIVE_END ";
    EXPECT_THAT(
        with(events.at(0), {"MPI_SEND", "MPI_RECV", "MPI_ISEND", "MPI_IRECV", "_END", "MPI_Init_thread"}),
        ElementsAre("ENTER MPI_Init_thread", "LEAVE MPI_Init_thread",                             //
                    "MPI_SEND to 1 tag 1 bytes 12", "MPI_IRECV_REQUEST request 1",                //
                    "MPI_ISEND to 1 tag 2 bytes 16 request 2",                                    //
                    "MPI_IRECV from 1 tag 2 bytes 16 request 1", "MPI_ISEND_COMPLETE request 2",  //
                    end + "CREATE_HANDLE root NONE sent 0 received 0",                            //
                    end + "BCAST root 1 sent 40 received 20",                                     //
                    end + "DESTROY_HANDLE root NONE sent 0 received 0",                           //
                    end + "ALLREDUCE root NONE sent 8 received 8"));
    EXPECT_THAT(with(events.at(1), {"MPI_RECV", "BCAST"}),
                ElementsAre("MPI_RECV from 0 tag 1 bytes 12", end + "BCAST root 1 sent 0 received 20"));
}

/// The events of two ranks of a Python program with arguments.
auto eventsOfPython(const std::string& family, const std::vector<std::string>& words) {
    const TemporaryDirectory directory;
    const std::string archive = directory.path() / "run";
    const auto recorded =
        runCommand(launcher(2, family) +
                   std::vector<std::string>{HOLOS_PROGRAM, "record", "-o", archive, "--", kPython} + words);
    EXPECT_EQ(recorded.exitCode, 0) << recorded.output;
    return recordedEvents(archive);
}

/// `programs/futures.py`: threads of mpi4py's send the work, and receive what came out.
TEST(RecordedMpi4py, poolOfProcesses_isOneSoundTrace) {
    const auto launch = launcher(3, familyOfMpi4py());
    if (familyOfMpi4py().empty() || launch.empty()) GTEST_SKIP() << "no mpi4py with its MPI's mpirun here";
    const TemporaryDirectory directory;
    const std::string archive = directory.path() / "run";
    const auto recorded =
        runCommand(std::vector<std::string>{HOLOS_PROGRAM, "record", "-o", archive, "--"} + launch +
                   std::vector<std::string>{kPython, "-m", "mpi4py.futures", HOLOS_SOURCES "/futures.py"});
    ASSERT_EQ(recorded.exitCode, 0) << recorded.output;
    EXPECT_THAT(recorded.output, ::testing::HasSubstr("198\n"));
    EXPECT_THAT(recorded.output, ::testing::HasSubstr("3 processes, 4 locations"));
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", archive});
    ASSERT_EQ(analyzed.exitCode, 0) << analyzed.output;
    const auto checked = runCommand({HOLOS_PROGRAM, "check", archive});
    EXPECT_EQ(checked.exitCode, 0) << checked.output;
}

TEST_P(RecordedMpi, libraryLoadedByPython_sameEventsAsTheProgram) {
    const auto events = eventsOfPython(
        GetParam(), {HOLOS_SOURCES "/load.py", HOLOS_PROGRAMS "/libmessages_" + GetParam() + ".so"});
    ASSERT_EQ(events.size(), 2);
    EXPECT_THAT(events.at(0), ::testing::ElementsAreArray(eventsOf("messages", 2).at(0)));
}

TEST_P(RecordedMpi, fortranLoadedByPythonAfterMpi_sameEventsAsTheProgram) {
    const std::string loaded = HOLOS_PROGRAMS "/libmessages_fortran_" + GetParam() + ".so";
    if (!std::filesystem::exists(loaded)) GTEST_SKIP() << "no Fortran compiler";
    auto events = eventsOfPython(GetParam(), {HOLOS_SOURCES "/load.py", loaded, mpi()});
    ASSERT_EQ(events.size(), 2);
    auto& first = events.at(0);
    ASSERT_GE(first.size(), 2);
    EXPECT_THAT(std::vector(first.begin(), first.begin() + 2),
                ElementsAre("ENTER MPI_Initialized", "LEAVE MPI_Initialized"));
    first.erase(first.begin(), first.begin() + 2);
    // Which request completes first is open.
    EXPECT_THAT(first, ::testing::UnorderedElementsAreArray(eventsOf("messages_fortran", 2).at(0)));
}

TEST_P(RecordedMpi, functionsLookedUpByPython_exactSequence) {
    const auto events = eventsOfPython(GetParam(), {HOLOS_SOURCES "/look_up.py", mpi()});
    ASSERT_EQ(events.size(), 2);
    EXPECT_THAT(events.at(0),
                ElementsAre("ENTER MPI_Init", "LEAVE MPI_Init", "ENTER MPI_Comm_rank", "LEAVE MPI_Comm_rank",
                            "ENTER MPI_Send", "MPI_SEND to 1 tag 1 bytes 12", "LEAVE MPI_Send",
                            "ENTER MPI_Finalize", "LEAVE MPI_Finalize"));
    EXPECT_THAT(with(events.at(1), {"MPI_RECV"}), ElementsAre("MPI_RECV from 0 tag 1 bytes 12"));
}

}  // namespace
}  // namespace holos::testing
