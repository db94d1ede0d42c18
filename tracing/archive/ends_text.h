// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tracing/archive/plan.h"

namespace holos::archive {

/// How the processes of a trace ended, in a sentence, those that did not end in order first: `Rank 0 was
/// ended by signal 9 (SIGKILL), 7.93 s after its last event; ranks 1 and 2 exited with code 0`; then those
/// that are not in the trace and that a signal ended. Once the events were written.
std::string endsOf(const TracePlan& plan, const std::vector<RecordedProcess>& processes);

/// Whether all of them ended in order and no one said that it failed.
bool endedWell(const TracePlan& plan, const std::vector<RecordedProcess>& processes);

}  // namespace holos::archive
