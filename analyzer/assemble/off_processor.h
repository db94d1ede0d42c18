// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"

namespace holos::analyzer::assemble {

/// Adds how much of each thread's computation it cannot have spent on a processor (`off_processor`), and how
/// much of that it cannot have waited for one either (`unseen_sleep`, nothing where that time is not known):
/// its computation without the time that it was on processors. Both are least values, as what it did in other
/// calls on a processor is not known apart. They stand at the thread's root. Nothing where the trace does not
/// tell these times of any thread.
///
/// ```
///   thread   computation ━━━━━━━━━━━━━━━━━━━━━━━  MPI ━━━━
///   kernel   on a processor ━━━━━━━━┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ ━━━━   ┄ asleep, or waiting for a processor
/// ```
void addOffProcessor(algebra::Experiment& experiment);

}  // namespace holos::analyzer::assemble
