// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "algebra/insight/summary/measures.h"

/// How threads share explicit tasks, as far as the sums of an experiment show it.
namespace holos::algebra {

bool isTask(const Experiment& experiment, CallPathId path);

/// There are more tasks than a thread could be busy with while others run the rest, and one thread of each
/// process runs all of them, of whichever construct: the others had none to run.
bool doesOneThreadRunAllTasks(const Measures& measures);

/// While a task runs, all other threads of its process wait for one: nearly all the time that tasks take.
/// Threads share them, so that it is not one task that takes nearly all of it. `waits`: of waiting for tasks.
bool doTasksRunInTurn(const Measures& measures, const MetricNames& waits);

/// Explicit tasks that do less than creating them takes.
struct SmallTasks {
    double number = 0;
    double creating = 0;                ///< seconds in calls that create them, all together
    double doing = 0;                   ///< seconds of work in them, without what they create
    std::optional<CallPathId> largest;  ///< where most of the creating is
};
/// Nothing where there are few, or they do more.
std::optional<SmallTasks> smallTasksOf(const Measures& measures);

/// Whether creating and running tasks is nearly all that is done in a call path with what it calls.
bool isOfTasks(const Measures& measures, CallPathId path);

}  // namespace holos::algebra
