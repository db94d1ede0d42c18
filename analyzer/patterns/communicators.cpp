// SPDX-License-Identifier: BSD-3-Clause
//
// Wait at Communicators: processes that make or end a communicator together come together.
//
//   rank 0  ──┤ Comm_split, B ·······│─X├──      wait = max B − B, unless somebody left before all were there
//   rank 1  ──────┤ Comm_split, B ·····X├──
//             └────── wait ──────────┘
//
// MPI lets such operations synchronize, but does not ask for it: where somebody leaves early, nobody waited.
//
#include "analyzer/patterns/extremes.h"
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

namespace {

const Metric kCommunicatorWait{
    .parent = "mpi_mgmt_comm",
    .uniqueName = "mpi_mgmt_comm_wait",
    .displayName = "Wait at Management of Communicators",
    .description =
        "Time that a process waits for the last one to come to an operation that makes or ends a "
        "communicator, such as MPI_Comm_split, MPI_Comm_dup, MPI_Cart_create, MPI_Comm_accept and "
        "MPI_Comm_free. Make communicators once, at the start, or balance the work before.",
    .picture = &kAllWait,
    .meaning = "processes wait for the last one to make or end a communicator"};

void find(CollectiveParts instance) {
    synchronizeWhereTogether(instance);
}

}  // namespace

extern const Pattern kCommunicatorsPattern{
    .metrics = {&kCommunicatorWait},
    .delays = {{Kind::Communicators, "delay_mpi", "delay_comm", "Communicators",
                "Delays that make others wait where a communicator is made or ends.", &kImbalance,
                Needs::Nothing, "delay_finalize_aggregate"}},
    .collectives = {{{replay::Collective::CommCreate, replay::Collective::CommFree},
                     Kind::Communicators,
                     find,
                     &kCommunicatorWait,
                     nullptr,
                     Nonblocking::Communicators}}};

}  // namespace holos::analyzer::patterns
