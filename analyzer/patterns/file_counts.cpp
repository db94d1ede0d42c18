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

const MetricText kFileBytesReadText{"mpi_io_bytes_read", "Read", "bytes",
                                    "Bytes that MPI read from files, at the call that asked for them."};
const MetricText kFileBytesWrittenText{"mpi_io_bytes_written", "Written", "bytes",
                                       "Bytes that MPI wrote to files, at the call that asked for it."};

void countFileBytes(const replay::LocationTrace& location, LocalSeverities& severities) {
    for (const auto& [node, moved] : location.files) {
        severities.add(Measured::FileBytesRead, node, static_cast<std::int64_t>(moved.read));
        severities.add(Measured::FileBytesWritten, node, static_cast<std::int64_t>(moved.written));
    }
}

}  // namespace holos::analyzer::patterns
