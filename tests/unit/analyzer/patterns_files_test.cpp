// SPDX-License-Identifier: BSD-3-Clause
// Bytes moved from and to files.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

class FileTrace {
  public:
    FileTrace() { trace_.on(0).enter(0, "main"); }

    FileTrace& begin(Tick tick, OTF2_IoOperationMode mode, std::uint64_t bytes, std::uint64_t operation) {
        const auto time = trace_.timestamp(tick);
        trace_.on(0).record([=](auto* out) {
            return OTF2_EvtWriter_IoOperationBegin(out, nullptr, time, 0, mode, OTF2_IO_OPERATION_FLAG_NONE,
                                                   bytes, operation);
        });
        return *this;
    }
    FileTrace& complete(Tick tick, std::uint64_t bytes, std::uint64_t operation) {
        const auto time = trace_.timestamp(tick);
        trace_.on(0).record([=](auto* out) {
            return OTF2_EvtWriter_IoOperationComplete(out, nullptr, time, 0, bytes, operation);
        });
        return *this;
    }
    FileTrace& enter(Tick tick, const char* region, OTF2_Paradigm paradigm = OTF2_PARADIGM_MPI) {
        trace_.region(region, {paradigm, OTF2_REGION_ROLE_FILE_IO, ""});
        trace_.on(0).enter(tick, region);
        return *this;
    }
    FileTrace& leave(Tick tick) {
        trace_.on(0).leave(tick);
        return *this;
    }
    Findings findings() { return Findings(trace_); }

  private:
    TraceBuilder trace_{1};
};

TEST(FileBytes, blockingTransfer_countsWhatWasMoved) {
    const Findings found = FileTrace()
                               .enter(1, "MPI_File_read")
                               .begin(1, OTF2_IO_OPERATION_MODE_READ, 32, 1)
                               .complete(4, 20, 1)
                               .leave(4)
                               .leave(9)
                               .findings();
    EXPECT_EQ(found.at("mpi_io_bytes_read", "main/MPI_File_read", 0), 20);
    EXPECT_EQ(found.total("mpi_io_bytes_written"), 0);
    EXPECT_NEAR(found.at("mpi_io_individual", "main/MPI_File_read", 0), 0.003, kExact);  // 4 - 1
}

TEST(FileBytes, functionOutsideOfMpi_countsApart) {
    FileTrace trace;
    trace.enter(1, "write", OTF2_PARADIGM_NONE).begin(1, OTF2_IO_OPERATION_MODE_WRITE, 32, 1);
    trace.complete(4, 32, 1).leave(4).enter(5, "MPI_File_read").leave(6).leave(9);
    const Findings found = trace.findings();
    EXPECT_EQ(found.at("file_io_bytes_written", "main/write", 0), 32);
    EXPECT_EQ(found.total("mpi_io_bytes_written"), 0);
    EXPECT_NEAR(found.at("file_io", "main/write", 0), 0.003, kExact);  // 4 - 1
    EXPECT_NEAR(found.total("comp"), 0.008, kExact);                   // 9 - 1: file_io is a part
}

TEST(FileBytes, transferCompletedLater_countsWhereItWasAskedFor) {
    const Findings found = FileTrace()
                               .enter(1, "MPI_File_iwrite")
                               .begin(1, OTF2_IO_OPERATION_MODE_WRITE, 16, 7)
                               .leave(2)
                               .enter(3, "MPI_Wait")
                               .complete(4, 16, 7)
                               .leave(4)
                               .leave(9)
                               .findings();
    EXPECT_EQ(found.at("mpi_io_bytes_written", "main/MPI_File_iwrite", 0), 16);
    EXPECT_EQ(found.total("mpi_io_bytes_written"), 16);
}

TEST(FileBytes, neverCompletedOrNeverBegun_countsWhatWasAskedForOrNothing) {
    const Findings found = FileTrace()
                               .enter(1, "MPI_File_iwrite")
                               .begin(1, OTF2_IO_OPERATION_MODE_WRITE, 8, 1)
                               .complete(2, 64, 2)
                               .leave(3)
                               .enter(4, "MPI_File_sync")
                               .begin(4, OTF2_IO_OPERATION_MODE_FLUSH, 0, 3)
                               .complete(5, 0, 3)
                               .leave(5)
                               .leave(9)
                               .findings();
    EXPECT_EQ(found.total("mpi_io_bytes_written"), 8);
    EXPECT_EQ(found.total("mpi_io_bytes_read"), 0);
}

}  // namespace
}  // namespace holos::testing
