// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>

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

}  // namespace holos::tracing::core
