// SPDX-License-Identifier: BSD-3-Clause
//
// Wait at Collective I/O: processes that open, close, synchronize, change, read or write a file together
// come together.
//
//   rank 0  ──┤ File_write_all, B ···│─X├──      wait = max B − B, unless somebody left before all were there
//   rank 1  ──────┤ File_write_all, B──X├──
//             └────── wait ──────────┘
//
// MPI lets such operations synchronize, but does not ask for it: where somebody leaves early, nobody waited.
// An operation of two halves waits in the second one, a nonblocking one in the call that completes it.
//
// Ordered operations move the data of one rank behind those of the ranks below. So a rank cannot go on before
// these have come and said how much they move, even where the last rank comes after somebody left:
//
//   rank 0  ───────┤ File_write_ordered, B ──X├──
//   rank 1  ──┤ B ·│───────X├────────────────────    wait of 1 = min(latest B below, X) − B
//   rank 2  ─────────────────────────┤ B ──X├─────
//
#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kFileManagementWaitText{
    "mpi_mgmt_file_wait", "Wait at Management of Files", "sec",
    "Time that a process waits for the last one to open, close or synchronize a file together, or to change "
    "its size, view, atomicity, hints or shared pointer. Open fewer files, set their views less often, or "
    "balance the work before."};
const MetricText kFileTransferWaitText{
    "mpi_io_collective_wait", "Wait at Collective I/O", "sec",
    "Time that a process waits for the last one to enter a collective operation that reads or writes a file. "
    "Balance the work before the operation."};

namespace {

void waitForRanksBelow(matching::CollectiveInstance instance) {
    const replay::CollectiveRecord* latest = nullptr;
    for (replay::CollectiveRecord* record : instance) {
        if (latest != nullptr && record->begin < latest->begin)
            waitFor(*record, *latest);
        else
            latest = record;
    }
}

}  // namespace

void fileWaits(matching::CollectiveInstance instance) {
    const bool wereTogether = synchronizeWhereTogether(instance);
    if (!wereTogether && instance[0]->operation == replay::Collective::FileTransferInOrder)
        waitForRanksBelow(instance);
}

}  // namespace holos::analyzer::patterns
