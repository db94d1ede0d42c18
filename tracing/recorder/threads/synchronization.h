// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::tracing::threads {

/// From here on mutexes, condition variables and the like are recorded: called before the program starts a
/// thread. Before that nobody waits at them, and the program may be one that never does.
void prepareSynchronization() noexcept;
/// As `prepareSynchronization`, at the first use of a mutex from here on: called before a runtime system of
/// OpenMP starts a thread. Most of its programs never use one.
void expectSynchronization() noexcept;

}  // namespace holos::tracing::threads
