// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

/// Messages that a matching probe found and nobody received yet.
///
/// Thread safety: safe.
namespace holos::tracing::mpi {

void keepMatched(MPI_Message message, MPI_Comm comm) noexcept;
/// The communicator of a message, which is forgotten; MPI_COMM_NULL when it is not known.
MPI_Comm takeMatched(MPI_Message message) noexcept;

}  // namespace holos::tracing::mpi
