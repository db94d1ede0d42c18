// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of programs that look up MPI's functions by their names: as much as of those linked with
// MPI.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;

class RecordedLookups : public RecordedMpi {
  protected:
    std::string inFront() const { return HOLOS_PROGRAMS "/libin_front_" + GetParam() + ".so"; }
    /// Of two ranks, in order.
    static auto events(const std::string& program, const Words& arguments = {}) {
        const TemporaryDirectory directory;
        const std::string path = HOLOS_PROGRAMS "/" + program + '_' + GetParam();
        return recordedEvents(record(directory.path(), path, launcher(2, GetParam()), {}, arguments));
    }
};

TEST_P(RecordedLookups, twin_isLinkedWithNoMpi) {
    EXPECT_THAT(runCommand({"ldd", path("looked_up")}).output,
                ::testing::Not(::testing::HasSubstr("libmpi")));
}

TEST_P(RecordedLookups, linkedProgram_eachMessageOnce) {
    const std::string end = "MPI_COLLECTIVE_END ";
    EXPECT_THAT(with(events("linked").begin()->second, {"MPI_SEND", "MPI_I", "_END", "ENTER MPI_Comm_rank"}),
                ElementsAre("ENTER MPI_Init", "LEAVE MPI_Init", "ENTER MPI_Comm_rank",
                            "MPI_SEND to 1 tag 1 bytes 12", end + "CREATE_HANDLE root NONE sent 0 received 0",
                            "ENTER MPI_Irecv", "MPI_IRECV_REQUEST request 1", "LEAVE MPI_Irecv",
                            "ENTER MPI_Isend", "MPI_ISEND to 1 tag 2 bytes 16 request 2", "LEAVE MPI_Isend",
                            "MPI_IRECV from 1 tag 2 bytes 16 request 1", "MPI_ISEND_COMPLETE request 2",
                            end + "ALLREDUCE root NONE sent 16 received 16",
                            end + "DESTROY_HANDLE root NONE sent 0 received 0"));
}

TEST_P(RecordedLookups, libraryWithScopeOfItsOwn_sameEventsAsLinked) {
    EXPECT_EQ(events("looked_up", {mpi()}), events("linked"));
}

TEST_P(RecordedLookups, libraryInGlobalScope_sameEventsAsLinked) {
    EXPECT_EQ(events("looked_up", {mpi(), "global"}), events("linked"));
}

TEST_P(RecordedLookups, programLinkedWithLibraryInFrontOfMpi_eachMessageOnce) {
    EXPECT_EQ(events("linked_in_front"), events("linked"));
}

TEST_P(RecordedLookups, toolInFrontOfMpi_isCalledAndEachMessageRecordedOnce) {
    const std::filesystem::path archive = folder() / "run";
    const Words command{HOLOS_PROGRAM, "record", "-o", archive.string(), "--", path("linked_with_tool")};
    const auto result = runCommand(launcher(2, GetParam()) + command);
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, ::testing::HasSubstr("the tool saw a message among 2\n"));
    EXPECT_EQ(recordedEvents(archive), events("linked"));
}

TEST_P(RecordedLookups, libraryInFrontOfMpi_eachMessageOnce) {
    EXPECT_EQ(events("looked_up", {inFront()}), events("linked"));
}

TEST_P(RecordedLookups, libraryInFrontOfMpiInGlobalScope_eachMessageOnce) {
    EXPECT_EQ(events("looked_up", {inFront(), "global"}), events("linked"));
}

TEST_P(RecordedLookups, functionsForFortran_sameEventsAsLinked) {
    if (!std::filesystem::exists(path("linked_fortran"))) GTEST_SKIP() << "no Fortran compiler";
    const std::string mpi =
        libraryOf(path("linked_fortran"), GetParam() == "mpich" ? "libmpichfort" : "libmpi_mpifh");
    const auto linked = events("linked_fortran");
    EXPECT_THAT(with(linked.begin()->second, {"MPI_SEND"}), ElementsAre("MPI_SEND to 1 tag 1 bytes 12"));
    EXPECT_EQ(events("looked_up_fortran", {mpi}), linked);
    EXPECT_EQ(events("looked_up_fortran", {mpi, "global"}), linked);
}

/// `programs/waits_while_loaded.c`: of a library whose constructor waits for the thread that asks MPI first.
/// Nothing can be loaded meanwhile, so that this call is not recorded.
TEST_P(RecordedLookups, firstCallByAThreadForWhichALibraryIsLoaded_isMadeAndTheOthersRecorded) {
    const std::string library = HOLOS_PROGRAMS "/libthread_asks_" + GetParam() + ".so";
    const auto archive = record(folder(), HOLOS_PROGRAMS "/waits_while_loaded", {}, {}, {library});
    EXPECT_THAT(with(recordedEvents(archive).at(0), {"ENTER MPI_"}),
                ElementsAre("ENTER MPI_Init", "ENTER MPI_Barrier", "ENTER MPI_Finalize"));
    EXPECT_THAT(runCommand({HOLOS_PROGRAM, "info", archive.string()}).output,
                ::testing::HasSubstr("the first calls of MPI are not recorded"));
}

TEST_P(RecordedLookups, firstCallByTheThreadThatLoadsALibrary_isRecorded) {
    const std::string library = HOLOS_PROGRAMS "/libasks_itself_" + GetParam() + ".so";
    const auto archive = record(folder(), HOLOS_PROGRAMS "/waits_while_loaded", {}, {}, {library});
    EXPECT_THAT(
        with(recordedEvents(archive).at(0), {"ENTER MPI_"}),
        ElementsAre("ENTER MPI_Initialized", "ENTER MPI_Init", "ENTER MPI_Barrier", "ENTER MPI_Finalize"));
}

INSTANTIATE_TEST_SUITE_P(Libraries, RecordedLookups, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace holos::testing
