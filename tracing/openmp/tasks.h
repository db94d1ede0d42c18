// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/core/events.h"

/// Explicit tasks, as both ways into the recorder (libgomp's entry points, OMPT) see them.
///
///   creator    | create task (task create) |
///   any thread     ... | task switch, task ........ leave, task complete, task switch | ...
///
/// Tasks outside of all parallel regions run at once and are not told apart from what creates them.
namespace holos::tracing::openmp {

struct Task {
    TaskId id;  ///< team 0 when it is not recorded
    RegionRef region;
};

/// A new task of the calling thread; its region is that of the construct at that address.
Task makeTask(const void* returnAddress) noexcept;

}  // namespace holos::tracing::openmp
