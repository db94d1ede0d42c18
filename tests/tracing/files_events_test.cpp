// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of MPI's files: `programs/files.c`, `programs/files.F90`.
#include <gmock/gmock.h>

#include "algebra/files/cubex.h"
#include "tests/support/severity_lookup.h"
#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;
using RecordedFiles = RecordedMpi;

TEST_P(RecordedFiles, allWaysToReadAndWrite_bytesAskedForAndMoved) {
    const auto archive = archiveOf("files", 2, {}, {folder() / "data"});
    const auto events = recordedEvents(archive);
    EXPECT_THAT(
        with(events.at(1), {"IO_"}),
        ElementsAre("IO_CREATE_HANDLE READ_WRITE CREATE",                                       //
                    "IO_OPERATION_BEGIN WRITE NONE 12 operation 1",                             // at
                    "IO_OPERATION_COMPLETE 12 operation 1",                                     //
                    "IO_SEEK 64 FROM_START 64",                                                 //
                    "IO_OPERATION_BEGIN READ NONE 12 operation 2",                              //
                    "IO_OPERATION_COMPLETE 12 operation 2",                                     //
                    "IO_OPERATION_BEGIN WRITE NON_BLOCKING 16 operation 3",                     // iwrite_at
                    "IO_OPERATION_ISSUED operation 3", "IO_OPERATION_COMPLETE 16 operation 3",  //
                    "IO_OPERATION_BEGIN WRITE COLLECTIVE 20 operation 4",                       // at_all
                    "IO_OPERATION_COMPLETE 20 operation 4",                                     //
                    "IO_OPERATION_BEGIN FLUSH COLLECTIVE 0 operation 5",                        // sync
                    "IO_OPERATION_COMPLETE 0 operation 5",                                      //
                    "IO_OPERATION_BEGIN READ NON_BLOCKING|COLLECTIVE 20 operation 6",           // _begin
                    "IO_OPERATION_ISSUED operation 6", "IO_OPERATION_COMPLETE 20 operation 6",  // _end
                    "IO_DESTROY_HANDLE",                                                        //
                    "IO_CREATE_HANDLE READ_ONLY NONE",                                          // by itself
                    "IO_OPERATION_BEGIN READ NONE 32 operation 7",                              //
                    "IO_OPERATION_COMPLETE 20 operation 7", "IO_DESTROY_HANDLE"));
    EXPECT_THAT(with(events.at(0), {"IO_DELETE"}), ElementsAre("IO_DELETE_FILE"));

    analysisOf(archive);
    const auto shown = runCommand({HOLOS_PROGRAM, "show", archive / "analysis.cubex"}).output;
    EXPECT_THAT(shown, ::testing::HasSubstr("MPI file I/O"));
}

TEST_P(RecordedFiles, oneOpensLate_othersWaitForIt) {
    constexpr double kLate = 0.2;  // seconds
    const auto archive = archiveOf("files", 2, {}, {folder() / "data", "200000"});
    EXPECT_THAT(analysisOf(archive), ::testing::Not(::testing::HasSubstr("collective operation")));
    const auto experiment = algebra::readCubex(archive / "analysis.cubex");
    const auto atOpen = [&](const char* metric, unsigned rank) {
        return severityOfRegion(experiment, metric, "MPI_File_open", algebra::LocationId(rank));
    };
    EXPECT_GT(atOpen("mpi_mgmt_file_wait", 0), 0.25 * kLate);
    EXPECT_LE(atOpen("mpi_mgmt_file_wait", 0), atOpen("mpi_mgmt_file", 0));
    EXPECT_LT(atOpen("mpi_mgmt_file_wait", 1), 0.25 * kLate);
    EXPECT_GT(total(experiment, "delay_io"), 0.25 * kLate);
}

TEST_P(RecordedFiles, changedByAll_leavesNameTheFile) {
    const auto archive = archiveOf("file_changes", 2, {}, {folder() / "data"});
    const std::string shared = " of a file";
    EXPECT_THAT(with(recordedEvents(archive).at(1), {"LEAVE MPI_File", "IO_SEEK"}),
                ElementsAre("LEAVE MPI_File_open", "LEAVE MPI_File_set_view" + shared,
                            "LEAVE MPI_File_set_size" + shared, "LEAVE MPI_File_preallocate" + shared,
                            "LEAVE MPI_File_set_atomicity" + shared, "LEAVE MPI_File_set_info" + shared,
                            "IO_SEEK 0 FROM_START 18446744073709551615", "LEAVE MPI_File_seek_shared",
                            "LEAVE MPI_File_write_ordered", "LEAVE MPI_File_close"));
    EXPECT_THAT(runCommand({"otf2-print", archive / "traces.otf2"}).output,
                ::testing::Not(::testing::HasSubstr("warning")));
}

TEST_P(RecordedFiles, oneSetsTheViewLate_othersWaitForIt) {
    constexpr double kLate = 0.2;  // seconds
    const auto archive = archiveOf("file_changes", 2, {}, {folder() / "data", "200000"});
    EXPECT_THAT(analysisOf(archive), ::testing::Not(::testing::HasSubstr("collective operation")));
    const auto experiment = algebra::readCubex(archive / "analysis.cubex");
    const auto atView = [&](const char* metric, unsigned rank) {
        return severityOfRegion(experiment, metric, "MPI_File_set_view", algebra::LocationId(rank));
    };
    EXPECT_GT(atView("mpi_mgmt_file_wait", 0), 0.25 * kLate);
    EXPECT_LE(atView("mpi_mgmt_file_wait", 0), atView("mpi_mgmt_file", 0));
    EXPECT_LT(atView("mpi_mgmt_file_wait", 1), 0.25 * kLate);
    EXPECT_GT(total(experiment, "delay_io"), 0.25 * kLate);
}

/// Of files and of windows: `programs/other_thread_completes.c`.
TEST_P(RecordedFiles, anotherThreadCompletes_bytesMovedAreThoseOfTheBegin) {
    const auto archive = archiveOf("other_thread_completes", 2, {}, {folder() / "data"});
    std::vector<std::string> completions;
    for (const auto& [location, events] : recordedEvents(archive)) {
        const auto begun = with(events, {"IO_OPERATION_BEGIN READ", "RMA_GET"});
        const auto ends = with(events, {"IO_OPERATION_COMPLETE 12", "RMA_OP_COMPLETE_NON"});
        EXPECT_TRUE(begun.empty() || ends.empty()) << location;
        completions.insert(completions.end(), ends.begin(), ends.end());
    }
    EXPECT_EQ(completions.size(), 2 * 3);  // of both processes: written, read, got
    EXPECT_EQ(analysisOf(archive).find("collective operation"), std::string::npos);
    const auto experiment = algebra::readCubex(archive / "analysis.cubex");
    const auto bytes = [&](const char* metric, const std::string& call) {
        return severityOfRegion(experiment, metric, call, algebra::LocationId(0));
    };
    EXPECT_EQ(bytes("mpi_io_bytes_written", "MPI_File_iwrite_at_all"), 12);
    EXPECT_EQ(bytes("mpi_io_bytes_read", "MPI_File_iread_at"), 12);
    EXPECT_EQ(bytes("bytes_get", "MPI_Rget"), 8);
    EXPECT_EQ(total(experiment, "mpi_io_bytes_read"), 24);  // of both processes
}

TEST_P(RecordedFiles, fortranModules_nameAndBytes) {
    if (!std::filesystem::exists(path("files_fortran"))) GTEST_SKIP() << "no Fortran compiler here";
    for (const char* program : {"files_fortran", "files_f08"}) {
        const auto archive = archiveOf(program, 1, {}, {folder() / "data"});
        EXPECT_THAT(
            with(recordedEvents(archive).at(0), {"IO_"}),
            ElementsAre("IO_CREATE_HANDLE READ_WRITE CREATE",            //
                        "IO_OPERATION_BEGIN WRITE NONE 16 operation 1",  //
                        "IO_OPERATION_COMPLETE 16 operation 1",          //
                        "IO_SEEK 8 FROM_START 8",                        //
                        "IO_OPERATION_BEGIN READ NONE 8 operation 2",    //
                        "IO_OPERATION_COMPLETE 8 operation 2", "IO_DESTROY_HANDLE", "IO_DELETE_FILE"));
        EXPECT_THAT(runCommand({"otf2-print", "-G", archive / "traces.otf2"}).output,
                    ::testing::HasSubstr((folder() / "data").string() + '"'));
    }
}

INSTANTIATE_TEST_SUITE_P(Libraries, RecordedFiles, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace holos::testing
