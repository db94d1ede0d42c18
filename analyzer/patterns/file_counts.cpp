// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes moved from and to files, at the call that asked for them.
//
//   rank 0  ──┤ File_write 16 bytes ├┤ File_iread ├┤ Wait: 4 bytes ├──
//              mpi_io_bytes_written    mpi_io_bytes_read
//              + 16                    + 4
//
#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

namespace {

const Metric kMpiFileBytesRead{"mpi_io_bytes", "mpi_io_bytes_read", "Read",
                               "Bytes that MPI read from files, at the call that asked for them."};
const Metric kMpiFileBytesWritten{"mpi_io_bytes", "mpi_io_bytes_written", "Written",
                                  "Bytes that MPI wrote to files, at the call that asked for it."};
const Metric kFileBytesRead{
    "file_io_bytes", "file_io_bytes_read", "Read",
    "Bytes that functions other than MPI's read from files, at the call that asked for them."};
const Metric kFileBytesWritten{
    "file_io_bytes", "file_io_bytes_written", "Written",
    "Bytes that functions other than MPI's wrote to files, at the call that asked for it."};

void count(const matching::MatchedTrace& run, trace::LocationId location, LocationFindings& found) {
    const replay::LocationTrace& local = run.trace[location];
    LocalSeverities& severities = found.severities;
    replay::BytesByPath all = local.files.moved;
    for (const replay::FileRequest& open : local.files.open) replay::book(open, all);
    for (const auto& [node, moved] : all) {
        severities.addBytes(moved.isMpi ? kMpiFileBytesRead : kFileBytesRead, node, moved.read);
        severities.addBytes(moved.isMpi ? kMpiFileBytesWritten : kFileBytesWritten, node, moved.written);
    }
}

}  // namespace

extern const Pattern kFileCountsPattern{
    .metrics = {&kMpiFileBytesRead, &kMpiFileBytesWritten, &kFileBytesRead, &kFileBytesWritten},
    .inLocation = count};

}  // namespace holos::analyzer::patterns
