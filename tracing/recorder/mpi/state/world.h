// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

namespace holos::tracing::mpi {

/// The start and the end of MPI in this process. Collective over MPI_COMM_WORLD.

/// After MPI_Init: who we are, and how our clock differs from rank 0's.
void worldBegins() noexcept;
/// Before MPI_Finalize: the clocks once more.
void worldEnds() noexcept;

/// Tells the recorder the difference between this process's clock and rank 0's (`clock_tree.h`), within half
/// a second for all processes. `comm` has all processes and carries nothing else.
void measureClockOffset(MPI_Comm comm) noexcept;

/// Comparisons in between (`clock_points.h`): from when on and until when. Collective over MPI_COMM_WORLD.
void clockPointsBegin() noexcept;
void clockPointsEnd() noexcept;

/// What tells this MPI_COMM_WORLD from those of other jobs, which may be recorded together with it.

/// Equal in all processes: chosen by rank 0. Collective over MPI_COMM_WORLD.
std::uint64_t agreeOnWorldId() noexcept;

/// The world's id without a message: by what the launcher calls the job; 0 where it does not say.
std::uint64_t worldIdOfLauncher() noexcept;

}  // namespace holos::tracing::mpi
