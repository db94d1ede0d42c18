// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

/// The begin and the end of MPI in this process. Collective over MPI_COMM_WORLD.
namespace holos::tracing::mpi {

/// After MPI_Init: who we are, and how our clock differs from rank 0's.
void worldBegins() noexcept;
/// Before MPI_Finalize: the clocks once more.
void worldEnds() noexcept;

/// Tells the recorder the difference between this process's clock and rank 0's. Processes that run on rank
/// 0's machine share its clock: their difference is zero by definition, not by measurement. For the others
/// rank 0 answers one process after the other: the answer with the shortest round trip counts, out of a
/// hundred at most and for no longer than half a second in all. `comm` has all processes and carries nothing
/// else.
void measureClockOffset(MPI_Comm comm) noexcept;

}  // namespace holos::tracing::mpi
