// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// What tells this MPI_COMM_WORLD from those of other jobs, which may be recorded together with it.
namespace holos::tracing::mpi {

/// Equal in all processes: chosen by rank 0. Collective over MPI_COMM_WORLD.
std::uint64_t agreeOnWorldId() noexcept;

/// The world's id without a message: by what the launcher calls the job; 0 where it does not say.
std::uint64_t worldIdOfLauncher() noexcept;

}  // namespace holos::tracing::mpi
