// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/state/world.h"

#include "tracing/recorder/core/clock_comparison.h"
#include "tracing/recorder/mpi/state/communicators.h"
#include "tracing/recorder/mpi/state/meetings.h"
#include "tracing/recorder/mpi/state/world_id.h"

namespace holos::tracing::mpi {
namespace {

/// A communicator of our own, so that no message of the program can be taken for ours.
MPI_Comm clockComm = MPI_COMM_NULL;

void measure() {
    measureClockOffset(clockComm);
}

}  // namespace

void worldBegins() noexcept {
    defineWorld(agreeOnWorldId());
    meetParents();
    if (PMPI_Comm_dup(MPI_COMM_WORLD, &clockComm) != MPI_SUCCESS) return;
    measure();
    offerClockComparison(&measure);
    clockPointsBegin();
}

void worldEnds() noexcept {
    if (clockComm == MPI_COMM_NULL) return;
    clockPointsEnd();
    offerClockComparison(nullptr);
    measure();
    PMPI_Comm_free(&clockComm);
}

}  // namespace holos::tracing::mpi
