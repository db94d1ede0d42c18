// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

#include "tracing/recorder/core/events.h"

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

// Communicators between this world and another one. Nothing is sent to the other side, which need not be
// recorded: each side says what it knows, and `tracing/recordings/archive/run/jobs.h` finds those that
// belong together.

/// After MPI_Init of processes that others started: the communicator with those.
void meetParents() noexcept;

/// What MPI_Comm_spawn made of `local`, in which `root` said what is started.
void meetChildren(MPI_Comm local, int root, MPI_Comm made) noexcept;

/// What MPI_Comm_accept or MPI_Comm_connect made of `local`; `port` is the name that `root` has.
void meetAtPort(MPI_Comm local, int root, const char* port, bool accepts, MPI_Comm made) noexcept;

/// A connection of two processes by a socket, as both of them see it. The descriptor may be of no use
/// afterwards.
struct SocketEnds {
    char key[160];  ///< the addresses of both ends, the lower one first; empty where they are not known
    bool isLower;
};
SocketEnds endsOf(int descriptor) noexcept;
void meetBySocket(const SocketEnds& ends, MPI_Comm made) noexcept;

}  // namespace holos::tracing::mpi
