// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

#include "tracing/recorder/core/events.h"

/// The files that this process has open.
///
/// Thread safety: safe.
namespace holos::tracing::mpi {

/// 0 for files that the trace does not know.
HandleRef handleOf(MPI_File file) noexcept;

/// Counts the openings that the members of a communicator make together, failed ones too: all count in the
/// same order, so that no message is needed to agree on a file's identity.
std::uint32_t nextOpening(CommRef comm) noexcept;

void rememberFile(MPI_File file, HandleRef handle) noexcept;
void forgetFile(MPI_File file) noexcept;

/// The operation that a call with `_begin` began, for the one with `_end`; a file has one at most.
void keepSplit(MPI_File file, RequestId operation) noexcept;
/// 0 when there is none.
RequestId takeSplit(MPI_File file) noexcept;

}  // namespace holos::tracing::mpi
