// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "tracing/recorder/core/events.h"

/// Communicators between this world and another one. Nothing is sent to the other side, which need not be
/// recorded: each side says what it knows, and `tracing/recordings/archive/run/jobs.h` finds those that
/// belong together.
namespace holos::tracing::mpi {

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
