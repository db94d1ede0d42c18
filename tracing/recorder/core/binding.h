// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recorder/core/location.h"
#include "tracing/recorder/core/thread.h"

/// Which processors threads may use, how often the kernel moved them, and how long they were on processors:
/// at a thread's first event and at its end, never in between. Where threads are found on the way is an event
/// (`noteProcessor` of thread.h).
namespace holos::tracing::core {

/// Writes that down of the calling thread where it is the first to write to the location. Otherwise two loads
/// and two branches.
void noteBinding(Thread& thread, Location& location) noexcept;

/// One more than the location that the thread of this number wrote to last, as far as that was written down;
/// 0 where that is not known. Of many locations only the newest are looked at.
std::uint32_t locationOfThread(std::uint32_t kernelId) noexcept;

/// Writes the binding at the end of the calling thread, unless that has not been there for long and was seen
/// on one processor only: then that costs more than it tells, and only how long it was on processors is
/// written. The program's descriptors are left alone.
void noteEndedBinding(Location& location) noexcept;

/// The calling thread is the only one that writes to the location for a while, as one of several in turn;
/// their times are written by who knows them all.
void beginSharing(Thread& thread, Location& location) noexcept;
void endSharing(Location& location) noexcept;

/// Notes where the calling thread, a runtime system's, ran at places in teams that it was the last to work
/// at.
void noteEndedPlaces(const Thread& thread) noexcept;

/// Notes where all threads ran that are still there at the end of the program. Allocates nothing.
void noteFinalBindings() noexcept;

}  // namespace holos::tracing::core
