// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/plan/plan.h"
#include "tracing/recordings/archive/run/timeline.h"

namespace holos::archive {

/// Writes the archive `traces` into `folder`, one location after the other. Adds to the plan what was found
/// in the events: notes, and where threads ran. `beforeEach`: that of `Conversion`.
Result writeTrace(const fs::path& folder, TracePlan& plan, const Timeline& timeline,
                  const std::function<void()>& beforeEach);

/// Throws `Error` where the disk of the folder has not twice the room that the trace takes: who goes on to
/// record may need some of it, too.
void requireRoom(const fs::path& folder, const TracePlan& plan);

}  // namespace holos::archive
