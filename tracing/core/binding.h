// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/core/location.h"
#include "tracing/core/thread.h"

/// Which processors threads may use, how often the kernel moved them, and how long they were on processors:
/// at a thread's first event and at its end, never in between. Where threads are found on the way is an event
/// (`noteProcessor` of thread.h).
namespace holos::tracing::core {

/// Writes that down of the calling thread where it is the first to write to the location. Otherwise two loads
/// and two branches.
void noteBinding(Thread& thread, Location& location) noexcept;

/// The same at the end of the calling thread, unless that has not been there for long and was seen on one
/// processor only: then it costs more than it tells. The program's descriptors are left alone.
void noteEndedBinding(Location& location) noexcept;

/// The same for all threads that are still there at the end of the program. Allocates nothing.
void noteFinalBindings() noexcept;

}  // namespace holos::tracing::core
