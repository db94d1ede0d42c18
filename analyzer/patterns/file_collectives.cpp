// SPDX-License-Identifier: BSD-3-Clause
//
// Wait at Collective I/O: processes that open, close, synchronize, read or write a file together come
// together.
//
//   rank 0  ──┤ File_write_all, B ···│─X├──      wait = max B − B, unless somebody left before all were there
//   rank 1  ──────┤ File_write_all, B──X├──
//             └────── wait ──────────┘
//
// MPI lets such operations synchronize, but does not ask for it: where somebody leaves early, nobody waited.
// An operation of two halves waits in the second one, a nonblocking one in the call that completes it.
//
#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kFileManagementWaitText{
    "mpi_mgmt_file_wait", "Wait at Open, Close and Sync", "sec",
    "Time that a process waits for the last one to open, close or synchronize a file together. Open fewer "
    "files, or balance the work before."};
const MetricText kFileTransferWaitText{
    "mpi_io_collective_wait", "Wait at Collective I/O", "sec",
    "Time that a process waits for the last one to enter a collective operation that reads or writes a file. "
    "Balance the work before the operation."};

void fileWaits(matching::CollectiveInstance instance) {
    synchronizeWhereTogether(instance);
}

}  // namespace holos::analyzer::patterns
