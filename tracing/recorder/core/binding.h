// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "tracing/recorder/core/location.h"
#include "tracing/recorder/core/thread.h"

namespace holos::tracing::core {

/// What the kernel has counted of a thread since the thread began; -1 where it does not tell.
struct KernelCounts {
    std::int64_t migrations = -1;    ///< moves between processors
    std::int64_t onProcessors = -1;  ///< nanoseconds
    std::int64_t waiting = -1;       ///< nanoseconds in which it could run, and waited for a processor
};

/// Of a thread of this process. A few system calls; allocates nothing. Nothing is asked for where the program
/// has forbidden itself to open files.
KernelCounts countsOf(pid_t thread) noexcept;

/// `countsOf` by a thread of the kernel with files of its own: the number that a file gets here for a moment
/// may be one that another thread of the program has just closed and still uses, or waits for.
KernelCounts countsByHelper(pid_t thread) noexcept;

/// Whether a thread of this process runs no code of it any more, although the kernel still lists it: who
/// waits for its end (`pthread_join`) goes on a moment before that.
bool isEnding(pid_t thread) noexcept;

// Which processors threads may use, how often the kernel moved them, and how long they were on processors:
// at a thread's first event and at its end, never in between. Where threads are found on the way is an event
// (`noteProcessor` of thread.h).

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
