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
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

namespace {

const Metric kFileManagementWait{
    .parent = "mpi_mgmt_file",
    .uniqueName = "mpi_mgmt_file_wait",
    .displayName = "Wait at Management of Files",
    .description =
        "Time that a process waits for the last one to open, close or synchronize a file together, or to "
        "change its size, view, atomicity, hints or shared pointer. Open fewer files, set their views less "
        "often, or balance the work before.",
    .picture = &kAllWait,
    .needs = Needs::MpiFiles,
    .meaning = "processes wait for the last one to open, close, synchronize or change a file",
    .activity = Activity::None};
const Metric kFileTransferWait{
    .parent = "mpi_io_collective",
    .uniqueName = "mpi_io_collective_wait",
    .displayName = "Wait at Collective I/O",
    .description =
        "Time that a process waits for the last one to enter a collective operation that reads or writes a "
        "file. Balance the work before the operation.",
    .picture = &kAllWait,
    .needs = Needs::MpiFiles,
    .meaning = "processes wait for the last one to read or write a file together",
    .activity = Activity::None};

void waitForRanksBelow(CollectiveParts instance) {
    const CollectivePart* latest = nullptr;
    for (const CollectivePart& part : instance) {
        if (latest != nullptr && part->begin < (*latest)->begin)
            waitFor(part, *latest);
        else
            latest = &part;
    }
}

void find(CollectiveParts instance) {
    const bool wereTogether = synchronizeWhereTogether(instance);
    if (!wereTogether && instance[0]->operation == replay::Collective::FileTransferInOrder)
        waitForRanksBelow(instance);
}

}  // namespace

extern const Pattern kFileCollectivesPattern{
    .metrics = {&kFileManagementWait, &kFileTransferWait},
    .delays = {{Kind::FileIo, "delay_mpi", "delay_io", "Collective I/O",
                "Delays that make others wait in collective operations on files.", &kImbalance,
                Needs::MpiFiles, "delay_finalize_aggregate"}},
    .collectives = {{{replay::Collective::FileOpen, replay::Collective::FileClose,
                      replay::Collective::FileSync, replay::Collective::FileChange},
                     Kind::FileIo,
                     find,
                     &kFileManagementWait},
                    {{replay::Collective::FileTransfer, replay::Collective::FileTransferInOrder},
                     Kind::FileIo,
                     find,
                     &kFileTransferWait,
                     nullptr,
                     Nonblocking::File}}};

}  // namespace holos::analyzer::patterns
