// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/insight/summary/measures.h"

/// How threads share explicit tasks, as far as the sums of an experiment show it.
namespace holos::algebra {

/// There are more tasks than a thread could be busy with while others run the rest, and one thread of each
/// process runs all of them, of whichever construct: the others had none to run.
bool doesOneThreadRunAllTasks(const Measures& measures);

/// While a task runs, all other threads of its process wait for one: nearly all the time that tasks take.
/// Threads share them, so that it is not one task that takes nearly all of it. `waits`: of waiting for tasks.
bool doTasksRunInTurn(const Measures& measures, const MetricNames& waits);

}  // namespace holos::algebra
