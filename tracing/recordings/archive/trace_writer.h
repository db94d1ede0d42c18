// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/run/host_clocks.h"
#include "tracing/recordings/archive/shared_translation.h"

namespace holos::archive {

/// How a trace is written.
struct TraceWriting {
    const std::function<void()>& beforeEach;  ///< that of `Conversion`
    Helpers* helpers = nullptr;               ///< null: none
    Order order = {};                         ///< what they have to know
    fs::path directory = {};                  ///< of the measurement, where there are helpers
};

/// Writes the archive `traces` into `folder`. Adds to the plan what was found in the events: notes, and where
/// threads ran.
Result writeTrace(const fs::path& folder, TracePlan& plan, const Timeline& timeline, const TraceWriting& how);

/// Throws `Error` where the disk of the folder has not twice the room that the trace takes: who goes on to
/// record may need some of it, too.
void requireRoom(const fs::path& folder, const TracePlan& plan);

}  // namespace holos::archive
