// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes moved from and to files, at the call that asked for them.
//
//   rank 0  ──┤ File_write 16 bytes ├┤ File_iread ├┤ Wait: 4 bytes ├──
//              mpi_io_bytes_written    mpi_io_bytes_read
//              + 16                    + 4
//
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kMpiFileBytesReadText{"mpi_io_bytes_read", "Read", "bytes",
                                       "Bytes that MPI read from files, at the call that asked for them."};
const MetricText kMpiFileBytesWrittenText{"mpi_io_bytes_written", "Written", "bytes",
                                          "Bytes that MPI wrote to files, at the call that asked for it."};
const MetricText kFileBytesReadText{
    "file_io_bytes_read", "Read", "bytes",
    "Bytes that functions other than MPI's read from files, at the call that asked for them."};
const MetricText kFileBytesWrittenText{
    "file_io_bytes_written", "Written", "bytes",
    "Bytes that functions other than MPI's wrote to files, at the call that asked for it."};

void countFileBytes(const replay::ReplayedTrace& trace, trace::LocationId location,
                    LocalSeverities& severities) {
    const replay::LocationTrace& local = trace[location];
    replay::BytesByPath all = local.files.moved;
    for (const replay::FileRequest& open : local.files.open) replay::book(open, all);
    for (const auto& [node, moved] : all) {
        const bool isOthers = node != replay::kOutside &&
                              trace.classes[local.tree[node].region.index()].has(trace::TimeClass::FileIo);
        severities.add(isOthers ? Measured::FileBytesRead : Measured::MpiFileBytesRead, node,
                       static_cast<std::int64_t>(moved.read));
        severities.add(isOthers ? Measured::FileBytesWritten : Measured::MpiFileBytesWritten, node,
                       static_cast<std::int64_t>(moved.written));
    }
}

}  // namespace holos::analyzer::patterns
