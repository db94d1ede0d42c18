// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::tracing::threads {

/// From here on mutexes and condition variables are recorded: called before the program starts a thread.
/// Before that nobody waits at them, and the program may be one that never does.
void prepareSynchronization() noexcept;

}  // namespace holos::tracing::threads
