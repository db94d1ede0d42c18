// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/openmp/constructs.h"

/// Explicit tasks, as both ways into the recorder (libgomp's entry points, OMPT) see them.
///
///   creator    | create task (task create) |
///   any thread     ... | task switch, task ........ leave, task complete, task switch | ...
///
/// Tasks outside of all parallel regions run at once and are not told apart from what creates them.
namespace holos::tracing::openmp {

/// What a construct makes tasks of, and which calls led to it.
struct TaskConstruct {
    RegionRef region;
    PathRef created;  ///< 0: not known
};

struct Task {
    TaskId id;  ///< team 0 when it is not recorded
    TaskConstruct construct;
    /// The constructs of the tasks around its creation, the outermost first. A task of one of these, as a
    /// recursive function makes them, stands where that was created; so call paths stay short.
    std::array<TaskConstruct, 3> around;
    std::uint32_t depth;  ///< how many there are

    RegionRef region() const noexcept { return construct.region; }
};

/// A new task of the calling thread by the construct at that address, to which these calls led.
Task makeTask(const void* returnAddress, PathRef created) noexcept;

/// What the calling thread works on: an explicit task, or null.
struct WorkOnTask {
    const Task* task;
    TaskCalls calls;
};
const Task* presentTask() noexcept;
/// From here on it is that task, whose function is called by the one that contains `end`, until `goOnWith` is
/// called with what this returns. The task stays where it is meanwhile.
WorkOnTask workOnTask(const Task& task, const void* end) noexcept;
void goOnWith(const WorkOnTask&) noexcept;

}  // namespace holos::tracing::openmp

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

/// The block of an ordered construct begins, as it is the calling thread's turn, or has ended.
void beginTurn(const void* returnAddress) noexcept;
void endTurn() noexcept;

/// The calling thread is about to tell that an iteration of its loop is through which others may wait for
/// (`depend(source)`).
void tellIteration() noexcept;
/// The calling thread had to wait for iterations of others (`depend(sink)`), and goes on.
void waitedForIteration() noexcept;

/// The block of a `single` construct follows, whose end is not seen: a barrier that comes before another
/// construct or the end of the share is its own.
void expectBarrierOfSingle(const void* address) noexcept;
/// Where the construct stands; null when no such barrier is expected (any more).
const void* takeBarrierOfSingle() noexcept;

}  // namespace holos::tracing::openmp
