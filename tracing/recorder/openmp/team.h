// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/openmp/constructs.h"

/// One execution of a parallel region, as both ways into the recorder (libgomp's entry points, OMPT) see it.
///
///   master   fork | team begin, parallel ... implicit barrier | all are back: leave, leave, team end | join
///   worker        | team begin, parallel ... implicit barrier .....leave, leave, team end (by the master)
namespace holos::tracing::openmp {

struct ParallelRegion {
    TeamRef team = 0;
    RegionRef region = 0;
    RegionRef barrier = 0;
    PathRef path = 0;  ///< that led the master to it
};

/// On the master, before `construct`, whose call path is `path`, forks a team. `size`: how many threads it
/// will have, as far as is known. The teams of a `teams` construct are recorded as one team: that of the
/// threads that begin them.
ParallelRegion beginParallel(Construct construct, const void* returnAddress, std::uint32_t size,
                             PathRef path) noexcept;
/// On each thread, when its share begins and when it is done.
void beginShare(const ParallelRegion& parallel, std::uint32_t number) noexcept;
void finishShare(const ParallelRegion& parallel, std::uint32_t number) noexcept;
/// On the master, when all shares are done and the runtime has joined the threads.
void endParallel(const ParallelRegion& parallel) noexcept;

/// The worksharing constructs that the calling thread is in, innermost last.
struct Work {
    RegionRef region;
    const void* address;  ///< where the construct stands
};
void beginWork(Construct construct, const void* returnAddress) noexcept;
/// One that begins with its parallel region, as of `parallel for`: each thread is in it at once, also the one
/// that a function of the program led there.
void beginWorkOfRegion(Construct construct, const void* returnAddress) noexcept;
/// The innermost construct of this share; its region is left by `endWork`. Null when there is none.
const Work* currentWork() noexcept;
void endWork() noexcept;

/// It is the calling thread's turn in the ordered construct that it is in: its block begins, or has ended.
void beginTurn(const void* returnAddress) noexcept;
void endTurn() noexcept;

/// The block of a `single` construct follows, whose end is not seen: a barrier that comes before another
/// construct or the end of the share is its own.
void expectBarrierOfSingle(const void* address) noexcept;
/// Where the construct stands; null when no such barrier is expected (any more).
const void* takeBarrierOfSingle() noexcept;

}  // namespace holos::tracing::openmp
