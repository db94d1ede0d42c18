// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::tracing::mpi {

/// Whether the calling thread can load a library now. Others that load one are waited for, but not for ever:
/// in a constructor of theirs they may wait for the calling thread. After that it takes moments.
///
/// Thread safety: one thread at a time.
bool canLoadNow() noexcept;

}  // namespace holos::tracing::mpi
