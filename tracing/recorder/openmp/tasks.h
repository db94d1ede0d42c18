// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "tracing/recorder/core/events.h"

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

    RegionRef region() const { return construct.region; }
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
