// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/core/location.h"

/// Which processors threads may use, and how often the kernel moved them: at a thread's first event and at
/// its end, never in between. Where threads are found on the way is an event (`noteProcessor` of thread.h).
namespace holos::tracing::core {

/// Writes down the calling thread's processors where it is the first to write to the location. Otherwise a
/// load and a branch.
void noteBinding(Location& location) noexcept;

/// The same at the end of the calling thread. Allocates nothing.
void noteFinalBinding(Location& location) noexcept;

/// The same for all threads that are still there at the end of the program. Allocates nothing.
void noteFinalBindings() noexcept;

}  // namespace holos::tracing::core
