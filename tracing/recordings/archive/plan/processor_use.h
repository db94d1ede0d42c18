// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {

/// Nanoseconds that all threads of the process were on processors while it was recorded; 0 where that is not
/// known, as of one that was killed.
std::int64_t onProcessors(const RecordedProcess& process);

/// Nanoseconds: a tenth of what all of these were on processors, and no less than 100 ms. A process that was
/// so for that long is more than the way to others, even if it recorded no event.
std::int64_t muchOf(const std::vector<RecordedProcess>& all);

/// Which programs of a recording are not in its trace, and how long these were on processors, in a sentence.
/// Empty where that is less than a hundredth of what all were, which is so of shells and launchers.
std::string programsLeftOut(const TracePlan& plan, const std::vector<RecordedProcess>& processes);

}  // namespace holos::archive
